"""What is told of an event is worked out once after each change, and is never older than the last one."""

from __future__ import annotations

import pytest

from tests.core.club_world import ClubWorld
from tyrusd.core import club_lines
from tyrusd.league.club import ClubEvent, ClubTerms


def played(kind: str, entrants: int) -> ClubEvent:
    event = ClubEvent("cup", ClubTerms(kind, "standard"))
    lines = club_lines.Lines(event)

    def step(**record: object) -> None:
        event.apply(record)
        same(event, lines)

    for number in range(entrants):
        step(what="joined", name=f"p{number}")
    step(what="started", seed="seed")
    tournament = event.tournament
    assert tournament is not None
    games = 0
    while not tournament.over:
        task = tournament.next()  # which may add pairs
        same(event, lines)
        if task is None:
            break
        games += 1
        pair = tournament.pairs[task.pair - 1]
        place = {"pair": task.pair, "attempt": task.attempt, "round": task.round}
        step(what="game", id=f"g{games}", **place)
        if games == 3:
            step(what="paused")
            step(what="resumed")
            step(what="dropped", name="p1")
        step(what="result", id=f"g{games}", name=pair.first, reason="majority", **place)
    assert event.state == "over"
    return event


def same(event: ClubEvent, lines: club_lines.Lines) -> None:
    assert lines.event() == club_lines.event(event)
    assert lines.standings() == club_lines.standings(event)
    assert lines.encounters() == club_lines.encounters(event)


@pytest.mark.parametrize("kind", ["knockout", "roundrobin", "swiss"])
@pytest.mark.parametrize("entrants", [5, 8])
def test_lines_are_never_older_than_the_last_change(kind: str, entrants: int) -> None:
    played(kind, entrants)


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("bracket cup", "standings"),
        ("bracket cup", "encounters"),
        ("bracket cup round=1", "encounters"),
        ("events", "event"),
    ],
)
def test_however_often_is_asked_it_is_worked_out_once(
    line: str, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = ClubWorld()
    world.open("cup", ClubTerms("roundrobin", "standard"))
    world.join("ana", "ben", "cleo")
    world.do("start")
    worked_out = 0
    real = getattr(club_lines, what)

    def counted(event: ClubEvent) -> object:
        nonlocal worked_out
        worked_out += 1
        return real(event)

    monkeypatch.setattr(club_lines, what, counted)
    guest = world.stage.join("guest")
    for _ in range(10):
        guest.say(line)
    assert worked_out == 1
