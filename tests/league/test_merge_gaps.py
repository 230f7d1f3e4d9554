"""Who merges versions of its own joins neighbours only: no choice by results makes a rating."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise

import pytest

from tyrusd.league.merges import gap_fault, merge_fault
from tyrusd.league.rated import RatedGame, Version
from tyrusd.league.standing_rows import RatingRow
from tyrusd.league.standing_table import rating_table

ONE, TWO, THREE, FOUR = (Version("deep", word) for word in "1234")
NEXT = Version("deep", "9")  # has not played yet
ORDER = (ONE, TWO, THREE, FOUR)
ANCHORS = {"rock": 1000}
BETWEEN = "{} began to play between those that would be one and does not count for {}: merge it first,"


@pytest.mark.parametrize(
    ("merges", "old", "new", "named"),
    [
        ({}, ONE, TWO, None),
        ({ONE: TWO}, TWO, THREE, None),
        ({TWO: THREE}, ONE, THREE, None),  # the one between counts already
        ({ONE: TWO}, TWO, NEXT, THREE),  # what has not played comes last
        ({THREE: FOUR, TWO: FOUR}, ONE, NEXT, TWO),
        ({}, FOUR, NEXT, None),
        ({}, ONE, THREE, TWO),
        ({}, ONE, FOUR, TWO),
        ({TWO: THREE}, ONE, FOUR, TWO),  # it counts, but for another one
        ({THREE: FOUR}, ONE, FOUR, TWO),
        ({TWO: FOUR}, ONE, TWO, THREE),  # what the new one is part of has a gap
        ({ONE: NEXT}, THREE, NEXT, TWO),  # kept for later, and losses left out meanwhile
        ({ONE: NEXT, TWO: NEXT, THREE: NEXT}, FOUR, NEXT, None),
    ],
)
def test_what_an_account_joins_has_no_gap(
    merges: dict[Version, Version], old: Version, new: Version, named: Version | None
) -> None:
    assert merge_fault(merges, old, new) is None
    fault = gap_fault(ORDER, merges, old, new)
    if named is None:
        assert fault is None
    else:
        assert fault is not None and fault.startswith(BETWEEN.format(named, new))


@pytest.mark.parametrize(("old", "new"), [(TWO, ONE), (FOUR, ONE), (NEXT, ONE), (NEXT, Version("deep"))])
def test_games_of_a_newer_version_never_count_for_an_older_one(old: Version, new: Version) -> None:
    fault = gap_fault(ORDER, {}, old, new)
    assert fault is not None and fault.startswith(f"{old} did not begin before {new}")


def test_names_are_the_same_in_any_case() -> None:
    assert gap_fault(ORDER, {ONE: Version("DEEP", "2")}, Version("Deep", "2"), Version("dEEP", "3")) is None
    assert gap_fault(ORDER, {}, Version("DEEP", "1"), Version("DEEP", "3")) is not None


# -- sixty agents of one game each, against an anchor of the same strength ---------------------------------


def games(won: Sequence[bool], agents: bool) -> list[RatedGame]:
    rock = Version("rock")
    return [
        RatedGame(f"g{number}", Version("deep", f"{number}" if agents else "1"), rock,
                  "ivory" if wins else "brown", "majority", "ivory", "lobby")
        for number, wins in enumerate(won, 1)
    ]  # fmt: skip


def row_of(won: Sequence[bool], agents: bool, merges: dict[Version, Version]) -> RatingRow:
    """The ranked row of the account, or the one of its most games."""
    rows = rating_table(games(won, agents), merges, ANCHORS, 20).of("deep")
    return max(rows, key=lambda row: (row.rank > 0, row.games))


def merged(won: Sequence[bool], free: bool) -> dict[Version, Version]:
    """The merges that somebody gets who asks for those of its winners, with the next and with the last."""
    order = [Version("deep", f"{number}") for number in range(1, len(won) + 1)]
    winners = [version for version, wins in zip(order, won, strict=True) if wins]
    wanted = [(version, winners[-1]) for version in winners[:-1]]
    wanted += list(pairwise(winners)) + [(version, NEXT_AGENT) for version in reversed(winners)]
    merges: dict[Version, Version] = {}
    for old, new in wanted:
        if merge_fault(merges, old, new) is None and (free or gap_fault(order, merges, old, new) is None):
            merges[old] = new
    return merges


NEXT_AGENT = Version("deep", "next")


@pytest.mark.parametrize("seed", range(8))
def test_whoever_merges_only_what_has_won_is_not_ranked_above_its_play(seed: int) -> None:
    chance = random.Random(seed)
    won = [chance.random() < 0.5 for _ in range(60)]
    honest = row_of(won, False, {})
    assert honest.rank and honest.low is not None and honest.high is not None
    fraud = row_of(won, True, merged(won, free=True))  # as it would be without the rule
    assert fraud.rank == 1 and fraud.elo is not None and fraud.elo > honest.high and fraud.lost == 0
    kept = row_of(won, True, merged(won, free=False))
    assert kept.elo is not None
    assert (kept.rank == 0 and kept.provisional) or honest.low <= kept.elo <= honest.high


@pytest.mark.parametrize("seed", range(8))
def test_a_whole_history_that_is_merged_is_one_honest_version(seed: int) -> None:
    chance = random.Random(seed)
    won = [chance.random() < 0.5 for _ in range(60)]
    order = [Version("deep", f"{number}") for number in range(1, 61)]
    merges: dict[Version, Version] = {}
    for old, new in pairwise(order):
        assert merge_fault(merges, old, new) is None and gap_fault(order, merges, old, new) is None
        merges[old] = new
    honest = row_of(won, False, {})
    assert row_of(won, True, merges)[1:] == honest[1:]
