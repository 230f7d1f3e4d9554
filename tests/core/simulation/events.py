"""What will happen when, in virtual time: one heap for the host's events and the clients'."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from typing import NamedTuple

Action = Callable[[], None]


class Event(NamedTuple):
    """Something that happens at a time; `host` tells whether a busy host does it only when it has time."""

    at: float
    order: int
    host: bool
    action: Action


class Events:
    """All that is still to happen, earliest first, in the order of its making where times are equal."""

    def __init__(self) -> None:
        self._heap: list[Event] = []
        self._made = 0

    def add(self, at: float, action: Action, host: bool = False) -> None:
        """Let something happen at a time."""
        self._made += 1
        heapq.heappush(self._heap, Event(at, self._made, host, action))

    def put_off(self, event: Event, at: float) -> None:
        """Let an event that has come up happen later; it stays in its place among those of its time."""
        heapq.heappush(self._heap, event._replace(at=at))

    def next(self) -> float | None:
        """When the next event happens."""
        return self._heap[0].at if self._heap else None

    def pop(self) -> Event:
        """Take the next event."""
        return heapq.heappop(self._heap)

    def __len__(self) -> int:
        return len(self._heap)
