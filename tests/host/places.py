"""A running hub with a fake core behind it, and the way to it over real sockets."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio

from tests.host.fakecore import FakeCore
from tyrusd.host.addresses import open_listeners
from tyrusd.host.engine import Engine
from tyrusd.host.hub import Hub
from tyrusd.host.journal import MemoryJournal


class Place:
    """A running hub and the way to it."""

    def __init__(self, host: str = "127.0.0.1") -> None:
        self.core = FakeCore()
        self.engine = Engine(self.core, MemoryJournal(), trio.current_time)
        self.hub = Hub(self.engine)
        [listener] = open_listeners([host], 0)
        self.listener = listener
        self.address = listener.getsockname()[:2]
        self.hub.listen(listener)
        self.streams: list[trio.SocketStream] = []

    async def client(self, greeting: bytes = b"hi\n") -> trio.SocketStream:
        stream = await trio.open_tcp_stream(*self.address)
        self.streams.append(stream)
        assert await heard(stream, len(greeting)) == greeting
        return stream

    async def until(self, *call: object) -> None:
        with trio.fail_after(5):
            while not self.core.did(*call):  # noqa: ASYNC110 -- the fake core knows no events
                await trio.sleep(0.002)


async def heard(stream: trio.abc.ReceiveStream, count: int) -> bytes:
    data = b""
    with trio.fail_after(5):
        while len(data) < count:
            piece = await stream.receive_some(65536)
            if not piece:
                break
            data += piece
    return data


async def rest(stream: trio.abc.ReceiveStream) -> bytes:
    return await heard(stream, 1 << 40)


@asynccontextmanager
async def serving(hub: Hub) -> AsyncIterator[None]:
    """Run a hub; its task ends before it is closed."""
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(hub.run)
            yield
            nursery.cancel_scope.cancel()
    finally:
        hub.engine.close()
        hub.close()


@asynccontextmanager
async def placed() -> AsyncIterator[Place]:
    """A place that is served, and closed at the end with all its clients."""
    found = Place()
    async with serving(found.hub):
        yield found
        for stream in found.streams:
            await trio.aclose_forcefully(stream)
