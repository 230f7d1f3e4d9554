"""Deadlines as numbers in one heap: at most one live entry a key, corrected when it comes up."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Hashable
from itertools import count
from typing import Final

Action = Callable[[float], None]

_ROOM: Final = 256  # forgotten entries that may stay in the heap before it is rebuilt


class Timers:
    """Who is to be called when; moving a deadline later costs a dictionary write, not a heap push."""

    __slots__ = ("_actions", "_due", "_heap", "_order", "_queued")

    def __init__(self) -> None:
        self._heap: list[tuple[float, int, Hashable]] = []
        self._due: dict[Hashable, float] = {}
        self._actions: dict[Hashable, Action] = {}
        self._queued: dict[Hashable, float] = {}  # when the key's live heap entry comes up
        self._order = count()

    def set(self, key: Hashable, at: float, action: Action) -> None:
        """Call action(now) at `at` (seconds), instead of whatever was set for this key."""
        self._due[key] = at
        self._actions[key] = action
        queued = self._queued.get(key)
        if queued is None or at < queued:
            self._queued[key] = at
            heapq.heappush(self._heap, (at, next(self._order), key))

    def clear(self, key: Hashable) -> None:
        """Forget this key's deadline, if it has one."""
        if self._due.pop(key, None) is not None:
            del self._actions[key]
            if len(self._heap) > _ROOM + 2 * len(self._due):
                self._rebuild()

    def due(self, key: Hashable) -> float | None:
        """Return this key's deadline, if it has one."""
        return self._due.get(key)

    def shift(self, seconds: float) -> None:
        """Move every deadline later: time has passed that is not to count."""
        self._due = {key: at + seconds for key, at in self._due.items()}
        self._rebuild()

    def _rebuild(self) -> None:
        """Queue what is set and nothing else: a forgotten deadline may lie days ahead."""
        self._queued = dict(self._due)
        self._heap = [(at, next(self._order), key) for key, at in self._due.items()]
        heapq.heapify(self._heap)

    def next(self) -> float | None:
        """The earliest deadline (seconds), or None."""
        while self._heap:
            at, _, key = self._heap[0]
            due = self._due.get(key)
            if due == at and self._queued.get(key) == at:
                return at
            heapq.heappop(self._heap)
            if self._queued.get(key) != at:
                continue  # an earlier push of this key has replaced the entry
            if due is None:
                del self._queued[key]
            else:
                self._queued[key] = due
                heapq.heappush(self._heap, (due, next(self._order), key))
        return None

    def run(self, now: float) -> None:
        """Call every action whose time has come, in order of time."""
        while True:
            at = self.next()
            if at is None or at > now:
                return
            _, _, key = heapq.heappop(self._heap)
            del self._queued[key]
            del self._due[key]
            self._actions.pop(key)(now)

    def __len__(self) -> int:
        return len(self._due)

    def __contains__(self, key: Hashable) -> bool:
        return key in self._due
