"""Whom the operator does not let in: hosts by their one spelling, and names in any case."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from tyrusd.core.hosts import address_of

MOST: Final = 4096  # bans at a time
MOST_MINUTES: Final = 5_256_000  # ten years


class Ban(NamedTuple):
    """who: a canonical address or a name; until: seconds since 1970, None for ever."""

    who: str
    until: float | None = None

    @property
    def key(self) -> str:
        """What it is found by."""
        return self.who.lower()


class Bans:
    """All bans of a server; times are seconds since 1970."""

    __slots__ = ("_bans",)

    def __init__(self, bans: Iterable[Ban] = ()) -> None:
        self._bans = {ban.key: ban for ban in bans}

    def find(self, who: str, wall: float) -> Ban | None:
        """Return the ban of a host or a name that holds now."""
        ban = self._bans.get(who.lower())
        if ban is None or (ban.until is not None and ban.until <= wall):
            return None
        return ban

    def add(self, ban: Ban) -> None:
        """Add a ban, in place of an older one of the same."""
        self._bans[ban.key] = ban

    def remove(self, who: str) -> bool:
        """Lift a ban; whether there was one."""
        return self._bans.pop((address_of(who) or who).lower(), None) is not None

    def all(self, wall: float) -> list[Ban]:
        """Return those that hold, in the order of their making; the others are forgotten."""
        for key, ban in list(self._bans.items()):
            if ban.until is not None and ban.until <= wall:
                del self._bans[key]
        return list(self._bans.values())

    def __len__(self) -> int:
        return len(self._bans)
