"""Decides what a log line looks like: text on stderr, bounded per source, nothing raw from peers."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable
from typing import Final, TextIO

from tyrusd.core.allowance import Allowance

BURST: Final = 20  # lines of one source at once
PER_SECOND: Final = 1.0  # afterwards
SOURCES: Final = 1024  # remembered sources; more than that many at once share what is left
LONGEST: Final = 1000  # characters of a message


def escaped(text: str) -> str:
    """Return a text from outside as printable ASCII, so that it cannot drive a terminal or fake a line."""
    plain = text.encode("ascii", "backslashreplace").decode("ascii")
    return "".join(letter if letter.isprintable() else f"\\x{ord(letter):02x}" for letter in plain)


class SourceLimit(logging.Filter):
    """Lets a burst of each source pass and then a line a second; the next one tells how many were left out.

    A source is the record's `source` attribute, or else its unformatted message.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._sources: dict[str, tuple[Allowance, list[int]]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Pass the record, or count it."""
        now = self._clock()
        source = str(getattr(record, "source", record.msg))
        if source not in self._sources:
            while len(self._sources) >= SOURCES:
                del self._sources[next(iter(self._sources))]
            self._sources[source] = (Allowance(BURST, PER_SECOND, now), [0])
        allowance, left_out = self._sources[source]
        if not allowance.spend(now):
            left_out[0] += 1
            return False
        if left_out[0]:
            record.msg = f"{record.getMessage()} (and {left_out[0]} more from there were left out)"
            record.args = None
            left_out[0] = 0
        return True


class LineFormatter(logging.Formatter):
    """One printable line a record; a traceback follows on lines of its own, escaped as well."""

    converter = staticmethod(time.gmtime)

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 -- logging's name
        """Escape and cut the message."""
        record.message = escaped(record.message)[:LONGEST]
        return super().formatMessage(record)

    def formatException(self, ei: logging._SysExcInfoType) -> str:  # noqa: N802 -- logging's name
        """Escape the traceback line by line."""
        return "\n".join(escaped(line) for line in super().formatException(ei).split("\n"))


def configure(level: int = logging.INFO, *, stamped: bool = True, stream: TextIO | None = None) -> None:
    """Send the log to stderr (or to stream); stamped: with the time in UTC, as a service wants it."""
    # Trouble with the log itself must never reach a game.
    logging.raiseExceptions = False
    handler = logging.StreamHandler(stream or sys.stderr)
    pattern = "%(asctime)sZ %(levelname)s %(message)s" if stamped else "tyrusd: %(message)s"
    handler.setFormatter(LineFormatter(pattern, "%Y-%m-%dT%H:%M:%S"))
    handler.addFilter(SourceLimit())
    logger = logging.getLogger("tyrusd")
    logger.handlers[:] = [handler]
    logger.propagate = False
    logger.setLevel(level)


def configure_by(level: str, form: str) -> None:
    """Send the log to stderr as a configuration wants it."""
    configure(logging.getLevelNamesMapping()[level.upper()])
