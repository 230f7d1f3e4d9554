"""What a server counts of its own work since it began: in closed words, never by names of players."""

from __future__ import annotations

from collections import Counter


class Counts:
    """Counters of one server.

    errors by code and goodbyes by word (protocol.md); limits by the field of Settings that somebody met, or
    `bans`; logins by kind and by how they came; results by reason; connections: all that came.
    """

    __slots__ = ("connections", "errors", "goodbyes", "limits", "logins", "results")

    def __init__(self) -> None:
        self.connections = 0
        self.errors: Counter[str] = Counter()
        self.goodbyes: Counter[str] = Counter()
        self.limits: Counter[str] = Counter()
        self.logins: Counter[tuple[str, str]] = Counter()
        self.results: Counter[str] = Counter()
