"""Ladders for tests: plans, pairs to play, and a coordinator that keeps results in memory."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import trio

from tyrusd.core.seatspec import parse_seat
from tyrusd.host.ladder.crewing import (
    Ended,
    GivenBack,
    Lost,
    PairDoneIn,
    ResultIn,
    UnreadyIn,
    WorkerEvent,
)
from tyrusd.host.ladder.plan import LadderEntrant, LadderPlan, Pace
from tyrusd.host.ladder.pool import Pool
from tyrusd.league.clock import BOTS
from tyrusd.league.tournament.plan import TournamentPlan
from tyrusd.league.tournament.task import PairTask
from tyrusd.rules.deal import deal_from_bytes, pair_secret, seat_seed, twin_secret
from tyrusd.rules.pieces import Side

NOTING = Path(__file__).with_name("bots") / "noting.py"
PATIENCE = 60.0  # seconds; only a broken program ever needs them
NAMES = ("ann", "bob")

_Event = TypeVar("_Event")


def task(pair: int, attempt: int = 1, games: tuple[int, ...] = (1, 2)) -> PairTask:
    secret = pair_secret("a ladder", pair, attempt)
    twins = [twin_secret(secret, game) for game in (1, 2)]
    one, two = [(seat_seed(twin, Side.IVORY), seat_seed(twin, Side.BROWN)) for twin in twins]
    return PairTask(pair, attempt, 1, *NAMES, games, True, deal_from_bytes(secret), (one, two))


def plan(seats: Sequence[str] = ("plugin:greedy", "plugin:random"), **terms: Any) -> LadderPlan:
    entrants = [LadderEntrant(name, parse_seat(seat), BOTS) for name, seat in zip(NAMES, seats, strict=True)]
    return LadderPlan(TournamentPlan("roundrobin", NAMES, "a ladder"), tuple(entrants), **terms)


def noting(file: Path, pause: float = 0.0) -> str:
    return f"exec:{sys.executable} -I -S {NOTING} {file} {pause}"


def noted(file: Path, what: str) -> list[dict[str, Any]]:
    """What bots have noted of this kind."""
    lines = file.read_text().splitlines() if file.exists() else []
    return [note for note in map(json.loads, lines) if note["what"] == what]


class Coordination:
    """Hands out tasks and keeps results, as a coordinator does, but in memory.

    keeping False: results are taken and not said to be kept, until `keep_all`. finishing: it says that no
    more will come as soon as every game has a result.
    """

    def __init__(self, tasks: Sequence[PairTask], *, keeping: bool = True, finishing: bool = True) -> None:
        self.pool: Pool
        self.tasks = list(tasks)
        self.events: list[WorkerEvent] = []
        self.results: dict[str, ResultIn] = {}
        self.unkept: list[ResultIn] = []
        self.done: list[tuple[int, int]] = []
        self.keeping = keeping
        self.finishing = finishing
        self.handing = True
        self._left = len(self.tasks)
        self._changed = trio.Event()

    def hear(self, event: WorkerEvent) -> None:
        assert not any(isinstance(before, Ended) for before in self.events), "nothing follows Ended"
        self.events.append(event)
        match event:
            case ResultIn():
                assert event.record["id"] not in self.results, "a game has two results"
                self.results[event.record["id"]] = event
                self.unkept.append(event)
                if self.keeping:
                    self.keep_all()
            case PairDoneIn():
                self.done.append((event.pair, event.attempt))
                self._left -= 1
            case UnreadyIn():
                self._left -= 1
            case Lost() | GivenBack():
                for lost in event.tasks:
                    games = [game for game in lost.games if lost.place(game).game_id not in self.results]
                    if games:
                        self.tasks.append(replace(lost, games=tuple(games)))
                    elif isinstance(event, Lost):
                        self._left -= 1
        self.look()
        self._changed.set()
        self._changed = trio.Event()

    def look(self) -> None:
        while self.handing and self.tasks and self.pool.room > 0:
            self.pool.play(self.tasks.pop(0))
        if self.finishing and not self._left:
            self.finishing = False
            self.pool.finish()

    def keep_all(self) -> None:
        kept, self.unkept = self.unkept, []
        for result in kept:
            self.pool.kept(result.worker, result.id)

    def all(self, kind: type[_Event]) -> list[_Event]:
        return [event for event in self.events if isinstance(event, kind)]

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait until something is so, looking after each event and now and then."""
        with trio.fail_after(PATIENCE):
            while not condition():
                with trio.move_on_after(0.02):
                    await self._changed.wait()


@asynccontextmanager
async def playing(
    coordination: Coordination, ladder: LadderPlan, pace: Pace, **terms: Any
) -> AsyncIterator[Pool]:
    """Run a pool; leaving the block waits for its end."""
    pool = coordination.pool = Pool(ladder, pace, terms.pop("listeners", []), coordination.hear, **terms)
    coordination.look()
    with trio.fail_after(2 * PATIENCE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(pool.run)
            yield pool
