"""Decides what a log line looks like: text or JSON on stderr, bounded per source, nothing raw or hidden."""

from __future__ import annotations

import json
import logging
import re
import sys
import time
from collections.abc import Callable
from typing import Final, TextIO

from tyrusd.core.allowance import Allowance
from tyrusd.host.log_sink import Sink, occupy_standard_streams
from tyrusd.host.met import met

BURST: Final = 20  # lines of one source at once
PER_SECOND: Final = 1.0  # afterwards
SOURCES: Final = 1024  # remembered sources; more than that many at once share what is left
LONGEST: Final = 1000  # characters of a message
SUMMARY: Final = 10.0  # seconds until what was left out is counted in a line of its own

_STDERR: Final = 2
# What the players of a running game must not find in a log, wherever it comes from: a fault of ours with
# values in its text, or a bot of this server that prints its hand.
_HIDDEN: Final = (
    (re.compile(r"(?i)\b((?:key|secret)=|resume +)[^\s'\"]+"), r"\1(hidden)"),
    (re.compile(r"(?<![\w-])(?:[A-Za-z0-9_-]{43}|[0-9a-f]{32})(?![\w-])"), "(hidden)"),
    (re.compile(r"(?i)\b[a-z2-7]{4}(?:-[a-z2-7]{4}){3}\b"), "(hidden)"),
    (re.compile(r"Tile\([^)]*\)|(?<![A-Za-z0-9])[SMPsmp](?:10|[1-9])(?![A-Za-z0-9])"), "(tile)"),
)


def escaped(text: str) -> str:
    """Return a text from outside as printable ASCII, so that it cannot drive a terminal or fake a line."""
    plain = text.encode("ascii", "backslashreplace").decode("ascii")
    return "".join(letter if letter.isprintable() else f"\\x{ord(letter):02x}" for letter in plain)


def _cut(message: str) -> str:
    if len(message) > LONGEST:
        met("log_message")
    return message[:LONGEST]


def hiding(text: str) -> str:
    """Return a text without keys, secrets, seat codes and tiles."""
    for pattern, instead in _HIDDEN:
        text = pattern.sub(instead, text)
    return text


class _Source:
    """What one source has said, and what of it was left out since when."""

    __slots__ = ("allowance", "left_out", "level", "logger", "since")

    def __init__(self, now: float) -> None:
        self.allowance = Allowance(BURST, PER_SECOND, now)
        self.left_out = 0
        self.since = now
        self.logger = ""
        self.level = logging.INFO


class SourceLimit(logging.Filter):
    """Lets a burst of each source pass and then a line a second; what is left out is counted.

    The next line of the source tells the count, or a line of its own when none comes (`overdue`). A source is
    the record's `source` attribute, or else its unformatted message.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._sources: dict[str, _Source] = {}
        self._forgotten = 0  # lines left out of sources that are not remembered any more

    def filter(self, record: logging.LogRecord) -> bool:
        """Pass the record, or count it."""
        now = self._clock()
        name = str(getattr(record, "source", record.msg))
        source = self._sources.get(name)
        if source is None:
            while len(self._sources) >= SOURCES:
                met("log_sources")
                self._forgotten += self._sources.pop(next(iter(self._sources))).left_out
            source = self._sources[name] = _Source(now)
        if not source.allowance.spend(now):
            if not source.left_out:
                source.since = now
            source.left_out += 1
            met("log_rate")
            source.logger, source.level = record.name, record.levelno
            return False
        if source.left_out:
            record.msg = f"{record.getMessage()} (and {source.left_out:,} more from there were left out)"
            record.args = None
            source.left_out = 0
        return True

    def overdue(self, patience: float = SUMMARY) -> list[logging.LogRecord]:
        """Records that tell what was left out for so many seconds, which then counts as told."""
        now = self._clock()
        found = []
        for name, source in self._sources.items():
            if source.left_out and now - source.since >= patience:
                words = (escaped(name)[:100], source.left_out, now - source.since)
                found.append(_summary(source.logger, source.level, "%s: %s more in %.0f s", words))
                source.left_out = 0
        if self._forgotten:
            words = ("sources that are forgotten", self._forgotten, patience)
            found.append(_summary("tyrusd", logging.INFO, "%s: %s more in %.0f s", words))
            self._forgotten = 0
        return found


def _summary(logger: str, level: int, pattern: str, words: tuple[str, int, float]) -> logging.LogRecord:
    name, count, seconds = words
    return logging.LogRecord(logger, level, "", 0, pattern, (name, f"{count:,}", seconds), None)


class LineFormatter(logging.Formatter):
    """One printable line a record; a traceback follows on lines of its own, escaped as well."""

    converter = staticmethod(time.gmtime)

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 -- logging's name
        """Escape and cut the message."""
        record.message = _cut(escaped(hiding(record.message)))
        return super().formatMessage(record)

    def formatException(self, ei: logging._SysExcInfoType) -> str:  # noqa: N802 -- logging's name
        """Escape the traceback line by line."""
        return "\n".join(escaped(line) for line in hiding(super().formatException(ei)).split("\n"))


class JsonFormatter(LineFormatter):
    """One JSON object a record, on one line: time, level, logger, message, and what else is known."""

    def format(self, record: logging.LogRecord) -> str:
        """Write a record."""
        seconds, milliseconds = divmod(int(record.created * 1000), 1000)
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
        found: dict[str, object] = {
            "time": f"{stamp}.{milliseconds:03}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _cut(escaped(hiding(record.getMessage()))),
        }
        if isinstance(source := getattr(record, "source", None), str):
            found["source"] = escaped(hiding(source))
        if record.exc_info:
            found["exception"] = self.formatException(record.exc_info).split("\n")
        return json.dumps(found)


def configure(
    level: int = logging.INFO, *, stamped: bool = True, stream: TextIO | None = None, form: str = "text"
) -> None:
    """Send the log to stderr (or to stream), as text or as json.

    stamped: text with the time in UTC, as a service wants it. Called again, it keeps what it has counted.
    """
    # Trouble with the log itself must never reach a game.
    logging.raiseExceptions = False
    occupy_standard_streams()
    logger = logging.getLogger("tyrusd")
    limits = [
        each for handler in logger.handlers for each in handler.filters if isinstance(each, SourceLimit)
    ]
    handler = _handler(stream)
    pattern = "%(asctime)sZ %(levelname)s %(message)s" if stamped else "tyrusd: %(message)s"
    handler.setFormatter(JsonFormatter() if form == "json" else LineFormatter(pattern, "%Y-%m-%dT%H:%M:%S"))
    handler.addFilter(limits[0] if limits and stream is None else SourceLimit())
    logger.handlers[:] = [handler]
    logger.propagate = False
    logger.setLevel(level)


def configure_by(level: str, form: str) -> None:
    """Send the log to stderr as a configuration wants it."""
    configure(logging.getLevelNamesMapping()[level.upper()], form=form)


def _handler(stream: TextIO | None) -> logging.Handler:
    """A handler that never waits where the stream is a descriptor; a replaced stderr is written as it is."""
    if stream is None and sys.stderr is not None:
        try:
            if sys.stderr.fileno() != _STDERR:
                stream = sys.stderr
        except (OSError, ValueError, AttributeError):
            stream = sys.stderr
    return Sink(_STDERR) if stream is None else logging.StreamHandler(stream)


def tell_left_out(patience: float = SUMMARY) -> None:
    """Write what was left out for so many seconds, source by source."""
    for handler in logging.getLogger("tyrusd").handlers:
        for limit in handler.filters:
            if isinstance(limit, SourceLimit):
                handler.acquire()
                try:
                    for record in limit.overdue(patience):
                        handler.emit(record)
                finally:
                    handler.release()
        handler.flush()
