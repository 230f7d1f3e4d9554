"""The engine: journal, then output, then requests; and one peer's trouble is that peer's alone."""

from __future__ import annotations

import errno
import logging
from collections.abc import Sequence

import pytest

from tests.host.fakecore import FakeCore
from tyrusd.core.requests import Finished, StartBot, Stored, Transport
from tyrusd.core.seatspec import SeatSpec
from tyrusd.host.engine import LINGER, Engine
from tyrusd.wire import Codec

TRANSPORT = Transport("127.0.0.1", Codec.LINE, "socket")


class Trace:
    """What happened, in order."""

    def __init__(self) -> None:
        self.did: list[str] = []


class TracingJournal:
    durable = True

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.fails = False
        self.kept: list[bytes] = []

    def append(self, frames: Sequence[bytes]) -> None:
        if self.fails:
            raise OSError(errno.ENOSPC, "No space left on device")
        self.kept.extend(frames)
        self.trace.did.append("journal")

    def sync(self) -> None:
        pass

    def close(self) -> None:
        pass


class FakeOutlet:
    def __init__(self, trace: Trace, room: int = 1 << 20) -> None:
        self.trace = trace
        self.room = room
        self.got = b""
        self.did: list[str] = []
        self.broken: Exception | None = None

    def write(self, data: bytes) -> int:
        if self.broken is not None:
            raise self.broken
        count = min(self.room, len(data))
        self.room -= count
        self.got += data[:count]
        self.trace.did.append("write")
        return count

    def pause(self) -> None:
        self.did.append("pause")

    def resume(self) -> None:
        self.did.append("resume")

    def read_once(self) -> None:
        self.did.append("read_once")

    def finish(self) -> None:
        self.did.append("finish")

    def close(self) -> None:
        self.did.append("close")


class Stage:
    def __init__(self) -> None:
        self.now = 100.0
        self.trace = Trace()
        self.core = FakeCore()
        self.journal = TracingJournal(self.trace)
        self.engine = Engine(self.core, self.journal, lambda: self.now)

    def connect(self, room: int = 1 << 20) -> tuple[int, FakeOutlet]:
        outlet = FakeOutlet(self.trace, room)
        peer = self.engine.connected(TRANSPORT, outlet)
        self.engine.flush()
        return peer, outlet


@pytest.fixture
def stage() -> Stage:
    return Stage()


def test_r4_the_journal_is_written_before_anything_is_sent_and_requests_come_last(stage: Stage) -> None:
    peer, _ = stage.connect()
    stage.trace.did.clear()
    stage.engine.handle(StartBot, lambda request: stage.trace.did.append("request"))
    stage.core.journal.append(b"record")
    stage.core.requests.append(StartBot(1, "bot", SeatSpec("exec", "x")))
    stage.engine.feed(peer, b"line\n")
    stage.engine.flush()
    assert stage.trace.did == ["journal", "write", "request"]


def test_what_becomes_due_in_one_batch_leaves_in_one_write(stage: Stage) -> None:
    peer, outlet = stage.connect()
    stage.trace.did.clear()
    for number in range(5):
        stage.engine.feed(peer, b"%d\n" % number)
    stage.engine.flush()
    assert stage.trace.did == ["write"]
    assert outlet.got == b"hi\n0\n1\n2\n3\n4\n"


def test_what_the_director_wants_from_the_start_is_done_at_the_first_flush(stage: Stage) -> None:
    started: list[StartBot] = []
    stage.engine.handle(StartBot, started.append)
    stage.core.requests.append(StartBot(1, "bot", SeatSpec("exec", "x")))
    stage.engine.flush()
    assert [request.id for request in started] == [1]


def test_a_partial_write_waits_for_room_and_goes_on_where_it_stopped(stage: Stage) -> None:
    peer, outlet = stage.connect(room=5)
    stage.engine.feed(peer, b"abcdef\n")
    stage.engine.flush()
    assert outlet.got == b"hi\nab"
    outlet.room = 3
    stage.engine.writable(peer)
    assert outlet.got == b"hi\nabcde"
    outlet.room = 99
    stage.engine.writable(peer)
    assert outlet.got == b"hi\nabcdef\n"


def test_row_10_a_peer_that_is_not_to_be_read_is_paused_and_resumed(stage: Stage) -> None:
    peer, outlet = stage.connect()
    stage.engine.feed(peer, b"pause\n")
    stage.engine.flush()
    stage.engine.tick()
    assert outlet.did == ["pause"]
    stage.core.paused.clear()
    stage.engine.tick()
    stage.engine.tick()
    assert outlet.did == ["pause", "resume"]


def test_f047_a_fault_of_ours_at_one_peer_costs_that_peer_only(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    """python-hyper/h11#70: an exception at one connection ended the whole server."""
    (bad, bad_outlet), (good, good_outlet) = stage.connect(), stage.connect()
    stage.engine.feed(bad, b"boom\n")
    stage.engine.feed(good, b"fine\n")
    stage.engine.flush()
    assert bad_outlet.did == ["close"]
    assert stage.core.lost_peers() == [bad]
    assert good_outlet.got == b"hi\nfine\n"
    assert [record.levelno for record in caplog.records] == [logging.ERROR]
    stage.engine.feed(bad, b"more\n")  # what its adapter still had does no harm
    stage.engine.lost(bad)
    assert stage.core.lost_peers() == [bad]


@pytest.mark.parametrize("error", [ConnectionResetError(), BrokenPipeError(), RuntimeError("unexpected")])
def test_f047_a_stream_that_breaks_in_a_broadcast_costs_that_peer_only(
    stage: Stage, error: Exception
) -> None:
    """python-hyper/h11#70: an exception at one connection ended the whole server."""
    (bad, bad_outlet), (good, good_outlet) = stage.connect(), stage.connect()
    bad_outlet.broken = error
    for peer in (bad, good):
        stage.core.say(peer, b"news\n")
    stage.engine.feed(good, b"go\n")
    stage.engine.flush()
    assert stage.core.lost_peers() == [bad]
    assert bad_outlet.did == ["close"]
    assert good_outlet.got == b"hi\nnews\ngo\n"


def test_a_request_that_fails_does_not_stop_the_others(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    seen: list[int] = []

    def start(request: StartBot) -> None:
        seen.append(request.id)
        if request.id == 1:
            raise RuntimeError("no")

    stage.engine.handle(StartBot, start)
    stage.core.requests += [StartBot(1, "a", SeatSpec("exec", "x")), StartBot(2, "b", SeatSpec("exec", "x"))]
    stage.core.told.append(Finished())
    told: list[object] = []
    stage.engine.on_news = told.append
    stage.engine.flush()
    assert seen == [1, 2]
    assert told == [Finished()]
    assert "StartBot" in caplog.text


def test_row_12_a_closing_peer_gets_its_last_bytes_before_its_stream_ends(stage: Stage) -> None:
    peer, outlet = stage.connect(room=3)
    stage.engine.ended(peer)
    stage.engine.flush()
    assert outlet.did == []
    outlet.room = 99
    stage.engine.writable(peer)
    assert outlet.got == b"hi\nbye\n"
    assert outlet.did == ["finish"]
    assert stage.core.lost_peers() == []
    stage.engine.lost(peer)  # the outlet's other side has ended
    assert stage.core.lost_peers() == [peer]


@pytest.mark.parametrize("room", [3, 99])
def test_a_closing_peer_that_never_ends_is_dropped_after_its_time(stage: Stage, room: int) -> None:
    peer, outlet = stage.connect(room)
    stage.engine.feed(peer, b"quit\n")
    stage.engine.flush()
    assert stage.engine.deadline() == stage.now + LINGER
    stage.now += LINGER - 0.01
    stage.engine.tick()
    assert stage.core.lost_peers() == []
    stage.now += 0.02
    stage.engine.tick()
    assert stage.core.lost_peers() == [peer]
    assert outlet.did[-1] == "close"
    assert stage.engine.deadline() is None


def test_the_earlier_deadline_counts(stage: Stage) -> None:
    peer, _ = stage.connect()
    stage.core.wake_at = stage.now + 1
    assert stage.engine.deadline() == stage.now + 1
    stage.engine.feed(peer, b"quit\n")
    stage.engine.flush()
    assert stage.engine.deadline() == stage.now + 1
    stage.core.wake_at = stage.now + 60
    assert stage.engine.deadline() == stage.now + LINGER


def test_a_read_once_goes_to_the_outlet_and_for_a_lost_peer_it_is_answered_at_once(stage: Stage) -> None:
    peer, outlet = stage.connect()
    stage.core.poll(peer)
    stage.engine.tick()
    stage.engine.flush()
    assert outlet.did == ["read_once"]
    assert not stage.core.did("polled")
    stage.core.poll(77)
    stage.engine.tick()
    stage.engine.flush()
    assert stage.core.did("polled", 77)


def test_row_49_nobody_learns_of_what_the_journal_did_not_take(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    peer, outlet = stage.connect()
    held: list[bool] = []
    stage.engine.on_held = lambda: held.append(True)
    stage.journal.fails = True
    stage.core.journal.append(b"placement")
    stage.engine.feed(peer, b"place\n")
    stage.engine.flush()
    stage.engine.flush()
    assert (stage.engine.held, held, outlet.got) == (True, [True], b"hi\n")
    assert "journal cannot be written" in caplog.text
    assert not stage.engine.retry()
    stage.core.journal.append(b"second")
    stage.engine.feed(peer, b"late\n")
    stage.engine.flush()
    assert outlet.got == b"hi\n"
    stage.journal.fails = False
    assert stage.engine.retry()
    assert stage.journal.kept == [b"placement", b"second"]
    assert outlet.got == b"hi\nplace\nlate\n"
    assert not stage.engine.held


def test_row_49_a_stream_that_gets_room_meanwhile_has_to_wait_too(stage: Stage) -> None:
    peer, outlet = stage.connect()
    stage.journal.fails = True
    stage.core.journal.append(b"placement")
    stage.engine.feed(peer, b"place\n")
    stage.engine.flush()
    stage.engine.writable(peer)
    stage.engine.writable(99)
    assert stage.engine.held and outlet.got == b"hi\n"
    stage.journal.fails = False
    assert stage.engine.retry()
    assert outlet.got == b"hi\nplace\n"


def test_answers_reach_the_core_and_news_the_listener(stage: Stage) -> None:
    stage.engine.answers([Stored(3)])
    assert stage.core.did("answer", Stored(3))


def test_the_end_is_told_when_the_core_has_finished(stage: Stage) -> None:
    ends: list[bool] = []
    stage.engine.on_finished = lambda: ends.append(True)
    stage.engine.drain(30.0)
    stage.engine.flush()
    assert ends == []
    stage.engine.drain(0.0)
    stage.engine.flush()
    assert ends == [True]
    assert stage.core.drained == [30.0, 0.0]


def test_closing_releases_every_stream(stage: Stage) -> None:
    outlets = [stage.connect()[1] for _ in range(3)]
    stage.engine.close()
    assert [outlet.did for outlet in outlets] == [["close"]] * 3
