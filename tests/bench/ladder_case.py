"""One measured program that plays games between two bundled bots and prints what it took.

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

_TICKS = os.sysconf("SC_CLK_TCK")
BOT_NAMES = ("greedy", "random")
WARM = 10  # games that are left out: until they are over, programs are started


class Stopwatch:
    """From the end of the last warm game to the end of the last: games a second, and processor time of each.

    Processor time is that of this process and all that it has started; a busy machine distorts it less.
    """

    def __init__(self, games: int) -> None:
        self.games = 0
        self._all = games
        self._marks: list[tuple[float, float]] = []

    def game(self) -> None:
        self.games += 1
        if self.games in (WARM, self._all):
            self._marks.append((time.monotonic(), processor_time()))

    def told(self) -> tuple[float, float]:
        """Games a second, and milliseconds of processor time for each."""
        (began, used), (ended, all_used) = self._marks
        games = self._all - WARM
        return games / (ended - began), (all_used - used) / games * 1000


def processor_time() -> float:
    """Seconds of processor time of this process and its descendants that are alive."""
    parents, used = {}, {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text("utf-8", "replace").rpartition(") ")[2].split()
            except OSError:
                continue
            parents[int(entry.name)] = int(fields[1])
            used[int(entry.name)] = (int(fields[11]) + int(fields[12])) / _TICKS
    found, fresh = set(), {os.getpid()}
    while fresh:
        found |= fresh
        fresh = {child for child, parent in parents.items() if parent in fresh} - found
    return sum(used[pid] for pid in found)


def ladder(workers: int, concurrency: int, games: int, cores: int) -> tuple[float, float]:
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])
    plan = plan_of(*BOT_NAMES, rounds=games // 2)
    entrants = tuple(replace(bot, seat=SeatSpec("plugin", bot.name)) for bot in plan.entrants)
    pace, watch = Pace(concurrency, workers), Stopwatch(games)

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
    return watch.told()


def lockstep(games: int) -> tuple[float, float]:
    listener = socket.create_server(("127.0.0.1", 0))
    listener.setblocking(False)
    port, watch = listener.getsockname()[1], Stopwatch(games)
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
    return watch.told()


CASES: dict[str, Callable[..., tuple[float, float]]] = {"pool": ladder, "lockstep": lockstep}

if __name__ == "__main__":
    print(*CASES[sys.argv[1]](*map(int, sys.argv[2:])))
