"""How often each of many may do something in a minute: hosts, accounts and names, in bounded memory."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final, Generic, TypeVar

from tyrusd.core.allowance import Allowance

MOST: Final = 1024  # that are remembered of each sort: some hundred bytes each
MINUTE: Final = 60.0  # seconds

_Who = TypeVar("_Who", bound=Hashable)


class Allowances(Generic[_Who]):
    """An allowance for each of those that did something lately; the one that did for longest is forgotten.

    Whoever is forgotten may do everything again. So somebody with more than MOST hosts is not slowed down,
    but it could not be anyway, and what it costs us is bounded.
    """

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[_Who, Allowance] = {}  # whoever did something last is the last

    def __len__(self) -> int:
        return len(self._known)

    def has(self, who: _Who, now: float) -> bool:
        """Tell whether somebody may do it once more, and take nothing."""
        known = self._known.get(who)
        return known is None or known.left(now) >= 1

    def spend(self, who: _Who, size: float, now: float) -> bool:
        """Take one of so many in a minute; False, and nothing taken, when there is none."""
        found = self._known.pop(who, None)
        if found is None or found.size != size:  # a new one also where the limit was changed since
            found = Allowance(size, size / MINUTE, now)
        self._forget(now)
        self._known[who] = found
        return found.spend(now)

    def _forget(self, now: float) -> None:
        """Of those at the front who have everything again nothing is to be known; nor of one too many."""
        while self._known:
            oldest = next(iter(self._known))
            if len(self._known) < MOST and not self._known[oldest].full(now):
                return
            del self._known[oldest]
