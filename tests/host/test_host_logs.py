"""Log lines: one printable line each, bounded per source, and never a reason to fail."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator

import pytest

from tyrusd.host import logs


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def logger() -> Iterator[logging.Logger]:
    found = logging.getLogger("tyrusd")
    before = (found.handlers[:], found.propagate, found.level, logging.raiseExceptions)
    yield logging.getLogger("tyrusd.test")
    found.handlers[:], found.propagate, level, logging.raiseExceptions = before
    found.setLevel(level)


def test_row_61_what_peers_wrote_cannot_drive_the_terminal_or_fake_a_line(logger: logging.Logger) -> None:
    stream = io.StringIO()
    logs.configure(stamped=False, stream=stream)
    logger.info("name %s", "\x1b[2Jevil\r\n2026 ERROR faked \x9b é")
    assert stream.getvalue() == "tyrusd: name \\x1b[2Jevil\\x0d\\x0a2026 ERROR faked \\x9b \\xe9\n"


def test_a_traceback_is_escaped_as_well(logger: logging.Logger) -> None:
    stream = io.StringIO()
    logs.configure(stamped=False, stream=stream)
    try:
        raise ValueError("\x1b]0;title\x07")
    except ValueError:
        logger.exception("failed")
    assert "\x1b" not in stream.getvalue()
    assert "\\x1b]0;title" in stream.getvalue()
    assert "Traceback" in stream.getvalue()


def test_row_58_one_source_is_limited_and_the_rest_is_counted(logger: logging.Logger) -> None:
    stream, clock = io.StringIO(), Clock()
    logs.configure(stamped=False, stream=stream)
    handler = logging.getLogger("tyrusd").handlers[0]
    handler.filters[:] = [logs.SourceLimit(clock)]
    for number in range(1000):
        logger.info("line %d", number, extra={"source": "bot a"})
    logger.info("another", extra={"source": "bot b"})
    assert stream.getvalue().count("\n") == logs.BURST + 1
    clock.now = 1.0
    logger.info("last", extra={"source": "bot a"})
    assert stream.getvalue().endswith(
        f"tyrusd: last (and {1000 - logs.BURST} more from there were left out)\n"
    )


def test_without_a_source_the_message_pattern_is_the_source(logger: logging.Logger) -> None:
    stream = io.StringIO()
    logs.configure(stamped=False, stream=stream)
    for number in range(100):
        logger.info("refused %d", number)
    logger.info("other")
    lines = stream.getvalue().splitlines()
    assert len(lines) == logs.BURST + 1
    assert lines[-1] == "tyrusd: other"


def test_the_number_of_remembered_sources_is_bounded() -> None:
    limit = logs.SourceLimit(Clock())
    for number in range(3 * logs.SOURCES):
        record = logging.LogRecord("tyrusd", logging.INFO, "", 0, f"line {number}", None, None)
        assert limit.filter(record)
    assert len(limit._sources) == logs.SOURCES


def test_row_58_trouble_with_the_log_itself_never_raises(logger: logging.Logger) -> None:
    class Broken(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError(28, "No space left on device")

    logs.configure(stream=Broken())
    logger.error("lost")


def test_a_message_is_cut() -> None:
    stream = io.StringIO()
    logs.configure(stamped=False, stream=stream)
    logging.getLogger("tyrusd").warning("x" * 100_000)
    assert len(stream.getvalue()) <= logs.LONGEST + len("tyrusd: \n")
