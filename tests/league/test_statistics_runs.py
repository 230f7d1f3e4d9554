"""Statistics of tournaments: what counts of each, several put together, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from tyrusd.league.statistics.plan import SprtPlan
from tyrusd.league.statistics.runs import (
    Overlap,
    Source,
    joined_stats,
    run_of,
    stats_of,
    twins_of,
    unready_counts,
)
from tyrusd.league.statistics.tables import Table
from tyrusd.league.tournament.plan import TournamentPlan
from tyrusd.league.tournament.played import Played
from tyrusd.league.tournament.tournament import Tournament


def tournament(
    winners: Mapping[int, str], *names: str, seed: str = "s", rounds: int | None = 8, **terms: Any
) -> Tournament:
    """A round robin after these pairs, each given by the winners of its games (v: the game was void)."""
    found = Tournament(TournamentPlan("roundrobin", names, seed, rounds, **terms))
    for _ in range(len(winners) + 8):
        task = found.next()
        if task is None:
            break
        given = winners.get(task.pair, "") if task.attempt == 1 else ""
        for number, winner in zip(task.games, given, strict=False):
            ivory, brown = task.seats(number)
            reason = "void" if winner == "v" else "majority"
            won = None if winner == "v" else winner
            found.take(Played(task.place(number), ivory, brown, won, reason, "", ivory))
    return found


def in_order(*winners: str) -> dict[int, str]:
    return dict(enumerate(winners, 1))


def row(stats: Table, name: str) -> Table:
    found: Table = next(each for each in stats["entrants"] if each["name"] == name)
    return found


def test_a_tournament_is_what_its_games_add_up_to() -> None:
    games = in_order("aa", "ab", "aa", "ab")
    stats = stats_of(tournament(games, "a", "b", sprt=SprtPlan(0, 50)), {"b": 3})
    assert (stats["two"]["first"], stats["two"]["pentanomial"]) == ("a", [0, 0, 2, 0, 2])
    assert stats["two"]["sprt"]["pairs"] == 4
    assert stats["tournament"]["kind"] == "roundrobin"
    assert row(stats, "b")["unready"] == 3
    assert row(stats, "a")["state"] == "playing"
    assert stats_of(tournament(games, "a", "b"), progress=False)["progress"] == []
    json.dumps(stats, allow_nan=False)


def test_half_pairs_and_void_attempts_are_told_and_count_for_nothing() -> None:
    stats = stats_of(tournament(in_order("aa", "b", "av"), "a", "b"))
    assert stats["pairs"] == {"complete": 1, "incomplete": 1, "void": 1, "void_games": 2}
    assert row(stats, "a")["games"] == 2


def test_pairs_that_are_halted_do_not_count() -> None:
    held = tournament(in_order("aa", "aa"), "a", "b", rounds=None, sprt=SprtPlan(0, 5))
    for attempt in (1, 2):
        held.unready(3, attempt, "b", "it does not start")
    stats = stats_of(held)
    assert stats["two"]["sprt"]["pairs"] == 2
    assert stats["two"]["pairs"] == 2


def test_a_pair_that_is_missing_stops_the_test_and_not_the_ratings() -> None:
    gap = tournament({1: "aa", 2: "a", 3: "aa", 4: "aa"}, "a", "b", sprt=SprtPlan(0, 5))
    stats = stats_of(gap)
    assert (stats["two"]["pairs"], stats["two"]["sprt"]["pairs"]) == (3, 1)


def test_whose_deals_are_played_twice() -> None:
    plan = TournamentPlan("roundrobin", ("a", "b", "c"), "s", unswapped=frozenset("c"))
    twins = twins_of(plan)
    assert (twins("a", "b"), twins("a", "c"), twins("c", "b")) == (True, False, False)
    assert not twins_of(TournamentPlan("roundrobin", ("a", "b"), "s", games=1))("a", "b")


def test_runs_with_other_seeds_are_put_together() -> None:
    one = tournament(in_order("aa", "ab"), "a", "b", seed="one")
    other = tournament(in_order("aa", "bb", "ab"), "a", "b", seed="other")
    stats = joined_stats(
        [Source(one, "x", {"a": 1}), Source(other, "y")], [{"m": 1}, {"m": 2}], SprtPlan(0, 5)
    )
    assert stats["two"]["pentanomial"] == [1, 0, 2, 0, 2]
    assert stats["two"]["sprt"]["pairs"] == 5
    assert stats["tournament"] is None
    assert stats["runs"] == [{"m": 1}, {"m": 2}]
    alone = joined_stats([Source(one, "x")])
    assert alone["tournament"]["kind"] == "roundrobin"
    assert alone["two"]["sprt"] is None


def test_a_test_that_all_runs_have_is_told() -> None:
    plan = SprtPlan(0, 50)
    runs = [
        Source(tournament(in_order("aa"), "a", "b", seed=seed, sprt=test), seed)
        for seed, test in (("one", plan), ("two", plan), ("three", SprtPlan(0, 40)))
    ]
    assert joined_stats(runs[:2])["two"]["sprt"]["elo1"] == 50
    assert joined_stats(runs)["two"]["sprt"] is None


def test_the_same_pair_in_two_runs_is_refused() -> None:
    one = tournament(in_order("aa", "ab"), "a", "b")
    other = tournament(in_order("aa"), "a", "b", rounds=9)
    with pytest.raises(Overlap, match="pair 1 of one schedule stands in x and in y"):
        joined_stats([Source(one, "x"), Source(other, "y")])
    with pytest.raises(Overlap, match="x and in x"):
        joined_stats([Source(one, "x"), Source(one, "x")])


def test_shares_of_one_schedule_do_not_overlap() -> None:
    first = tournament({1: "aa", 2: "aa"}, "a", "b", shard=(1, 2))
    second = tournament({3: "bb"}, "a", "b", shard=(2, 2))
    stats = joined_stats([Source(first, "x"), Source(second, "y")])
    assert stats["two"]["pentanomial"] == [1, 0, 0, 0, 2]


def test_a_bot_that_is_another_one_under_the_same_name_is_told_apart() -> None:
    one = tournament(in_order("aa"), "a", "b", seed="one")
    other = tournament(in_order("bb"), "a", "b", seed="other")
    third = tournament(in_order("aa"), "a", "b", seed="third")
    stats = joined_stats([
        Source(one, "x", {"a": 1}, {"a": "version 1", "b": "same"}),
        Source(other, "y", {"a": 2}, {"a": "version 2", "b": "same"}),
        Source(third, "z", {}, {"a": "version 1", "b": "same"}),
    ])  # fmt: skip
    assert {each["name"] for each in stats["entrants"]} == {"a@x", "a@y", "b"}
    assert row(stats, "a@x")["wins"] == 4
    assert row(stats, "a@y")["losses"] == 2
    assert (row(stats, "a@x")["unready"], row(stats, "a@y")["unready"]) == (1, 2)
    assert row(stats, "a@y")["state"] == "playing"
    assert row(stats, "b")["games"] == 6


def test_records_of_bots_that_were_never_ready_are_counted() -> None:
    records = [{"kind": "unready", "bot": "a"}, {"kind": "game"}, {"kind": "unready", "bot": "a"}]
    assert unready_counts(records) == {"a": 2}


def test_the_schedule_of_a_run_leaves_out_what_is_not_its_own() -> None:
    run = run_of(tournament({3: "aa"}, "a", "b", shard=(2, 2)))
    assert run.numbers is not None
    assert list(run.numbers)[:2] == [3, 4]
    assert len(run.games) == 2
