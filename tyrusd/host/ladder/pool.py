"""The workers of one machine: starts them, watches them, and starts them again when they end.

What a worker has in its hands when it ends comes back as `Lost`. One that is silent for 20 s is ended as
well (vigil.py); when workers end again and again the run is given up with a sentence (setbacks.py).
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

import trio

from tyrusd.core.allowance import Allowance
from tyrusd.host.ladder import link
from tyrusd.host.ladder.crewing import (
    CrewLost,
    Ended,
    GivenBack,
    LogIn,
    Lost,
    PairDoneIn,
    PonderedIn,
    Said,
    UnreadyIn,
    WorkerEvent,
)
from tyrusd.host.ladder.hand import Hand
from tyrusd.host.ladder.outfit import outfits
from tyrusd.host.ladder.plan import LadderPlan, Pace
from tyrusd.host.ladder.process import WorkerProcess
from tyrusd.host.ladder.roster import Roster
from tyrusd.host.ladder.setbacks import Setbacks
from tyrusd.host.ladder.vigil import limit_end, watch
from tyrusd.host.logs import escaped
from tyrusd.host.running import first_of
from tyrusd.league.tournament.task import PairTask

LINES: Final = 20  # of workers' error output at once, and then one a second


class Pool:
    """A Crewing: so many worker processes, each the same server with bots of its own.

    listeners: where tcp bots connect; then there is one worker, which gets them. keys: the secrets of tcp
    bots, by their names. hidden: what bots in a sandbox must not see, such as the directory of the run.
    directory: where relative commands of bots start. Raises NoSandbox where the plan's sandbox cannot work.
    """

    def __init__(
        self,
        plan: LadderPlan,
        pace: Pace,
        listeners: Sequence[socket.socket],
        on_event: Callable[[WorkerEvent], None],
        *,
        keys: Mapping[str, str] | None = None,
        hidden: Sequence[Path] = (),
        directory: Path | None = None,
    ) -> None:
        self._on_event = on_event
        self._descriptors = [listener.fileno() for listener in listeners]
        self._outfits = outfits(plan, pace, listeners, keys or {}, hidden, directory or Path.cwd())
        self._roster = Roster(len(self._outfits), pace.concurrency)
        self._setbacks = Setbacks(len(self._outfits))
        self._workers = 0
        self._withdrawn = self._finishing = False
        self._ending = trio.Event()  # no worker need be started any more
        self._aborted = trio.Event()
        self._lines = Allowance(LINES, 1.0, 0.0)
        self._unsaid: list[WorkerEvent] = []
        self._speaking = trio.Event()

    # -- what the coordinator calls ------------------------------------------------------------------------

    @property
    def room(self) -> int:
        """How many more games may be handed out now."""
        if self._withdrawn or self._finishing or self._aborted.is_set():
            return 0
        return self._roster.room

    @property
    def outstanding(self) -> int:
        """How many games of the tasks that are handed out have no result yet."""
        return self._roster.outstanding

    @property
    def pids(self) -> list[int]:
        """The processes of the workers that are there."""
        return [hand.process.pid for hand in self._roster.hands]

    def play(self, task: PairTask) -> None:
        """Give a pair to the worker with the most room; if none has any, to the next that has."""
        if self._withdrawn:
            self._later(GivenBack((task,)))
            return
        self._roster.waiting.append(task)
        self._hand_out()

    def kept(self, worker: int, result: int) -> None:
        """Tell a worker that its result is durable."""
        for hand in self._roster.hands:
            if hand.number == worker:
                hand.kept(result)

    def limit(self, concurrency: int) -> None:
        """Play so many games at a time from now on."""
        self._roster.concurrency = concurrency
        self._hand_out()

    def withdraw(self) -> None:
        """Begin no game any more."""
        self._withdrawn = True
        for hand in self._roster.hands:
            hand.process.send(link.Withdraw())
        if self._roster.waiting:
            self._later(GivenBack(tuple(self._roster.waiting)))
            self._roster.waiting.clear()

    def finish(self) -> None:
        """End when all that is handed out is over."""
        self._finishing = True
        self._hand_out()

    def abort(self) -> None:
        """Stop running games, report nothing of them, and end."""
        self._aborted.set()
        self._ending.set()
        self._roster.waiting.clear()
        for hand in self._roster.hands:
            hand.process.send(link.Abort())

    def _hand_out(self) -> None:
        """Share out what there is; say when nothing will follow."""
        self._roster.share_out()
        if self._finishing and not self._roster.waiting:
            self._ending.set()
            for hand in self._roster.hands:
                hand.finish()

    # -- the tasks -----------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Play until `finish` or `abort` has been carried out. Raises CrewLost."""
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._speak)
                async with trio.open_nursery() as workers:
                    for slot in self._roster.places:
                        workers.start_soon(self._serve, slot)
                    await self._ending.wait()
                nursery.cancel_scope.cancel()
        except* CrewLost as lost:
            raise first_of(lost) from None
        self._say_unsaid()
        self._on_event(Ended())

    async def _serve(self, slot: int) -> None:
        """Keep one worker running for as long as there may be something to play."""
        while not (self._ending.is_set() or self._withdrawn):
            if pause := self._setbacks.pause(slot):
                with trio.move_on_after(pause):
                    await self._ending.wait()
                    return
            why = await self._one_life(slot)
            if why is not None and not (self._ending.is_set() or self._withdrawn):
                self._setbacks.check(slot, why)

    async def _one_life(self, slot: int) -> str | None:
        """Start a worker and serve it to its end; why it ended, None when it was asked to."""
        self._workers += 1
        number = self._workers
        hand: Hand | None = None
        why = "it could not be started"
        try:
            process = WorkerProcess(
                lambda message: self._heard(hand, message),
                lambda line: self._line(number, line),
                self._descriptors,
            )
        except OSError as error:
            self._roster.place(slot, None)
            return self._lost(slot, None, number, f"{why}: {error.strerror}")
        hand = Hand(number, slot, process)
        process.send(self._outfits[slot])
        self._roster.place(slot, hand)
        self._hand_out()
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(watch, hand)
                nursery.start_soon(limit_end, hand, self._aborted)
                why = await process.run()
                nursery.cancel_scope.cancel()
        finally:
            self._roster.place(slot, None)
        return self._lost(slot, hand, number, why)

    def _lost(self, slot: int, hand: Hand | None, number: int, why: str) -> str | None:
        """Take back what a worker had; why it ended, None when it was asked to."""
        if self._aborted.is_set() or (hand is not None and hand.over and not hand.tasks):
            return None
        sentence = f"worker {number} has ended: {why}"
        tasks = () if hand is None else hand.tasks
        self._setbacks.died(slot, tasks)
        self._hand_out()
        self._on_event(Lost(tasks, sentence))
        return sentence

    # -- what workers say ----------------------------------------------------------------------------------

    def _heard(self, hand: Hand | None, message: link.ToCoordinator) -> None:
        """Take what a worker says; raises LinkError for what cannot be so."""
        assert hand is not None
        hand.heard = True
        event = self._event(hand, message)
        if event is not None and not self._aborted.is_set():
            self._hand_out()
            self._on_event(event)

    def _event(self, hand: Hand, message: link.ToCoordinator) -> WorkerEvent | None:
        match message:
            case link.Result():
                event = hand.result(message)
                self._setbacks.finished(hand.slot)
                return event
            case link.PairDone():
                hand.done(message)
                self._setbacks.done(message.pair, message.attempt)
                return PairDoneIn(message.pair, message.attempt)
            case link.Unready():
                hand.unready(message)
                self._setbacks.finished(hand.slot)
                return UnreadyIn(message.pair, message.attempt, message.bot, message.why)
            case link.Returned():
                return GivenBack(hand.returned(message))
            case link.Log():
                return LogIn(message.game, message.text)
            case link.Pondered():
                return PonderedIn(message.game, (message.ivory, message.brown))
            case link.Told():
                return Said(escaped(message.sentence))
            case link.Ready():
                hand.ready = True
            case link.Bye():
                hand.over = True
        return None

    def _line(self, number: int, line: str) -> None:
        if self._lines.spend(trio.current_time()):
            self._on_event(Said(f"worker {number}: {line}"))

    # -- telling -------------------------------------------------------------------------------------------

    def _later(self, event: WorkerEvent) -> None:
        """Tell something that a call has brought about, after that call."""
        self._unsaid.append(event)
        self._speaking.set()

    async def _speak(self) -> None:
        while True:
            await self._speaking.wait()
            self._speaking = trio.Event()
            self._say_unsaid()

    def _say_unsaid(self) -> None:
        events, self._unsaid = self._unsaid, []
        for event in events:
            self._on_event(event)
