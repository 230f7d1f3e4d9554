"""A tournament has a winner only where nothing that was left out could have changed the first place."""

from __future__ import annotations

from typing import Any

import pytest

from tests.league.arena import Arena, Result, always_drawn, by_number, plan_of
from tyrusd.league.statistics.plan import SprtPlan
from tyrusd.league.tournament.happenings import Champion
from tyrusd.league.tournament.task import PairTask


def ended(arena: Arena) -> tuple[str | None, Any]:
    """The champion and why there is none; what was told agrees."""
    standing = arena.tournament.standing()
    told = [champion.name for champion in arena.heard(Champion)]
    assert told == ([] if standing["champion"] is None else [standing["champion"]])
    return standing["champion"], standing["no_winner"]


@pytest.mark.parametrize("kind", ["roundrobin", "swiss", "knockout"])
def test_what_was_played_to_its_end_has_a_winner(kind: str) -> None:
    arena = Arena(plan_of(kind, 4), by_number)
    assert ended(arena) == (None, None)  # it goes on
    assert ended(arena.run()) == ("bot1", None)


def test_what_only_measures_has_none_and_lacks_nothing() -> None:
    assert ended(Arena(plan_of("gauntlet", 4), by_number).run()) == (None, None)
    plan = plan_of("roundrobin", 2, rounds=4, sprt=SprtPlan(0, 5))
    assert ended(Arena(plan, by_number).run()) == (None, None)


def test_a_share_has_none() -> None:
    arena = Arena(plan_of("roundrobin", 4, rounds=3, shard=(1, 3)), by_number).run()
    assert ended(arena) == (None, "this is share 1 of 3, and what the others hold is missing")


def test_what_was_stopped_has_none() -> None:
    arena = Arena(plan_of("roundrobin", 3), by_number)
    arena.tournament.stop("interrupted")
    assert ended(arena) == (None, "it was ended before all was played (interrupted)")

    def rule(task: PairTask, game: int) -> Result:
        return task.first, "crashed"

    crashed = Arena(plan_of("roundrobin", 3, stop_on_crash=True), rule).run()
    assert ended(crashed) == (None, "a crash ended the tournament")


def test_who_was_dropped_has_not_won() -> None:
    def best_is_last(task: PairTask, game: int) -> Result:
        return max(task.first, task.second), "majority"

    arena = Arena(plan_of("roundrobin", 3, rounds=4), best_is_last)
    for _ in range(8):
        arena.fill(1)
        task, games = arena.running.pop()
        for number in games:
            arena.play(task, number)
    arena.drop("bot3")
    assert ended(arena.run()) == (None, "bot3, who is first, was dropped")


def test_a_drop_leaves_a_winner_where_nothing_could_change_any_more() -> None:
    arena = Arena(plan_of("roundrobin", 3, rounds=4), by_number)
    while len(arena.tournament.counted_games()) < 22:
        arena.fill(1)
        task, games = arena.running.pop()
        for number in games:
            arena.play(task, number)
    arena.drop("bot3")
    assert ended(arena.run()) == ("bot1", None)


def test_a_drop_leaves_none_where_it_could() -> None:
    arena = Arena(plan_of("roundrobin", 3, rounds=4), by_number)
    arena.fill(1)
    task, games = arena.running.pop()
    for number in games:
        arena.play(task, number)
    arena.drop("bot3")
    _, why = ended(arena.run())
    assert why is not None and why.endswith(
        "games that do not count could change the first place (dropped: bot3)"
    )


def test_a_halted_pairing_leaves_none_where_it_could_change_the_first_place() -> None:
    def unready(task: PairTask) -> str | None:
        return "bot2" if {task.first, task.second} == {"bot1", "bot2"} else None

    arena = Arena(plan_of("roundrobin", 3), by_number, unready).run()
    assert ended(arena) == (
        None, "2 games that do not count could change the first place (halted: bot1 - bot2)"
    )  # fmt: skip

    def weak_unready(task: PairTask) -> str | None:
        return "bot4" if {task.first, task.second} == {"bot3", "bot4"} else None

    assert ended(Arena(plan_of("roundrobin", 4), by_number, weak_unready).run()) == ("bot1", None)


def test_a_swiss_tournament_with_rounds_that_could_not_be_paired_has_none() -> None:
    arena = Arena(plan_of("swiss", 4, swiss_rounds=5), by_number)
    arena.fill(2)
    for task, games in arena.running:
        for number in games:
            arena.play(task, number)
    arena.running.clear()
    for name in ("bot2", "bot3", "bot4"):
        arena.drop(name)
    assert ended(arena) == (None, "only 3 of 5 rounds could be paired (dropped: bot2, bot3, bot4)")


def test_who_has_points_but_no_game_stands_last_and_leaves_no_winner() -> None:
    arena = Arena(plan_of("swiss", 3, swiss_rounds=1), always_drawn).run()
    (free,) = arena.tournament.form.byes
    last = arena.tournament.standing()["table"][-1]
    assert (last["name"], last["place"], last["points"]) == (free, None, 2)
    name, why = ended(arena)
    assert name is None and why is not None
    assert why.startswith(f"{free} has more points than ") and why.endswith(
        "but no game of its own that counts"
    )


def test_a_halted_tie_that_could_turn_leaves_a_knock_out_without_a_winner() -> None:
    def rule(task: PairTask, game: int) -> Result:
        return (None, "void") if task.pair == 2 else ("bot2", "majority")

    open_ = Arena(plan_of("knockout", 2, rounds=2, seeds=2), rule).run()
    assert ended(open_) == (
        None, "2 games that do not count could change the first place (halted: bot2 - bot1)"
    )  # fmt: skip

    def late(task: PairTask, game: int) -> Result:
        return (None, "void") if task.pair == 4 else ("bot2", "majority")

    assert ended(Arena(plan_of("knockout", 2, rounds=4, seeds=2), late).run()) == ("bot2", None)


def test_a_knock_out_whose_winner_is_gone_has_none() -> None:
    arena = Arena(plan_of("knockout", 2, seeds=2), by_number).run()
    assert ended(arena) == ("bot1", None)
    arena.drop("bot1")
    assert arena.tournament.standing()["no_winner"] == "bot1, who is first, was dropped"


def test_nobody_wins_a_final_without_anybody() -> None:
    def rule(task: PairTask, game: int) -> Result:
        return ("bot2" if task.pair == 1 else "bot1"), "crashed"

    arena = Arena(plan_of("knockout", 2, rounds=3, seeds=2, suspend_after=1), rule).run()
    name, why = ended(arena)
    assert name is None and why is not None and "suspended: " in why
