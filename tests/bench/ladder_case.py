"""One measured program that plays games between two bundled bots and prints how many it played a second.

`pool WORKERS CONCURRENCY GAMES CORES`: a ladder without a screen, its journal on the disk; coordinator,
workers and bots keep to so many cores. `lockstep GAMES`: server and both bots in one process, over TCP, one
game after the other. Starting up is left out of both.
"""

from __future__ import annotations

import os
import socket
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import trio

from tests.host.ladder_plans import plan_of
from tyrusd.core.requests import GameOver
from tyrusd.core.requests import News as MatchNews
from tyrusd.core.schedule import Entry
from tyrusd.core.seatspec import SeatSpec
from tyrusd.host.daemon import MatchPlan, run_match
from tyrusd.host.ladder.coordinator import run_ladder
from tyrusd.host.ladder.directory import RunDirectory
from tyrusd.host.ladder.news import GameKept, News
from tyrusd.host.ladder.plan import Pace
from tyrusd.host.ladder.pool import Pool
from tyrusd.host.ladder.run import open_run
from tyrusd.league.clock import BOTS
from tyrusd.rules.variants import STANDARD
from tyrusd.sdk.child import ready
from tyrusd.sdk.serving import play
from tyrusd.sdk.talk import Talk, introduction
from tyrusd.sdk.tcp import Address, connect
from tyrusd.wire import Codec

BOT_NAMES = ("greedy", "random")
WARM = 10  # games that are left out: until they are over, programs are started


class Stopwatch:
    """Counts games, and takes the time from the end of the last warm one to the end of the last."""

    def __init__(self) -> None:
        self.games = 0
        self._began = self._ended = 0.0

    def game(self) -> None:
        self.games += 1
        self._ended = time.monotonic()
        if self.games == WARM:
            self._began = self._ended

    def rate(self) -> float:
        return (self.games - WARM) / (self._ended - self._began)


def ladder(workers: int, concurrency: int, games: int, cores: int) -> float:
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])
    plan = plan_of(*BOT_NAMES, rounds=games // 2)
    entrants = tuple(replace(bot, seat=SeatSpec("plugin", bot.name)) for bot in plan.entrants)
    pace, watch = Pace(concurrency, workers, affinity=False), Stopwatch()

    def hear(news: News) -> None:
        if isinstance(news, GameKept):
            watch.game()

    with TemporaryDirectory() as folder:
        run = open_run(RunDirectory.begin(Path(folder) / "run", replace(plan, entrants=entrants)))
        end = trio.run(
            run_ladder, run, lambda on_event: Pool(run.directory.plan, pace, [], on_event), pace, hear
        )
        run.close()
    assert end.complete, end.failure
    return watch.rate()


def lockstep(games: int) -> float:
    listener = socket.create_server(("127.0.0.1", 0))
    listener.setblocking(False)
    port, watch = listener.getsockname()[1], Stopwatch()
    entries = [Entry(name, SeatSpec("tcp", name), f"key-of-{name}") for name in BOT_NAMES]
    plan = MatchPlan((entries[0], entries[1]), games, "a seed for tests", STANDARD, BOTS)

    def bot(name: str) -> None:
        brain = ready(f"tyrusd_bundled.{name}_bot", [])
        hello = introduction(brain, name, "bench", 1, f"key-of-{name}")
        talk = Talk(brain, hello, lambda sentence: print(sentence, file=sys.stderr), Codec.LINE, None)
        fault = play(talk, brain, connect(Address("127.0.0.1", port), 10), name)
        if fault is not None:
            fault.print(name)

    def begin() -> None:
        for name in BOT_NAMES:
            threading.Thread(target=bot, args=(name,), daemon=True).start()

    def hear(news: MatchNews) -> None:
        if isinstance(news, GameOver):
            watch.game()

    assert trio.run(run_match, plan, [listener], hear, begin)
    return watch.rate()


CASES: dict[str, Callable[..., float]] = {"pool": ladder, "lockstep": lockstep}

if __name__ == "__main__":
    print(CASES[sys.argv[1]](*map(int, sys.argv[2:])))
