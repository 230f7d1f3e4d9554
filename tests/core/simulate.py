"""Play simulated faulty games and check every invariant: `python -m tests.core.simulate --games 10000`."""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable

from tests.core.simulation.making import make
from tyrusd.core.server import Server


class SimulationFailed(AssertionError):  # noqa: N818 - it is what happened
    """An invariant is broken, or the server has raised; the text tells how to see it again."""


def simulate(seed: int, games: int | None = None, server: Callable[..., Server] = Server) -> Counter[str]:
    """Run the simulation of one seed; return what was counted in it.

    Raises SimulationFailed with the command that repeats the failure.
    """
    sim = make(seed, games, server)
    try:
        sim.run()
    except Exception as failure:
        again = f"python -m tests.core.simulate --seed {seed}"
        raise SimulationFailed(
            f"seed {seed} at {sim.now:.6f}: {type(failure).__name__}: {failure}\nrepeat it with: {again}"
        ) from failure
    return sim.tally


def run_many(first_seed: int, games: int) -> Counter[str]:
    """Run one seed after the other until so many games have ended."""
    total: Counter[str] = Counter()
    seed = first_seed
    while total["games"] < games:
        total += simulate(seed)
        total["simulations"] += 1
        seed += 1
    return total


def main() -> int:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.core.simulate", description=__doc__)
    parser.add_argument("--seed", type=int, help="run only this seed")
    parser.add_argument("--games", type=int, default=1000, help="stop after so many games (default: 1000)")
    parser.add_argument("--first-seed", type=int, default=1, help="the first seed (default: 1)")
    arguments = parser.parse_args()
    began = time.monotonic()
    try:
        if arguments.seed is not None:
            total = simulate(arguments.seed)
        else:
            total = run_many(arguments.first_seed, arguments.games)
    except SimulationFailed as failure:
        traceback.print_exception(failure.__cause__)
        print(failure, file=sys.stderr)
        return 1
    for what, count in sorted(total.items()):
        print(f"{count:>10} {what}")
    print(f"all invariants held; {time.monotonic() - began:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
