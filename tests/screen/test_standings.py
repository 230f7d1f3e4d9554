"""Standings as a table: whatever bots are called and however narrow the terminal is."""

from __future__ import annotations

from typing import Any

import pytest

from tyrusd.league.statistics.summary import summary
from tyrusd.league.tournament.played import Played
from tyrusd.league.tournament.task import Place
from tyrusd.screen.standings import COLUMNS, FORMATS, columns_of, standings, text_width

HOSTILE = "\x1b[31mred\x1b[0m\r\n<b>&\"'\u202e,;"
WIDE = "東京の棋士"


def rows(*names: str) -> list[dict[str, Any]]:
    """A table in which the first named wins all games."""
    first, second = names[:2]
    games = [
        Played(Place(1, 1, 1, 1), first, second, first, "majority", "", first),
        Played(Place(1, 1, 2, 1), second, first, first, "crashed", "exit status 1", first),
    ]
    found = summary(games, entrants=names)["entrants"]
    assert isinstance(found, list)
    return found


def test_the_table_has_a_line_for_each_bot() -> None:
    lines = standings(rows("A", "B"), FORMATS["default"], 1000)
    assert lines[0].split() == [
        "rank", "name", "Elo", "games", "points", "score", "wins", "losses", "draws", "faults", "state",
    ]  # fmt: skip
    assert lines[1].split()[:2] == ["1", "A"]
    assert lines[2].split()[-7:] == ["0.0", "%", "0", "2", "0", "1", "playing"]


@pytest.mark.parametrize("word", FORMATS)
@pytest.mark.parametrize("width", [1, 8, 20, 40, 60, 80, 100, 1000])
def test_no_line_is_wider_than_the_terminal(word: str, width: int) -> None:
    for names in (("A", "B"), (WIDE * 3, HOSTILE), ("x" * 200, "y")):
        lines = standings(rows(*names), columns_of(word), width)
        assert len(lines) == 3
        if width >= 20:
            assert max(map(text_width, lines)) <= width
        assert all(line.isprintable() for line in lines)


def test_who_was_dropped_is_seen_on_a_narrow_terminal() -> None:
    found = rows("A", "B")
    assert "state" not in standings(found, FORMATS["default"], 60)[0]
    found[1] = {**found[1], "state": "dropped"}
    for width in (20, 40, 60, 80):
        lines = standings(found, FORMATS["default"], width)
        assert lines[2].endswith("  dropped")
        assert max(map(text_width, lines)) <= width


def test_names_of_two_columns_a_sign_leave_the_table_straight() -> None:
    lines = standings(rows(WIDE, "B"), ("name", "games"), 1000)
    assert {text_width(line) for line in lines} == {len("name") + 6 + 2 + 5}


def test_a_name_cannot_drive_the_terminal() -> None:
    text = "\n".join(standings(rows(HOSTILE, "B"), ("name",), 1000))
    assert "\x1b" not in text and "\r" not in text and "\u202e" not in text
    assert "?[31mred?[0m??<b>&" in text


def test_without_a_game_there_is_a_dash() -> None:
    found = summary([], entrants=("A", "B"))["entrants"]
    lines = standings(found, ("name", "score", "ivory"), 1000)
    assert lines[1].split() == ["A", "-", "0-0-0"]


def test_every_column_can_be_chosen() -> None:
    for name, column in COLUMNS.items():
        assert column.head
        assert len(standings(rows("A", "B"), columns_of(name), 1000)) == 3
    for wrong in ("", "elo,", "nosuch", "elo,elo"):
        with pytest.raises(ValueError, match="column"):
            columns_of(wrong)
