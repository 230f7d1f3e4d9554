"""The workers of one machine: shares games out among them, watches them, and starts them again when they end.

What a worker has in its hands when it ends comes back as `Lost`; one that is silent for SILENCE seconds is
ended as well. A worker that ends DEATHS times in a row without finishing a game, or a pair with which DROPS
workers end, is not tried again: then the run is given up with a sentence.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

import trio

from tyrusd.core.allowance import Allowance
from tyrusd.host import sandbox
from tyrusd.host.confinement import Confinement
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
from tyrusd.host.ladder.hand import Hand, shares
from tyrusd.host.ladder.machine import cores
from tyrusd.host.ladder.plan import LadderPlan, Pace
from tyrusd.host.ladder.process import WorkerProcess
from tyrusd.host.ladder.terms import bot_words, confinement_words
from tyrusd.host.limits import Limits
from tyrusd.host.logs import escaped
from tyrusd.host.running import first_of
from tyrusd.league.tournament.task import PairTask

AHEAD: Final = 2  # games that a worker has in reserve, so that it need not wait for the next pair
DEATHS: Final = 3  # of one worker in a row without a finished game
DROPS: Final = 5  # workers that end with the same pair in their hands
PAUSE: Final = 0.5  # seconds before a worker is started again; twice as much each time
LONGEST_PAUSE: Final = 8.0
ABORT_LIMIT: Final = 12.0  # seconds for running games to be stopped and bots to leave
BEAT: Final = 2.0  # seconds between two questions whether a worker still works
SILENCE: Final = 20.0  # seconds without an answer after which it is ended
START_LIMIT: Final = 60.0  # the same, until it is ready for the first time
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
        self._listeners = list(listeners)
        self._concurrency = pace.concurrency
        count = 1 if self._listeners else max(1, pace.workers)
        box = sandbox.find() if plan.sandbox == "bwrap" else None
        confinement = Confinement(Limits(memory=plan.memory, cpu=plan.processor), box).hiding(*hidden)
        found = cores() if pace.affinity else []
        self._setups = [
            link.Setup(
                tuple([bot_words(entrant, keys or {}) for entrant in plan.entrants]),
                plan.variant.name,  # type: ignore[arg-type]  # the names of all variants are those of records
                0,
                confinement_words(confinement),
                str((directory or Path.cwd()).absolute()),
                plan.wait,
                plan.start,
                plan.ponder,
                tuple([listener.fileno() for listener in self._listeners]),
                found[number % len(found)] if found else None,
            )
            for number in range(count)
        ]
        self._hands: list[Hand | None] = [None] * count
        self._unborn = set(range(count))  # workers that have not been started for the first time
        self._waiting: list[PairTask] = []  # handed out while no worker had room
        self._deaths = [0] * count
        self._drops: dict[tuple[int, int], int] = {}
        self._workers = self._orders = 0
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
        reserve = AHEAD * min(self._concurrency, len(self._hands))
        return max(0, self._concurrency + reserve - self.outstanding)

    @property
    def outstanding(self) -> int:
        """How many games of the tasks that are handed out have no result yet."""
        return sum([len(task.games) for task in self._waiting]) + sum([hand.games for hand in self._live()])

    @property
    def pids(self) -> list[int]:
        """The processes of the workers that are there."""
        return [hand.process.pid for hand in self._live()]

    def play(self, task: PairTask) -> None:
        """Give a pair to the worker with the most room; if none has any, to the next that has."""
        if self._withdrawn:
            self._later(GivenBack((task,)))
            return
        self._waiting.append(task)
        self._hand_out()

    def kept(self, worker: int, result: int) -> None:
        """Tell a worker that its result is durable."""
        for hand in self._live():
            if hand.number == worker:
                hand.kept(result)

    def limit(self, concurrency: int) -> None:
        """Play so many games at a time from now on."""
        self._concurrency = concurrency
        self._hand_out()

    def withdraw(self) -> None:
        """Begin no game any more."""
        self._withdrawn = True
        for hand in self._live():
            hand.process.send(link.Withdraw())
        if self._waiting:
            self._later(GivenBack(tuple(self._waiting)))
            self._waiting.clear()

    def finish(self) -> None:
        """End when all that is handed out is over."""
        self._finishing = True
        self._hand_out()

    def abort(self) -> None:
        """Stop running games, report nothing of them, and end."""
        self._aborted.set()
        self._ending.set()
        self._waiting.clear()
        for hand in self._live():
            hand.process.send(link.Abort())

    # -- the tasks -----------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Play until `finish` or `abort` has been carried out. Raises CrewLost."""
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._speak)
                async with trio.open_nursery() as workers:
                    for slot in range(len(self._hands)):
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
            if self._deaths[slot]:
                with trio.move_on_after(min(PAUSE * 2 ** (self._deaths[slot] - 1), LONGEST_PAUSE)):
                    await self._ending.wait()
                    return
            why = await self._one_life(slot)
            if why is not None:
                self._died(slot, why)

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
                [listener.fileno() for listener in self._listeners],
            )
        except OSError as error:
            self._unborn.discard(slot)
            return self._lost(None, number, f"{why}: {error.strerror}")
        hand = Hand(number, slot, process)
        process.send(self._setups[slot])
        self._hands[slot] = hand
        self._unborn.discard(slot)
        self._hand_out()
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._watch, hand)
                nursery.start_soon(self._limit_abort, hand)
                why = await process.run()
                nursery.cancel_scope.cancel()
        finally:
            self._hands[slot] = None
        return self._lost(hand, number, why)

    def _lost(self, hand: Hand | None, number: int, why: str) -> str | None:
        """Take back what a worker had; why it ended, None when it was asked to."""
        if self._aborted.is_set() or (hand is not None and hand.over and not hand.tasks):
            return None
        sentence = f"worker {number} has ended: {why}"
        tasks = () if hand is None else hand.tasks
        for task in tasks:
            key = task.pair, task.attempt
            self._drops[key] = self._drops.get(key, 0) + 1
        self._hand_out()
        self._on_event(Lost(tasks, sentence))
        return sentence

    def _died(self, slot: int, sentence: str) -> None:
        """Count a death; raises CrewLost when it is one too many."""
        self._deaths[slot] += 1
        if self._ending.is_set() or self._withdrawn:
            return
        if self._deaths[slot] >= DEATHS:
            raise CrewLost(
                f"{self._deaths[slot]} workers in a row have ended without finishing a game; "
                f"the last: {sentence}"
            )
        for (pair, _), drops in self._drops.items():
            if drops >= DROPS:
                raise CrewLost(f"pair {pair} has ended {drops} workers; the last: {sentence}")

    async def _watch(self, hand: Hand) -> None:
        """End a worker that says nothing. Our own looks are counted, so that our own sleep is no offence."""
        silent, idle, number = 0.0, 0.0, 0
        while True:
            number += 1
            hand.process.send(link.Ask(number))
            await trio.sleep(BEAT)
            silent = 0.0 if hand.heard else silent + BEAT
            hand.heard = False
            if silent >= (SILENCE if hand.ready else START_LIMIT):
                hand.process.kill(f"it was silent for {silent:g} s")
            idle = idle + BEAT if hand.finishing and not hand.tasks else 0.0
            if idle >= ABORT_LIMIT:
                hand.process.kill(f"it had nothing to do and did not end within {idle:g} s")

    async def _limit_abort(self, hand: Hand) -> None:
        await self._aborted.wait()
        await trio.sleep(ABORT_LIMIT)
        hand.process.kill(f"it did not end within {ABORT_LIMIT:g} s")

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
                self._deaths[hand.slot] = 0
                return event
            case link.PairDone():
                hand.done(message)
                self._drops.pop((message.pair, message.attempt), None)
                return PairDoneIn(message.pair, message.attempt)
            case link.Unready():
                hand.unready(message)
                self._deaths[hand.slot] = 0
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

    # -- sharing out ---------------------------------------------------------------------------------------

    def _live(self) -> list[Hand]:
        return [hand for hand in self._hands if hand is not None]

    def _hand_out(self) -> None:
        """Give each worker its share, and what waits to those with room; say when nothing will follow."""
        self._share_out()
        if self._finishing and not self._waiting:
            self._ending.set()
            for hand in self._live():
                hand.finish()

    def _share_out(self) -> None:
        # The first worker must not get everything before the others are there.
        hands = [] if self._unborn else self._live()
        while hands:
            for hand, share in zip(hands, shares(self._concurrency, hands), strict=True):
                hand.limit(share)
            best = max(hands, key=lambda hand: hand.share + AHEAD - hand.games if hand.share else 0)
            if not self._waiting or not best.share or best.share + AHEAD <= best.games:
                return
            self._orders += 1
            best.play(self._waiting.pop(0), self._orders)

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
