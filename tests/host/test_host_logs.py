"""Log lines: one printable line each, bounded per source, and never a reason to fail."""

from __future__ import annotations

import io
import json
import logging
import re
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


def test_row_61_f039_what_peers_wrote_cannot_drive_the_terminal_or_fake_a_line(
    logger: logging.Logger,
) -> None:
    """SpadesX/SpadesX#38: what players wrote drove the operator's console."""
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


def test_f093_a_flood_is_summed_up(logger: logging.Logger) -> None:
    """Ten thousand refused connections in ten seconds are a few lines, and all of them are counted.

    EOSIO/eos#8455: each connection over the limit was a line of the log.
    """
    stream, clock = io.StringIO(), Clock()
    logs.configure(stamped=False, stream=stream)
    limit = logs.SourceLimit(clock)
    logging.getLogger("tyrusd").handlers[0].filters[:] = [limit]
    for number in range(10_000):
        clock.now = number / 1000
        logger.info("refused a connection from %s", "192.0.2.7", extra={"source": "refused connections"})
        logs.tell_left_out()
    clock.now = 10.0
    logs.tell_left_out()
    assert logs.BURST < stream.getvalue().count("\n") < logs.BURST + 12
    clock.now = 19.9
    logs.tell_left_out()
    lines = stream.getvalue().splitlines()
    assert re.fullmatch(r"tyrusd: refused connections: [0-9]+ more in 1[01] s", lines[-1])
    told = [int(count.replace(",", "")) for count in re.findall(r"([0-9,]+) more", stream.getvalue())]
    assert len(lines) - 1 + sum(told) == 10_000
    logs.tell_left_out(0.0)
    assert stream.getvalue().splitlines() == lines


def test_f093_what_was_left_out_is_told_without_another_line(logger: logging.Logger) -> None:
    """EOSIO/eos#8455: each connection over the limit was a line of the log."""
    stream, clock = io.StringIO(), Clock()
    logs.configure(stamped=False, stream=stream)
    logging.getLogger("tyrusd").handlers[0].filters[:] = [logs.SourceLimit(clock)]
    for _ in range(10_014):
        logger.warning("refused", extra={"source": "refused connections"})
    clock.now = 9.9
    logs.tell_left_out()
    assert stream.getvalue().count("\n") == logs.BURST
    clock.now = 10.0
    logs.tell_left_out()
    assert stream.getvalue().endswith("tyrusd: refused connections: 9,994 more in 10 s\n")


def test_lines_left_out_of_sources_that_are_forgotten_are_told_too() -> None:
    limit = logs.SourceLimit(Clock())
    for source in ["flood"] * (logs.BURST + 5) + [f"s{number}" for number in range(logs.SOURCES)]:
        limit.filter(logging.makeLogRecord({"name": "tyrusd", "msg": "x", "source": source}))
    assert [record.getMessage() for record in limit.overdue()] == [
        "sources that are forgotten: 5 more in 10 s"
    ]
    assert limit.overdue() == []


def test_as_json_each_record_is_one_object_on_one_line(logger: logging.Logger) -> None:
    stream = io.StringIO()
    logs.configure(stream=stream, form="json")
    logger.warning("name %s", "\x1b[2J\n\x7f é", extra={"source": "bot x\n"})
    try:
        raise ValueError("broken\x07")
    except ValueError:
        logger.exception("failed")
    first, second = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\.[0-9]{3}Z", first.pop("time"))
    assert first == {
        "level": "warning", "logger": "tyrusd.test", "message": "name \\x1b[2J\\x0a\\x7f \\xe9",
        "source": "bot x\\x0a",
    }  # fmt: skip
    assert (second["level"], second["message"]) == ("error", "failed")
    assert (
        second["exception"][0].startswith("Traceback")
        and second["exception"][-1] == "ValueError: broken\\x07"
    )


HIDDEN = [
    ("hand=M1,P2,S10 reserve=3", "hand=(tile),(tile),(tile) reserve=3"),
    ("hello 0.1 ada bot key=abc games=2", "hello 0.1 ada bot key=(hidden) games=2"),
    ("resume 0123", "resume (hidden)"),
    ("welcome ada secret=0123456789abcdef0123456789abcdef games=1", "welcome ada secret=(hidden) games=1"),
    ("it is 0123456789abcdef0123456789abcdef!", "it is (hidden)!"),
    (f"KeyError: '{'k' * 42}-'", "KeyError: '(hidden)'"),
    ("code ABCD-EFGH-2345-ijkl", "code (hidden)"),
    ("Tile(profession=<Profession.SOLDIER: 0>, number=10)", "(tile)"),
    ("IC.2.3.B.? BT.1.4.I.S9", "IC.2.3.B.? BT.1.4.I.(tile)"),
    ("game g12 is over: CPS1 against S11, P0", "game g12 is over: CPS1 against S11, P0"),
    ("line 3: [server] port", "line 3: [server] port"),
]


@pytest.mark.parametrize(("text", "shown"), HIDDEN)
@pytest.mark.parametrize("form", ["text", "json"])
def test_keys_and_tiles_are_hidden_wherever_they_come_from(
    logger: logging.Logger, form: str, text: str, shown: str
) -> None:
    stream = io.StringIO()
    logs.configure(stamped=False, stream=stream, form=form)
    logger.info("said: %s", text, extra={"source": "a bot"})
    try:
        raise ValueError(text)
    except ValueError:
        logger.exception("failed")
    assert stream.getvalue().count(shown) == 2
    assert text == shown or text not in stream.getvalue()


def test_configuring_again_forgets_nothing_that_was_counted() -> None:
    logs.configure()
    handler = logging.getLogger("tyrusd").handlers[0]
    (limit,) = handler.filters
    logs.configure(logging.DEBUG, form="json")
    other = logging.getLogger("tyrusd").handlers[0]
    assert other is not handler and other.filters == [limit]


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
