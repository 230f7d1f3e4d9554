"""Whatever becomes of stderr, who writes to the log never waits for it and never fails."""

from __future__ import annotations

import errno
import logging
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.host.daemons import PATIENCE, Peer, command, running
from tyrusd.host.log_sink import BACKLOG, Sink


def record(text: str) -> logging.LogRecord:
    return logging.LogRecord("tyrusd", logging.INFO, "", 0, "%s", (text,), None)


class Pipe:
    def __init__(self) -> None:
        self.outlet, self.entry = os.pipe()
        self.sink = Sink(self.entry)

    def say(self, text: str) -> None:
        self.sink.handle(record(text))

    def read(self) -> str:
        """All that is in the pipe."""
        os.set_blocking(self.outlet, False)
        found = b""
        while True:
            try:
                data = os.read(self.outlet, 1 << 20)
            except BlockingIOError:
                return found.decode()
            if not data:
                return found.decode()
            found += data

    def close(self) -> None:
        for descriptor in (self.outlet, self.entry):
            try:
                os.close(descriptor)
            except OSError as error:
                assert error.errno == errno.EBADF


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    found = Pipe()
    yield found
    found.close()


def test_lines_come_as_they_are(pipe: Pipe) -> None:
    for text in ("one", "two", "x" * 10_000, "é\ud800"):
        pipe.say(text)
    assert pipe.read() == f"one\ntwo\n{'x' * 10_000}\né\\ud800\n"


def test_row_58_a_reader_that_does_not_read_stops_nobody(pipe: Pipe) -> None:
    """The descriptor is a blocking one: a write too many would stand still for ever."""
    line, count = "x" * 999, 2000
    for _ in range(count):
        pipe.say(line)
    assert pipe.sink.lost > 0 and len(pipe.sink._waiting) <= BACKLOG
    held = (65536 + BACKLOG) // 1000
    assert held - 5 <= count - pipe.sink.lost <= held
    text = ""
    while data := pipe.read():
        text += data
        pipe.sink.flush()
    assert set(text.splitlines()) == {line}
    missing = pipe.sink.lost
    pipe.say("again")
    assert pipe.read() == f"{missing} log lines were lost: nobody took them\nagain\n"
    assert len(text.splitlines()) + missing == count and pipe.sink.lost == 0


def test_row_58_a_closed_reader_and_a_closed_stream_are_nothing(pipe: Pipe) -> None:
    os.close(pipe.outlet)
    pipe.say("lost")
    pipe.say("lost")
    os.close(pipe.entry)
    pipe.say("lost")
    assert pipe.sink.lost == 3


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_row_58_a_full_disk_is_nothing(tmp_path: Path) -> None:
    full = os.open("/dev/full", os.O_WRONLY)
    sink = Sink(full)
    for _ in range(5):
        sink.handle(record("lost"))
    assert sink.lost == 5
    log = tmp_path / "log"
    os.dup2(os.open(log, os.O_WRONLY | os.O_CREAT), full)  # there is room again
    sink.handle(record("back"))
    assert log.read_text() == "5 log lines were lost: nobody took them\nback\n"
    os.close(full)


def test_a_line_that_was_torn_off_is_ended_before_the_next(
    pipe: Pipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.write
    answers: list[int | OSError] = [3, OSError(errno.ENOSPC, "full")]

    def write(descriptor: int, data: bytes) -> int:
        if not answers:
            return real(descriptor, data)
        answer = answers.pop(0)
        if isinstance(answer, OSError):
            raise answer
        return real(descriptor, data[:answer])

    monkeypatch.setattr(os, "write", write)
    pipe.say("torn")
    pipe.say("whole")
    assert pipe.read() == "tor\n1 log lines were lost: nobody took them\nwhole\n"


def test_a_record_that_cannot_be_written_is_counted(pipe: Pipe) -> None:
    pipe.sink.handle(logging.LogRecord("tyrusd", logging.INFO, "", 0, "%d", ("x",), None))
    pipe.say("next")
    assert pipe.read() == "1 log lines were lost: nobody took them\nnext\n"


@pytest.mark.parametrize("redirected", ["2>&-", "2>/dev/full", "<&- 2>&-"])
def test_row_58_a_server_without_a_log_serves_and_keeps_its_journal(tmp_path: Path, redirected: str) -> None:
    """A closed stderr is the dangerous one: the next file that is opened would become stderr."""
    data = tmp_path / "data"
    words = " ".join(f"'{word}'" for word in command("serve", "--port", "0", "--host", "127.0.0.1"))
    script = f"exec {words} --data '{data}' --log-level debug {redirected}"
    process = subprocess.Popen(["sh", "-c", script], stdout=subprocess.PIPE, text=True, cwd=Path.cwd())
    assert process.stdout is not None
    try:
        _, host, port = process.stdout.readline().split()
        peer = Peer((host, int(port)))
        peer.say("hello 0.1 visitor human", "play random")
        peer.say(f"resign {peer.until('choose').split()[1]}")
        assert peer.until("over")
        peer.close()
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0
    finally:
        process.kill()
        process.communicate()
    assert b"INFO" not in (data / "journal.tyrus").read_bytes()


def test_row_58_a_server_whose_log_is_not_read_serves_on(tmp_path: Path) -> None:
    words = ("serve", "--port", "0", "--host", "127.0.0.1", "--data", str(tmp_path / "data"))
    with running(*words, "--log-level", "debug") as daemon:
        [address] = daemon.addresses()
        for _ in range(1500):
            Peer(address).close()
        peer = Peer(address)
        peer.say("hello 0.1 visitor human", "ping alive")
        assert peer.until("pong") == "pong alive"
        peer.close()
        daemon.signal(signal.SIGTERM)
        assert daemon.process.wait(PATIENCE) == 0
