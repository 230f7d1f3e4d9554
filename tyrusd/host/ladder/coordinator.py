"""Plays a ladder: hands its pairs out, writes every result down, and only then lets it count and be told."""

from __future__ import annotations

import logging
import signal
from collections import deque
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Final, Literal, TypeAlias

import trio

from tyrusd.host.ladder.control import serve_control
from tyrusd.host.ladder.crewing import (
    Crewing,
    CrewLost,
    Ended,
    GivenBack,
    LogIn,
    Lost,
    PairDoneIn,
    PonderedIn,
    ResultIn,
    Said,
    UnreadyIn,
    WorkerEvent,
)
from tyrusd.host.ladder.handed import Handed
from tyrusd.host.ladder.held import ENDINGS, let_through
from tyrusd.host.ladder.keeping import LogKeeper
from tyrusd.host.ladder.news import (
    Continued,
    Dropped,
    Ending,
    GameKept,
    Happened,
    Limited,
    News,
    PairUnready,
    PauseCause,
    Paused,
    Pondered,
    RunEnd,
    Told,
)
from tyrusd.host.ladder.plan import Pace
from tyrusd.host.ladder.run import LadderRun
from tyrusd.host.ladder.scribe import Scribe
from tyrusd.host.ladder.status import Desk
from tyrusd.league.framing import frame
from tyrusd.league.schema import LONGEST_DETAIL
from tyrusd.league.tournament.happenings import Happening
from tyrusd.league.tournament.played import Played, played_of
from tyrusd.league.tournament.task import PairTask

END_LIMIT: Final = 20.0  # seconds that workers have to end once they were told to stop at once
IN_VAIN: Final = 1.0  # seconds that games which cannot count any more have, once nothing else runs
RECENT: Final = 100  # games whose times tell the pace
_STUCK: Final = (
    "no pair is left that could be handed out, though not all have their results: resume to try again those "
    "whose results were left out"
)
_SIGNALS: Final = (*ENDINGS, signal.SIGHUP)

MakeCrewing: TypeAlias = Callable[[Callable[[WorkerEvent], None]], Crewing]

_log = logging.getLogger("tyrusd.ladder")


class Coordinator:
    """One run from its start to its end; everything happens in the task of `play`, or is called there."""

    def __init__(
        self, run: LadderRun, make_crewing: MakeCrewing, pace: Pace, on_news: Callable[[News], None]
    ) -> None:
        self.run = run
        self.tournament = run.tournament
        self.crewing = make_crewing(self._hear)
        self.concurrency = pace.concurrency
        self.workers = pace.workers
        self.pauses: set[PauseCause] = set()
        self.signals = 0
        self.failure: str | None = None
        self.recent: deque[float] = deque(maxlen=RECENT)
        self._tell = on_news
        self._scribe = Scribe(run.journal, self)
        self._logs = LogKeeper(run.directory.logs)
        self._handed = Handed(run.known)
        self._finishing = False
        self._crew_gone = False
        self._over = trio.Event()
        self._vain = trio.Event()
        self._hard_stop = trio.CancelScope()

    # -- the run -----------------------------------------------------------------------------------------

    async def play(self, *, ready: Callable[[], None] = lambda: None) -> RunEnd:
        """Play until nothing is left, or signals end it. Raises StorageLost, perhaps in a group."""
        async with trio.open_nursery() as nursery:
            with trio.open_signal_receiver(*_SIGNALS) as signals:
                # It must listen before this block can be left, even if all is done at once.
                await nursery.start(self._obey, signals)
                let_through()
                nursery.start_soon(self._scribe.run)
                nursery.start_soon(self._logs.run)
                nursery.start_soon(self._cut_short)
                await self._open_control(nursery)
                # No game begins before it is written that the run has.
                self._scribe.put(frame(self.run.beginning()), lambda: nursery.start_soon(self._crew))
                ready()
                await self._over.wait()
                await self._logs.close()
                nursery.cancel_scope.cancel()
        self.run.note_machines()
        over = self.tournament.over
        return RunEnd(
            complete=over,
            interrupted=self.signals > 0 and not over,
            failure=self.failure,
            why=self.tournament.why_over,
        )

    async def _open_control(self, nursery: trio.Nursery) -> None:
        try:
            await nursery.start(partial(serve_control, self.run.directory.path, Desk(self)))
        except OSError as error:
            # A run is not for being asked: it goes on without.
            self._tell(Told(f"`tyrusd ladder-ctl` cannot reach this run: {error.strerror or error}"))

    async def _crew(self) -> None:
        self._advance()
        try:
            with self._hard_stop:
                await self.crewing.run()
        except* CrewLost as lost:
            self.failure = str(_first(lost))
        if self._hard_stop.cancelled_caught:
            _log.error("the workers took too long to end; they were killed")
        self._crew_gone = True
        self._scribe.put(None, self._advance)  # after everything that the workers have sent

    def _advance(self) -> None:
        """Hand out what can be played now; see whether the end has come."""
        if self._crew_gone:
            if self._scribe.idle:
                self._over.set()
            return
        if self.tournament.over and not self._finishing:
            self._finish()
        if self._finishing and self._handed and all(map(self.tournament.in_vain, self._handed.pairs)):
            self._vain.set()
        if self._finishing or self.pauses:
            return
        while self.crewing.room > 0 and (task := self.tournament.next()) is not None:
            self._handed.add(task)
            self.crewing.play(task)
        if not self._handed and self._scribe.idle and self.crewing.room > 0:
            # A run must end, whatever the reason. Without room nobody is there yet.
            self.failure = _STUCK
            self._finish()

    async def _cut_short(self) -> None:
        """Stop what cannot count any more, such as another start of a bot whose pairing has been halted."""
        await self._vain.wait()
        await trio.sleep(IN_VAIN)  # logs of the last games that count are on their way
        if not self._crew_gone:
            self._abort()

    def _abort(self) -> None:
        self._hard_stop.deadline = trio.current_time() + END_LIMIT
        self.crewing.abort()

    def _finish(self) -> None:
        """Begin nothing any more, and end when what runs is over."""
        self._finishing = True
        self.crewing.withdraw()
        self.crewing.finish()

    # -- what workers say --------------------------------------------------------------------------------

    def _hear(self, event: WorkerEvent) -> None:
        match event:
            case ResultIn():
                self._result(event)
            case UnreadyIn():
                self._not_ready(event)
            case PairDoneIn():
                self._scribe.put(None, lambda: self._done(event))
            case GivenBack():
                self._scribe.put(None, lambda: self._given_back(event.tasks))
            case Lost():
                # Behind the worker's results, which must count before the rest is handed out again.
                self._scribe.put(None, lambda: self._lost(event))
            case LogIn():
                self._logs.keep(event.game, event.text)
            case PonderedIn():
                self._tell(Pondered(event.game, event.pondered))
            case Said():
                self._tell(Told(event.sentence))
            case Ended():
                pass  # `run` returns
        if not self._scribe.idle:
            return
        self._advance()

    def _result(self, event: ResultIn) -> None:
        played = played_of(event.record)
        if played is None or played.reason == "aborted":
            return
        if played.place in self.run.known:
            # A pair that was handed out again was played by its first worker after all.
            self._scribe.put(None, lambda: self.crewing.kept(event.worker, event.id))
            return
        stranger = self._handed.stranger(event, played)
        if stranger is not None:
            self._tell(Told(f"the result of game {played.place.game_id} is left out: {stranger}"))
            return
        self.run.known.add(played.place)
        self._scribe.put(event.framed, lambda: self._kept(event, played))

    def _not_ready(self, event: UnreadyIn) -> None:
        if self._handed.may_be_unready(event):
            note = {"kind": "unready", **event._asdict(), "why": event.why[:LONGEST_DETAIL]}
            self._scribe.put(frame(note), lambda: self._unready(event))

    def _kept(self, event: ResultIn, played: Played) -> None:
        self.recent.append(trio.current_time())
        self.run.count(event.record, played)
        self.crewing.kept(event.worker, event.id)
        happenings = self.tournament.take(played)
        self._tell(GameKept(played, event.record, event.note))
        self._happen(happenings)

    def _unready(self, event: UnreadyIn) -> None:
        self._handed.end(event.pair, event.attempt)
        happenings = self.tournament.unready(event.pair, event.attempt, event.bot, event.why)
        self._tell(PairUnready(*event))
        self._happen(happenings)

    def _done(self, event: PairDoneIn) -> None:
        self._handed.end(event.pair, event.attempt)
        self._advance()

    def _lost(self, event: Lost) -> None:
        self._tell(Told(event.why))
        for task in event.tasks:
            self._handed.end(task.pair, task.attempt)
            self.tournament.returned(task)
        self._advance()

    def _given_back(self, tasks: tuple[PairTask, ...]) -> None:
        for task in tasks:
            if self._handed.give_back(task):  # or it was lost before, and another may hold it now
                self.tournament.returned(task)
        self._advance()

    def _happen(self, happenings: list[Happening]) -> None:
        for happening in happenings:
            self._tell(Happened(happening))
        self._advance()

    @property
    def ending(self) -> Literal["finishing", "stopping"] | None:
        """Whether the end has come: nothing begins any more, or what ran is stopped."""
        if self.signals > 1:
            return "stopping"
        return "finishing" if self._finishing else None

    def pace(self, now: float) -> float | None:
        """Games a minute lately; None while nobody can tell."""
        if len(self.recent) < 2 or now <= self.recent[0]:
            return None
        return 60 * (len(self.recent) - 1) / (now - self.recent[0])

    # -- what the operator and the disk say --------------------------------------------------------------

    def pause(self, cause: PauseCause, why: str) -> None:
        """Begin no game until `unpause` with the same cause; running games go on."""
        if cause not in self.pauses:
            self.pauses.add(cause)
            self.crewing.limit(0)
            self._tell(Paused(cause, why))

    def unpause(self, cause: PauseCause) -> None:
        """Take one cause of a pause away."""
        if cause in self.pauses:
            self.pauses.discard(cause)
            if not self.pauses:
                self.crewing.limit(self.concurrency)
            self._tell(Continued(cause))
            self._advance()

    def limit(self, concurrency: int) -> None:
        """Play so many games at a time from now on."""
        self.concurrency = concurrency
        if not self.pauses:
            self.crewing.limit(concurrency)
        self._tell(Limited(concurrency))
        self._advance()

    def drop(self, bot: str, done: Callable[[], None]) -> None:
        """Take a bot out: pairs that are handed out are finished. done is called when it is on the disk."""

        def dropped() -> None:
            self._tell(Dropped(bot))
            self._happen(self.tournament.drop(bot))
            done()

        self._scribe.put(frame(self.run.dropped(bot)), dropped)

    def storage_full(self, sentence: str) -> None:
        """Pause while results cannot be written."""
        self.pause("storage", sentence)

    def storage_back(self) -> None:
        """Go on: there is room again."""
        self.unpause("storage")

    async def _obey(
        self, signals: AsyncIterator[int], task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
    ) -> None:
        task_status.started()
        async for number in signals:
            if number != signal.SIGHUP:
                self.interrupt(signal.Signals(number).name)

    def interrupt(self, name: str) -> None:
        """Begin no game any more at the first call, stop the running ones at the second."""
        self.signals += 1
        if self.signals == 1:
            awaited = min(self.crewing.outstanding, self.concurrency)
            self._tell(Ending(name, awaited, at_once=False))
            if not self._finishing:
                self._finish()
        elif self.signals == 2:
            self._tell(Ending(name, 0, at_once=True))
            self._finishing = True
            self._scribe.hurry()
            self._abort()


async def run_ladder(
    run: LadderRun,
    make_crewing: MakeCrewing,
    pace: Pace,
    on_news: Callable[[News], None],
    ready: Callable[[], None] = lambda: None,
) -> RunEnd:
    """Play a run until nothing is left or signals end it, with a socket for `tyrusd ladder-ctl` meanwhile.

    make_crewing: makes the source of workers, such as a Pool, for whoever it is to tell its events. on_news
    is told what happens, in order, from the task that runs trio: it must not wait. ready is called when
    signals are obeyed and the socket is there. Raises StorageLost, perhaps in a group, when the disk fails;
    all that was told by GameKept is kept. Once a signal has ended it, further ones do nothing, so that how
    to go on is told in any case.
    """
    coordinator = Coordinator(run, make_crewing, pace, on_news)
    before = {number: signal.signal(number, lambda *_: None) for number in ENDINGS}
    try:
        return await coordinator.play(ready=ready)
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_IGN if coordinator.signals else handler)


def _first(group: BaseException) -> BaseException:
    while isinstance(group, BaseExceptionGroup):
        group = group.exceptions[0]
    return group
