"""Measures ladders: two cores beside one, and a ladder beside lock-step games over TCP in one process."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from typing import Any, Final, NamedTuple

CONCURRENCY: Final = 32  # games at a time of each worker
LOCKSTEP_GAMES: Final = 100
CASES: Final = {
    "one_core": "one worker, one core",
    "two_cores": "two workers, two cores",
    "lockstep": "lock-step over TCP",
}
_LIMIT: Final = 600.0  # seconds for one measurement


class Taken(NamedTuple):
    """What one measurement took: games a second, and milliseconds of processor time a game."""

    rate: float
    cpu: float


def _case(*words: object) -> Taken:
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.ladder_case", *map(str, words)],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        timeout=_LIMIT,
    )
    return Taken(*map(float, done.stdout.split()))


def measured(rounds: int, games: int) -> dict[str, Any]:
    """Alternate the cases so many times; medians, and medians of each round's ratios."""
    found: list[tuple[Taken, Taken, Taken]] = []
    for number in range(rounds):
        one = _case("pool", 1, CONCURRENCY, games, 1)
        two = _case("pool", 2, 2 * CONCURRENCY, games, 2)
        alone = _case("lockstep", LOCKSTEP_GAMES)
        found.append((one, two, alone))
        told = ", ".join(
            f"{taken.rate:.0f} games/s with {taken.cpu:.1f} ms each" for taken in (one, two, alone)
        )
        print(f"round {number + 1}: {told}; load {os.getloadavg()[0]:.1f}", file=sys.stderr)
    median = statistics.median
    return {
        "rounds": rounds,
        "games": games,
        "load": round(os.getloadavg()[1], 1),
        **{
            name: {
                "games_a_second": round(median(row[column].rate for row in found), 1),
                "cpu_ms_a_game": round(median(row[column].cpu for row in found), 2),
            }
            for column, name in enumerate(CASES)
        },
        "two_to_one": round(median(two.rate / one.rate for one, two, _ in found), 2),
        "ladder_to_lockstep": round(median(two.rate / alone.rate for _, two, alone in found), 2),
        "lockstep_cpu_to_ladder_cpu": round(median(alone.cpu / two.cpu for _, two, alone in found), 2),
    }


def lines(found: dict[str, Any]) -> list[str]:
    """The figures as a table."""
    told = ["two bundled bots, medians of {rounds} rounds, load {load}:".format(**found)]
    for name, words in CASES.items():
        taken = found[name]
        told.append(
            f"  {words:30}{taken['games_a_second']:8.1f} games/s {taken['cpu_ms_a_game']:8.2f} ms CPU a game"
        )
    return [
        *told,
        "  two cores / one core          {two_to_one:8.2f}".format(**found),
        "  two cores / lock-step         {ladder_to_lockstep:8.2f}".format(**found),
        "  CPU a game, lock-step / ladder{lockstep_cpu_to_ladder_cpu:8.2f}".format(**found),
    ]
