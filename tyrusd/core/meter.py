"""What a program's processor time went into: its decisions, or thinking while it owed none."""

from __future__ import annotations

from collections.abc import Callable


class Meter:
    """Splits the time that a program's clock shows; the clock counts microseconds, None if it is not known.

    It is read when a decision becomes due that is the only one, when one is given, and when a game begins or
    ends; all times are whole milliseconds, and what is cut off of one is added to the next. A program that
    plays several games at once is charged for each decision what it used since the one before.
    """

    __slots__ = ("_clock", "_idle", "_idle_told", "_mark", "_thought", "_thought_told")

    def __init__(self, clock: Callable[[], int | None]) -> None:
        self._clock = clock
        self._mark: int | None = None
        self._thought = self._thought_told = 0
        self._idle = self._idle_told = 0

    def begin(self) -> None:
        """A game begins, and no other runs: what was used before is nobody's."""
        self._mark = self._clock()

    def rest(self) -> None:
        """A time ends in which no decision was owed."""
        self._idle += self._used() or 0

    def decided(self) -> int | None:
        """A decision that was owed is given, or not wanted any more; what it took, None if not known."""
        used = self._used()
        if used is None:
            return None
        self._thought += used
        before, self._thought_told = self._thought_told, self._thought // 1000
        return self._thought_told - before

    def pondered(self) -> int | None:
        """What was used since the last call while no decision was owed; None if it was never known."""
        if self._mark is None:
            return None
        before, self._idle_told = self._idle_told, self._idle // 1000
        return self._idle_told - before

    def _used(self) -> int | None:
        now = self._clock()
        if now is None:
            return None  # it has ended; what it used last is not known
        mark, self._mark = self._mark, now
        return None if mark is None else now - mark
