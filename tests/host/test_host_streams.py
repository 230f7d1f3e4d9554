"""A task per stream: the same promises as the hub's, on memory streams and on real pipes and sockets."""

from __future__ import annotations

import os
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
import trio
from trio.testing import MemoryReceiveStream, MemorySendStream, MockClock, memory_stream_pair

from tests.host.fakecore import FakeCore
from tyrusd.core.requests import Transport
from tyrusd.host.engine import LINGER, Engine
from tyrusd.host.journal import MemoryJournal
from tyrusd.host.streams import StreamLink, Streams
from tyrusd.wire import Codec

SOCKET = Transport("127.0.0.1", Codec.LINE, "socket")
PROGRAM = Transport("pipe", Codec.LINE, "pipe", 7)

Client = trio.StapledStream[MemorySendStream, MemoryReceiveStream]


class Place:
    def __init__(self, nursery: trio.Nursery) -> None:
        self.core = FakeCore()
        self.engine = Engine(self.core, MemoryJournal(), trio.current_time)
        self.nursery = nursery

    async def client(self, ended: Callable[[str], None] | None = None) -> Client:
        ours, theirs = memory_stream_pair()
        link = StreamLink(self.engine, theirs, SOCKET if ended is None else PROGRAM, ended)
        self.nursery.start_soon(link.run)
        assert await heard(ours, 3) == b"hi\n"
        return ours


@pytest.fixture
def place(nursery: trio.Nursery) -> Place:
    return Place(nursery)


async def heard(stream: trio.abc.ReceiveStream, count: int) -> bytes:
    data = b""
    with trio.fail_after(5):
        while len(data) < count:
            piece = await stream.receive_some(65536)
            if not piece:
                break
            data += piece
    return data


async def test_lines_come_back(place: Place, autojump_clock: MockClock) -> None:
    clients = [await place.client() for _ in range(5)]
    for number, client in enumerate(clients):
        await client.send_all(b"line %d\n" % number)
    for number, client in enumerate(clients):
        assert await heard(client, 7) == b"line %d\n" % number


async def test_row_12_a_half_close_is_answered_then_closed(place: Place, autojump_clock: MockClock) -> None:
    client = await place.client()
    await client.send_all(b"last words\n")
    await client.send_eof()
    assert await heard(client, 99) == b"last words\nbye\n"
    await trio.testing.wait_all_tasks_blocked()
    assert place.core.lost_peers() == [1]


async def test_f047_a_reset_costs_one_peer(place: Place, autojump_clock: MockClock) -> None:
    """python-hyper/h11#70: an exception at one connection ended the whole server."""
    good, bad = await place.client(), await place.client()
    bad.send_stream.close()
    bad.receive_stream.close()
    place.core.say(2, b"news\n")
    await good.send_all(b"still here\n")
    assert await heard(good, 11) == b"still here\n"
    await trio.testing.wait_all_tasks_blocked()
    assert place.core.lost_peers() == [2]


async def test_f047_a_fault_of_the_core_costs_one_peer(
    place: Place, autojump_clock: MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    """python-hyper/h11#70: an exception at one connection ended the whole server."""
    good, bad = await place.client(), await place.client()
    await bad.send_all(b"boom\n")
    assert await heard(bad, 1) == b""
    await good.send_all(b"fine\n")
    assert await heard(good, 5) == b"fine\n"
    assert place.core.lost_peers() == [2]
    assert len(caplog.records) == 1


class Exploding(trio.abc.Stream):
    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        await trio.lowlevel.checkpoint()
        raise RuntimeError("a fault of the stream")

    async def wait_send_all_might_not_block(self) -> None:
        await trio.lowlevel.checkpoint()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        await trio.sleep_forever()

    async def aclose(self) -> None:
        await trio.lowlevel.checkpoint()


async def test_f047_a_stream_that_raises_anything_costs_one_peer(
    place: Place, autojump_clock: MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    """python-hyper/h11#70: an exception at one connection ended the whole server."""
    good = await place.client()
    place.nursery.start_soon(StreamLink(place.engine, Exploding(), SOCKET).run)
    await trio.testing.wait_all_tasks_blocked()
    await good.send_all(b"fine\n")
    assert await heard(good, 5) == b"fine\n"
    assert place.core.lost_peers() == [2]
    assert "a fault of the stream" in caplog.text


async def test_row_31_what_is_sent_counts_only_when_it_is_written(
    place: Place, nursery: trio.Nursery
) -> None:
    ours, theirs = trio.testing.lockstep_stream_pair()
    place.core.greeting = b""
    link = StreamLink(place.engine, theirs, SOCKET)
    nursery.start_soon(link.run)
    await trio.testing.wait_all_tasks_blocked()
    place.core.say(link.peer, b"x" * 100_000)
    place.engine.answers([])
    place.engine.flush()
    await trio.testing.wait_all_tasks_blocked()
    assert not place.core.did("sent")  # nobody reads: no progress is told
    place.core.say(link.peer, b"y")
    place.engine.answers([])
    place.engine.flush()  # one writer: no second send_all beside the first
    assert await heard(ours, 100_001) == b"x" * 100_000 + b"y"
    await trio.testing.wait_all_tasks_blocked()
    assert (
        sum(call[2] for call in place.core.calls if call[0] == "sent" and isinstance(call[2], int)) == 100_001
    )
    nursery.cancel_scope.cancel()


async def test_row_31_a_peer_that_never_reads_is_dropped_after_its_goodbye(
    place: Place, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    _ours, theirs = trio.testing.lockstep_stream_pair()
    link = StreamLink(place.engine, theirs, SOCKET)
    nursery.start_soon(link.run)
    await trio.testing.wait_all_tasks_blocked()
    place.core.close(link.peer, b"bye\n")
    place.engine.answers([])
    place.engine.flush()
    await trio.sleep(LINGER + 0.1)
    place.engine.tick()
    assert place.core.lost_peers() == [link.peer]


async def test_row_10_nothing_is_read_from_a_paused_peer(place: Place, autojump_clock: MockClock) -> None:
    client = await place.client()
    await client.send_all(b"pause\n")
    await trio.testing.wait_all_tasks_blocked()
    await client.send_all(b"more\n")
    await trio.sleep(5)
    assert place.core.heard[1] == b"pause\n"
    place.core.paused.clear()
    place.engine.tick()
    assert await heard(client, 5) == b"more\n"


@pytest.mark.parametrize("paused", [False, True])
async def test_row_19_the_last_read_takes_what_has_arrived(
    place: Place, autojump_clock: MockClock, paused: bool
) -> None:
    client = await place.client()
    if paused:
        await client.send_all(b"pause\n")
        await trio.testing.wait_all_tasks_blocked()
    await client.send_all(b"just in time\n")
    place.core.poll(1)
    place.engine.tick()
    place.engine.flush()
    await trio.testing.wait_all_tasks_blocked()
    order = [call for call in place.core.calls if call[0] in ("receive", "polled")]
    assert order[-2:] == [("receive", 1, b"just in time\n"), ("polled", 1)]


async def test_row_19_a_last_read_of_a_silent_peer_ends_too(place: Place, autojump_clock: MockClock) -> None:
    await place.client()
    place.core.poll(1)
    place.engine.tick()
    place.engine.flush()
    await trio.testing.wait_all_tasks_blocked()
    assert place.core.did("polled", 1)


async def test_the_end_of_a_program_is_told_and_its_peer_is_not_lost_yet(
    place: Place, autojump_clock: MockClock
) -> None:
    told: list[str] = []
    client = await place.client(told.append)
    await client.send_all(b"last\n")
    await client.send_eof()
    await trio.testing.wait_all_tasks_blocked()
    assert (told, place.core.lost_peers()) == (["it closed its output"], [])
    place.engine.lost(1, "exit status 1", "tail")
    assert place.core.calls[-1] == ("lost", 1, "exit status 1", "tail")


async def test_a_goodbye_ends_the_input_of_a_program(place: Place, autojump_clock: MockClock) -> None:
    told: list[str] = []
    client = await place.client(told.append)
    place.core.close(1, b"bye\n")
    place.engine.answers([])
    place.engine.flush()
    assert await heard(client, 99) == b"bye\n"
    assert told == ["the server said goodbye"]


@asynccontextmanager
async def real() -> AsyncIterator[tuple[FakeCore, Engine, Streams]]:
    core = FakeCore()
    engine = Engine(core, MemoryJournal(), trio.current_time)
    async with trio.open_nursery() as nursery:
        yield core, engine, Streams(engine, nursery)
        nursery.cancel_scope.cancel()


async def test_real_pipes_are_served_without_epoll() -> None:
    reads, entry = os.pipe()
    outlet, writes = os.pipe()
    told: list[str] = []
    async with real() as (core, engine, streams):
        link = streams.adopt(outlet, entry, PROGRAM, told.append)
        async with trio.lowlevel.FdStream(reads) as incoming, trio.lowlevel.FdStream(writes) as outgoing:
            assert await heard(incoming, 3) == b"hi\n"
            await outgoing.send_all(b"line\n")
            assert await heard(incoming, 5) == b"line\n"
            await outgoing.send_all(b"last words\n")
            await link.drain()
        await link.drain()
        assert core.heard[link.peer] == b"line\nlast words\n"
        engine.lost(link.peer, "exit status 0")
    assert told == ["it closed its output"]


async def test_real_sockets_are_served_without_epoll() -> None:
    async with real() as (core, _, streams), trio.open_nursery() as nursery:
        [listener] = await trio.open_tcp_listeners(0, host="127.0.0.1")
        nursery.start_soon(trio.serve_listeners, streams.accept, [listener])
        port = listener.socket.getsockname()[1]
        async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
            await stream.send_all(b"line\n")
            assert await heard(stream, 8) == b"hi\nline\n"
        bad = socket.create_connection(("127.0.0.1", port))
        bad.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        bad.close()  # gone before it is looked at
        async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
            assert await heard(stream, 3) == b"hi\n"
        assert core.transports[1] == SOCKET
        nursery.cancel_scope.cancel()
