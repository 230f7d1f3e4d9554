"""Puts one server together: core, journal, adapters and clock, from the first byte to the last."""

from __future__ import annotations

import logging
import select
import signal
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final, Protocol

import trio

from tyrusd.core.requests import Answer, DropLog, KeepLog, News, Store
from tyrusd.host.clockwork import Clockwork
from tyrusd.host.confinement import USUAL, Confinement
from tyrusd.host.engine import LINGER, Core, Engine
from tyrusd.host.hub import Hub
from tyrusd.host.journal import Journal
from tyrusd.host.seats import EXIT_FOLLOWS, Adopt, Seats
from tyrusd.host.shelf import LogKeeper, Shelf
from tyrusd.host.storekeeper import ResultKeeper, StorageLost, Storekeeper
from tyrusd.host.streams import Streams

HURRY: Final = 10.0  # seconds for goodbyes and results after the last game has ended or was aborted

_log = logging.getLogger("tyrusd.daemon")
_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class Beside(Protocol):
    """Something that works beside the server as long as that runs."""

    def attach(self, engine: Engine) -> None:
        """Learn the engine, before anything else."""

    async def run(self) -> None:
        """Work until it is cancelled."""


class Assembly:
    """One running server.

    listeners: bound sockets, ours to close. grace: seconds that running games get after the first signal.
    directory: where relative commands of bots start; confinement: what holds for all bots; shelf: where
    logs of games are kept; keeping: makes who keeps results, from the callable that takes the answers; by
    default that is the journal. patience: seconds that programs have to end by themselves after a goodbye;
    running: how many games there are, to tell for what the end waits; beside: what else works here;
    hangups: what to do at SIGHUP, such as reading a file again; on_ending: hears in how many seconds, at
    most, everything will have ended.
    use_epoll False: a task per stream serves everything.
    """

    def __init__(
        self,
        core: Core,
        journal: Journal,
        listeners: Sequence[socket.socket] = (),
        *,
        grace: float,
        directory: Path | None = None,
        confinement: Confinement = USUAL,
        patience: float = EXIT_FOLLOWS,
        on_news: Callable[[News], None] = lambda _: None,
        shelf: LogKeeper | None = None,
        keeping: Callable[[Callable[[Sequence[Answer]], None]], ResultKeeper] | None = None,
        running: Callable[[], int] = lambda: 0,
        beside: Sequence[Beside] = (),
        hangups: Sequence[Callable[[], object]] = (),
        on_ending: Callable[[float], None] = lambda _: None,
        use_epoll: bool = hasattr(select, "epoll"),
    ) -> None:
        self.engine = Engine(core, journal, trio.current_time, max(LINGER, patience + LINGER - EXIT_FOLLOWS))
        self.engine.on_news = on_news
        self.engine.on_finished = self._finish
        self.interrupted = False
        self.complete = True  # False when goodbyes or results had to be left out at the end
        self._listeners = list(listeners)
        self._grace = grace
        self._directory = directory
        self._shelf = shelf or Shelf(None)
        self._keeping = keeping or partial(Storekeeper, journal)
        self._confinement = confinement
        self._patience = patience
        self._running = running
        self._beside = list(beside)
        self._hangups = list(hangups)
        self._on_ending = on_ending
        self._use_epoll = use_epoll
        self._finished = trio.Event()
        self._accepting = trio.CancelScope()
        self._hard_stop = trio.CancelScope()

    async def run(self, ready: Callable[[], None] = lambda: None) -> None:
        """Serve until the core has finished or signals end it; ready is called when everything listens.

        Raises StorageLost (perhaps in a group) when the journal cannot be kept.
        """
        storekeeper = self._keeping(self._answered)
        clockwork = Clockwork(self.engine)
        shelf = self._shelf
        self.engine.handle(Store, storekeeper.store)
        self.engine.handle(KeepLog, shelf.keep)
        self.engine.handle(DropLog, shelf.drop)
        for helper in self._beside:
            helper.attach(self.engine)
        hub: Hub | None = None
        try:
            async with trio.open_nursery() as nursery:
                with trio.open_signal_receiver(*_SIGNALS) as signals:
                    # It must listen before this block can be left, even if all is done at once.
                    await nursery.start(self._obey, signals)
                    adopt: Adopt
                    if self._use_epoll:
                        hub = Hub(self.engine)
                        adopt = hub.adopt
                        self.engine.doors.append(hub.stop_listening)
                        for listener in self._listeners:
                            hub.listen(listener)
                        nursery.start_soon(hub.run)
                    else:
                        streams = Streams(self.engine, nursery)
                        adopt = streams.adopt
                        self.engine.doors.append(self._accepting.cancel)
                        nursery.start_soon(self._accept, streams)
                    seats = Seats(
                        self.engine, adopt, nursery, self._directory, self._confinement, self._patience
                    )
                    shelf.last_words = seats.last_words
                    nursery.start_soon(self._keep, storekeeper.run)
                    nursery.start_soon(shelf.run)
                    nursery.start_soon(self._keep, clockwork.run)
                    for helper in self._beside:
                        nursery.start_soon(helper.run)
                    self.engine.flush()
                    ready()
                    with self._hard_stop:
                        await self._finished.wait()
                    if self._hard_stop.cancelled_caught:
                        self.complete = False
                        _log.error("the end took too long; what was still open is dropped")
                    await seats.close()
                    await shelf.close()
                    nursery.cancel_scope.cancel()
        finally:
            self.engine.close()
            for listener in self._listeners:
                listener.close()
            if hub is not None:
                hub.close()

    async def _keep(self, work: Callable[[], Awaitable[None]]) -> None:
        """Do work that everything depends on; when storage is lost, tell everyone before all ends."""
        try:
            await work()
        except StorageLost:
            with trio.move_on_after(LINGER):
                await self.engine.part()
            raise

    def interrupt(self) -> None:
        """Drain at the first call, end at once at the second.

        The listeners stay open until the core lets nobody in any more: players come back to running games.
        """
        grace = 0.0 if self.interrupted else self._grace
        self.interrupted = True
        self._hard_stop.deadline = trio.current_time() + grace + HURRY
        self._on_ending(grace + HURRY)
        self.engine.drain(grace)
        self.engine.flush()

    async def _obey(
        self, signals: AsyncIterator[int], task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
    ) -> None:
        task_status.started()
        async for number in signals:
            name = signal.Signals(number).name
            if number == signal.SIGHUP:
                self.reload()
            else:
                _log.info("%s: %s", name, self._what_now())
                self.interrupt()

    def reload(self) -> bool:
        """Read again what can be read again; False if some of it is bad and stays as it was."""
        good = True
        if not self._hangups:
            _log.info("SIGHUP is ignored: there is nothing to reload")
        for action in self._hangups:
            try:
                good = action() is not False and good
            except Exception:
                good = False
                _log.exception("reloading failed; what is used stays as it was")
        return good

    def _what_now(self) -> str:
        """What a signal brings about, as it is told to who sent it."""
        games = self._running()
        if self.interrupted or not games or not self._grace:
            return "ending at once"
        counted = "1 game" if games == 1 else f"{games} games"
        return f"waiting for {counted}, at most {self._grace:g} s; a second signal ends at once"

    async def _accept(self, streams: Streams) -> None:
        listeners = [
            trio.SocketListener(trio.socket.from_stdlib_socket(listener)) for listener in self._listeners
        ]
        async with trio.open_nursery() as handlers:
            with self._accepting:
                if listeners:
                    await trio.serve_listeners(streams.accept, listeners, handler_nursery=handlers)
            for listener in self._listeners:
                listener.close()

    def _answered(self, answers: Sequence[Answer]) -> None:
        self.engine.answers(answers)
        self.engine.flush()

    def _finish(self) -> None:
        self._finished.set()
