"""Suspended bots, halted pairings, dropped bots, the first crash, and the sequential test."""

from __future__ import annotations

import pytest

from tests.league.arena import Arena, Result, Rule, by_chance, ivory_wins, outcome, plan_of
from tyrusd.league.statistics.pentanomial import Pentanomial, Trinomial
from tyrusd.league.statistics.plan import SprtPlan
from tyrusd.league.statistics.sprt import sprt
from tyrusd.league.tournament.fold import tournament_of
from tyrusd.league.tournament.happenings import (
    Champion,
    DealtAgain,
    Decided,
    PairingHalted,
    StoppedByCrash,
    Suspended,
)
from tyrusd.league.tournament.task import PairTask
from tyrusd.league.tournament.verdicts import FAILURES

STRONG = SprtPlan(0, 100, model="logistic")


def bot2_loses(reason: str) -> Rule:
    def rule(task: PairTask, game: int) -> Result:
        if "bot2" in (task.first, task.second):
            return (task.second if task.first == "bot2" else task.first), reason
        return by_chance(task, game)

    return rule


@pytest.mark.parametrize("reason", ["crashed", "timeout", "illegal", "protocol", "disconnected"])
def test_so_many_failures_in_a_row_suspend(reason: str) -> None:
    arena = Arena(plan_of("roundrobin", 4, rounds=5, suspend_after=6), bot2_loses(reason)).run()
    assert arena.heard(Suspended) == [Suspended("bot2", 6)]
    standing = arena.tournament.standing()
    assert standing["suspended"] == ["bot2"]
    states = {line["name"]: (line["state"], line["games"]) for line in standing["table"]}
    assert states["bot2"] == ("suspended", 6)
    assert sum(games for _, games in states.values()) == 2 * (6 + 3 * 5 * 2)
    assert arena.tournament.why_over == "played"


@pytest.mark.parametrize("reason", ["majority", "resigned", "walkover", "adjudicated"])
def test_other_losses_do_not(reason: str) -> None:
    arena = Arena(plan_of("roundrobin", 4, rounds=5, suspend_after=6), bot2_loses(reason)).run()
    assert arena.heard(Suspended) == []
    assert len(arena.tournament.counted_games()) == 60


def test_a_game_without_a_failure_begins_the_count_anew() -> None:
    def rule(task: PairTask, game: int) -> Result:
        other = task.seats(game)[task.seats(game)[0] == "bot2"]
        return (other, "crashed") if task.pair % 3 else (None, "drawn")

    arena = Arena(plan_of("roundrobin", 2, rounds=30, suspend_after=5), rule).run()
    assert arena.heard(Suspended) == []
    arena = Arena(plan_of("roundrobin", 2, rounds=30, suspend_after=4), rule).run()
    assert arena.heard(Suspended) == [Suspended("bot2", 4)]
    assert len(arena.tournament.counted_games()) == 4


def test_what_seems_to_fail_is_held_back_until_it_is_sure() -> None:
    arena = Arena(plan_of("roundrobin", 3, rounds=20, suspend_after=4), bot2_loses("crashed"))
    arena.fill(4)
    first, *others = arena.running
    for task, games in others:
        for game in games:
            arena.play(task, game)
    assert "bot2" in first[0].seats(1)
    assert arena.heard(Suspended) == []
    arena.running = [first]
    arena.fill(9)
    assert [set(task.seats(1)) for task, _ in arena.running[1:]] == [{"bot1", "bot3"}] * 8
    arena.run(4)
    assert arena.heard(Suspended) == [Suspended("bot2", 4)]


def test_two_starts_that_fail_halt_a_pairing_and_no_other() -> None:
    def unready(task: PairTask) -> str | None:
        return "bot3" if {"bot2", "bot3"} == set(task.seats(1)) and task.pair > 3 else None

    arena = Arena(plan_of("roundrobin", 3, rounds=4), readiness=unready).run()
    (halt,) = arena.heard(PairingHalted)
    assert {halt.first, halt.second} == {"bot2", "bot3"}
    assert halt.why == "bot3 was not ready twice in a row: no hello"
    games = arena.tournament.counted_games()
    assert len(games) == 2 * (4 + 4 + 1)
    standing = arena.tournament.standing()
    assert standing["halted"] == [{"pairing": [halt.first, halt.second], "why": halt.why}]
    assert standing["suspended"] == []


def test_what_was_begun_before_a_halt_is_not_dealt_again() -> None:
    arena = Arena(plan_of("roundrobin", 2, rounds=6))
    arena.fill(6)
    (one, _), (two, _), (three, _) = arena.running[:3]
    arena.unready(one, one.first)
    arena.fill(7)
    again = arena.running[-1][0]
    assert (again.pair, again.attempt) == (one.pair, 2)
    arena.unready(again, one.first)
    assert arena.tournament.why_over == "played"
    assert arena.tournament.in_vain(two.pair) and not arena.heard(Champion)
    arena.unready(two, two.first)
    arena.play(three, 1, (None, "void"))
    assert arena.heard(DealtAgain) == [DealtAgain(one.pair, 2, "unready")]


def test_one_start_that_fails_is_only_dealt_again() -> None:
    arena = Arena(
        plan_of("roundrobin", 3, rounds=4), readiness=lambda task: task.first if task.attempt == 1 else None
    ).run(3)
    assert arena.heard(PairingHalted) == []
    games = arena.tournament.counted_games()
    assert len(games) == 24
    assert {game.place.attempt for game in games} == {2}


def test_starts_that_fail_count_towards_suspension() -> None:
    arena = Arena(plan_of("gauntlet", 8, suspend_after=3), readiness=lambda task: "bot1").run()
    assert arena.heard(Suspended) == [Suspended("bot1", 3)]
    assert len(arena.heard(PairingHalted)) == 1
    assert arena.tournament.why_over == "played"


def test_a_dropped_bot_plays_no_more_and_what_is_running_does_not_count() -> None:
    arena = Arena(plan_of("roundrobin", 3, rounds=3))
    arena.fill(4)
    (one, _), (two, _), *others = arena.running
    for game in (1, 2):
        arena.play(one, game)
    arena.play(two, 1)
    arena.drop(two.first)
    arena.drop(two.first)
    arena.play(two, 2)
    for task, games in others:
        for game in games:
            arena.play(task, game)
    arena.running = []
    arena.run()
    assert not any(two.first in task.seats(1) for task in arena.tasks[4:])
    left = {name for name in arena.plan.entrants if name != two.first}
    for counted in arena.tournament.counted_games():
        assert counted.place.pair == one.pair or {counted.ivory, counted.brown} == left
    assert arena.tournament.standing()["dropped"] == [two.first]
    assert outcome(tournament_of(arena.plan, arena.journal)) == outcome(arena.tournament)
    with pytest.raises(ValueError, match="stranger is not in this tournament; its bots are bot1, bot2, bot3"):
        arena.tournament.drop("stranger")


def test_the_first_failure_stops_everything_where_the_plan_says_so() -> None:
    plan = plan_of("roundrobin", 3, rounds=3, stop_on_crash=True)
    arena = Arena(plan)
    arena.fill(3)
    (one, _), (two, _), (three, _) = arena.running
    arena.play(one, 1, (one.first, "majority"))
    arena.play(two, 1, (two.first, "crashed"))
    assert arena.told[-1] == StoppedByCrash(two.second, f"p{two.pair}-1", "crashed")
    assert (arena.tournament.over, arena.tournament.why_over) == (True, "crash")
    assert arena.tournament.next() is None
    arena.play(three, 1, (three.first, "crashed"))
    arena.play(one, 2, (one.first, "majority"))
    assert len(arena.heard(StoppedByCrash)) == 1
    assert len(arena.tournament.counted_games()) == 2
    again = tournament_of(plan, arena.journal)
    assert again.why_over == "crash"


@pytest.mark.parametrize(
    ("reason", "stops"), [(word, word in ("crashed", "disconnected")) for word in sorted(FAILURES)]
)
def test_only_who_is_not_there_any_more_stops_it(reason: str, stops: bool) -> None:
    arena = Arena(plan_of("roundrobin", 2, rounds=2, stop_on_crash=True))
    arena.fill(1)
    (task, _) = arena.running.pop()
    arena.play(task, 1, (task.first, reason))
    assert arena.tournament.over == stops
    assert len(arena.heard(StoppedByCrash)) == stops


def test_a_bot_that_is_not_ready_stops_it_too() -> None:
    arena = Arena(plan_of("roundrobin", 2, rounds=2, stop_on_crash=True), readiness=lambda task: "bot2").run()
    assert arena.tournament.why_over == "crash"
    assert arena.heard(StoppedByCrash) == [StoppedByCrash("bot2", None, "unready")]


@pytest.mark.parametrize("kind", ["roundrobin", "swiss", "knockout"])
def test_what_a_crash_has_stopped_goes_on_where_that_is_chosen(kind: str) -> None:
    def rule(task: PairTask, game: int) -> Result:
        return (task.first, "crashed") if task.pair == 2 else by_chance(task, game)

    whole = Arena(plan_of(kind, 4, rounds=2), rule).run(3)
    plan = plan_of(kind, 4, rounds=2, stop_on_crash=True)
    arena = Arena(plan, rule).run(3)
    assert arena.tournament.why_over == "crash"
    arena.kill()
    arena.journal.append({"kind": "run", "stops": False})
    arena.told += arena.tournament.stop_on_crash(False)
    assert not arena.tournament.over
    arena.run(3, kills=0.05)
    assert arena.tournament.why_over == "played"
    assert outcome(arena.tournament) == outcome(whole.tournament)
    assert outcome(tournament_of(plan, arena.journal)) == outcome(whole.tournament)


def test_the_choice_can_be_made_again() -> None:
    arena = Arena(plan_of("roundrobin", 2, rounds=3))
    arena.journal.append({"kind": "run", "stops": True})
    arena.kill()
    assert arena.tournament.stops
    arena.fill(1)
    (task, _) = arena.running.pop()
    arena.play(task, 1, (task.first, "crashed"))
    assert arena.tournament.why_over == "crash"
    assert arena.tournament.stop_on_crash(True) == []
    assert arena.tournament.why_over == "crash"


def test_a_failure_that_does_not_count_stops_nothing() -> None:
    arena = Arena(plan_of("roundrobin", 3, rounds=2, stop_on_crash=True))
    arena.fill(1)
    (task, _) = arena.running.pop()
    arena.drop(task.first)
    arena.play(task, 1, (task.second, "crashed"))
    assert not arena.tournament.over
    arena.run()
    assert arena.tournament.why_over == "played"
    assert len(arena.tournament.counted_games()) == 4


def test_it_stops_when_it_is_told_to() -> None:
    arena = Arena(plan_of("swiss", 4))
    arena.fill(9)
    arena.tournament.stop("interrupted")
    arena.tournament.stop("for another reason")
    assert arena.tournament.why_over == "interrupted"
    for task, games in arena.running:
        for game in games:
            arena.play(task, game)
    assert arena.tournament.next() is None
    assert len(arena.tournament.counted_games()) == 4
    assert arena.champion is None


def winner_of(task: PairTask, game: int) -> Result:
    """bot1 wins three pairs of four, and shares the fourth."""
    return (task.seats(game)[0] if task.pair % 4 == 0 else "bot1"), "majority"


@pytest.mark.parametrize("games", [1, 2])
def test_the_test_decides_at_the_pair_where_its_figures_say_so(games: int) -> None:
    arena = Arena(plan_of("roundrobin", 2, rounds=None, games=games, sprt=STRONG), winner_of).run(3)
    assert arena.tournament.why_over == "decided"
    ((number, state),) = arena.heard(Decided)
    assert (state.decision, state.pairs) == ("H1", number)
    counted = arena.tournament.counted_games()
    assert len(counted) == number * games
    cells = [0] * (2 * games + 1)
    states = []
    for pair in range(1, number + 1):
        score = sum(game.score("bot1") for game in counted if game.place.pair == pair)
        cells[round(2 * score)] += 1
        states.append(sprt(Pentanomial(*cells) if games == 2 else Trinomial(*cells), STRONG))
    assert states[-1] == state
    assert all(before.decision is None for before in states[:-1])


def test_a_test_with_rounds_may_end_without_a_decision() -> None:
    arena = Arena(plan_of("roundrobin", 2, rounds=3, sprt=SprtPlan(0, 5)), ivory_wins).run()
    assert arena.tournament.why_over == "played"
    assert arena.tournament.standing()["sprt"]["decision"] is None


@pytest.mark.parametrize("concurrency", [1, 7])
def test_a_test_without_rounds_ends_when_nobody_is_left(concurrency: int) -> None:
    plan = plan_of("roundrobin", 2, rounds=None, sprt=SprtPlan(0, 1), suspend_after=4)
    crashing = Arena(plan, bot2_loses("crashed")).run(concurrency)
    assert crashing.tournament.why_over == "nobody"
    assert len(crashing.tournament.counted_games()) == 4
    halting = Arena(plan, readiness=lambda task: "bot1" if task.pair > 2 else None).run(concurrency)
    assert halting.tournament.why_over == "nobody"
    assert len(halting.tournament.counted_games()) == 4
