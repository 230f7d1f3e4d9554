"""Round robins and gauntlets: all meet whom they should, and byes and first seats are shared evenly."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Literal

import pytest

from tests.league.arena import Arena, by_chance, plan_of
from tyrusd.league.pairing.gauntlet import gauntlet
from tyrusd.league.pairing.meeting import Round
from tyrusd.league.pairing.roundrobin import round_robin
from tyrusd.rules.pieces import Side

COUNTS = range(2, 18)


def names(count: int) -> tuple[str, ...]:
    return tuple(f"n{number}" for number in range(count))


def lead(rounds: list[Round]) -> Counter[str]:
    """First seats less second seats, by name."""
    leads: Counter[str] = Counter()
    for round_ in rounds:
        leads.update(meeting.first for meeting in round_.meetings)
        leads.subtract(meeting.second for meeting in round_.meetings)
    return leads


@pytest.mark.parametrize("count", COUNTS)
def test_everybody_meets_everybody_once_a_cycle(count: int) -> None:
    for cycle in (1, 2, 3):
        rounds = round_robin(names(count), cycle)
        assert len(rounds) == count - 1 + count % 2
        met = [frozenset(meeting) for round_ in rounds for meeting in round_.meetings]
        assert sorted(map(sorted, met)) == sorted(map(sorted, combinations(names(count), 2)))
        for round_ in rounds:
            seen = [name for meeting in round_.meetings for name in meeting] + list(round_.byes)
            assert sorted(seen) == sorted(names(count))


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("cycles", [1, 2, 3, 4])
def test_row_47_byes_and_first_seats_differ_by_one_at_most(count: int, cycles: int) -> None:
    rounds = [round_ for cycle in range(1, cycles + 1) for round_ in round_robin(names(count), cycle)]
    byes = Counter(name for round_ in rounds for name in round_.byes)
    assert [byes[name] for name in names(count)] == [cycles * (count % 2)] * count
    firsts = Counter(meeting.first for round_ in rounds for meeting in round_.meetings)
    counts = [firsts[name] for name in names(count)]
    assert max(counts) - min(counts) <= 1
    assert max(map(abs, lead(rounds).values())) <= 1


@pytest.mark.parametrize("count", COUNTS)
def test_row_47_they_stay_even_all_the_way(count: int) -> None:
    rounds = [*round_robin(names(count), 1), *round_robin(names(count), 2)]
    assert len(rounds) == 10 or count not in (5, 6)
    for length in range(1, len(rounds) + 1):
        byes = Counter(name for round_ in rounds[:length] for name in round_.byes)
        firsts = Counter(meeting.first for round_ in rounds[:length] for meeting in round_.meetings)
        for counts in (byes, firsts):
            had = [counts[name] for name in names(count)]
            assert max(had) - min(had) <= (1 if count % 2 else 2)
        assert max(map(abs, lead(rounds[:length]).values())) <= (1 if count % 2 else 2)


def test_f072_five_bots_over_ten_rounds_share_byes_and_first_seats() -> None:
    """lichess-org/lila#6619: with an odd count one player was given all the byes."""
    rounds = [*round_robin(names(5), 1), *round_robin(names(5), 2)]
    assert len(rounds) == 10
    byes: Counter[str] = Counter()
    firsts: Counter[str] = Counter()
    for round_ in rounds:
        byes.update(round_.byes)
        firsts.update(meeting.first for meeting in round_.meetings)
        for counts in (byes, firsts):
            had = [counts[name] for name in names(5)]
            assert max(had) - min(had) <= 1
    assert list(byes.values()) == [2] * 5 and list(firsts.values()) == [4] * 5


@pytest.mark.parametrize("each", [1, 2], ids=["deals played once", "deals played twice"])
def test_f072_so_they_do_in_the_games_that_are_played(each: Literal[1, 2]) -> None:
    """lichess-org/lila#6619: with an odd count one player was given all the byes."""
    arena = Arena(plan_of("roundrobin", 5, rounds=2, games=each), by_chance).run(3, luck=5)
    ivory: Counter[str] = Counter()
    played: Counter[str] = Counter()
    opened: Counter[str] = Counter()
    for task in arena.tasks:
        for game in task.games:
            seats = task.seats(game)
            ivory[seats[Side.IVORY]] += 1
            opened[seats[task.deal.opener]] += 1
            played.update(seats)
    assert list(played.values()) == [8 * each] * 5
    assert set(ivory.values()) == {4 * each}
    # Who opens the odd elections is a matter of the deal; where it is played twice, each does so once.
    assert each == 1 or set(opened.values()) == {8}


@pytest.mark.parametrize(
    ("count", "seeds"), [(count, seeds) for count in COUNTS for seeds in (1, 2, 3, 5) if seeds < count]
)
def test_the_first_of_a_gauntlet_meet_all_others_and_nobody_else_meets(count: int, seeds: int) -> None:
    runners, others = names(count)[:seeds], names(count)[seeds:]
    rounds = [round_ for cycle in (1, 2, 3) for round_ in gauntlet(names(count), seeds, cycle)]
    met = Counter(frozenset(meeting) for round_ in rounds for meeting in round_.meetings)
    assert met == {frozenset((runner, other)): 3 for runner in runners for other in others}
    for round_ in rounds:
        seen = [name for meeting in round_.meetings for name in meeting]
        assert len(seen) == len(set(seen))
    assert max(map(abs, lead(rounds).values())) <= 1
