"""A coordinator as a process of its own, to be killed: `ladder_coordinator.py FILE PAIRS SECONDS`.

It plays PAIRS pairs with two workers and bots that note in FILE and think SECONDS. It prints the numbers of
its workers, then a line `interrupted` for each Ctrl-C, and at the end how many results there were.
"""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import trio

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.host.ladders import Coordination, noting, plan, playing, task
from tyrusd.host.ladder.plan import Pace


def tell(*words: object) -> None:
    print(*words, flush=True)


async def main(file: Path, pairs: int, pause: float) -> None:
    found = Coordination([task(pair) for pair in range(1, pairs + 1)])
    seat = noting(file, pause)
    async with playing(found, plan((seat, seat)), Pace(4, 2)) as pool:
        await found.until(lambda: len(pool.pids) == 2)
        tell(*pool.pids)
    tell("results", len(found.results))


if __name__ == "__main__":
    signal.signal(signal.SIGINT, lambda *_: tell("interrupted"))
    trio.run(main, Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]))
