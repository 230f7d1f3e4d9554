"""How a worker keeps results and logs: it sends them to the coordinator and waits until they are kept."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import trio

from tyrusd.core.requests import Answer, DropLog, KeepLog, Store, Stored, StoreFailed
from tyrusd.core.story import Dossier
from tyrusd.host.ladder.link import LONGEST_LOG, LONGEST_NOTE, Log, Result, ToCoordinator
from tyrusd.host.shelf import log_text, with_last_words
from tyrusd.host.storekeeper import StorageLost
from tyrusd.league.record import read_frame

KEEP_LIMIT: Final = 86_400.0  # seconds that a result waits for the coordinator: its disk may be full
FAREWELL: Final = 1.0  # seconds that results of an aborted run wait for it
LOGS_WAITING: Final = 100  # games whose logs are not sent yet; the oldest are left out
CUT: Final = b"* the log is cut here\n"

_log = logging.getLogger("tyrusd.ladder")

Send = Callable[[ToCoordinator], None]


class RelayedResults:
    """Answers the core's Store requests when the coordinator says that it has kept the record.

    note_of: the last words of a program that ended a game, by the game's id. Games without a result are
    nobody's to keep: what is aborted is played again.
    """

    def __init__(
        self, send: Send, note_of: Callable[[str], str], answered: Callable[[Sequence[Answer]], None]
    ) -> None:
        self._send = send
        self._note_of = note_of
        self._answered = answered
        self._waiting: dict[int, float] = {}  # requests and when they are given up, in order of time
        self._unsaid: list[Answer] = []
        self._work = trio.Event()
        self._limit = KEEP_LIMIT
        self._aborting = False

    def store(self, request: Store) -> None:
        """Send the record; the answer comes with `kept`."""
        if b"aborted" in request.payload and read_frame(request.payload)["game"]["reason"] == "aborted":
            self._answered([Stored(request.id)])
            return
        if self._aborting:
            # It ended by itself after the run was given up: it is played again like the others.
            self._answered([StoreFailed(request.id, "the run is aborted")])
            return
        note = self._note_of(request.game)[-LONGEST_NOTE:]
        self._send(Result(request.id, request.game, request.payload, note))
        self._waiting[request.id] = trio.current_time() + self._limit
        self._work.set()

    def kept(self, request: int) -> None:
        """The coordinator has kept a result. One that nobody waits for changes nothing."""
        if self._waiting.pop(request, None) is not None:
            self._unsaid.append(Stored(request))

    def answer(self) -> None:
        """Hand on what `kept` has told, all at once."""
        if self._unsaid:
            answers, self._unsaid = self._unsaid, []
            self._answered(answers)

    def abort(self) -> None:
        """Send nothing more, and wait only a moment for what was sent."""
        self._aborting = True
        until = trio.current_time() + FAREWELL
        self._waiting = dict.fromkeys(self._waiting, until)
        self._work.set()

    async def run(self) -> None:
        """Watch that nothing waits for ever. Raises StorageLost when the coordinator keeps nothing."""
        while True:
            await self._work.wait()
            self._work = trio.Event()
            while self._waiting:
                oldest = next(iter(self._waiting.values()))
                if trio.current_time() < oldest:
                    with trio.move_on_at(oldest):
                        await self._work.wait()
                    self._work = trio.Event()
                    continue
                self._give_up()

    def _give_up(self) -> None:
        if not self._aborting:
            raise StorageLost(
                f"the coordinator has not kept a result for {self._limit:.0f} s: resume the run"
            )
        given_up, self._waiting = self._waiting, {}
        self._answered([StoreFailed(request, "the run is aborted") for request in given_up])


class RelayedLogs:
    """Sends logs of games that the board did not decide, one at a time, so that games go on between them."""

    def __init__(self, send: Send) -> None:
        self.last_words: Callable[[int], str] = lambda bot: ""
        self._send = send
        self._waiting: dict[str, Dossier] = {}
        self._work = trio.Event()
        self._complained = False

    def keep(self, request: KeepLog) -> None:
        """Have a game's log sent soon; one without a result is played again, and has none."""
        dossier = request.dossier
        if not dossier.abnormal or dossier.reason == "aborted":
            return
        self._waiting[dossier.game] = with_last_words(request, self.last_words)
        if len(self._waiting) > LOGS_WAITING:
            del self._waiting[next(iter(self._waiting))]
            if not self._complained:
                _log.warning("the logs of some games are left out: too many games end by faults")
            self._complained = True
        self._work.set()

    def drop(self, request: DropLog) -> None:
        """There is nothing to remove: logs that matter are kept."""

    async def run(self) -> None:
        """Send as long as there is something to send; for ever."""
        while True:
            await self._work.wait()
            self._work = trio.Event()
            while self._waiting:
                self._send_one()
                await trio.lowlevel.checkpoint()

    async def close(self) -> None:
        """Send what is left."""
        while self._waiting:
            self._send_one()

    def _send_one(self) -> None:
        dossier = self._waiting.pop(next(iter(self._waiting)))
        self._send(Log(dossier.game, b"".join(_bounded(log_text(dossier)))))


def _bounded(lines: Iterator[bytes]) -> Iterator[bytes]:
    left = LONGEST_LOG - len(CUT)
    for line in lines:
        left -= len(line)
        if left < 0:
            yield CUT
            return
        yield line
