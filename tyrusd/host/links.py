"""The streams a hub serves, a socket or a pair of pipes: read when ready, write what fits, end politely."""

from __future__ import annotations

import contextlib
import os
import select
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from tyrusd.core.requests import Transport
from tyrusd.host.liveness import attend

if TYPE_CHECKING:
    from tyrusd.host.hub import Hub

# More costs a memory mapping a call: the time of a read doubles.
READ: Final = 32 * 1024
GOODBYE: Final = "the server said goodbye"  # why the input of a program ends
LAST_WORDS: Final = 1024 * 1024  # bytes read from the pipe of a program that has ended

# Where there is no epoll there is no hub either; the rest of this file's names are still wanted.
_IN: Final[int] = getattr(select, "EPOLLIN", 0)
_OUT: Final[int] = getattr(select, "EPOLLOUT", 0)


class SocketLink:
    """One connected socket."""

    __slots__ = ("_descriptor", "_ended", "_finishing", "_hub", "_mask", "_socket", "peer")

    def __init__(self, hub: Hub, accepted: socket.socket, transport: Transport) -> None:
        accepted.setblocking(False)
        attend(accepted)
        self._hub = hub
        self._socket = accepted
        self._descriptor = accepted.fileno()
        self._mask = _IN
        self._ended = False
        self._finishing = False
        hub.watch(self._descriptor, self, _IN)
        try:
            self.peer = hub.engine.connected(transport, self)
        except BaseException:
            hub.forget(self._descriptor)
            raise

    def ready(self, mask: int) -> None:
        """Write or read what can be; the hub calls it."""
        if mask & _OUT:
            self._watch(self._mask & ~_OUT)
            self._hub.engine.writable(self.peer)
        if mask & ~_OUT and self._descriptor >= 0:
            if self._mask & _IN:
                self._read()
            else:
                # Not reading and yet an event: the connection is broken, or closed on both sides.
                self._hub.engine.lost(self.peer)

    def give_up(self) -> None:
        """End this peer; the hub calls it after a fault of ours."""
        self._hub.engine.lost(self.peer)

    def write(self, data: bytes) -> int:
        """Send what the system takes."""
        try:
            count = self._socket.send(data)
        except (BlockingIOError, InterruptedError):
            count = 0
        if count < len(data):
            self._watch(self._mask | _OUT)
        return count

    def pause(self) -> None:
        """Read no more for now."""
        self._watch(self._mask & ~_IN)

    def resume(self) -> None:
        """Read again."""
        if not self._ended:
            self._watch(self._mask | _IN)

    def read_once(self) -> None:
        """Feed what has arrived by now."""
        if not self._ended:
            self._read()
        self._hub.engine.polled(self.peer)

    def finish(self) -> None:
        """Half-close, then drop what still comes: closing with unread input would destroy our last line."""
        self._finishing = True
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)
        if self._ended:
            self._hub.engine.lost(self.peer)
        else:
            self._watch(_IN)

    def close(self) -> None:
        """Close the socket."""
        self._hub.forget(self._descriptor)
        self._descriptor = -1
        self._socket.close()

    def _read(self) -> None:
        engine = self._hub.engine
        try:
            data = self._socket.recv(READ)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            engine.lost(self.peer)
            return
        if data:
            if not self._finishing:
                engine.feed(self.peer, data)
            return
        self._ended = True
        if self._finishing:
            engine.lost(self.peer)
        else:
            self._watch(self._mask & ~_IN)
            engine.ended(self.peer)

    def _watch(self, mask: int) -> None:
        if mask != self._mask and self._descriptor >= 0:
            self._mask = mask
            self._hub.change(self._descriptor, mask)


class PipeLink:
    """A program's two pipes; their end is told to `ended`, because only the program's exit says why."""

    __slots__ = ("_ended", "_entry", "_hub", "_outlet", "_reading", "_told", "_writing", "peer")

    def __init__(
        self, hub: Hub, outlet: int, entry: int, transport: Transport, ended: Callable[[str], None]
    ) -> None:
        self._hub = hub
        self._outlet = outlet
        self._entry = entry
        self._told = ended
        self._ended = False
        self._reading = False
        self._writing = False
        self.peer = hub.engine.connected(transport, self)
        self._read_events(True)

    def ready(self, mask: int) -> None:
        """Write or read what can be; the hub calls it."""
        if mask & (_OUT | select.EPOLLERR):
            self._write_events(False)
            self._hub.engine.writable(self.peer)
        if mask & (_IN | select.EPOLLHUP):
            self._read()

    def give_up(self) -> None:
        """End this peer; the hub calls it after a fault of ours."""
        self._hub.engine.lost(self.peer)

    def write(self, data: bytes) -> int:
        """Write what the pipe takes; when nobody reads it any more the bytes are dropped."""
        if self._entry < 0:
            return len(data)
        try:
            count = os.write(self._entry, data)
        except BlockingIOError:
            count = 0
        except OSError:
            self._close_entry()
            self._end("it closed its input")
            return len(data)
        if count < len(data):
            self._write_events(True)
        return count

    def pause(self) -> None:
        """Read no more for now."""
        self._read_events(False)

    def resume(self) -> None:
        """Read again."""
        self._read_events(True)

    def read_once(self) -> None:
        """Feed what has arrived by now."""
        self._read()
        self._hub.engine.polled(self.peer)

    def finish(self) -> None:
        """Let the program see the end of its input; its exit is what ends the peer."""
        self._close_entry()
        self._end(GOODBYE)

    def drain(self) -> None:
        """Feed all that an ended program left in its pipe."""
        left = LAST_WORDS
        while self._outlet >= 0 and left > 0 and (count := self._read()):
            left -= count

    def close(self) -> None:
        """Close both pipes."""
        self._close_entry()
        self._close_outlet()

    def _read(self) -> int:
        if self._outlet < 0:
            return 0
        try:
            data = os.read(self._outlet, READ)
        except BlockingIOError:
            return 0
        except OSError:
            data = b""
        if data:
            self._hub.engine.feed(self.peer, data)
        else:
            self._close_outlet()
            self._end("it closed its output")
        return len(data)

    def _end(self, why: str) -> None:
        if not self._ended:
            self._ended = True
            self._told(why)

    def _read_events(self, wanted: bool) -> None:
        if wanted != self._reading and self._outlet >= 0:
            self._reading = wanted
            if wanted:
                self._hub.watch(self._outlet, self, _IN)
            else:
                self._hub.forget(self._outlet)

    def _write_events(self, wanted: bool) -> None:
        if wanted != self._writing and self._entry >= 0:
            self._writing = wanted
            if wanted:
                self._hub.watch(self._entry, self, _OUT)
            else:
                self._hub.forget(self._entry)

    def _close_outlet(self) -> None:
        if self._outlet >= 0:
            self._read_events(False)
            os.close(self._outlet)
            self._outlet = -1

    def _close_entry(self) -> None:
        if self._entry >= 0:
            self._write_events(False)
            os.close(self._entry)
            self._entry = -1
