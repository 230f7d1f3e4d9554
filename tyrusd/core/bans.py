"""Whom the operator does not let in: hosts and networks by their one spelling, and names in any case."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from tyrusd.core.hosts import hosts_of, networks_around

MOST: Final = 4096  # bans at a time
MOST_MINUTES: Final = 5_256_000  # ten years


class Ban(NamedTuple):
    """who: a name, or an address or network in its one spelling; until: seconds since 1970, None for ever."""

    who: str
    until: float | None = None

    @property
    def key(self) -> str:
        """What it is found by."""
        return self.who.lower()


class Bans:
    """All bans of a server; times are seconds since 1970."""

    __slots__ = ("_bans", "_lengths")

    def __init__(self, bans: Iterable[Ban] = ()) -> None:
        self._bans: dict[str, Ban] = {}
        self._lengths: set[int] = set()  # bits of all networks that were banned, so that few are tried
        for ban in bans:
            self.add(ban)

    def find(self, who: str, wall: float) -> Ban | None:
        """Return a ban of a name, of a host, or of a network that it is in, that holds now."""
        for key in (who.lower(), *networks_around(who, self._lengths)):
            ban = self._bans.get(key)
            if ban is not None and (ban.until is None or ban.until > wall):
                return ban
        return None

    def has(self, who: str) -> bool:
        """Tell whether there is a ban of just this."""
        return who.lower() in self._bans

    def add(self, ban: Ban) -> None:
        """Add a ban, in place of an older one of the same."""
        self._bans[ban.key] = ban
        bits = ban.who.partition("/")[2]
        if bits.isascii() and bits.isdigit():
            self._lengths.add(int(bits))

    def remove(self, who: str) -> bool:
        """Lift a ban; whether there was one."""
        return self._bans.pop((hosts_of(who) or who).lower(), None) is not None

    def all(self, wall: float) -> list[Ban]:
        """Return those that hold, in the order of their making; the others are forgotten."""
        for key, ban in list(self._bans.items()):
            if ban.until is not None and ban.until <= wall:
                del self._bans[key]
        return list(self._bans.values())

    def __len__(self) -> int:
        return len(self._bans)
