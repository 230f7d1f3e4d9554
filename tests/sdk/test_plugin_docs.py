"""docs/plugins.md says what is so: hooks, arguments, fields, names, statuses, limits, example."""

from __future__ import annotations

import inspect
import re
from importlib import import_module

import pytest

import tyrusd.sdk
from tests.sdk.peer import ROOT
from tyrusd.core.settings import Settings
from tyrusd.host.programs import ENVIRONMENT, ENVIRONMENT_PREFIX
from tyrusd.sdk import Option, Request, View, hooks, loading, options, serving, talk

PAGE = (ROOT / "docs" / "plugins.md").read_text("utf-8")


def section(title: str) -> str:
    """The text of one section, up to the next of its level or above."""
    level = title.partition(" ")[0]
    found = re.search(
        rf"^{re.escape(title)}\n(.*?)(?=^#{{1,{len(level)}}} |\Z)", PAGE, re.DOTALL | re.MULTILINE
    )
    assert found, f"docs/plugins.md has no section {title!r}"
    return found[1]


def first_column(text: str, head: str) -> list[str]:
    """The names in backquotes in the first column of the table with that head."""
    lines = text[text.index(f"| {head} |") :].split("\n\n")[0].splitlines()[2:]
    return [name for line in lines for name in re.findall(r"`([^`]+)`", line.split(" | ")[0])]


def specified() -> dict[str, str]:
    """Every hook that pluggy knows from hooks.py, with its arguments."""
    return {
        name: f"{name}({', '.join(inspect.signature(function).parameters)})"
        for name, function in vars(hooks).items()
        if hasattr(function, f"{hooks.PROJECT}_spec")
    }


def test_each_hook_has_a_section_with_its_exact_arguments() -> None:
    assert re.findall(r"^### `(.*)`$", section("## The hooks"), re.MULTILINE) == list(specified().values())


def test_the_loader_knows_each_hook() -> None:
    assert list(hooks.HOOKS) == list(specified())


def test_each_hook_is_used_by_a_bundled_bot() -> None:
    bots = [import_module(f"tyrusd_bundled.{name}_bot") for name in ("random", "greedy", "cautious")]
    for hook in hooks.HOOKS:
        assert any(hasattr(getattr(bot, hook, None), "tyrusd_impl") for bot in bots), hook


def test_the_options_are_told_field_by_field() -> None:
    fields = first_column(section("## Options"), "`Option`")
    assert fields == list(Option._fields)
    hook = section("### `tyrusd_options()`")
    assert f"at most {options.MOST}:" in hook and f"at most {options.LONGEST:,} characters" in hook


@pytest.mark.parametrize(("head", "fields"), [("`Request`", Request._fields), ("`View`", View._fields)])
def test_each_field_has_a_row(head: str, fields: tuple[str, ...]) -> None:
    assert first_column(section("## What a request holds"), head) == list(fields)


def test_each_name_of_the_sdk_has_a_row() -> None:
    names = first_column(section("## What `tyrusd.sdk` offers"), "name")
    assert sorted(names) == sorted(tyrusd.sdk.__all__)
    assert all(hasattr(tyrusd.sdk, name) for name in names)


def test_the_statuses_and_limits_are_those_of_the_code() -> None:
    process = section("## The process")
    assert re.findall(r"^\| (\d+) \|", process, re.MULTILINE) == [
        "0", str(serving.FAULT_OF_BOT), str(serving.FAULT_OF_SERVER)
    ]  # fmt: skip
    assert f"up to {talk.GAMES} games" in process
    assert f"at most {talk.GAMES};" in section("### `tyrusd_choose(requests)`")
    assert f"1 to {loading.ABOUT_LIMIT} characters" in section("### `tyrusd_about()`")
    assert Settings().hello_pipe == 10.0 and "has ten seconds" in process
    for name in (*ENVIRONMENT, f"{ENVIRONMENT_PREFIX}*"):
        assert f"`{name}`" in process


@pytest.mark.parametrize("file", ["pyproject.toml", "tyrusd_lowest.py", "test_lowest.py"])
def test_the_example_is_printed_as_it_is(file: str) -> None:
    text = (ROOT / "plugins" / "example" / file).read_text("utf-8")
    if file == "test_lowest.py":
        text = text.partition('"""\n\n')[2]  # all but the file's own docstring
    assert f"\n{text}```\n" in section("## A plugin in ten minutes")
