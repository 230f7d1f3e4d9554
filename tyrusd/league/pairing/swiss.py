"""One round of a Swiss tournament: equals meet, nobody meets anybody again while that can be avoided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from tyrusd.league.pairing.matching import Couples, couple
from tyrusd.league.pairing.meeting import Meeting, Round

NEVER_AGAIN: Final = 1_000_000
"""How often two have met who should not meet for another reason."""


class Contestant(NamedTuple):
    """Somebody to be paired. byes: how many so far; lead: first seats less second seats."""

    name: str
    points: float
    byes: int = 0
    lead: int = 0


def swiss_round(
    contestants: Sequence[Contestant], met: Mapping[frozenset[str], int], number: int = 1
) -> Round:
    """Pair a round (docs/tournaments.md#swiss); the contestants come in the order of the table.

    met: how often each two have been paired. number: of the round. With an odd count the last of those with
    the fewest byes has one more, unless with another of these somebody is spared a rematch.
    """
    for most in sorted({0, *met.values()}):
        for bye in _byes(contestants):
            field = [one for one in contestants if one.name != bye]
            couples = _couples(field, met, most)
            if couples is not None:
                meetings = [
                    _seated(field[one], field[other], (number + board) % 2 == 1)
                    for board, (one, other) in enumerate(couples)
                ]
                return Round(tuple(meetings), () if bye is None else (bye,))
    raise AssertionError("whoever may meet as often as they like can be paired")


def _byes(contestants: Sequence[Contestant]) -> list[str | None]:
    if len(contestants) % 2 == 0:
        return [None]
    fewest = min(one.byes for one in contestants)
    return [one.name for one in reversed(contestants) if one.byes == fewest]


def _couples(field: Sequence[Contestant], met: Mapping[frozenset[str], int], most: int) -> Couples | None:
    def liked(free: list[int]) -> list[int]:
        # Within a group of equal points the upper half meets the lower half, each its own place there.
        points = field[free[0]].points
        half = sum(field[number].points == points for number in free) // 2
        places = sorted(
            range(1, len(free)),
            key=lambda place: (points - field[free[place]].points, abs(place - half), place),
        )
        return [free[place] for place in places]

    neighbours = [
        [
            other
            for other in range(len(field))
            if other != one and met.get(frozenset((field[one].name, field[other].name)), 0) <= most
        ]
        for one in range(len(field))
    ]
    return couple(neighbours, liked)


def _seated(upper: Contestant, lower: Contestant, upper_first: bool) -> Meeting:
    """Who has had the first seat less often has it; else it changes from board to board."""
    if upper.lead != lower.lead:
        upper_first = upper.lead < lower.lead
    return Meeting(upper.name, lower.name) if upper_first else Meeting(lower.name, upper.name)
