"""What a server counts of its own work since it began: in closed words, never by names of players."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields
from typing import Final

from tyrusd.core.settings import Settings

ELSEWHERE: Final = {
    "server": "no limit",
    "open_hosts": "no limit: whom those by host do not meet",
    "linger": "the host closes streams, and counts it under the same word",
    "lines_burst": "lines_per_second: when the burst is used up the rate is met",
    "output_per_game": "output_base: both are the room of one queue",
    "error_refill": "error_budget: what is not forgiven yet is missing there",
    "lenient_bot": "the results with the reason `illegal`",
    "resume_delay": "the errors with the code `auth`",
    "ladder_gather": "nobody is refused: games of the ladder begin a moment later",
    "ladder_rematch": "nobody is refused: games of the ladder begin a moment later",
    "ladder_provisional": "the table of ratings marks the versions",
    "ladder_versions": "nobody is refused: the table of ratings tells older versions without a rating",
    "ladder_refit": "nobody meets it: ratings are a moment older",
    "store_attempts": "no limit: what a worker of a ladder wants, and a server never does",
    "heartbeat": "a counter of its own: it comes every second while anybody is here",
}
"""Fields of Settings that are not counted under their own names: what counts them, or why nothing does."""

COUNTED: Final = frozenset({field.name for field in fields(Settings)} - ELSEWHERE.keys()) | {
    "bans",
    "bans_kept",
    "client_line",
    "drain",
    "frame",
    "names",
}
"""Every word under which a limit of this room is counted: fields of Settings, and what nobody can set."""


class Counts:
    """Counters of one server.

    errors by code and goodbyes by word (protocol.md); limits by a word of COUNTED, each time that somebody
    meets it; logins by kind and by how they came; results by reason; connections: all that came; heartbeats:
    steps that were taken only because anybody was here.
    """

    __slots__ = ("connections", "errors", "goodbyes", "heartbeats", "limits", "logins", "results")

    def __init__(self) -> None:
        self.connections = 0
        self.heartbeats = 0
        self.errors: Counter[str] = Counter()
        self.goodbyes: Counter[str] = Counter()
        self.limits: Counter[str] = Counter()
        self.logins: Counter[tuple[str, str]] = Counter()
        self.results: Counter[str] = Counter()
