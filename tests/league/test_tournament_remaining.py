"""How many games are left is right at every moment, and follows drops, suspensions and halts."""

from __future__ import annotations

from typing import Any

import pytest

from tests.league.arena import Arena, Result, by_chance, plan_of
from tyrusd.league.tournament.remaining import games_left
from tyrusd.league.tournament.task import PairTask
from tyrusd.league.tournament.tournament import Tournament


def play_one(arena: Arena) -> None:
    """The next pair, from its beginning to its end."""
    arena.fill(1)
    task, games = arena.running.pop()
    bot = arena.readiness(task)
    if bot is not None:
        arena.unready(task, bot)
        return
    for game in games:
        arena.play(task, game)


def seen_to_the_end(arena: Arena) -> list[tuple[int, int]]:
    """At each moment: what is said to be left, and what was then played."""
    said = []
    while not arena.tournament.over:
        left = games_left(arena.tournament)
        assert left is not None
        said.append((left, len(arena.games())))
        play_one(arena)
    assert games_left(arena.tournament) == 0
    return [(left, len(arena.games()) - before) for left, before in said]


@pytest.mark.parametrize(
    "terms",
    [
        {"kind": "roundrobin", "rounds": 3},
        {"kind": "roundrobin", "rounds": 3, "unswapped": frozenset({"bot2"})},
        {"kind": "roundrobin", "rounds": 3, "games": 1},
        {"kind": "roundrobin", "rounds": 3, "shard": (2, 4)},
        {"kind": "gauntlet", "rounds": 2, "seeds": 2, "unswapped": frozenset({"bot1"})},
        {"kind": "swiss", "rounds": 2, "swiss_rounds": 3},
    ],
)
def test_what_is_said_is_what_is_played(terms: dict[str, Any]) -> None:
    kind = terms.pop("kind")
    for left, played in seen_to_the_end(Arena(plan_of(kind, 5, **terms))):
        assert left == played


@pytest.mark.parametrize(("kind", "fewer"), [("roundrobin", 24), ("gauntlet", 8), ("swiss", 4)])
def test_a_drop_leaves_fewer(kind: str, fewer: int) -> None:
    terms: dict[str, Any] = {"swiss_rounds": 2} if kind == "swiss" else {}
    arena = Arena(plan_of(kind, 4, rounds=4 if kind != "swiss" else 1, **terms))
    before = games_left(arena.tournament)
    arena.drop("bot4")
    after = games_left(arena.tournament)
    assert before is not None and after is not None
    assert before - after == fewer
    assert {left - played for left, played in seen_to_the_end(arena)} == {0}


def test_a_suspension_and_a_halt_do_as_well() -> None:
    def rule(task: PairTask, game: int) -> Result:
        if "bot3" in (task.first, task.second):
            return (task.second if task.first == "bot3" else task.first), "crashed"
        return by_chance(task, game)

    suspended = Arena(plan_of("roundrobin", 3, rounds=10, suspend_after=4), rule)
    assert [left - played for left, played in seen_to_the_end(suspended)][-10:] == [0] * 10

    def unready(task: PairTask) -> str | None:
        return "bot3" if {"bot2", "bot3"} == {task.first, task.second} else None

    halted = Arena(plan_of("roundrobin", 3, rounds=10), readiness=unready)
    assert [left - played for left, played in seen_to_the_end(halted)][-10:] == [0] * 10


def test_nobody_knows_how_long_a_knock_out_takes_or_a_test() -> None:
    assert games_left(Tournament(plan_of("knockout", 4))) is None
    assert games_left(Tournament(plan_of("swiss", 4, unswapped=frozenset({"bot1"})))) is None
