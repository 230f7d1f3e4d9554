"""The bots that run here: starts them when asked, connects their pipes, tells how they ended, ends them."""

from __future__ import annotations

import logging
import os
from collections import deque
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final, Protocol

import trio

from tyrusd.core.requests import BotFailed, StartBot, StopBot, Transport
from tyrusd.host import children
from tyrusd.host.confinement import USUAL, Confinement
from tyrusd.host.engine import Engine
from tyrusd.host.links import GOODBYE
from tyrusd.host.logs import escaped
from tyrusd.host.met import met
from tyrusd.host.programs import NoProgram, program_for
from tyrusd.wire import Codec

TAIL: Final = 64 * 1024  # bytes of a bot's last error output that are kept
READ: Final = 32 * 1024
GOODBYE_FOLLOWS: Final = 0.1  # seconds in which a goodbye that is being written gets through before a stop
LAST_WORDS: Final = 2048  # letters of its error output in which a program says what it lacked
EXIT_FOLLOWS: Final = 1.0  # seconds in which an exit explains why a pipe was closed
STOP_LIMIT: Final = 4.0  # seconds for TERM, the keeper's grace and KILL
CLOSE_LIMIT: Final = 8.0  # seconds for all bots together, at the end

_log = logging.getLogger("tyrusd.bots")


class Link(Protocol):
    """A program's pipes in service."""

    peer: int

    def drain(self) -> Awaitable[None] | None:
        """Feed what the ended program left in its pipe."""


Adopt = Callable[[int, int, Transport, Callable[[str], None]], Link]


class Tail:
    """The last bytes of what a bot printed, and its lines for the log."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._chunks: deque[bytes] = deque()
        self._size = 0
        self._line = b""

    def add(self, data: bytes) -> None:
        """Keep data, forget what is too old, and log the complete lines (at the log's rate)."""
        self._chunks.append(data)
        if self._size <= TAIL < self._size + len(data):
            met("bot_errors")
        self._size += len(data)
        while self._size - len(self._chunks[0]) >= TAIL:
            self._size -= len(self._chunks.popleft())
        *lines, self._line = (self._line + data).split(b"\n")
        self._line = self._line[-TAIL:]
        for line in lines:
            text = line.decode("utf-8", "replace").strip()
            if text:
                _log.info("%s: %s", self._name, escaped(text), extra={"source": f"bot {self._name}"})

    def text(self) -> str:
        """What is kept, as text."""
        return b"".join(self._chunks)[-TAIL:].decode("utf-8", "replace")


class Seats:
    """All bots of one engine, a task each; `close` leaves none behind."""

    def __init__(
        self,
        engine: Engine,
        adopt: Adopt,
        nursery: trio.Nursery,
        directory: Path | None = None,
        confinement: Confinement = USUAL,
        exit_follows: float = EXIT_FOLLOWS,
    ) -> None:
        self._engine = engine
        self._adopt = adopt
        self._nursery = nursery
        self._directory = directory or Path.cwd()
        self._exit_follows = exit_follows
        self._confinement = confinement
        self._seats: dict[int, _Seat] = {}
        self._closing = False
        engine.handle(StartBot, self.start)
        engine.handle(StopBot, self.stop)

    def start(self, request: StartBot) -> None:
        """Start a bot; the core gets a new peer, or BotFailed with one sentence."""
        seat = _Seat(
            self._engine, self._adopt, request, self._directory, self._confinement, self._exit_follows
        )
        self._seats[request.id] = seat
        self._nursery.start_soon(self._run, seat)

    def stop(self, request: StopBot) -> None:
        """End a bot, if it is still there."""
        seat = self._seats.get(request.id)
        if seat is not None:
            seat.stop("it was stopped")

    def last_words(self, bot: int) -> str:
        """The end of a bot's error output so far; nothing when it is gone."""
        seat = self._seats.get(bot)
        return "" if seat is None else seat.tail.text()

    async def close(self) -> None:
        """End all bots; when this returns, in a bounded time, nothing of them is left."""
        with trio.move_on_after(CLOSE_LIMIT, shield=True) as limit:
            seats = list(self._seats.values())
            for seat in seats:
                seat.stop("the server closes")
            for seat in seats:
                await seat.gone.wait()
        if limit.cancelled_caught:
            _log.error("some bots did not end in %g s", CLOSE_LIMIT)

    async def _run(self, seat: _Seat) -> None:
        try:
            await seat.run()
        except Exception:
            _log.exception("the seat of %s failed", seat.request.name)
        finally:
            self._engine.flush()
            del self._seats[seat.request.id]
            seat.gone.set()


class _Seat:
    """One bot from its start to its end."""

    def __init__(
        self,
        engine: Engine,
        adopt: Adopt,
        request: StartBot,
        directory: Path,
        confinement: Confinement,
        exit_follows: float,
    ) -> None:
        self._engine = engine
        self._exit_follows = exit_follows
        self._adopt = adopt
        self._directory = directory
        self._confinement = confinement
        self._child: children.Child | None = None
        self._why: str | None = None  # why we end it, when it does not end by itself
        self._exit: str | None = None
        self._attention = trio.Event()  # its exit, a closed pipe or a stop: something to act on
        self._exited = trio.Event()
        self._stopped = False
        self._goodbye = trio.Event()
        self.request = request
        self.tail = Tail(request.name)
        self.gone = trio.Event()

    def stop(self, why: str) -> None:
        """End the bot."""
        self._stopped = True
        self._why = self._why or why
        self._attention.set()

    def _closed(self, why: str) -> None:
        if why == GOODBYE:
            self._goodbye.set()
        self._why = self._why or why
        self._attention.set()

    async def run(self) -> None:
        """Start the bot, serve it, end it."""
        request = self.request
        try:
            program = program_for(request.seat, self._directory)
            child = await children.start(program, self._confinement)
        except (NoProgram, children.CannotStart) as error:
            self._engine.answers([BotFailed(request.id, str(error))])
            return
        try:
            if self._stopped:
                return
            codec = Codec.FRAME if program.frames else Codec.LINE
            transport = Transport("pipe", codec, "pipe", request.id, child.clock())
            try:
                link = self._adopt(child.outlet, child.entry, transport, self._closed)
            except BaseException:
                children.close_all((child.outlet, child.entry))
                raise
            try:
                self._engine.flush()
                await self._serve(child, link)
            finally:
                self._engine.lost(link.peer, self._exit or self._why or "the server closes")
        finally:
            children.close_all((child.errors,))
            await child.close()

    async def _serve(self, child: children.Child, link: Link) -> None:
        tail = self.tail
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._watch, child)
            nursery.start_soon(self._drain_errors, child.errors, tail)
            await self._attention.wait()
            if self._stopped:
                with trio.move_on_after(GOODBYE_FOLLOWS):
                    await self._goodbye.wait()
            if not self._exited.is_set() and (not self._stopped or self._goodbye.is_set()):
                # Its pipe is closed, by itself or after our goodbye. Nearly always its exit follows, and that
                # says more; a bot that ends by itself may also have something to save.
                with trio.move_on_after(self._exit_follows):
                    await self._exited.wait()
            if not self._exited.is_set():
                if not self._stopped:
                    # The game must not wait for the end of a process that will not answer any more.
                    self._engine.lost(link.peer, self._why or "", tail.text())
                    self._engine.flush()
                child.stop()
                with trio.move_on_after(STOP_LIMIT):
                    await self._exited.wait()
                cause = self._why or ""
            else:
                cause = self._exit or ""
            nursery.cancel_scope.cancel()
        # All that it wrote is in its pipes by now: its last answers count, its last words are told.
        draining = link.drain()
        if draining is not None:
            await draining
        self._last_errors(child.errors, tail)
        text = tail.text()
        if self._exit is not None and cause == self._exit:
            cause = self._confinement.limits.ended_by(cause, child.usage, text[-LAST_WORDS:]) or cause
        self._engine.lost(link.peer, cause, text)
        self._engine.flush()

    async def _watch(self, child: children.Child) -> None:
        self._exit = await child.ended()
        self._exited.set()
        self._attention.set()

    async def _drain_errors(self, descriptor: int, tail: Tail) -> None:
        while True:
            await trio.lowlevel.wait_readable(descriptor)
            if self._read_errors(descriptor, tail) == 0:
                return

    def _last_errors(self, descriptor: int, tail: Tail) -> None:
        # Bounded: what still holds the pipe may write for ever.
        for _ in range(64):
            if self._read_errors(descriptor, tail) <= 0:
                return

    def _read_errors(self, descriptor: int, tail: Tail) -> int:
        """Read once; how much, 0 at the end, -1 when there is nothing now."""
        try:
            data = os.read(descriptor, READ)
        except BlockingIOError:
            return -1
        except OSError:
            return 0
        if data:
            tail.add(data)
        return len(data)
