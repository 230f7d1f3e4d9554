"""Owns the core: adapters call it synchronously; one flush a batch journals, sends, then asks the world."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

import trio

from tyrusd.core.requests import Answer, News, ReadOnce, Request, Round, Transport
from tyrusd.host.journal import Journal
from tyrusd.host.met import met

LINGER: Final = 2.0  # seconds that a closing connection has for its last bytes

_NOT_KEPT: Final = "The server cannot keep what is played any more and ends; come again later and resume."

_log = logging.getLogger("tyrusd.host")


class Core(Protocol):
    """What the engine uses of `tyrusd.core.server.Server`."""

    def connect(self, transport: Transport, now: float) -> int: ...  # noqa: D102
    def turns_away(self, host: str, now: float) -> bool: ...  # noqa: D102
    def receive(self, peer: int, data: bytes, now: float) -> None: ...  # noqa: D102
    def end_of_input(self, peer: int, now: float) -> None: ...  # noqa: D102
    def lost(self, peer: int, now: float, cause: str = "", detail: str = "") -> None: ...  # noqa: D102
    def polled(self, peer: int, now: float) -> None: ...  # noqa: D102
    def tick(self, now: float) -> None: ...  # noqa: D102
    def answer(self, answer: Answer, now: float) -> None: ...  # noqa: D102
    def drain(self, now: float, grace: float) -> None: ...  # noqa: D102
    def part(self, sentence: str) -> None: ...  # noqa: D102
    def deadline(self) -> float | None: ...  # noqa: D102
    @property
    def finished(self) -> bool: ...  # noqa: D102
    @property
    def admits(self) -> bool: ...  # noqa: D102
    def collect(self) -> Round: ...  # noqa: D102
    def output(self, peer: int) -> bytes: ...  # noqa: D102
    def sent(self, peer: int, count: int, now: float) -> None: ...  # noqa: D102
    def closing(self, peer: int) -> bool: ...  # noqa: D102
    def reading(self, peer: int) -> bool: ...  # noqa: D102


class Outlet(Protocol):
    """One peer's stream as the engine sees it; no method waits."""

    def write(self, data: bytes) -> int:
        """Take what fits now and return how much; when there is room again, call `Engine.writable`.

        OSError means that the stream is gone.
        """

    def pause(self) -> None:
        """Leave input in the stream until `resume`."""

    def resume(self) -> None:
        """Read again."""

    def read_once(self) -> None:
        """Feed what has arrived by now, then call `Engine.polled`."""

    def finish(self) -> None:
        """All output is written: end the stream politely, then call `Engine.lost`."""

    def close(self) -> None:
        """Release the stream at once; called exactly once."""


class Engine:
    """The core, its peers' streams and its journal, in one place and one order.

    clock: monotonic seconds. After a batch of calls the adapter calls `flush`. Whatever one peer or one
    request does to us, it is logged and ends that peer only.
    """

    def __init__(
        self, core: Core, journal: Journal, clock: Callable[[], float], linger: float = LINGER
    ) -> None:
        self._core = core
        self._journal = journal
        self._clock = clock
        self._linger = linger
        self._outlets: dict[int, Outlet] = {}
        self._paused: set[int] = set()
        self._ending: dict[int, float] = {}  # closing peers and when we stop waiting; in order of time
        self._finishing: set[int] = set()  # those whose output is written
        self._handlers: dict[type[Any], Callable[[Any], None]] = {ReadOnce: self._read_once}
        self._pending = True  # the core may have something for us, from the start
        self._flushing = False
        self._held: Round | None = None  # a round whose journal could not be written
        self._parting = False  # nothing can be kept any more
        self._ready: set[int] = set()  # peers whose streams got room meanwhile
        self._waiting = trio.lowlevel.ParkingLot()  # adapters that wait for the end of that
        self.on_news: Callable[[News], None] = lambda _: None
        self.on_deadline: Callable[[float | None], None] = lambda _: None
        self.on_held: Callable[[], None] = lambda: None
        self.on_finished: Callable[[], None] = lambda: None
        self.doors: list[Callable[[], None]] = []  # each is shut once, when nobody is let in any more

    def handle(self, kind: type[Request], handler: Callable[[Any], None]) -> None:
        """Give requests of this kind to handler; it must not wait."""
        self._handlers[kind] = handler

    # -- what adapters call --------------------------------------------------------------------------------

    def connected(self, transport: Transport, outlet: Outlet) -> int:
        """Take a new peer; return its number."""
        peer = self._core.connect(transport, self._clock())
        self._outlets[peer] = outlet
        self._pending = True
        if self._core.reading(peer):
            _log.debug("peer %d comes from %s", peer, transport.host)
        else:
            _log.info("refused a connection from %s", transport.host, extra={"source": "refused connections"})
        return peer

    def turns_away(self, host: str) -> bool:
        """Tell whether a connection from a host would be refused, where even to say so would cost much."""
        self._pending = True
        return self._parting or self._core.turns_away(host, self._clock())

    def feed(self, peer: int, data: bytes) -> None:
        """Hand on what a peer sent (never empty)."""
        self._pending = True
        try:
            self._core.receive(peer, data, self._clock())
            if not self._core.reading(peer) and peer in self._outlets:
                self._paused.add(peer)
                self._outlets[peer].pause()
        except Exception:
            self._failed(peer)

    def ended(self, peer: int) -> None:
        """The peer has half-closed its stream."""
        self._pending = True
        try:
            self._core.end_of_input(peer, self._clock())
        except Exception:
            self._failed(peer)

    def lost(self, peer: int, cause: str = "", detail: str = "") -> None:
        """The peer's stream is gone: release it and say so. Calling it twice does no harm."""
        outlet = self._outlets.pop(peer, None)
        if outlet is None:
            return
        _log.debug("peer %d is gone: %s", peer, cause or "its stream ended")
        self._pending = True
        self._paused.discard(peer)
        self._finishing.discard(peer)
        self._ending.pop(peer, None)
        if self._parting and not self._outlets:
            self._waiting.unpark_all()
        try:
            outlet.close()
        except Exception:
            _log.exception("closing the stream of peer %d failed", peer)
        try:
            self._core.lost(peer, self._clock(), cause, detail)
        except Exception:
            _log.exception("the core failed at the loss of peer %d", peer)

    def polled(self, peer: int) -> None:
        """What a `read_once` could read has been fed."""
        self._pending = True
        try:
            self._core.polled(peer, self._clock())
        except Exception:
            self._failed(peer)

    def writable(self, peer: int) -> None:
        """The peer's stream has room again."""
        if self._held is None:
            self._serve(peer)
        else:
            self._ready.add(peer)  # its output may be of the round that is held

    def written(self, peer: int, count: int) -> None:
        """A stream that took bytes without writing them (`write` returned 0) has written that many."""
        self._core.sent(peer, count, self._clock())
        self._recheck(peer)

    def answers(self, answers: Sequence[Answer]) -> None:
        """Hand on the world's answers."""
        self._pending = True
        for answer in answers:
            try:
                self._core.answer(answer, self._clock())
            except Exception:
                _log.exception("the core failed at the answer to request %d", answer.id)

    def act(self, action: Callable[[float], None]) -> None:
        """Do something to the core that no peer has asked for, and all that follows; it gets the time."""
        self._pending = True
        action(self._clock())
        self.flush()

    def drain(self, grace: float) -> None:
        """Close down within grace seconds."""
        self._pending = True
        self._core.drain(self._clock(), grace)

    def tick(self) -> None:
        """Let the core's deadlines pass, and ours; call it at `deadline()`."""
        now = self._clock()
        self._pending = True
        try:
            self._core.tick(now)
        except Exception:
            _log.exception("the core failed at a deadline")
        for peer in [peer for peer, at in self._ending.items() if at <= now]:
            met("linger")
            self.lost(peer)
        for peer in list(self._paused):
            self._recheck(peer)

    def deadline(self) -> float | None:
        """When `tick` is due, in the clock's seconds."""
        ours = next(iter(self._ending.values()), None)
        theirs = self._core.deadline()
        return theirs if ours is None else ours if theirs is None else min(ours, theirs)

    @property
    def held(self) -> bool:
        """Whether nothing is sent or read because the journal cannot be written."""
        return self._held is not None

    async def flowing(self) -> None:
        """Wait until the engine is not held; adapters do so before they read on."""
        while self._held is not None:
            await self._waiting.park()

    def flush(self) -> None:
        """Do all that the calls since the last flush brought about: journal, then output, then requests."""
        if self._flushing or self._held is not None or self._parting:
            return
        self._flushing = True
        try:
            while self._pending:
                self._pending = False
                if not self._carry_out(self._core.collect()):
                    return
        finally:
            self._flushing = False
        self.on_deadline(self.deadline())
        if self.doors and not self._core.admits:
            self.shut_doors()
        if self._core.finished:
            self.on_finished()

    def shut_doors(self) -> None:
        """Accept no connection any more."""
        doors, self.doors = self.doors, []
        for shut in doors:
            shut()

    def retry(self) -> bool:
        """Try the held journal again and go on when it is written; whether it was."""
        held, self._held = self._held, None
        self._flushing = True
        try:
            done = held is None or self._carry_out(held)
        finally:
            self._flushing = False
        if done:
            ready, self._ready = self._ready, set()
            for peer in ready:
                self._serve(peer)
            self._pending = True
            self.flush()
        if self._held is None:
            self._waiting.unpark_all()
        return done

    async def part(self) -> None:
        """Say goodbye to everyone because nothing can be kept any more; done when all are gone.

        What was not written yet is never told, nothing is taken in, and from now on nothing is flushed. Give
        this a time limit: somebody may not read.
        """
        if not self._parting:
            self._parting = True
            self._held = None
            self.shut_doors()
            self._core.part(_NOT_KEPT)
            for peer in list(self._outlets):
                self._serve(peer)
            self._waiting.unpark_all()
        while self._outlets:
            await self._waiting.park()

    def close(self) -> None:
        """Release every stream that is left; nothing may be called afterwards."""
        outlets = list(self._outlets.values())
        self._outlets.clear()
        for outlet in outlets:
            try:
                outlet.close()
            except Exception:
                _log.exception("closing a stream failed")

    # -- the round -----------------------------------------------------------------------------------------

    def _carry_out(self, found: Round) -> bool:
        if found.journal:
            try:
                self._journal.append(found.journal)
            except OSError as error:
                # Nobody may learn of a placement that is not in the journal, so everything stands still.
                _log.error("the journal cannot be written: %s", os.strerror(error.errno or 0))
                self._held = found
                self.on_held()
                return False
        for peer in found.dirty:
            self._serve(peer)
        for request in found.requests:
            try:
                self._handlers[type(request)](request)
            except Exception:
                _log.exception("the request %s failed", type(request).__name__)
        for item in found.news:
            self.on_news(item)
        return True

    def _serve(self, peer: int) -> None:
        """Write what a peer's stream takes, and end the stream when the core is done with it."""
        outlet = self._outlets.get(peer)
        if outlet is None or peer in self._finishing:
            return
        core = self._core
        try:
            while data := core.output(peer):
                count = outlet.write(data)
                if count:
                    core.sent(peer, count, self._clock())
                if count < len(data):
                    break
            if peer in self._paused:
                self._recheck(peer)
            if core.closing(peer):
                self._ending.setdefault(peer, self._clock() + self._linger)
                if not data:
                    self._finishing.add(peer)
                    outlet.finish()
        except OSError:
            self.lost(peer)
        except Exception:
            self._failed(peer)

    def _recheck(self, peer: int) -> None:
        """Read again from a paused peer if the core wants that."""
        if peer in self._paused and peer in self._outlets and self._core.reading(peer):
            self._paused.discard(peer)
            self._outlets[peer].resume()

    def _read_once(self, request: ReadOnce) -> None:
        outlet = self._outlets.get(request.peer)
        if outlet is None or request.peer in self._finishing:
            self.polled(request.peer)
        else:
            outlet.read_once()

    def _failed(self, peer: int) -> None:
        # A fault of ours, met by one peer: it costs that peer only.
        _log.exception("the server failed at peer %d; its connection is closed", peer)
        self.lost(peer)
