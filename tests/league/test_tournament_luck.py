"""Tournaments and faults of every kind, drawn by lot: any order of results has the same outcome."""

from __future__ import annotations

from random import Random

import pytest

from tests.league.arena import Arena, Readiness, Result, Rule, chance, outcome, plan_of
from tyrusd.league.statistics.plan import SprtPlan
from tyrusd.league.tournament.plan import TournamentPlan
from tyrusd.league.tournament.task import PairTask

# Each of these once found something that depended on what had been played ahead of a verdict.
ONCE_WRONG = (353, 704, 711, 872, 907, 980, 1088, 1089, 1221, 1231, 1380)


def rule_of(lot: int, random: Random) -> Rule:
    failing, void = random.choice([0.1, 0.3, 0.6]), random.choice([0, 0.05, 0.2])
    drawn = random.choice([0.1, 0.5])

    def rule(task: PairTask, game: int) -> Result:
        drop = chance(lot, "f", task.pair, task.attempt, game)
        if drop < failing:
            return task.seats(game)[int(drop * 1000) % 2], ("crashed", "timeout")[int(drop * 10_000) % 2]
        if drop < failing + void:
            return None, "void"
        drop = chance(lot, "r", task.pair, task.attempt, game)
        return (None, "drawn") if drop < drawn else (task.seats(game)[int(drop * 1000) % 2], "majority")

    return rule


def readiness_of(lot: int, random: Random) -> Readiness:
    missing = random.choice([0, 0.1, 0.3, 0.6])

    def readiness(task: PairTask) -> str | None:
        drop = chance(lot, "u", task.pair, task.attempt)
        return task.seats(1)[int(drop * 1000) % 2] if drop < missing else None

    return readiness


def plan_by_lot(lot: int, random: Random) -> TournamentPlan:
    kind = random.choice(["roundrobin", "gauntlet", "swiss", "knockout", "sprt"])
    rounds, after = random.randint(1, 4), random.randint(1, 6)
    draws, games = random.choice(["half", "replay"]), random.choice([1, 2])
    terms = {"suspend_after": after, "draws": draws, "games": games, "seed": str(lot)}
    if kind == "sprt":
        test = SprtPlan(0, 150, model="logistic")
        return plan_of("roundrobin", 2, rounds=random.choice([None, 20]), sprt=test, **terms)
    return plan_of(kind, random.randint(2, 9), rounds=rounds, **terms)


def check(lot: int) -> None:
    random = Random(lot)
    readiness, rule = readiness_of(lot, random), rule_of(lot, random)
    plan = plan_by_lot(lot, random)
    plain = Arena(plan, rule, readiness).run()
    for luck in range(4):
        concurrency, kills = random.choice([2, 4, 8, 20]), random.choice([0, 0.02, 0.1])
        other = Arena(plan, rule, readiness).run(concurrency, luck, kills)
        assert outcome(other.tournament) == outcome(plain.tournament), f"lot {lot}, luck {luck}: {plan}"
        assert len(set(other.games_played())) == len(other.games_played())


@pytest.mark.parametrize("lot", ONCE_WRONG)
def test_what_was_wrong_once(lot: int) -> None:
    check(lot)


@pytest.mark.parametrize("hundred", range(3))
def test_any_tournament_has_one_outcome(hundred: int) -> None:
    for lot in range(5000 + 40 * hundred, 5040 + 40 * hundred):
        check(lot)
