"""Measures ladders: two cores beside one, and a ladder beside lock-step games over TCP in one process."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from typing import Any, Final

CONCURRENCY: Final = 32  # games at a time of each worker
LOCKSTEP_GAMES: Final = 100
_LIMIT: Final = 600.0  # seconds for one measurement


def _rate(*words: object) -> float:
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.ladder_case", *map(str, words)],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        timeout=_LIMIT,
    )
    return float(done.stdout)


def measured(rounds: int, games: int) -> dict[str, Any]:
    """Alternate the cases so many times; games a second, medians, and medians of each round's ratios."""
    found: list[tuple[float, float, float]] = []
    for number in range(rounds):
        one = _rate("pool", 1, CONCURRENCY, games, 1)
        two = _rate("pool", 2, 2 * CONCURRENCY, games, 2)
        alone = _rate("lockstep", LOCKSTEP_GAMES)
        found.append((one, two, alone))
        told = f"one core {one:.0f}, two cores {two:.0f}, lock-step {alone:.0f} games/s"
        print(f"round {number + 1}: {told}, load {os.getloadavg()[0]:.1f}", file=sys.stderr)
    return {
        "rounds": rounds,
        "games": games,
        "load": round(os.getloadavg()[1], 1),
        "one_core": round(statistics.median(one for one, _, _ in found), 1),
        "two_cores": round(statistics.median(two for _, two, _ in found), 1),
        "lockstep": round(statistics.median(alone for _, _, alone in found), 1),
        "two_to_one": round(statistics.median(two / one for one, two, _ in found), 2),
        "ladder_to_lockstep": round(statistics.median(two / alone for _, two, alone in found), 2),
    }


def lines(found: dict[str, Any]) -> list[str]:
    """The figures as a table."""
    return [
        "two bundled bots, games a second, medians of {rounds} rounds (load {load}):".format(**found),
        "  one worker, one core          {one_core:8.1f}".format(**found),
        "  two workers, two cores        {two_cores:8.1f}".format(**found),
        "  lock-step over TCP            {lockstep:8.1f}".format(**found),
        "  two cores / one               {two_to_one:8.2f}".format(**found),
        "  two cores / lock-step         {ladder_to_lockstep:8.2f}".format(**found),
    ]
