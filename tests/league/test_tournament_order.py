"""Whatever the concurrency, the order of the results and the kills: the same games are played, and count."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from tests.league.arena import (
    Arena,
    always_ready,
    by_chance,
    faulty,
    ivory_wins,
    often_unready,
    outcome,
    plan_of,
)
from tyrusd.league.statistics.plan import SprtPlan
from tyrusd.league.tournament.fold import tournament_of
from tyrusd.league.tournament.task import PairTask

KINDS: dict[str, dict[str, Any]] = {
    "roundrobin": {"kind": "roundrobin", "count": 5, "rounds": 3},
    "roundrobin-replay": {"kind": "roundrobin", "count": 4, "rounds": 3, "draws": "replay"},
    "roundrobin-once": {"kind": "roundrobin", "count": 4, "rounds": 3, "games": 1},
    "roundrobin-memory": {"kind": "roundrobin", "count": 4, "rounds": 2, "unswapped": frozenset({"bot2"})},
    "gauntlet": {"kind": "gauntlet", "count": 6, "rounds": 2, "seeds": 2},
    "swiss": {"kind": "swiss", "count": 7, "rounds": 2},
    "knockout": {"kind": "knockout", "count": 11, "rounds": 2},
    "sprt": {"kind": "roundrobin", "count": 2, "rounds": None, "sprt": SprtPlan(0, 60)},
    "sprt-most": {"kind": "roundrobin", "count": 2, "rounds": 9, "sprt": SprtPlan(-10, 10, model="logistic")},
}


def reference(terms: dict[str, Any], **how: Any) -> Arena:
    return Arena(plan_of(**terms), **how).run()


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("concurrency", [2, 5, 30])
def test_row_46_concurrency_and_kills_change_nothing(name: str, concurrency: int) -> None:
    plain = reference(KINDS[name])
    for luck in range(3):
        other = Arena(plan_of(**KINDS[name])).run(concurrency, luck, kills=0.02 * luck)
        assert outcome(other.tournament) == outcome(plain.tournament)
        places = other.games_played()
        assert len(set(places)) == len(places), "a game was kept twice"
        if plain.tournament.plan.sprt is None:
            assert set(places) == set(plain.games_played())
            deals = {(task.pair, task.attempt): (task.deal, task.seeds) for task in plain.tasks}
            assert all((task.deal, task.seeds) == deals[task.pair, task.attempt] for task in other.tasks)


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("suspend_after", [2, 3, 10])
def test_row_48_it_ends_when_three_games_in_ten_fail_and_bots_do_not_start(
    name: str, suspend_after: int
) -> None:
    terms = {**KINDS[name], "suspend_after": suspend_after}
    plain = reference(terms, rule=faulty, readiness=often_unready)
    for luck in range(3):
        other = Arena(plan_of(**terms), faulty, often_unready).run(1 + 4 * luck, luck, kills=0.02 * luck)
        assert outcome(other.tournament) == outcome(plain.tournament)
        places = other.games_played()
        assert len(set(places)) == len(places)


@pytest.mark.parametrize("kind", ["roundrobin", "gauntlet", "swiss", "knockout"])
@pytest.mark.parametrize("count", [2, 3, 4, 5, 7, 8, 9])
def test_row_47_every_kind_is_played_to_its_end_with_any_number_of_bots(kind: str, count: int) -> None:
    plain = reference({"kind": kind, "count": count, "rounds": 1})
    assert plain.tournament.why_over == "played"
    met = {frozenset((task.first, task.second)) for task in plain.tasks}
    names = plain.tournament.plan.entrants
    assert len(names) == count and frozenset().union(*met) == set(names)
    assert all(len(both) == 2 for both in met)
    played = [sum(name in both for both in met) for name in names]
    if kind == "swiss":
        assert max(played) - min(played) <= 1
    else:
        assert len(met) == (count * (count - 1) // 2 if kind == "roundrobin" else count - 1)


def test_the_faulty_simulation_does_suspend_and_halt() -> None:
    seen = {"suspended": 0, "halted": 0, "void": 0}
    for terms, after in product(KINDS.values(), (2, 3, 10)):
        arena = reference({**terms, "suspend_after": after}, rule=faulty, readiness=often_unready)
        standing = arena.tournament.standing()
        seen["suspended"] += len(standing["suspended"])
        seen["halted"] += len(standing["halted"])
        seen["void"] += standing["pairs"]["void"]
    assert min(seen.values()) > 3


def worst(task: PairTask, game: int) -> tuple[str | None, str]:
    """bot1 always crashes."""
    if "bot1" in (task.first, task.second):
        return task.second if task.first == "bot1" else task.first, "crashed"
    return by_chance(task, game)


def never_ready(task: PairTask) -> str | None:
    """bot1 never starts."""
    return "bot1" if "bot1" in task.seats(1) else None


@pytest.mark.parametrize("kind", ["roundrobin", "gauntlet", "swiss", "knockout"])
@pytest.mark.parametrize("readiness", [always_ready, never_ready])
def test_a_bot_that_never_works_is_the_same_for_all(kind: str, readiness: Any) -> None:
    plan = plan_of(kind, 6, rounds=4, suspend_after=5)
    plain = Arena(plan, worst, readiness).run()
    for luck in range(6):
        other = Arena(plan, worst, readiness).run(1 + 5 * luck, luck, kills=0.02)
        assert outcome(other.tournament) == outcome(plain.tournament)
    assert plain.tournament.why_over == "played"


def test_every_prefix_of_a_journal_leads_to_the_same_end() -> None:
    plan = plan_of("roundrobin", 4, rounds=2, draws="replay", suspend_after=3)
    whole = Arena(plan, faulty, often_unready).run(4, luck=3)
    for length in range(len(whole.journal)):
        again = Arena(plan, faulty, often_unready, journal=whole.journal[:length])
        again.kill()
        again.run(3, luck=length)
        assert outcome(again.tournament) == outcome(whole.tournament)
        assert len(set(again.games_played())) == len(again.games_played())


@pytest.mark.parametrize("luck", range(3))
def test_a_finished_journal_says_so_in_any_order_of_its_pairs(luck: int) -> None:
    plan = plan_of("roundrobin", 5, rounds=2, suspend_after=3)
    arena = Arena(plan, faulty, often_unready).run(6, luck)
    by_pair = sorted(arena.journal, key=lambda record: -record.get("ladder", record)["pair"])
    assert outcome(tournament_of(plan, by_pair)) == outcome(arena.tournament)


def test_a_test_decides_the_same_though_it_hears_late_of_a_pair() -> None:
    plan = plan_of("roundrobin", 2, rounds=None, sprt=SprtPlan(0, 200, model="logistic"))
    plain = Arena(plan, ivory_wins).run()
    assert plain.tournament.why_over == "decided"
    assert plain.tournament.standing()["sprt"]["decision"] == "H0"
    late = Arena(plan, ivory_wins)
    late.fill(60)
    for task, games in reversed(late.running):
        for game in games:
            late.play(task, game)
    assert late.tournament.why_over == "decided"
    assert late.tournament.verdicts.decided == plain.tournament.verdicts.decided
    assert outcome(late.tournament) == outcome(plain.tournament)
    assert late.tournament.standing()["pairs"]["uncounted_games"] > 0
