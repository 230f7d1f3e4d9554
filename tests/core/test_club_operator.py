"""The operator's word `event`: as it is typed, as it is done, and as it is shown."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.core.club_world import ClubWorld
from tyrusd.commands.admin import _table
from tyrusd.commands.admin_event import event_lines, typed_event
from tyrusd.core import operator_words as words
from tyrusd.core.club import EventError
from tyrusd.core.club_operator import carry_out
from tyrusd.core.lobby import Lobby
from tyrusd.core.operator import OperatorError


def do(club: ClubWorld, text: str) -> dict[str, Any]:
    """What comes of a typed line, by way of JSON as it goes through the socket."""
    line = json.dumps({"do": "event", **typed_event(tuple(text.split()))}).encode()
    lobby = club.stage.server.director
    assert isinstance(lobby, Lobby)
    told = lobby.operator.do(words.read_word(line), club.stage.now)
    club.stage.run()
    assert json.loads(json.dumps(told)) == told
    return told


def shown(told: dict[str, Any]) -> list[str]:
    return list(event_lines(told, _table))


def test_an_evening_by_typed_words() -> None:
    club = ClubWorld()
    assert shown(do(club, "list")) == ["event  kind  state  entrants  round  rounds  champion  finalist"]
    told = do(club, "open cup knockout clock=300+5 rounds=1 cap=60 variant=standard")
    assert shown(told) == ["cup is open, with 0 entrants"]
    club.join("ana", "ben", "cleo", "dora")
    assert shown(do(club, "close cup")) == ["cup is closed, with 4 entrants"]
    do(club, "start cup")
    do(club, "pause cup")
    assert do(club, "go-on cup")["state"] == "running"
    assert any(line.startswith("  ") and ": playing (g" in line for line in shown(do(club, "print cup")))
    first, second = club.games().values()
    pending = f"cup is running, with 4 entrants; {first[0]} is out when its game is over"
    assert shown(do(club, f"drop cup {first[0]}")) == [pending]
    assert any(line.endswith("playing, leaves after its game") for line in shown(do(club, "print cup")))
    club.lose(first[0])
    club.lose(second[0])
    club.lose(second[1])
    lines = shown(do(club, "print cup"))
    assert lines[:2] == ["cup: knockout, over", f"won by {first[1]}, before {second[1]}"]
    assert f"  {first[0]} - {first[1]}: {first[1]} has won (g1)" in lines
    assert lines.count("round 1") == lines.count("round 2") == 1
    assert shown(do(club, "list"))[1].split() == [
        "cup", "knockout", "over", "4", "2", "2", first[1], second[1],
    ]  # fmt: skip
    do(club, "open second swiss")
    assert do(club, "cancel second")["state"] == "cancelled"
    assert shown(do(club, "print second"))[0] == "second: swiss, cancelled"


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("open cup gauntlet", "no kind 'gauntlet'"),
        ("print cup", "there is no event cup"),
        ("start cup", "there is no event cup"),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_sentence(typed: str, why: str) -> None:
    with pytest.raises(OperatorError, match=why):
        do(ClubWorld(), typed)


@pytest.mark.parametrize(
    ("word", "why"),
    [
        (words.Event("open"), "wants the name"),
        (words.Event("print"), "wants the name"),
        (words.Event("open", "cup"), "a name and a kind"),
    ],
)
def test_what_other_programs_leave_out_is_refused_in_a_sentence(word: words.Event, why: str) -> None:
    with pytest.raises(EventError, match=why):
        carry_out(ClubWorld().club, word, 0.0)


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("", "there is no step ''"),
        ("opn", "there is no step 'opn'; there are open, close, start, "),
        ("open", "event open wants NAME KIND"),
        ("open cup swiss now", "event open wants NAME KIND"),
        ("list x", "event list wants nothing behind it"),
        ("start cup rounds=2", "only event open takes clock="),
        ("open cup swiss speed=1", "there is no speed="),
        ("open cup swiss rounds=many", "whole number"),
    ],
)
def test_what_cannot_be_meant_is_refused_before_it_is_sent(typed: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        typed_event(tuple(typed.split()))
