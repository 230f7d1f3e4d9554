"""Measures how late an event loop is while the ratings of a standing ladder are fitted beside it."""

from __future__ import annotations

import math
import os
import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

import trio

from tests.host.rated_store import put
from tyrusd.core.settings import DEFAULTS
from tyrusd.host.refit import fit, fit_beside
from tyrusd.host.store import STORE, Store
from tyrusd.host.store_ratings import RatingStore
from tyrusd.league.rated import RatedGame, Version
from tyrusd.league.statistics.scale import score_of

ANCHORS: Final = {"random": 0, "greedy": 300}
STEP: Final = 0.002  # seconds between two looks
IDLE: Final = 2.0  # seconds of the case in which nothing is fitted


def measured(rounds: int, versions: int, games: int) -> dict[str, Any]:
    """Alternate the cases so many times; the medians and the worst of what each took and delayed."""
    with tempfile.TemporaryDirectory() as directory:
        data = Path(directory)
        with Store(data) as store:
            put(store, _games(versions, games))
            counting = _seconds(RatingStore(store).known)
        wanted = (data / STORE, ANCHORS, DEFAULTS.ladder_provisional)
        cases: dict[str, Callable[[], Awaitable[object]]] = {
            "nothing": partial(trio.sleep, IDLE),
            "thread": lambda: trio.to_thread.run_sync(fit, *wanted),
            "process": lambda: fit_beside(*wanted),
        }
        found: dict[str, list[tuple[float, float, float]]] = {name: [] for name in cases}
        for number in range(rounds):
            for name, case in cases.items():
                found[name].append(trio.run(_delayed, case))
            told = ", ".join(f"{name} {rows[-1][1]:.1f} ms" for name, rows in found.items())
            print(f"round {number + 1}: late at most: {told}; load {os.getloadavg()[0]:.1f}", file=sys.stderr)
    return {
        "rounds": rounds,
        "versions": versions,
        "games": games,
        "counting_ms": round(1000 * counting, 1),
        "process_mib": round(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024),
        **{
            name: {
                "seconds": round(statistics.median(row[0] for row in rows), 2),
                "late_ms": round(statistics.median(row[1] for row in rows), 1),
                "latest_ms": round(max(row[1] for row in rows), 1),
                "late_1_percent_ms": round(statistics.median(row[2] for row in rows), 1),
            }
            for name, rows in found.items()
        },
    }


def lines(found: dict[str, Any]) -> list[str]:
    """The same as a table."""
    head = "{versions} versions, {games} games; late at most in a run (median, most), in 1 of 100:"
    return [
        head.format(**found),
        *(
            f"  {name:8}  {row['seconds']:5.2f} s  {row['late_ms']:6.1f} ms  {row['latest_ms']:6.1f} ms"
            f"  {row['late_1_percent_ms']:6.1f} ms"
            for name, row in ((name, found[name]) for name in ("nothing", "thread", "process"))
        ),
        "the process needs {process_mib} MiB; counting the games takes {counting_ms} ms".format(**found),
    ]


async def _delayed(case: Callable[[], Awaitable[object]]) -> tuple[float, float, float]:
    """Seconds that a case takes, and milliseconds that the loop is late: at most, and in 1 of 100 looks."""
    late: list[float] = []

    async def look() -> None:
        while True:
            due = trio.current_time() + STEP
            await trio.sleep_until(due)
            late.append(1000 * (trio.current_time() - due))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(look)
        began = trio.current_time()
        await case()
        took = trio.current_time() - began
        nursery.cancel_scope.cancel()
    late.sort()
    return took, late[-1], late[math.ceil(0.99 * len(late)) - 1]


def _seconds(action: Callable[[], object]) -> float:
    began = time.perf_counter()
    action()
    return time.perf_counter() - began


def _games(versions: int, games: int) -> list[RatedGame]:
    """Games of versions, two for each account, whose strengths are spread around the anchors."""
    chances = random.Random(1)
    known = [Version(f"bot{number // 2}", f"bot/{number}") for number in range(versions - len(ANCHORS))]
    known += [Version(name) for name in ANCHORS]
    elo = {version: chances.gauss(150, 200) for version in known}
    found: list[RatedGame] = []
    while len(found) < games:
        ivory, brown = chances.sample(known, 2)
        if ivory.name == brown.name:
            continue
        won = chances.random() < score_of(elo[ivory] - elo[brown])
        number = len(found) + 1
        found.append(
            RatedGame(f"g{number}", ivory, brown, "ivory" if won else "brown", "majority", "ivory", "ladder")
        )
    return found
