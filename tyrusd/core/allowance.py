"""An allowance that is spent and grows back: line rates, error budgets, wrong secrets."""

from __future__ import annotations


class Allowance:
    """A bucket of `size` tokens that refills at `per_second`, read with the time as an argument."""

    __slots__ = ("_at", "_left", "_per_second", "_size")

    def __init__(self, size: float, per_second: float, now: float) -> None:
        self._size = size
        self._per_second = per_second
        self._left = size
        self._at = now

    @property
    def size(self) -> float:
        """How many tokens there are at most."""
        return self._size

    def left(self, now: float) -> float:
        """How many tokens there are now."""
        if now > self._at:
            grown = min(self._size, self._left + (now - self._at) * self._per_second)
            self._left = max(self._left, grown)
            self._at = now
        return self._left

    def spend(self, now: float) -> bool:
        """Take one token; False, and nothing taken, when there is none."""
        if self.left(now) < 1.0:
            return False
        self._left -= 1.0
        return True

    def grant(self, seconds: float) -> None:
        """Add what grows in so many seconds, even beyond the size."""
        self._left += seconds * self._per_second

    def full(self, now: float) -> bool:
        """Tell whether nothing is missing."""
        return self.left(now) >= self._size

    def when(self, tokens: float, now: float) -> float:
        """The time (seconds) at which there will be that many tokens."""
        missing = min(tokens, self._size) - self.left(now)
        return now + max(0.0, missing / self._per_second)
