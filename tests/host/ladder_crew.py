"""Workers in memory for the tests of the coordinator: games are real, but no program and no time is needed.

What happens in a game depends on its place and its seeds alone, as between bots that are repeatable.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from random import Random

import trio

from tyrusd.host.ladder.crewing import Ended, GivenBack, Lost, PairDoneIn, ResultIn, UnreadyIn, WorkerEvent
from tyrusd.league.clock import BOTS
from tyrusd.league.framing import frame
from tyrusd.league.match import Match
from tyrusd.league.record import game_record
from tyrusd.league.schema import Payload
from tyrusd.league.tournament.task import LadderGame, PairTask
from tyrusd.rules.pieces import Building
from tyrusd.rules.variants import STANDARD

UNKEPT = 2  # results that are on their way to the disk before another game ends
STARTED = "2031-05-06T07:08:09Z"
MACHINE = ("tower", "a processor")


def played_game(task: PairTask, game: int, started: str = STARTED) -> Payload:
    """The record of one game of a task: both sides place what their seeds tell them."""
    place, seeds = task.place(game), task.seeds[game - 1]
    match = Match(
        place.game_id, task.pair, task.deal, STANDARD, (BOTS, BOTS), (0, 0), task.seats(game), seeds,
        ("plugin:random", "plugin:random"),
    )  # fmt: skip
    match.ladder = LadderGame(place, *MACHINE)
    now = 0.0
    while match.game.outcome is None:
        request = match.issue(now)
        chance = sha256(f"{seeds[request.side]} {request.number}".encode()).digest()
        now += 0.001 * chance[2]
        if request.number == 1 and chance[3] < 12:  # one game in twenty ends by a failure
            match.forfeit(request.side, "crashed", "exit status 3", now)
            break
        hand = match.game.hand(request.side)
        tile = hand[chance[0] % len(hand)]
        match.place(request.side, request.number, tile, Building(chance[1] % len(Building)), now)
    return game_record(match, started=started)


class FakeCrew:
    """A Crewing that plays in memory, in an order that `chance` decides; `kept` tells what it heard.

    unready: pairs (with attempts) that a bot is not ready for, by its name. hurdle: called before each event
    is told, with the number of the event.
    """

    def __init__(
        self,
        tell: Callable[[WorkerEvent], None],
        *,
        concurrency: int = 4,
        chance: int = 1,
        unready: dict[tuple[int, int], str] | None = None,
        hurdle: Callable[[int], None] = lambda number: None,
        unkept: int = UNKEPT,
    ) -> None:
        self.told: list[str] = []  # games of which the bots have heard the result
        self.handed: list[PairTask] = []
        self.limits: list[int] = []
        self.concurrency = concurrency
        self.stuck = False  # finishes no game
        self.running: list[tuple[PairTask, int]] = []
        self._tell = tell
        self._chance = Random(chance)
        self._unready = unready or {}
        self._hurdle = hurdle
        self._most_unkept = unkept
        self._waiting: list[tuple[PairTask, int]] = []
        self._left: dict[tuple[int, int], set[int]] = {}
        self._unkept: dict[int, tuple[PairTask, int]] = {}
        self._events: list[WorkerEvent] = []
        self._number = 0
        self._finishing = self._withdrawn = self._aborted = False
        self.work = trio.Event()

    @property
    def room(self) -> int:
        if self._finishing or self._withdrawn:
            return 0
        return max(0, self.concurrency + 2 - self.outstanding)

    @property
    def outstanding(self) -> int:
        return len(self._waiting) + len(self.running)

    def play(self, task: PairTask) -> None:
        assert not self._finishing
        self.handed.append(task)
        bot = self._unready.get((task.pair, task.attempt))
        if bot is not None:
            self._events.append(UnreadyIn(task.pair, task.attempt, bot, "it could not be started"))
        else:
            self._left[task.pair, task.attempt] = set(task.games)
            self._waiting += [(task, game) for game in task.games]
        self.work.set()

    def kept(self, worker: int, result: int) -> None:
        found = self._unkept.pop(result, None)
        if found is None:
            return  # of a worker that is gone
        task, game = found
        self.told.append(task.place(game).game_id)
        left = self._left[task.pair, task.attempt]
        left.discard(game)
        if not left:
            del self._left[task.pair, task.attempt]
            self._events.append(PairDoneIn(task.pair, task.attempt))
        self.work.set()

    def limit(self, concurrency: int) -> None:
        self.limits.append(concurrency)
        self.concurrency = concurrency
        self.work.set()

    def withdraw(self) -> None:
        self._withdrawn = True
        back: dict[tuple[int, int], list[int]] = {}
        tasks = {}
        for task, game in self._waiting:
            back.setdefault((task.pair, task.attempt), []).append(game)
            tasks[task.pair, task.attempt] = task
        self._waiting.clear()
        for key, games in back.items():
            self._left[key] -= set(games)
            if not self._left[key]:
                del self._left[key]
            self._events.append(GivenBack((part_of(tasks[key], games),)))
        self.work.set()

    def finish(self) -> None:
        self._finishing = True
        self.work.set()

    def abort(self) -> None:
        self._aborted = True
        self.work.set()

    def lose(self) -> None:
        """The worker ends with all that it holds; what it has told already stays told."""
        tasks: dict[tuple[int, int], list[int]] = {}
        first = {}
        for task, game in [*self.running, *self._waiting, *self._unkept.values()]:
            tasks.setdefault((task.pair, task.attempt), []).append(game)
            first[task.pair, task.attempt] = task
        self.running.clear()
        self._waiting.clear()
        self._unkept.clear()
        self._left.clear()
        self._events.append(Lost(tuple(first.values()), "a worker was killed by signal 9"))
        self.work.set()

    async def run(self) -> None:
        while True:
            while self._events:
                self._number += 1
                self._hurdle(self._number)
                self._tell(self._events.pop(0))
            if self._aborted or (self._finishing and not self.outstanding and not self._left):
                break
            while self._waiting and len(self.running) < self.concurrency:
                self.running.append(self._waiting.pop(0))
            if self.running and not self.stuck and len(self._unkept) < self._most_unkept:
                await trio.lowlevel.checkpoint()
                if self.running:  # nothing was lost meanwhile
                    self._end_one()
            elif not self._events:
                await self.work.wait()
            self.work = trio.Event()
        self._tell(Ended())

    def _end_one(self) -> None:
        task, game = self.running.pop(self._chance.randrange(len(self.running)))
        self._number += 1
        self._hurdle(self._number)
        record = played_game(task, game)
        identity = self._number
        self._unkept[identity] = (task, game)
        self._tell(ResultIn(1, identity, record, frame(record), ""))


def part_of(task: PairTask, games: list[int]) -> PairTask:
    return replace(task, games=tuple(games))
