"""docs/ladder.md says of ladders what the program does: events, columns, words, codes, options."""

from __future__ import annotations

import re
from pathlib import Path

from tests.commands.test_command_docs import rows as rows_of
from tyrusd.commands import running
from tyrusd.commands.ladder import command
from tyrusd.commands.ladder_events import EVENTS
from tyrusd.commands.ladder_words import FILLINGS, TIMES
from tyrusd.screen.standings import FORMATS

PAGE = (Path(__file__).parents[2] / "docs" / "ladder.md").read_text("utf-8")


def section(title: str) -> str:
    found = re.search(rf"^##+ {re.escape(title)}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found is not None, f"there is no section {title!r}"
    return found[1]


def test_the_events_and_their_fields_are_those_of_the_program() -> None:
    shown = {row[0].strip("`"): tuple(re.findall(r"`(\w+)`", row[1])) for row in rows_of(PAGE, "event")}
    assert shown == EVENTS
    assert list(shown) == list(EVENTS)


def test_the_columns_are_those_of_the_program() -> None:
    shown = {
        word.strip("`"): tuple(columns.strip("`").split(","))
        for word, columns in rows_of(PAGE, "word | columns")
    }
    assert shown == FORMATS


def test_the_words_of_a_bot_are_those_of_the_program() -> None:
    shown = {row[0].strip("`").partition("=")[0] for row in rows_of(section("Bots"), "word")}
    assert shown == {"name", *FILLINGS, *TIMES}


def test_the_exit_codes_are_those_of_the_program() -> None:
    told = {int(code) for code, _ in rows_of(section("Exit codes"), "code")}
    assert told == {
        0, running.FAILURE, running.USAGE, running.MISSING_EXTRA, running.GATE, running.INTERRUPTED
    }  # fmt: skip


def test_every_option_that_is_named_exists() -> None:
    known = {name for option in command.params for name in (*option.opts, *option.secondary_opts)}
    others = {"--fast", "--html", "--data", "--json", "--table"}  # of bots and of other commands
    text = re.sub(r"^\| there \| here \|.*?\n\n", "", PAGE, flags=re.MULTILINE | re.DOTALL)
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", text))
    assert named - others <= known
    words = {"--bot", "--each", "--sprt", "--events", "--resultformat", "--deals", "--affinity", "--resume"}
    assert words <= named
