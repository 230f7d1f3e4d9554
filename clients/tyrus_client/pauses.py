"""Decides how long a client waits before it tries to connect again, and when it stops trying."""

from typing import Final

PAUSES: Final = (0.0, 1.0, 2.0, 3.0, 5.0, 8.0, 10.0)  # seconds; from then on the last one again and again
# A server that was started again keeps seats for five minutes (protocol.md#resume).
WINDOW: Final = 300.0
SETTLED: Final = 60.0  # a connection that held so long begins a new count


class Pauses:
    """The attempts after a break; times are seconds of any clock that only goes forward."""

    def __init__(self) -> None:
        self._since: float | None = None
        self._back: float | None = None
        self._tried = 0

    def next(self, now: float) -> float | None:
        """Return how long to wait before the next attempt, None when it is time to give up."""
        settled = self._back is not None and now - self._back >= SETTLED
        if self._since is None or settled:
            self._since, self._tried = now, 0
        self._back = None
        pause = PAUSES[min(self._tried, len(PAUSES) - 1)]
        self._tried += 1
        return pause if now + pause - self._since <= WINDOW else None

    def back(self, now: float) -> None:
        """Take note that the seat was taken again."""
        self._back = now
