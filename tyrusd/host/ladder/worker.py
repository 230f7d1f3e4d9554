"""One worker of a ladder: plays the pairs that it is given with bots of its own; it keeps nothing itself.

Run as `python -P -m tyrusd.host.ladder.worker [--parent PID]` with the link on stdin and stdout, never by
hand. It ends when its input does: then all its bots are ended, and nothing is reported.
"""

from __future__ import annotations

import contextlib
import ctypes
import logging
import os
import signal
import socket
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Literal

import trio

from tyrusd.core.crew import Crew
from tyrusd.core.requests import Answer, GameOver, Halted, Knocked, News, PairDone, Unready
from tyrusd.core.server import Server
from tyrusd.core.settings import DEFAULTS
from tyrusd.host import logs
from tyrusd.host.assembly import Assembly
from tyrusd.host.daemon import hide_memory
from tyrusd.host.journal import MemoryJournal
from tyrusd.host.ladder import link
from tyrusd.host.ladder.machine import machine
from tyrusd.host.ladder.relay import KEEP_LIMIT, RelayedLogs, RelayedResults
from tyrusd.host.ladder.terms import bot_of, confinement_of, task_of
from tyrusd.host.ladder.wires import Ending, Wires, own_descriptors
from tyrusd.host.running import first_of
from tyrusd.host.storekeeper import StorageLost
from tyrusd.league.tournament.task import PairTask
from tyrusd.rules.variants import VARIANTS

SETUP_LIMIT: Final = 30.0  # seconds for the first frame
END_LIMIT: Final = 4.0  # seconds for all bots to be gone once the coordinator is
FLUSH_LIMIT: Final = 10.0  # seconds for the last frames
TASKS: Final = 65_536  # that one worker may hold
_PR_SET_PDEATHSIG: Final = 1

_log = logging.getLogger("tyrusd.ladder")


class Worker:
    """The server of one worker, and what the coordinator wants of it."""

    def __init__(self, wires: Wires, setup: link.Setup) -> None:
        self._wires = wires
        self._ponder = setup.ponder
        self.machine = machine()
        settings = replace(
            DEFAULTS,
            bot_start=setup.start,
            hello_pipe=setup.start,
            # Another worker may have to play a game again that this one gave up: so it asks once, and waits.
            store_attempts=1,
            store_deadline=2 * KEEP_LIMIT,
        )
        self.crew = Crew(
            [bot_of(words) for words in setup.bots],
            VARIANTS[setup.variant],
            concurrency=setup.concurrency,
            machine=self.machine,
            wait=setup.wait,
            ponder=setup.ponder,
        )
        self.server = Server(self.crew, os.urandom, trio.current_time(), time.time(), settings)
        self.results: RelayedResults | None = None
        self.serving = trio.Event()
        self._finishing = self._aborting = False
        self.assembly = Assembly(
            self.server,
            MemoryJournal(),
            [socket.socket(fileno=number) for number in setup.listeners],
            grace=0.0,
            directory=Path(setup.directory),
            confinement=confinement_of(setup.confinement),
            on_news=self._tell,
            shelf=RelayedLogs(wires.send),
            keeping=self._keep,
        )

    def _keep(self, answered: Callable[[Sequence[Answer]], None]) -> RelayedResults:
        self.results = RelayedResults(self._wires.send, lambda game: self.server.tables[game].note, answered)
        return self.results

    def _tell(self, news: News) -> None:
        send = self._wires.send
        ending = self.assembly.interrupted  # then games are aborted, and no pair is what it should be
        match news:
            case GameOver() if not self._ponder:
                send(link.Pondered(news.record["id"], *news.pondered))
            case Unready() if not ending:
                send(link.Unready(news.pair, news.attempt, news.bot, news.why[:4096]))
            case PairDone() if not ending:
                send(link.PairDone(news.pair, news.attempt))
            case Knocked() | Halted():
                send(link.Told(news.sentence[:4096]))

    def ready(self) -> None:
        """Say that everything serves."""
        self._wires.send(link.Ready(os.getpid(), *self.machine))
        self.serving.set()

    @property
    def asked(self) -> bool:
        """Whether an end now is the one that the coordinator wanted."""
        return self._aborting or (self._finishing and not self.crew.outstanding)

    async def obey(self, first: Sequence[link.ToWorker]) -> None:
        """Do what the coordinator says, for ever; first: what it has said already.

        Raises Ending at its end, and LinkError for what makes no sense.
        """
        await self.serving.wait()
        self._do_all(first)
        while True:
            self._do_all(await self._wires.heard())

    def _do_all(self, messages: Sequence[link.ToWorker]) -> None:
        engine = self.assembly.engine
        engine.tick()  # the core learns the time first
        for message in messages:
            self._do(message)
        if self.results is not None:
            self.results.answer()
        engine.tick()
        engine.flush()

    def _do(self, message: link.ToWorker) -> None:
        now = trio.current_time()
        match message:
            case link.Kept():
                if self.results is not None:
                    self.results.kept(message.id)
            case link.Play():
                if self.crew.outstanding > TASKS:
                    raise link.LinkError("more pairs are handed out than a worker may hold")
                try:
                    self.crew.play(task_of(message.task), now)
                except ValueError as error:
                    raise link.LinkError(f"a pair cannot be played: {error}") from error
            case link.Limit():
                self.crew.limit(message.games, now)
            case link.Withdraw():
                back = self.crew.withdraw(now, halves=True)
                self._wires.send(link.Returned(tuple([part for task in back for part in parts(task)])))
            case link.Finish():
                self._finishing = True
                self.crew.finish(now)
            case link.Abort():
                self._aborting = True
                if self.results is not None:
                    self.results.abort()
                self.assembly.interrupt()
            case link.Ask():
                self._wires.send(link.Alive(message.number))
            case link.Setup():
                raise link.LinkError("a worker is set up once")


def parts(task: PairTask) -> list[tuple[int, int, Literal[1, 2]]]:
    """The games of a task as they travel back."""
    return [(task.pair, task.attempt, 1 if game == 1 else 2) for game in task.games]


async def play(wires: Wires) -> int:
    """Serve one coordinator; the exit code: 0 when it asked for the end."""
    with trio.fail_after(SETUP_LIMIT):
        setup, *more = await wires.heard()
    if not isinstance(setup, link.Setup):
        raise link.LinkError(f"the first frame is {type(setup).__name__} and not Setup")
    if setup.processor is not None and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {setup.processor})  # first: bots inherit it
    try:
        worker = Worker(wires, setup)
    except ValueError as error:
        raise link.LinkError(f"the setup cannot be used: {error}") from error
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_until_gone, wires.run)
        nursery.start_soon(_until_gone, worker.obey, more)
        await worker.assembly.run(worker.ready)
        nursery.cancel_scope.cancel()
    if worker.asked:
        wires.send(link.Bye())
    with trio.move_on_after(FLUSH_LIMIT):
        await wires.flush()
    return 0 if worker.asked else 1


async def _until_gone(call: Callable[..., Awaitable[None]], *arguments: Any) -> None:
    """Make sure that the end of the coordinator is ours, even if closing down goes wrong."""
    try:
        await call(*arguments)
    except Ending:
        # The system ends us by then, and the keepers of our bots see that.
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, END_LIMIT)
        raise


def die_with(parent: int) -> bool:
    """Have the system kill us when the thread that started us ends, even while we are stopped (Linux only).

    Returns whether that parent is still there.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    return os.getppid() == parent


def main(arguments: Sequence[str]) -> int:
    """Run one worker; the exit code: 0 when it ended as it was asked to."""
    with contextlib.suppress(OSError):  # it has a session already
        os.setsid()
    hide_memory()
    match arguments:
        case ["--parent", number]:
            if not die_with(int(number)):
                return 1
        case []:
            pass
        case _:
            sys.stderr.write("tyrusd: a worker is started by `tyrusd ladder`, not by hand\n")
            return 2
    logs.configure(logging.WARNING, stamped=False)
    wires = Wires(*own_descriptors())
    code = 1
    try:
        code = trio.run(play, wires)
    except* Ending:
        pass
    except* trio.TooSlowError:
        _log.error("nobody said what to play within %g s", SETUP_LIMIT)
    except* (link.LinkError, StorageLost) as errors:
        _log.error("%s", first_of(errors))
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
