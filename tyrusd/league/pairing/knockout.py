"""The bracket of a knock-out: who is where in it, so that the best meet last."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256


def drawn(entrants: Sequence[str], seeds: int, seed: str) -> list[str]:
    """Return the entrants by strength: the seeded ones as they come, then all others as the lot has it.

    The lot is drawn from the tournament's seed (docs/tournaments.md#knock-out): by SHA-256 of each name.
    """

    def lot(name: str) -> bytes:
        return sha256(b"tyrusd draw 1\0" + seed.encode("ascii") + b"\0" + name.encode()).digest()

    return [*entrants[:seeds], *sorted(entrants[seeds:], key=lot)]


def bracket(count: int) -> list[int]:
    """Return who stands where in the first round, from top to bottom, as places by strength (0 is the best).

    Neighbours meet, their winners are neighbours in the next round, and so on; places at or past `count` are
    byes, which the strongest have. If the stronger always wins, 0 and 1 meet in the final.
    """
    places = [0]
    while len(places) < count:
        last = 2 * len(places) - 1
        places = [place for upper in places for place in (upper, last - upper)]
    return places
