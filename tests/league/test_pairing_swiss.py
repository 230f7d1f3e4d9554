"""Matchings against all there are, and Swiss rounds: nobody meets anybody again while that can be avoided."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from tyrusd.league.pairing import matching
from tyrusd.league.pairing.matching import couple, maximum_matching
from tyrusd.league.pairing.meeting import Meeting, Round
from tyrusd.league.pairing.swiss import Contestant, swiss_round


def largest(neighbours: list[list[int]], free: frozenset[int]) -> int:
    """The most couples there can be, by trying everything."""
    if not free:
        return 0
    one = min(free)
    rest = free - {one}
    found = [largest(neighbours, rest)]
    found += [1 + largest(neighbours, rest - {other}) for other in neighbours[one] if other in rest]
    return max(found)


def random_graph(random: Random, count: int, density: float) -> list[list[int]]:
    edges = [edge for edge in combinations(range(count), 2) if random.random() < density]
    return [
        sorted({other for edge in edges if one in edge for other in edge} - {one}) for one in range(count)
    ]


@pytest.mark.parametrize("luck", range(150))
def test_a_matching_is_as_large_as_can_be(luck: int) -> None:
    random = Random(luck)
    count = random.randint(1, 11)
    neighbours = random_graph(random, count, random.choice([0.15, 0.25, 0.4]))
    mates = maximum_matching(neighbours)
    couples = [(one, other) for one, other in enumerate(mates) if other != -1]
    assert all(other in neighbours[one] and mates[other] == one for one, other in couples)
    assert len(couples) == 2 * largest(neighbours, frozenset(range(count)))
    found = couple(neighbours, lambda free: free[1:])
    assert (found is not None) == (len(couples) == count)
    if found is not None:
        assert sorted(number for pair in found for number in pair) == list(range(count))
        assert all(other in neighbours[one] for one, other in found)


def test_two_circles_of_three_on_a_string_are_paired_through() -> None:
    edges = [(0, 1), (1, 2), (0, 2), (2, 3), (3, 4), (4, 5), (3, 5)]
    neighbours = [sorted({b for a in edges if n in a for b in a} - {n}) for n in range(6)]
    assert maximum_matching(neighbours) == [1, 0, 3, 2, 5, 4]


def test_the_first_gets_whom_it_likes_best_if_the_others_can_be_paired() -> None:
    everybody = [[other for other in range(6) if other != one] for one in range(6)]
    assert couple(everybody, lambda free: free[:0:-1]) == [(0, 5), (1, 4), (2, 3)]
    # 0 would like 5 best, but then nobody is left for 4.
    limited = [[1, 2, 5], [0, 2, 3], [0, 1, 3], [1, 2], [5], [0, 4]]
    assert couple(limited, lambda free: free[:0:-1]) == [(0, 2), (1, 3), (4, 5)]


def test_where_patience_ends_there_is_a_pairing_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching, "_PATIENCE", 1)
    everybody = [[other for other in range(6) if other != one] for one in range(6)]
    assert couple(everybody, lambda free: free[1:]) == [(0, 1), (2, 3), (4, 5)]


def test_a_first_round_lets_the_upper_half_meet_the_lower() -> None:
    field = [Contestant(name, 0.0) for name in "abcdef"]
    meetings = swiss_round(field, {}).meetings
    assert [set(meeting) for meeting in meetings] == [{"a", "d"}, {"b", "e"}, {"c", "f"}]
    assert [meeting.first for meeting in meetings] == ["a", "e", "c"]


def test_equals_meet_and_the_odd_one_of_a_group_goes_down() -> None:
    field = [Contestant(name, points) for name, points in zip("abcdef", (2, 2, 2, 1, 1, 0), strict=True)]
    met = [set(meeting) for meeting in swiss_round(field, {}).meetings]
    assert met == [{"a", "b"}, {"c", "d"}, {"e", "f"}]


def test_who_had_the_first_seat_less_often_has_it() -> None:
    field = [Contestant("a", 1, lead=1), Contestant("b", 1, lead=-1)]
    assert swiss_round(field, {}, 1).meetings == (Meeting("b", "a"),)
    assert swiss_round(field[::-1], {}, 2).meetings == (Meeting("b", "a"),)


def test_the_last_of_those_with_the_fewest_byes_has_one() -> None:
    field = [Contestant("a", 2), Contestant("b", 1), Contestant("c", 0, byes=1)]
    assert swiss_round(field, {}).byes == ("b",)


def test_a_bye_goes_to_another_where_that_spares_somebody_a_rematch() -> None:
    field = [Contestant("a", 2), Contestant("b", 1), Contestant("c", 0)]
    met = {frozenset("ab"): 1, frozenset("bc"): 0}
    assert swiss_round(field, met) == Round((Meeting("a", "c"),), ("b",))


def test_nobody_is_paired_with_nobody() -> None:
    assert swiss_round([], {}) == Round(())


Met = Counter[frozenset[str]]


def rounds_without_rematch(count: int, rounds: int, luck: int) -> tuple[Met, Counter[str]]:
    """Play a Swiss tournament by lot; how often each two met, and the byes."""
    random = Random(luck)
    points = dict.fromkeys((f"n{number}" for number in range(count)), 0.0)
    met: Met = Counter()
    byes: Counter[str] = Counter()
    for number in range(1, rounds + 1):
        order = sorted(points, key=lambda name: -points[name])
        field = [Contestant(name, points[name], byes[name]) for name in order]
        round_ = swiss_round(field, met, number)
        seen = [name for meeting in round_.meetings for name in meeting] + list(round_.byes)
        assert sorted(seen) == sorted(points)
        met.update(frozenset(meeting) for meeting in round_.meetings)
        byes.update(round_.byes)
        for meeting in round_.meetings:
            points[random.choice(meeting)] += 1
    return met, byes


@pytest.mark.parametrize(("count", "rounds"), [(12, 7), (8, 4), (9, 5), (7, 5), (5, 4), (30, 9), (31, 9)])
@pytest.mark.parametrize("luck", range(5))
def test_row_47_nobody_meets_again_and_nobody_has_two_byes(count: int, rounds: int, luck: int) -> None:
    met, byes = rounds_without_rematch(count, rounds, luck)
    assert max(met.values()) == 1
    assert sum(byes.values()) == rounds * (count % 2)
    assert max(byes.values(), default=0) <= 1


@pytest.mark.parametrize("count", [4, 5, 6, 7])
def test_row_47_when_rematches_cannot_be_avoided_they_and_byes_stay_even(count: int) -> None:
    met, byes = rounds_without_rematch(count, 20, 1)
    assert max(byes.values(), default=0) - min(byes[f"n{number}"] for number in range(count)) <= 1
    assert max(met.values()) <= 20 // (count - 1) + 2


def test_two_hundred_are_paired_in_a_moment() -> None:
    met, _ = rounds_without_rematch(200, 9, 3)
    assert max(met.values()) == 1
