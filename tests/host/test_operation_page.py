"""docs/operation.md says what the program does: its tables are compared with the code."""

from __future__ import annotations

import re
from pathlib import Path

from tyrusd.core.operator_words import ARGUMENTS
from tyrusd.host.game_index import RETRY, WAITING
from tyrusd.league.game_row import GameRow

PAGE = (Path(__file__).parents[2] / "docs" / "operation.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found is not None, f"there is no section {title!r}"
    return found[1]


def rows(text: str, head: str) -> list[list[str]]:
    """The rows of the table whose head begins with this cell."""
    lines = text.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith(f"| {head} |"))
    found = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        cells = re.split(r"(?<!\\)\|", line)[1:-1]
        found.append([cell.strip().replace("\\|", "|") for cell in cells])
    return found


def test_the_words_of_the_console_are_those_of_the_page() -> None:
    shown = [row[0].strip("`") for row in rows(section("The console"), "word")]
    assert sorted(shown) == sorted(f"{word} {typed}".strip() for word, (_, typed) in ARGUMENTS.items())


def test_the_columns_of_the_index_are_those_of_the_page() -> None:
    shown = [row[0].strip("`") for row in rows(section("The index of games"), "column")]
    assert shown == list(GameRow._fields)
    assert f"At most {WAITING:,} rows wait" in section("The index of games")
    assert RETRY == 10
