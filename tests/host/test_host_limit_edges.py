"""Limits of the host below, at and above their values, and what counts them: log, files, store, sockets."""

from __future__ import annotations

import errno
import logging
import os
import socket
from pathlib import Path

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from tests.host.fakecore import FakeCore
from tests.host.limits_moved import AROUND, moved
from tests.host.test_host_doorkeeper import CODE, Told, filled, keeper
from tests.host.test_host_engine import Stage
from tests.host.test_host_engine import stage as stage
from tests.host.test_host_logs import Clock
from tests.host.test_host_shelf import keep, played
from tests.host.test_host_storekeeper import Answers, Disk, record
from tyrusd.core.requests import Stored, StoreFailed, UseCode
from tyrusd.host import addresses, hub, log_sink, logs, seats, shelf, storekeeper
from tyrusd.host.doorkeeper import CODES
from tyrusd.host.engine import LINGER, Engine
from tyrusd.host.journal import MemoryJournal
from tyrusd.host.storekeeper import StorageLost, Storekeeper

MOMENT = 0.001  # seconds


@pytest.mark.parametrize("more", AROUND)
def test_limit_linger(stage: Stage, more: int) -> None:
    peer, _ = stage.connect(3)
    stage.engine.feed(peer, b"quit\n")
    stage.engine.flush()
    with moved(*["linger"] * (more >= 0)):
        stage.now += LINGER + more * MOMENT
        stage.engine.tick()
    assert stage.core.lost_peers() == [peer] * (more >= 0)


# -- the log -----------------------------------------------------------------------------------------------


def _line(text: str = "text", source: str = "one") -> logging.LogRecord:
    found = logging.LogRecord("tyrusd", logging.INFO, "", 0, text, None, None)
    found.source = source
    return found


@pytest.mark.parametrize("more", AROUND)
def test_limit_log_burst(more: int) -> None:
    limit = logs.SourceLimit(Clock())
    with moved(*["log_rate"] * (more > 0)):
        passed = [limit.filter(_line()) for _ in range(logs.BURST + more)]
    assert passed.count(True) == logs.BURST + min(more, 0)


@pytest.mark.parametrize("more", AROUND)
def test_limit_log_rate(more: int) -> None:
    """A second after the burst there is one line again; the time is that of the clock that is handed in."""
    clock = Clock()
    limit = logs.SourceLimit(clock)
    for _ in range(logs.BURST):
        assert limit.filter(_line())
    clock.now += 1 / logs.PER_SECOND + more * MOMENT
    with moved(*["log_rate"] * (more < 0)):
        assert limit.filter(_line()) is (more >= 0)
    with moved("log_rate"):
        assert not limit.filter(_line())


@pytest.mark.parametrize("more", AROUND)
def test_limit_log_sources(more: int) -> None:
    limit = logs.SourceLimit(Clock())
    with moved(*["log_sources"] * (more > 0)):
        for number in range(logs.SOURCES + more):
            assert limit.filter(_line(source=f"source {number}"))
    assert len(limit._sources) == logs.SOURCES + min(more, 0)


@pytest.mark.parametrize("more", AROUND)
@pytest.mark.parametrize("formatter", [logs.LineFormatter("%(message)s"), logs.JsonFormatter()])
def test_limit_log_message(formatter: logging.Formatter, more: int) -> None:
    with moved(*["log_message"] * (more > 0)):
        told = formatter.format(_line("x" * (logs.LONGEST + more)))
    assert told.count("x") == logs.LONGEST + min(more, 0)


@pytest.mark.parametrize("more", AROUND)
def test_limit_log_backlog(more: int) -> None:
    outlet, entry = os.pipe()
    try:
        os.set_blocking(entry, False)
        while True:
            try:
                os.write(entry, b"x" * 4096)
            except BlockingIOError:
                break
        sink = log_sink.Sink(entry)
        with moved(*["log_backlog"] * (more > 0)):
            sink.handle(_line("x" * (log_sink.BACKLOG - 1)))
            assert sink.lost == 0
            sink._waiting = bytearray(b"x" * (log_sink.BACKLOG - 100))
            sink.handle(_line("x" * (99 + more)))
        assert sink.lost == (more > 0)
    finally:
        os.close(outlet)
        os.close(entry)


# -- files, and what bots print ----------------------------------------------------------------------------


@pytest.mark.parametrize("more", AROUND)
def test_limit_bot_errors(more: int) -> None:
    tail = seats.Tail("bot")
    with moved(*["bot_errors"] * (more > 0)):
        tail.add(b"first")
        tail.add(b"x" * (seats.TAIL - 5 + more))
        assert tail.text().startswith("first") is (more <= 0)
        for _ in range(3 * (more > 0)):
            tail.add(b"x" * 9000)
    assert len(tail.text()) == seats.TAIL + min(more, 0)


@pytest.mark.parametrize("more", AROUND)
async def test_limit_log_files(more: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelf, "FILES", 4)
    (dossier,) = played()
    shelves = shelf.Shelf(tmp_path / "logs")
    for number in range(4 + more):
        keep(shelves, dossier._replace(game=f"g{number}"))
    with moved(*["log_files"] * (more > 0)):
        await shelves.write(100, 100)
    assert len(list((tmp_path / "logs").iterdir())) == 4 + min(more, 0)


@pytest.mark.parametrize("more", AROUND)
@pytest.mark.parametrize("urgent", [False, True])
async def test_limit_log_waiting(urgent: bool, more: int, tmp_path: Path) -> None:
    (dossier,) = played(timeout=urgent)
    shelves = shelf.Shelf(tmp_path / "logs")
    with moved(*["log_waiting"] * (more > 0)):
        for number in range(shelf.WAITING + more):
            keep(shelves, dossier._replace(game=f"g{number}"))
    waiting = shelves._urgent if urgent else shelves._others
    assert len(waiting) == shelf.WAITING + min(more, 0)


# -- the store ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("more", AROUND)
async def test_limit_codes_waiting(more: int, tmp_path: Path) -> None:
    with filled(tmp_path) as store:
        told = Told()
        doorkeeper = keeper(store, told)
        with moved(*["codes_waiting"] * (more > 0)):
            for number in range(CODES + more):
                doorkeeper.use(UseCode(number, CODE))
        assert len(told.answered) == (more > 0)


@pytest.mark.parametrize("more", AROUND)
async def test_limit_sync(more: int, mock_clock: MockClock) -> None:
    answers, disk = Answers(), Disk()
    keeping = Storekeeper(disk, answers.take)
    failed: list[StorageLost] = []

    async def run() -> None:
        try:
            await keeping.run()
        except StorageLost as lost:
            failed.append(lost)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(run)
        keeping.store(record(1))
        await trio.testing.wait_all_tasks_blocked()
        assert await trio.to_thread.run_sync(disk.begun.wait, 10)
        mock_clock.jump(storekeeper.ABANDON + more * MOMENT)
        await trio.testing.wait_all_tasks_blocked()
        assert bool(failed) is (more >= 0)
        disk.release.set()
        while not answers.batches:
            await answers.came.wait()
        nursery.cancel_scope.cancel()
    assert answers.batches == [[StoreFailed(1, "the disk failed") if more >= 0 else Stored(1)]]


@pytest.mark.parametrize("more", AROUND)
async def test_limit_full_disk(more: int, mock_clock: MockClock) -> None:
    """A result that cannot be written is tried again, and the server ends only after that long."""
    answers, disk = Answers(), Disk()
    disk.append_error = OSError(errno.ENOSPC, "no space left")
    keeping = Storekeeper(disk, answers.take)
    keeping.store(record(1))
    mock_clock.jump(storekeeper.GIVE_UP + more * MOMENT)
    keeping.store(record(1))
    assert keeping._full is (more > 0)
    assert len(answers.batches) == 2
    if more > 0:
        with pytest.raises(StorageLost, match="could not be written for 60 s"):
            await keeping.run()


# -- descriptors -------------------------------------------------------------------------------------------


class _Crowd:
    """A listener with so many who wait."""

    def __init__(self, waiting: int) -> None:
        self.waiting = waiting
        self.accepted = 0

    def accept(self) -> tuple[socket.socket, tuple[str, int]]:
        if not self.waiting:
            raise BlockingIOError
        self.waiting -= 1
        self.accepted += 1
        one, other = socket.socketpair()
        other.close()
        return one, ("192.0.2.7", 1)

    def fileno(self) -> int:
        return -1


@pytest.mark.parametrize("more", AROUND)
async def test_limit_descriptors(more: int) -> None:
    hubs = hub.Hub(Engine(FakeCore(), MemoryJournal(), trio.current_time))
    crowd = _Crowd(hub.REFUSALS + more)
    try:
        with moved("descriptors", times=hub.REFUSALS + min(more, 0)):
            hubs.no_room(crowd)  # type: ignore[arg-type]
        assert crowd.waiting == max(more, 0)
        assert hubs._resume_at is not None and hubs._resume_at > trio.current_time()
    finally:
        hubs.close()


@pytest.mark.parametrize("more", AROUND)
async def test_limit_accepts(more: int, monkeypatch: pytest.MonkeyPatch) -> None:
    hubs = hub.Hub(Engine(FakeCore(), MemoryJournal(), trio.current_time))
    monkeypatch.setattr(hub, "SocketLink", lambda hubs, accepted, transport: accepted.close())
    crowd = _Crowd(hub.ACCEPTS + more)
    listener = hub._Listener(hubs, crowd)  # type: ignore[arg-type]
    try:
        listener.ready(0)
        assert (crowd.accepted, crowd.waiting) == (hub.ACCEPTS + min(more, 0), max(more, 0))
        listener.ready(0)
        assert crowd.accepted == hub.ACCEPTS + more  # nobody is lost by it
    finally:
        hubs.close()


@pytest.mark.parametrize("more", AROUND)
def test_limit_backlog(more: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """What we ask for is what the system keeps, up to a limit of its own: tried with three."""
    monkeypatch.setattr(addresses, "BACKLOG", 2)  # Linux keeps one more than it is asked for
    (listener,) = addresses.open_listeners(["127.0.0.1"], 0)
    callers = [socket.socket() for _ in range(3 + more)]
    try:
        for caller in callers:
            caller.settimeout(0.2)
        there = 0
        for caller in callers:
            try:
                caller.connect(listener.getsockname())
                there += 1
            except TimeoutError:
                break
        assert there == 3 + min(more, 0)
    finally:
        for one in (listener, *callers):
            one.close()
