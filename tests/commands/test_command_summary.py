"""What a match comes to: counts by seat and side, endings, a sentence for each fault, and how far it is."""

from __future__ import annotations

import io
from typing import Any

import pytest

from tyrusd.commands.progress import Progress
from tyrusd.commands.summary import FORFEITS, WITHOUT_RESULT, Tally, forfeit_sentence
from tyrusd.league.match import FORFEITS as LOSSES


def record(
    number: int, ivory: str, brown: str, winner: str | None, reason: str, detail: str = ""
) -> dict[str, Any]:
    game = {"number": number, "seats": {"ivory": ivory, "brown": brown}, "winner": winner, "reason": reason}
    return {"kind": "game", "id": f"g{number}", "game": {**game, "detail": detail}}


RECORDS = [
    record(1, "one", "two", "ivory", "majority"),
    record(2, "two", "one", "ivory", "timeout"),
    record(3, "one", "two", None, "drawn"),
    record(4, "two", "one", "brown", "majority"),
    record(5, "one", "two", None, "aborted"),
    record(6, "two", "one", None, "void"),
]


@pytest.fixture
def tally() -> Tally:
    found = Tally(["one", "two"])
    for each in RECORDS:
        found.add(each)
    return found


def test_results_are_counted_by_seat_and_side(tally: Tally) -> None:
    assert tally.of_seat("one") == {
        "wins": 2, "losses": 1, "draws": 1, "points": 2.5,
        "ivory": {"wins": 1, "losses": 0, "draws": 1, "points": 1.5},
        "brown": {"wins": 1, "losses": 1, "draws": 0, "points": 1.0},
    }  # fmt: skip
    assert tally.of_seat("two")["points"] == 1.5
    assert (tally.games, tally.finished) == (6, 4)
    assert tally.counted(8) == "4 of 8 finished, 1 aborted, 1 void"
    assert Tally(["one", "two"]).counted(3) == "0 of 3 finished"
    assert tally.endings == {"majority": 2, "timeout": 1, "drawn": 1, "aborted": 1, "void": 1}


def test_the_table_shows_the_same(tally: Tally) -> None:
    assert tally.table(["plugin:one", "exec:two"]) == [
        "seat  side   points   wins  losses  draws",
        "one   both      2.5      2       1      1  plugin:one",
        "      ivory     1.5      1       0      1",
        "      brown     1.0      1       1      0",
        "two   both      1.5      1       2      1  exec:two",
        "      ivory     1.0      1       1      0",
        "      brown     0.5      0       1      1",
        "endings: majority 2, timeout 1, drawn 1, aborted 1, void 1",
    ]


@pytest.mark.parametrize("reason", sorted(FORFEITS))
def test_row_48_a_fault_is_told_with_game_seat_side_reason_and_last_words(reason: str) -> None:
    lost = record(7, "one", "two", "ivory", reason, "exit status 3")
    told = f"game 7: two (brown) lost, {reason} (exit status 3); its error output: "
    assert forfeit_sentence(lost, "the only line\n") == f"{told}the only line"
    assert forfeit_sentence(lost, "first\nlast words\n\n") == f"{told}first / last words"
    assert forfeit_sentence(lost, "\nfirst\nmore\nmore\n last words") == f"{told}first ... last words"
    assert forfeit_sentence(lost, "x" * 1001 + "\nlast") == f"{told}{'x' * 1000}... / last"
    assert (
        forfeit_sentence(record(7, "one", "two", "brown", reason), "")
        == f"game 7: one (ivory) lost, {reason}"
    )


@pytest.mark.parametrize("reason", ["majority", "three-in-a-row", "drawn", "resigned", "aborted", "void"])
def test_other_endings_need_no_sentence(reason: str) -> None:
    assert forfeit_sentence(record(1, "one", "two", "ivory", reason), "noise") is None


def test_the_words_are_those_of_the_league() -> None:
    assert LOSSES - {"walkover"} == FORFEITS
    assert not FORFEITS & WITHOUT_RESULT


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize(("total", "lines"), [(1, 0), (2, 2), (10, 10), (25, 10), (1000, 10)])
def test_on_a_pipe_there_is_a_line_for_each_tenth(total: int, lines: int) -> None:
    stream = io.StringIO()
    progress = Progress(total, "games", stream, Clock())
    for _ in range(total):
        progress.step()
    progress.clear()
    told = stream.getvalue().splitlines()
    assert len(told) == lines
    if told:
        assert told[-1] == f"{total} of {total} games"
    assert "\r" not in stream.getvalue()


def test_on_a_terminal_one_line_is_renewed_once_a_second_at_most() -> None:
    stream, clock = Terminal(), Clock()
    progress = Progress(1000, "games", stream, clock)
    for _ in range(1000):
        clock.now += 0.01
        progress.step()
    assert 9 <= stream.getvalue().count("\r") <= 10
    assert "\n" not in stream.getvalue()


def test_a_line_of_its_own_takes_the_renewed_one_away_first() -> None:
    stream, clock = Terminal(), Clock()
    progress = Progress(10, "games", stream, clock)
    clock.now = 2.0
    progress.step()
    progress.line("a fault")
    assert stream.getvalue() == "\r1 of 10 games\r             \ra fault\n"
    progress.clear()
    assert stream.getvalue().endswith("a fault\n")
