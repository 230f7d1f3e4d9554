"""A gauntlet: the first few entrants meet all the others, who do not meet each other."""

from __future__ import annotations

from collections.abc import Sequence

from tyrusd.league.pairing.meeting import Meeting, Round


def gauntlet(entrants: Sequence[str], seeds: int, cycle: int = 1) -> tuple[Round, ...]:
    """Return the rounds of one cycle (docs/tournaments.md#gauntlet); `cycle` counts from 1.

    In a round each of the `seeds` first meets another opponent. First seats alternate for everybody, and
    every second cycle swaps them all.
    """
    runners, others = entrants[:seeds], entrants[seeds:]
    size = max(len(runners), len(others))
    rounds = []
    for turn in range(size):
        meetings = []
        for number, runner in enumerate(runners):
            place = (turn + number) % size
            if place < len(others):
                meeting = Meeting(runner, others[place])
                meetings.append(meeting if (number + place + cycle) % 2 else meeting.swapped)
        rounds.append(Round(tuple(meetings)))
    return tuple(rounds)
