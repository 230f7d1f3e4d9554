"""Shares of a tournament: each pair is in one, and together they are the whole."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from tests.league.arena import (
    Arena,
    Readiness,
    Result,
    Rule,
    always_ready,
    by_chance,
    faulty,
    game_payload,
    often_unready,
    outcome,
    plan_of,
)
from tyrusd.league.tournament.fold import tournament_of
from tyrusd.league.tournament.merge import merge
from tyrusd.league.tournament.share import share_of
from tyrusd.league.tournament.task import PairTask, Place
from tyrusd.league.tournament.tournament import Tournament

RUN = {"kind": "run", "started": "2031-05-06T07:08:09Z", "version": "0.1.0", "host": "tower", "cpu": "x"}
WHOLE = plan_of("roundrobin", 5, rounds=3)


def shares(plan: Any, count: int, rule: Rule = by_chance, readiness: Readiness = always_ready) -> list[Arena]:
    return [
        Arena(replace(plan, shard=(number, count)), rule, readiness, journal=[dict(RUN)]).run(number, number)
        for number in range(1, count + 1)
    ]


def crashing(task: PairTask, game: int) -> Result:
    """bot1 always crashes."""
    if "bot1" in task.seats(1):
        return (task.second if task.first == "bot1" else task.first), "crashed"
    return by_chance(task, game)


@pytest.mark.parametrize("count", [1, 2, 3, 7, 40])
@pytest.mark.parametrize("kind", ["roundrobin", "gauntlet"])
def test_shares_together_are_the_whole(kind: str, count: int) -> None:
    plan = plan_of(kind, 5, rounds=3)
    parts = shares(plan, count)
    pairs = [task.pair for part in parts for task in part.tasks]
    assert sorted(pairs) == list(range(1, len(pairs) + 1))
    assert sum(part.tournament.total_pairs or 0 for part in parts) == len(pairs)
    merged = merge([(part.plan, part.journal) for part in parts])
    assert outcome(tournament_of(plan, merged)) == outcome(Arena(plan).run(4).tournament)
    assert merged[:count] == [RUN] * count


@pytest.mark.parametrize("count", [2, 3, 4, 7])
@pytest.mark.parametrize("rounds", [1, 2, 5, 12])
@pytest.mark.parametrize(("kind", "entrants"), [("roundrobin", 2), ("roundrobin", 3), ("gauntlet", 6)])
def test_every_share_has_every_pairing_and_seating_as_evenly_as_can_be(
    kind: str, entrants: int, rounds: int, count: int
) -> None:
    plan = plan_of(kind, entrants, rounds=rounds)
    tasks = [part.tasks for part in shares(plan, count)]
    even([len(found) for found in tasks])
    for one, other in combinations(plan.entrants, 2):
        met = [[task for task in found if {task.first, task.second} == {one, other}] for found in tasks]
        even([len(found) for found in met])
        even([sum(task.first == one for task in found) for found in met])


def even(counts: list[int]) -> None:
    assert max(counts) - min(counts) <= 1, counts


@pytest.mark.parametrize("rule", [faulty, crashing])
@pytest.mark.parametrize("readiness", [always_ready, often_unready])
def test_so_they_are_with_faults(rule: Rule, readiness: Readiness) -> None:
    plan = plan_of("roundrobin", 6, rounds=4, suspend_after=6)
    parts = shares(plan, 2, rule, readiness)
    merged = merge([(part.plan, part.journal) for part in parts])
    again = Arena(plan, rule, readiness, journal=merged)
    again.kill()
    again.run(3)
    one = Arena(plan, rule, readiness).run(5)
    assert outcome(again.tournament) == outcome(one.tournament)
    if rule is crashing:
        assert one.tournament.standing()["suspended"] == ["bot1"]
        assert again.journal == merged, "nothing was left to play"


def test_where_one_share_went_on_after_a_crash_the_whole_does() -> None:
    plan = plan_of("roundrobin", 5, rounds=3, stop_on_crash=True)
    parts = []
    for number in (1, 2):
        arena = Arena(replace(plan, shard=(number, 2)), faulty, journal=[{**RUN, "stops": True}])
        arena.run()
        assert arena.tournament.why_over == "crash"
        arena.journal.append({**RUN, "stops": False})
        arena.tournament.stop_on_crash(False)
        parts.append(arena.run())
    parts[0].journal.append({**RUN, "stops": True})  # an option that came after all was played
    merged = merge([(part.plan, part.journal) for part in parts])
    assert [record.get("stops") for record in merged[:5]] == [True, True, True, False, False]
    assert tournament_of(plan, merged).why_over == "played"


def test_a_missing_share_is_played_by_whoever_goes_on_with_the_whole() -> None:
    parts = shares(WHOLE, 3)
    merged = merge([(part.plan, part.journal) for part in parts[:2]])
    again = Arena(WHOLE, journal=merged)
    again.kill()
    assert not again.tournament.over
    again.run(2)
    left = {task.pair for task in parts[2].tasks}
    assert len(left) == 10
    assert {task.pair for task in again.tasks} == left
    assert outcome(again.tournament) == outcome(Arena(WHOLE).run().tournament)


def test_who_was_dropped_from_one_share_has_played_in_the_others() -> None:
    one, two = (Arena(replace(WHOLE, shard=(number, 2))) for number in (1, 2))
    one.drop("bot3")
    for part in (one, two):
        part.run()
    merged = merge([(one.plan, one.journal), (two.plan, two.journal)])
    assert merged[-1]["kind"] == "dropped"
    counted = tournament_of(WHOLE, merged).counted_games()
    with_bot3 = [game for game in counted if "bot3" in (game.ivory, game.brown)]
    assert {share_of(game.place.pair, 30, 3, 2) for game in with_bot3} == {2}
    assert len(counted) == sum(len(part.tournament.counted_games()) for part in (one, two))


def test_aborted_and_other_games_are_left_out() -> None:
    (part,) = shares(WHOLE, 1)
    aborted = game_payload(Place(1, 1, 1, 1), *part.tasks[0].seats(1), (None, "aborted"))
    other = {key: value for key, value in part.journal[1].items() if key != "ladder"}
    merged = merge([(part.plan, [{"kind": "opened"}, aborted, other, *part.journal])])
    assert sorted(map(repr, merged)) == sorted(map(repr, part.journal))


def test_a_whole_tournament_alone_is_put_in_order() -> None:
    arena = Arena(WHOLE).run(9, luck=5)
    merged = merge([(WHOLE, arena.journal)])
    places = [record["ladder"]["pair"] for record in merged]
    assert places == sorted(places)
    assert places != [record["ladder"]["pair"] for record in arena.journal]
    assert outcome(tournament_of(WHOLE, merged)) == outcome(arena.tournament)


def test_overlaps_are_refused() -> None:
    one, two = shares(WHOLE, 2)
    whole = Arena(WHOLE).run()
    third = shares(WHOLE, 3)[0]
    for journals, sentence in (
        ([one, two, one], "run 1 and run 3 overlap: both are share 1 of 2; leave one out"),
        ([whole, one], "run 1 is the whole tournament, so it overlaps the others"),
        ([one, two, whole], "run 3 is the whole tournament"),
        ([whole, whole], "is the whole tournament"),
        ([one, third], "run 1 is one of 2 shares and run 2 one of 3, which may overlap"),
    ):
        with pytest.raises(ValueError, match=sentence):
            merge([(part.plan, part.journal) for part in journals])
    with pytest.raises(ValueError, match="nothing to merge"):
        merge([])


@pytest.mark.parametrize(
    ("terms", "sentence"),
    [
        ({"seed": "another"}, "seed is 'a seed' in the first and 'another' in the other"),
        ({"rounds": 4}, "rounds is 3 in the first and 4"),
        ({"unswapped": frozenset({"bot2"})}, r"unswapped is \[\] in the first and \['bot2'\]"),
        ({"entrants": ("bot2", "bot1", "bot3", "bot4", "bot5")}, "entrants is"),
    ],
)
def test_plans_that_differ_are_refused(terms: dict[str, Any], sentence: str) -> None:
    one, two = shares(WHOLE, 2)
    with pytest.raises(ValueError, match=f"run 1 and run 2 are not of one tournament: {sentence}"):
        merge([(one.plan, one.journal), (replace(two.plan, **terms), two.journal)])


def test_contradictions_are_refused() -> None:
    one, two = shares(WHOLE, 2)
    with pytest.raises(ValueError, match="run 2 contradicts itself: pair 1 is not of this share"):
        merge([(one.plan, one.journal), (two.plan, one.journal)])
    game = next(record for record in one.journal if record["kind"] == "game")
    winner = "brown" if game["game"]["winner"] == "ivory" else "ivory"
    turned = {**game, "game": {**game["game"], "winner": winner, "reason": "majority"}}
    with pytest.raises(ValueError, match=r"run 1 contradicts itself: game .* has two different results"):
        merge([(one.plan, [*one.journal, turned]), (two.plan, two.journal)])


def test_results_of_another_share_are_refused() -> None:
    tournament = Tournament(replace(WHOLE, shard=(2, 2)))
    with pytest.raises(ValueError, match="pair 1 is not of this share"):
        tournament.unready(1, 1, "bot1", "no hello")
