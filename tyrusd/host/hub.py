"""One trio task serves all sockets and pipes over a private epoll: accept, read, write, then flush once."""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import select
import socket
from collections.abc import Callable
from typing import Final, Protocol

import trio

from tyrusd.core.requests import Transport
from tyrusd.host.addresses import canonical_host
from tyrusd.host.engine import Engine
from tyrusd.host.links import PipeLink, SocketLink
from tyrusd.host.met import met
from tyrusd.wire import Codec, encode_line
from tyrusd.wire import messages as wire

EVENTS: Final = 256  # of one round, so that other tasks get their turn
ACCEPTS: Final = 64  # of one listener in one round
ACCEPT_PAUSE: Final = 0.1  # seconds without accepting when the system has no room
REFUSALS: Final = 16  # connections that are told `bye busy` over the spare descriptor before each pause
REPORT: Final = 10.0  # seconds between two log lines about the same trouble

# The last two are what Windows calls "no descriptors" and "no buffers".
_NO_ROOM: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS, 10024, 10055})
_BUSY: Final = encode_line(wire.Bye("busy", "The server has no room for more connections; come again later."))

_log = logging.getLogger("tyrusd.hub")


class Ready(Protocol):
    """Something whose descriptor is watched."""

    def ready(self, mask: int) -> None:
        """Its descriptor is ready for the events in mask; never waits."""

    def give_up(self) -> None:
        """Serving it failed by a fault of ours: end it, or it would fail again at once, for ever."""


class Hub:
    """All listeners, sockets and pipes of one engine; `run` is its task."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._epoll = select.epoll()
        self._watched: dict[int, Ready] = {}
        self._listeners: list[_Listener] = []
        self._resume_at: float | None = None
        self._spare: int | None = None
        self._report_at = 0.0
        self._refused = 0
        self._keep_spare()

    # -- what is watched -----------------------------------------------------------------------------------

    def watch(self, descriptor: int, what: Ready, mask: int) -> None:
        """Call what.ready when the descriptor is ready for mask."""
        self._epoll.register(descriptor, mask)
        self._watched[descriptor] = what

    def change(self, descriptor: int, mask: int) -> None:
        """Watch for other events; errors are always told."""
        self._epoll.modify(descriptor, mask)

    def forget(self, descriptor: int) -> None:
        """Watch it no more; call it before the descriptor is closed."""
        if self._watched.pop(descriptor, None) is not None:
            self._epoll.unregister(descriptor)

    def listen(self, listener: socket.socket) -> None:
        """Accept on a bound, non-blocking socket; the hub closes it."""
        found = _Listener(self, listener)
        self._listeners.append(found)
        self.watch(listener.fileno(), found, select.EPOLLIN)

    def stop_listening(self) -> None:
        """Close all listeners."""
        for listener in self._listeners:
            self.forget(listener.socket.fileno())
            listener.socket.close()
        self._listeners.clear()

    def adopt(self, outlet: int, entry: int, transport: Transport, ended: Callable[[str], None]) -> PipeLink:
        """Serve a program over two pipes (outlet: what it writes; entry: what it reads), which become ours.

        ended is told once if the program closes one of them; the caller then decides when the peer is lost.
        """
        return PipeLink(self, outlet, entry, transport, ended)

    # -- the task ------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Serve for ever."""
        while True:
            with self._until_accepting():
                await trio.lowlevel.wait_readable(self._epoll.fileno())
            if self.engine.held:
                await self.engine.flowing()
            if self._resume_at is not None and trio.current_time() >= self._resume_at:
                self._accept_again()
            self.serve_ready()

    def serve_ready(self) -> None:
        """Serve what is ready now, up to EVENTS, and flush once."""
        for descriptor, mask in self._epoll.poll(0, EVENTS):
            what = self._watched.get(descriptor)
            if what is None:
                continue  # closed by an earlier event of this round
            try:
                what.ready(mask)
            except Exception:
                _log.exception("serving descriptor %d failed", descriptor)
                what.give_up()
        self.engine.flush()

    def close(self) -> None:
        """Close the listeners and the epoll; the peers' streams are the engine's to close."""
        self.stop_listening()
        self._epoll.close()
        if self._spare is not None:
            os.close(self._spare)
            self._spare = None

    def _until_accepting(self) -> contextlib.AbstractContextManager[object]:
        # A cancel scope costs as much as serving a line: there is one only while accepting is paused.
        return contextlib.nullcontext() if self._resume_at is None else trio.move_on_at(self._resume_at)

    # -- no room -------------------------------------------------------------------------------------------

    def no_room(self, listener: socket.socket) -> None:
        """The system has no descriptor left: refuse some over the spare one, then pause accepting."""
        for _ in range(REFUSALS):
            if self._spare is None:
                break
            os.close(self._spare)
            self._spare = None
            try:
                refuse_one(listener)
                self._refused += 1
                met("descriptors")
            except OSError:
                break
            finally:
                self._keep_spare()
        now = trio.current_time()
        if now >= self._report_at:
            self._report_at = now + REPORT
            _log.warning(
                "no descriptors left: %d connections refused; raise the limit of open files", self._refused
            )
            self._refused = 0
        self.pause_accepting()

    def pause_accepting(self) -> None:
        """Accept nothing for a short while."""
        self._resume_at = trio.current_time() + ACCEPT_PAUSE
        for listener in self._listeners:
            self.change(listener.socket.fileno(), 0)

    def _accept_again(self) -> None:
        self._resume_at = None
        self._keep_spare()
        for listener in self._listeners:
            self.change(listener.socket.fileno(), select.EPOLLIN)

    def _keep_spare(self) -> None:
        if self._spare is None:
            with contextlib.suppress(OSError):
                self._spare = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)


class _Listener:
    """Accepts on one listening socket, a bounded number in a round."""

    def __init__(self, hub: Hub, listener: socket.socket) -> None:
        self._hub = hub
        self.socket = listener

    def ready(self, mask: int) -> None:
        """Take waiting connections."""
        for _ in range(ACCEPTS):
            try:
                accepted, address = self.socket.accept()
            except BlockingIOError:
                return
            except OSError as error:
                if error.errno in _NO_ROOM:
                    self._hub.no_room(self.socket)
                    return
                continue  # that one gave up before we came: the next may not
            try:
                SocketLink(self._hub, accepted, Transport(canonical_host(address[0]), Codec.LINE, "socket"))
            except Exception:
                accepted.close()
                _log.exception("a new connection could not be served")

    def give_up(self) -> None:
        """Accept nothing for a moment: one bad connection must not end the listener."""
        self._hub.pause_accepting()


def refuse_one(listener: socket.socket) -> None:
    """Accept one connection only to say that there is no room; raises OSError when none waits or none can."""
    accepted, _ = listener.accept()
    with accepted, contextlib.suppress(OSError):
        accepted.setblocking(False)
        accepted.send(_BUSY)
        accepted.shutdown(socket.SHUT_WR)
