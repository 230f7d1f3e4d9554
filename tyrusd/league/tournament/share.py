"""Which pairs of a round robin or a gauntlet a share plays: each pairing is dealt out evenly."""

from __future__ import annotations


def share_of(number: int, total: int, cycles: int, shares: int) -> int:
    """Return the share, from 1, that plays a pair (docs/tournaments.md#shares).

    number: of the pair, from 1. total: how many pairs there are, cycles: how often each two meet.
    """
    meetings = total // cycles
    cycle, place = divmod(number - 1, meetings)
    # Who has the first seat alternates from cycle to cycle: both halves are dealt out one after the other.
    turn = cycle // 2 if cycle % 2 == 0 else (cycles + 1) // 2 + cycle // 2
    return (place * cycles + turn) % shares + 1
