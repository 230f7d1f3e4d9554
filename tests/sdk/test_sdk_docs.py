"""docs/sdk.md says what is so: each example is typed strictly and plays, each table is the code's."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import tyrusd.sdk
from tests.sdk.peer import ROOT
from tests.sdk.test_plugin_docs import first_column
from tyrusd.sdk import Event, GameStart, arena, loading, runner, serving, talk, tcp
from tyrusd.sdk.arena import play_games

PAGE = (ROOT / "docs" / "sdk.md").read_text("utf-8")
EXAMPLES = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
NAMES = [example.partition("`")[2].partition("`")[0] or "tests" for example in EXAMPLES]


def section(title: str) -> str:
    found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE)
    assert found, f"docs/sdk.md has no section {title!r}"
    return found[1]


@pytest.mark.parametrize("number", range(len(EXAMPLES)), ids=NAMES)
def test_each_example_plays(number: int) -> None:
    module = ModuleType(f"example_{number}")
    exec(compile(EXAMPLES[number], f"docs/sdk.md example {number}", "exec"), module.__dict__)
    for name, value in vars(module).copy().items():
        if name.startswith("test_"):
            value()
    assert play_games(module, arena.installed("random"), 10).games == 10
    assert (
        loading.load_object(module, "example").about() == EXAMPLES[number].split('"""')[1].partition("\n")[0]
    )


def test_the_examples_are_typed_strictly(tmp_path: Path) -> None:
    assert len(EXAMPLES) == 6 == len(set(NAMES))
    for number, example in enumerate(EXAMPLES):
        (tmp_path / f"example_{number}.py").write_text(example, "utf-8")
    for file in (ROOT / "plugins" / "example").glob("*.py"):
        (tmp_path / file.name).write_text(file.read_text("utf-8"), "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "."],
        cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


def test_the_events_and_their_fields_are_those_of_the_code() -> None:
    rows = re.findall(r"^\| `([A-Z]\w+)` \| (.*) \|$", section("Events"), re.MULTILINE)
    told = {name: tuple(re.findall(r"`(\w+)`", fields)) for name, fields in rows}
    assert told == {kind.__name__: kind._fields for kind in Event.__args__}
    assert set(told) <= set(tyrusd.sdk.__all__)


def test_the_start_is_told_field_by_field() -> None:
    assert first_column(section("A class"), "`GameStart` |") == list(GameStart._fields)


def test_the_methods_are_those_that_are_called() -> None:
    told = first_column(section("A class"), "method")
    assert {name.partition("(")[0] for name in told} == {*loading.METHODS, "choose"}


def test_the_command_is_told_option_by_option() -> None:
    page, parser = section("tyrus-bot"), runner._parser()
    actions = [action for action in parser._actions if action.option_strings and action.dest != "help"]
    told = [row.partition(" ")[0] for row in first_column(page, "option") if row.startswith("--")]
    assert told == [action.option_strings[0] for action in actions]
    statuses = [0, runner.UNREACHABLE, runner.USAGE, serving.FAULT_OF_BOT, serving.FAULT_OF_SERVER]
    statuses.append(runner.INTERRUPTED)
    assert re.findall(r"^\| (\d+) \|", page, re.MULTILINE) == [str(status) for status in statuses]
    assert f"| {talk.GAMES}; 1 in a lobby |" in page and f"1 to {runner.MOST_GAMES} |" in page
    assert f"`{runner.KEY}`" in page
    assert f"silent for {tcp.SILENCE:g} seconds" in page
