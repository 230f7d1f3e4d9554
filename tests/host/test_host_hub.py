"""The hub with real sockets: each peer served, each bad one alone in its trouble."""

from __future__ import annotations

import errno
import os
import resource
import socket
import struct
from collections.abc import AsyncIterator, Iterator

import pytest
import trio

from tests.host.fakecore import FakeCore
from tests.host.places import Place, heard, placed, rest, serving
from tyrusd.core.requests import Transport
from tyrusd.host import hub as hubs
from tyrusd.host.engine import Engine
from tyrusd.host.hub import Hub
from tyrusd.host.journal import MemoryJournal
from tyrusd.host.links import SocketLink
from tyrusd.wire import Codec


@pytest.fixture
async def place() -> AsyncIterator[Place]:
    async with placed() as found:
        yield found


@pytest.fixture
def few_files() -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


async def test_lines_come_back_on_many_connections(place: Place) -> None:
    streams = [await place.client() for _ in range(50)]
    for number, stream in enumerate(streams):
        await stream.send_all(b"line %d\n" % number)
    for number, stream in enumerate(streams):
        line = b"line %d\n" % number
        assert await heard(stream, len(line)) == line


async def test_nagle_is_off(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[socket.socket] = []
    real = SocketLink

    def link(hub: Hub, accepted: socket.socket, transport: Transport) -> object:
        taken.append(accepted)
        return real(hub, accepted, transport)

    monkeypatch.setattr("tyrusd.host.hub.SocketLink", link)
    async with await place.client():
        assert taken[0].getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


async def test_row_12_a_half_close_is_answered_then_closed(place: Place) -> None:
    async with await place.client() as stream:
        await stream.send_all(b"last words\n")
        await stream.send_eof()
        assert await rest(stream) == b"last words\nbye\n"
    await place.until("lost", 1)


async def test_row_11_an_end_in_the_middle_of_a_line_is_told_as_an_end(place: Place) -> None:
    async with await place.client() as stream:
        await stream.send_all(b"unfinis")
        assert await heard(stream, 7) == b"unfinis"
    await place.until("end", 1)
    await place.until("lost", 1)


async def test_the_goodbye_arrives_though_the_peer_is_still_sending(place: Place) -> None:
    # Closing with unread input resets the connection, and a reset destroys what was sent last.
    async with await place.client() as stream:
        await stream.send_all(b"quit\n" + b"more\n" * 1000)
        await stream.send_all(b"even more\n" * 1000)
        assert await rest(stream) == b"bye\n"


async def test_a_peer_that_ignores_the_goodbye_is_dropped_by_the_clock(place: Place) -> None:
    async with await place.client() as stream:
        await stream.send_all(b"quit\n")
        assert await rest(stream) == b"bye\n"
        assert place.core.lost_peers() == []
        deadline = place.engine.deadline()
        assert deadline is not None
        await trio.sleep_until(deadline)
        place.engine.tick()
        assert place.core.lost_peers() == [1]


@pytest.mark.parametrize("sent", [b"", b"unfinis", b"line\n"])
async def test_f047_a_reset_costs_one_peer(place: Place, sent: bytes) -> None:
    """python-hyper/h11#70: an exception at one connection ended the whole server."""
    good = await place.client()
    bad = await place.client()
    if sent:
        await bad.send_all(sent)
        await place.until("receive", 2)
    bad.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    bad.socket.close()
    await place.until("lost", 2)
    place.core.say(2, b"news\n")  # a broadcast that still names it
    await good.send_all(b"still here\n")
    assert await heard(good, 11) == b"still here\n"
    assert place.core.lost_peers() == [2]


async def test_f047_a_reset_peer_that_is_not_read_is_noticed_and_does_not_spin(place: Place) -> None:
    """python-hyper/h11#70: an exception at one connection ended the whole server."""
    bad = await place.client()
    await bad.send_all(b"pause\n")
    await place.until("receive", 1)
    bad.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    bad.socket.close()
    await place.until("lost", 1)


async def test_f047_a_fault_of_the_core_costs_one_peer(
    place: Place, caplog: pytest.LogCaptureFixture
) -> None:
    """python-hyper/h11#70: an exception at one connection ended the whole server."""
    good, bad = await place.client(), await place.client()
    await bad.send_all(b"boom\n")
    assert await rest(bad) == b""
    await good.send_all(b"fine\n")
    assert await heard(good, 5) == b"fine\n"
    assert [record.exc_info is not None for record in caplog.records] == [True]


async def test_f047_a_fault_of_the_adapter_costs_one_peer_and_does_not_spin(
    place: Place, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """python-hyper/h11#70: an exception at one connection ended the whole server."""
    good, bad = await place.client(), await place.client()

    def failing(peer: int, data: bytes) -> None:
        if peer == 2:
            raise RuntimeError("a fault of the adapter")
        place.core.say(peer, data)

    monkeypatch.setattr(place.engine, "feed", failing)
    await bad.send_all(b"line\n")
    await place.until("lost", 2)
    assert len(caplog.records) == 1
    monkeypatch.undo()
    await good.send_all(b"fine\n")
    assert await heard(good, 5) == b"fine\n"


async def test_f047_a_fault_of_the_listener_does_not_end_it(
    place: Place, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """python-hyper/h11#70: an exception at one connection ended the whole server."""
    with monkeypatch.context() as patched:
        patched.setattr(hubs, "ACCEPTS", "not a number")
        stream = await trio.open_tcp_stream(*place.address)
        place.streams.append(stream)
        with trio.fail_after(5):
            while not caplog.records:  # noqa: ASYNC110
                await trio.sleep(0.002)
    assert await heard(stream, 3) == b"hi\n"
    assert len(caplog.records) < 5


async def test_row_31_a_peer_that_does_not_read_delays_nobody_and_loses_nothing(place: Place) -> None:
    slow, quick = await place.client(), await place.client()
    place.core.say(1, b"x" * 9_999_999 + b"\n")
    for number in range(20):
        await quick.send_all(b"%d\n" % number)
        assert await heard(quick, len(str(number)) + 1) == b"%d\n" % number
    assert len(place.core.outbox[1]) > 0  # control: it does wait
    assert await heard(slow, 10_000_000) == b"x" * 9_999_999 + b"\n"
    with trio.fail_after(5):
        while place.core.outbox[1]:  # noqa: ASYNC110
            await trio.sleep(0.002)


async def test_row_10_nothing_is_read_from_a_paused_peer(place: Place) -> None:
    async with await place.client() as stream:
        await stream.send_all(b"pause\n")
        await place.until("receive", 1)
        await stream.send_all(b"more\n")
        async with await place.client() as other:
            await other.send_all(b"round trip\n")
            await heard(other, 11)
        assert place.core.heard[1] == b"pause\n"
        place.core.paused.clear()
        place.engine.tick()
        assert await heard(stream, 5) == b"more\n"


async def test_row_19_the_last_read_takes_what_has_arrived_even_from_a_paused_peer(place: Place) -> None:
    async with await place.client() as stream:
        await stream.send_all(b"pause\n")
        await place.until("receive", 1)
        await stream.send_all(b"just in time\n")
        await trio.sleep(0.02)  # the loopback has delivered it
        place.core.poll(1)
        place.engine.tick()
        place.engine.flush()
        order = [call for call in place.core.calls if call[0] in ("receive", "polled")]
        assert order[-2:] == [("receive", 1, b"just in time\n"), ("polled", 1)]


async def test_a_round_is_bounded_so_that_other_tasks_get_their_turn(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hubs, "EVENTS", 4)
    streams = [await place.client() for _ in range(20)]
    turns = 0

    async def other() -> None:
        nonlocal turns
        while True:
            await trio.lowlevel.checkpoint()
            turns += 1

    batches: list[int] = []
    real = place.engine.flush

    def flush() -> None:
        batches.append(turns)
        real()

    monkeypatch.setattr(place.engine, "flush", flush)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(other)
        for stream in streams:
            stream.socket._sock.send(b"line\n")  # type: ignore[attr-defined]
        for stream in streams:
            assert await heard(stream, 5) == b"line\n"
        nursery.cancel_scope.cancel()
    assert len(batches) >= 5
    assert batches[-1] > batches[0]


async def test_row_24_at_the_end_of_descriptors_peers_are_told_busy_and_service_resumes_by_itself(
    place: Place, few_files: None, caplog: pytest.LogCaptureFixture
) -> None:
    first = await place.client()
    waiting = [socket.socket() for _ in range(20)]
    for each in waiting:
        each.setblocking(False)
    used = max(each.fileno() for each in waiting) + 1
    gaps = [os.open(os.devnull, os.O_RDONLY) for _ in range(200)]
    top = max(gaps) + 1
    for gap in gaps[3:]:
        os.close(gap)
    assert top > used
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    # Close every gap below: from here on no new descriptor can be made.
    fillers: list[int] = []
    resource.setrlimit(resource.RLIMIT_NOFILE, (used + 10, hard))
    try:
        while True:
            fillers.append(os.open(os.devnull, os.O_RDONLY))
    except OSError as error:
        assert error.errno == errno.EMFILE
    for each in waiting:
        with pytest.raises(BlockingIOError):
            each.connect(place.address)
    # Every waiting peer is told, without a descriptor to spare for it.
    for each in waiting:
        await trio.lowlevel.wait_readable(each)
        assert each.recv(100).startswith(b"bye busy :")
    assert place.core.transports.keys() == {1}
    # The game of the one who is in goes on.
    await first.send_all(b"line\n")
    assert await heard(first, 5) == b"line\n"
    for each in waiting:
        each.close()
    for filler in fillers + gaps[:3]:
        os.close(filler)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    # Control: with room again everything is as before, and nobody had to do anything.
    async with await place.client() as later:
        await later.send_all(b"back\n")
        assert await heard(later, 5) == b"back\n"
    assert caplog.text.count("no descriptors left") == 1


class Refusing:
    """A listener whose accept fails as often as it is told to."""

    def __init__(self, listener: socket.socket, number: int, times: int) -> None:
        self._listener = listener
        self._number = number
        self.left = times

    def accept(self) -> tuple[socket.socket, tuple[str, int]]:
        if self.left:
            self.left -= 1
            raise OSError(self._number, "injected")
        return self._listener.accept()

    def fileno(self) -> int:
        return self._listener.fileno()

    def close(self) -> None:
        self._listener.close()


@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS, 10024, 10055])
async def test_f053_no_room_has_many_numbers_and_accepting_pauses_a_little(
    place: Place, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """python-trio/trio#492: the numbers of having no room differ, and one system had its own."""
    refusing = Refusing(place.listener, number, 4)
    monkeypatch.setattr(place.hub._listeners[0], "socket", refusing)
    began = trio.current_time()
    async with await trio.open_tcp_stream(*place.address) as stream:
        assert await heard(stream, 3) == b"hi\n"
    assert trio.current_time() - began >= hubs.ACCEPT_PAUSE
    assert refusing.left == 0


@pytest.mark.parametrize("number", [errno.ECONNABORTED, errno.EPROTO, errno.EPERM])
async def test_a_connection_that_gave_up_is_skipped_at_once(
    place: Place, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    monkeypatch.setattr(place.hub._listeners[0], "socket", Refusing(place.listener, number, 3))
    async with await place.client():
        assert place.hub._resume_at is None


async def test_row_34_ipv4_and_its_mapped_form_are_one_host() -> None:
    core = FakeCore()
    hub = Hub(Engine(core, MemoryJournal(), trio.current_time))
    listener = socket.socket(socket.AF_INET6)
    listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
    listener.bind(("::", 0))
    listener.listen()
    listener.setblocking(False)
    port = listener.getsockname()[1]
    hub.listen(listener)
    async with serving(hub):
        for host in ("127.0.0.1", "::1"):
            async with await trio.open_tcp_stream(host, port) as stream:
                await heard(stream, 3)
    assert [transport.host for transport in core.transports.values()] == ["127.0.0.1", "::1"]
    assert {transport.codec for transport in core.transports.values()} == {Codec.LINE}


async def test_while_the_journal_is_held_nothing_is_read(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with await place.client() as stream:

        def full(frames: object) -> None:
            raise OSError(errno.ENOSPC, "full")

        with monkeypatch.context() as patched:
            patched.setattr(place.engine._journal, "append", full)
            place.core.journal.append(b"placement")
            await stream.send_all(b"one\n")
            await place.until("receive", 1, b"one\n")
            await stream.send_all(b"two\n")
            await trio.sleep(0.05)
            assert place.core.heard[1] == b"one\n"
        assert place.engine.retry()
        assert await heard(stream, 8) == b"one\ntwo\n"
