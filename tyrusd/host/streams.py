"""Serves one trio stream with a task each way: memory streams, pipes and sockets where there is no epoll."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable
from typing import Final

import trio

from tyrusd.core.requests import Transport
from tyrusd.host.addresses import canonical_host
from tyrusd.host.engine import Engine
from tyrusd.host.links import GOODBYE
from tyrusd.host.liveness import attend
from tyrusd.wire import Codec

READ: Final = 32 * 1024
TURNS: Final = 10  # of the scheduler, after which a reader has seen all that had arrived
LAST_WORDS: Final = 0.5  # seconds for what an ended program left in its pipe

_GONE: Final = (trio.BrokenResourceError, trio.ClosedResourceError, OSError)

_log = logging.getLogger("tyrusd.streams")


class StreamLink:
    """One peer on a trio stream; there is one writer, and it writes one chunk at a time.

    ended: for a program's pipes, whose end only its exit explains; it is told once, and the caller then
    decides when the peer is lost. For other peers (None) the end of the stream is the end of the peer.
    """

    def __init__(
        self,
        engine: Engine,
        stream: trio.abc.Stream,
        transport: Transport,
        ended: Callable[[str], None] | None = None,
    ) -> None:
        self._engine = engine
        self._stream = stream
        self._ended = ended
        self._scope = trio.CancelScope()
        self._chunk = b""
        self._work = trio.Event()
        self._free = trio.Event()
        self._free.set()
        self._read_all = trio.Event()
        self._finishing = False
        self._poll: Callable[[], None] = lambda: None
        self.peer = engine.connected(transport, self)

    async def run(self) -> None:
        """Serve the stream to its end; what goes wrong in it ends this peer and nothing else."""
        self._engine.flush()
        try:
            with self._scope:
                async with trio.open_nursery() as nursery:
                    self._poll = lambda: nursery.start_soon(self._polled)
                    nursery.start_soon(self._write_all)
                    await self._read()
                    self._read_all.set()
                    await trio.sleep_forever()  # until the engine closes us
        except* _GONE:
            self._gone("it closed its pipes")
        except* Exception:
            _log.exception("serving peer %d failed", self.peer)
            self._engine.lost(self.peer)
        finally:
            if self._ended is None:
                self._engine.lost(self.peer)
            self._engine.flush()
            with trio.CancelScope(shield=True):
                await trio.aclose_forcefully(self._stream)

    # -- what the engine calls -----------------------------------------------------------------------------

    def write(self, data: bytes) -> int:
        """Take one chunk for the writer; what was written is told to the engine when it is."""
        if not self._chunk:
            self._chunk = data
            self._work.set()
        return 0

    def pause(self) -> None:
        """Read no more for now."""
        self._free = trio.Event()

    def resume(self) -> None:
        """Read again."""
        self._free.set()

    def read_once(self) -> None:
        """Let the reader see what has arrived, then tell the engine."""
        self._free.set()
        self._poll()

    def finish(self) -> None:
        """End our side of the stream; its peer is lost when the other side ends too."""
        self._finishing = True
        self._free.set()
        self._work.set()
        if self._ended is not None:
            self._gone(GOODBYE)

    def close(self) -> None:
        """End the task, which closes the stream."""
        self._scope.cancel()

    async def drain(self) -> None:
        """Wait a little until all that an ended program left is read."""
        with trio.move_on_after(LAST_WORDS):
            await self._read_all.wait()

    # -- the tasks -----------------------------------------------------------------------------------------

    async def _read(self) -> None:
        engine = self._engine
        while True:
            await self._free.wait()
            data = await self._stream.receive_some(READ)
            if engine.held:
                await engine.flowing()
            if not data:
                break
            if not self._finishing:
                engine.feed(self.peer, bytes(data))
                engine.flush()
        if self._ended is not None:
            self._gone("it closed its output")
        elif self._finishing:
            engine.lost(self.peer)
        else:
            engine.ended(self.peer)
        engine.flush()

    async def _write_all(self) -> None:
        engine = self._engine
        while True:
            await self._work.wait()
            self._work = trio.Event()
            if self._chunk:
                await self._stream.send_all(self._chunk)
                count, self._chunk = len(self._chunk), b""
                engine.written(self.peer, count)
                engine.writable(self.peer)
                engine.flush()
            if self._finishing and not self._chunk:
                await self._end_output()
                return

    async def _end_output(self) -> None:
        if isinstance(self._stream, trio.abc.HalfCloseableStream):
            with contextlib.suppress(*_GONE):
                await self._stream.send_eof()
            if self._ended is None and self._read_all.is_set():
                self._engine.lost(self.peer)
        elif self._ended is None:
            self._engine.lost(self.peer)
        self._engine.flush()

    async def _polled(self) -> None:
        for _ in range(TURNS):
            await trio.lowlevel.checkpoint()
        self._engine.polled(self.peer)
        self._engine.flush()

    def _gone(self, why: str) -> None:
        if self._ended is None:
            self._engine.lost(self.peer)
        else:
            told, self._ended = self._ended, lambda _: None
            told(why)


class Streams:
    """Serves listeners and pipes with tasks in one nursery; what the hub does where there is no epoll."""

    def __init__(self, engine: Engine, nursery: trio.Nursery) -> None:
        self.engine = engine
        self._nursery = nursery

    def adopt(
        self, outlet: int, entry: int, transport: Transport, ended: Callable[[str], None]
    ) -> StreamLink:
        """Serve a program over two pipes (outlet: what it writes; entry: what it reads), now ours."""
        stream = trio.StapledStream(trio.lowlevel.FdStream(entry), trio.lowlevel.FdStream(outlet))
        link = StreamLink(self.engine, stream, transport, ended)
        self._nursery.start_soon(link.run)
        return link

    async def accept(self, stream: trio.SocketStream) -> None:
        """Serve one accepted connection; the handler for `trio.serve_listeners`."""
        try:
            host = stream.socket.getpeername()[0]
        except OSError:
            await trio.aclose_forcefully(stream)  # it was gone before we looked
            return
        attend(stream.socket)
        await StreamLink(self.engine, stream, Transport(canonical_host(host), Codec.LINE, "socket")).run()
