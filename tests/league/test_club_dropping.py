"""Who is dropped or withdraws is paired no more, whatever it plays then; and the table is by points."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tyrusd.core import club_lines
from tyrusd.league.club import ClubEvent, ClubTerms
from tyrusd.league.schema import Payload
from tyrusd.league.tournament.happenings import RoundBegun
from tyrusd.league.tournament.task import PairTask

NAMES = ("ann", "bea", "cid", "dan", "eva")
KINDS = ("swiss", "knockout", "roundrobin")


class Club:
    """An event whose games all run until somebody ends them."""

    def __init__(self, kind: str, people: int, rounds: int | None = None) -> None:
        self.event = ClubEvent("cup", ClubTerms(kind, "standard", rounds=rounds))
        self.byes: list[str] = []
        self.games = 0
        self.left: dict[str, int] = {}
        self.playing: dict[str, PairTask] = {}
        for name in NAMES[:people]:
            self.step("joined", name=name)
        self.step("started", seed="5eed")
        self.play()

    def step(self, what: str, **keys: object) -> None:
        record: Payload = {"kind": "event", "event": "cup", "what": what, **keys}
        for happening in self.event.apply(record):
            if isinstance(happening, RoundBegun):
                self.byes += happening.byes

    def play(self) -> None:
        """Let all games of the round begin."""
        tournament = self.event.tournament
        assert tournament is not None
        while not self.event.ended and (task := tournament.next()) is not None:
            if task.round > tournament.round:
                tournament.returned(task)
                return
            self.games += 1
            game = f"g{self.games}"
            self.playing[game] = task
            self.step("game", id=game, pair=task.pair, attempt=task.attempt, round=task.round)

    def drop(self, name: str) -> None:
        self.step("dropped", name=name)
        self.left[name] = len(self.event.tournament.pairs) if self.event.tournament else 0
        self.byes.clear()

    def end(self, game: str, winner: str | None, reason: str = "majority") -> None:
        task = self.playing.pop(game)
        keys = {"pair": task.pair, "attempt": task.attempt, "round": task.round}
        self.step("result", id=game, name=winner, reason=reason, **keys)
        assert self.left.keys().isdisjoint(self.byes), "a bye for somebody who has left"
        self.play()

    def check(self) -> None:
        """Nobody is paired after having left."""
        tournament = self.event.tournament
        assert tournament is not None
        kind = self.event.terms.kind
        if kind != "roundrobin":  # its pairs are known from the beginning
            for name, known in self.left.items():
                new = [pair for pair in tournament.pairs[known:] if name in pair.names]
                assert all(pair.cut == "dropped" and kind == "knockout" for pair in new)
        for task in self.playing.values():
            gone = [name for name in (task.first, task.second) if name in self.left]
            assert all(task.pair <= self.left[name] for name in gone)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("people", [4, 5])
@pytest.mark.parametrize("wins", [True, False])
def test_who_is_dropped_in_the_last_game_of_a_round_is_not_in_the_next(
    kind: str, people: int, wins: bool
) -> None:
    club = Club(kind, people, 3 if kind == "swiss" else None)
    while len(club.playing) > 1:
        game = min(club.playing)
        club.end(game, club.playing[game].first)
    (game,) = club.playing
    task = club.playing[game]
    club.drop(task.first)
    assert task.first in club.event.leaving and not club.event.plays(task.first)
    club.end(game, task.first if wins else task.second)
    club.check()
    assert not club.event.leaving
    while club.playing:
        game = min(club.playing)
        club.end(game, club.playing[game].second)
        club.check()
    assert club.event.state == "over"
    states = {line.name: line.state for line in club_lines.standings(club.event)}
    assert states[task.first] == "dropped"


@given(st.data())
@settings(max_examples=150, deadline=None, derandomize=True)
def test_whoever_leaves_whenever_is_paired_no_more(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(KINDS))
    club = Club(kind, data.draw(st.sampled_from([2, 3, 4, 5])), data.draw(st.sampled_from([None, 2, 3])))
    for _ in range(80):
        if not club.playing:
            break
        there = [name for name in club.event.entrants.values() if club.event.plays(name)]
        if len(there) > 1 and data.draw(st.integers(0, 3)) == 0:
            club.drop(data.draw(st.sampled_from(there)))
            club.play()
            club.check()
        if not club.playing:
            break
        game = data.draw(st.sampled_from(sorted(club.playing)))
        task = club.playing[game]
        if club.event.ended:
            break
        club.end(game, data.draw(st.sampled_from([task.first, task.second, None])))
        club.check()
        if kind != "knockout":
            points = [float(line.points) for line in club_lines.standings(club.event)]
            assert points == sorted(points, reverse=True)


def test_who_has_points_without_a_game_stands_where_the_points_are() -> None:
    club = Club("swiss", 5)
    bye = next(line.name for line in club_lines.standings(club.event) if line.byes)
    first = club_lines.standings(club.event)[0]
    assert (first.name, first.points) == (bye, "1")
    game = min(club.playing)
    winner, loser = club.playing[game].first, club.playing[game].second
    club.end(game, winner)
    table = [line.name for line in club_lines.standings(club.event)]
    assert set(table[:2]) == {winner, bye} and loser in table[2:]
