"""`tyrusd ladder --events`: everything that happens as JSON, a line each (docs/ladder.md#events)."""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TextIO

SCHEMA: Final = 1

# Every event and its fields, in their order, after `event` and `at`.
EVENTS: Final[dict[str, tuple[str, ...]]] = {
    "begin": (
        "schema", "version", "directory", "resumed", "tournament", "entrants", "rounds", "games", "pairs",
        "played", "concurrency", "workers", "sandbox", "stop_on_crash",
    ),
    "seat": ("bot", "key", "addresses"),
    "game": (
        "game", "pair", "attempt", "twin", "round", "ivory", "brown", "opener", "winner", "reason", "detail",
        "at_fault", "note",
    ),
    "unready": ("pair", "attempt", "bot", "why"),
    "again": ("pair", "attempt", "why"),
    "suspended": ("bot", "failures"),
    "dropped": ("bot",),
    "halted": ("first", "second", "why"),
    "round": ("number", "pairings", "byes"),
    "advanced": ("winner", "loser", "how"),
    "champion": ("name", "finalists"),
    "stopped": ("bot", "game", "reason"),
    "outcome": (
        "first", "second", "wins", "losses", "draws", "points", "games", "sprt", "pentanomial", "los",
    ),
    "decided": ("pair", "llr", "lower", "upper", "decision", "pairs"),
    "standings": ("games", "entrants"),
    "control": ("what", "value"),
    "said": ("sentence",),
    "end": ("complete", "why", "seed", "exit", "resume"),
}  # fmt: skip


class Events:
    """Writes the lines; trouble with them is told once, and stops no game."""

    def __init__(self, stream: TextIO, now: Callable[[], str], on_trouble: Callable[[str], None]) -> None:
        self._stream = stream
        self._now = now
        self._on_trouble = on_trouble
        self.lost: str | None = None
        """Why nothing more is written, None while all is well; a reader that has gone is no trouble."""
        self._gone = False

    def tell(self, event: str, /, **fields: Any) -> None:
        """Write one event; its fields are exactly those of the table."""
        wanted = EVENTS[event]
        if fields.keys() != set(wanted):
            raise ValueError(f"the event {event} has the fields {wanted}, not {tuple(fields)}")
        if self._gone or self.lost is not None:
            return
        found = {"event": event, "at": self._now()} | {key: fields[key] for key in wanted}
        try:
            self._stream.write(json.dumps(found) + "\n")
            self._stream.flush()
        except OSError as error:
            if error.errno == errno.EPIPE:
                self._gone = True
            else:
                self.lost = error.strerror or str(error)
                self._on_trouble(f"the events cannot be written any more: {self.lost}")
            silence(self._stream)

    def close(self) -> None:
        """Close a file; stdout stays open."""
        if self._stream is not sys.stdout:
            try:
                self._stream.close()
            except OSError as error:
                self.lost = self.lost or error.strerror or str(error)


def open_events(where: str, *, resumed: bool) -> TextIO:
    """Open FILE or, for `-`, stdout. A new run makes a new file, one that goes on appends to its own.

    Raises FileExistsError or another OSError.
    """
    if where == "-":
        return sys.stdout
    return Path(where).open("a" if resumed else "x", encoding="ascii")


def silence(stream: TextIO) -> None:
    """Let what is in the buffer of a broken stream go nowhere; else Python complains of it at its end."""
    try:
        descriptor = os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC)
        try:
            os.dup2(descriptor, stream.fileno())
        finally:
            os.close(descriptor)
    except (OSError, ValueError):  # a stream without a descriptor, as in tests
        pass
