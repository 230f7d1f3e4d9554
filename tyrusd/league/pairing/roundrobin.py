"""Round robin by the circle method: everybody meets everybody once, in as few rounds as there can be."""

from __future__ import annotations

from collections.abc import Sequence

from tyrusd.league.pairing.meeting import Meeting, Round


def round_robin(entrants: Sequence[str], cycle: int = 1) -> tuple[Round, ...]:
    """Return the rounds of one cycle (docs/tournaments.md#round-robin); `cycle` counts from 1.

    One entrant stands still and the others go round. With an odd number nobody stands there, and who would
    meet nobody has a bye: each once in a cycle. First seats alternate along the circle, so they differ by at
    most one between entrants after one cycle; every second cycle swaps them all.
    """
    still = None if len(entrants) % 2 else entrants[-1]
    circle = entrants if still is None else entrants[:-1]
    size = len(circle)
    rounds = []
    for turn in range(size):
        meetings, byes = [], []
        if still is None:
            byes.append(circle[turn])
        else:
            seats = (still, circle[turn]) if turn % 2 == 0 else (circle[turn], still)
            meetings.append(Meeting(*seats))
        for step in range(1, (size + 1) // 2):
            ahead, behind = circle[(turn + step) % size], circle[(turn - step) % size]
            meetings.append(Meeting(ahead, behind) if step % 2 else Meeting(behind, ahead))
        if cycle % 2 == 0:
            meetings = [meeting.swapped for meeting in meetings]
        rounds.append(Round(tuple(meetings), tuple(byes)))
    return tuple(rounds)
