"""Measures the server beside a bare trio echo: `python -m tests.bench`; alternating rounds, medians.

`python -m tests.bench ladder` measures ladders instead, `python -m tests.bench ratings` what fitting the
ratings of a standing ladder costs its server, `python -m tests.bench start` what a long journal costs it at
its start (docs/performance.md).
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys

from tests.bench import ratings, starting
from tests.bench.cases import echo, lockstep
from tests.bench.ladders import lines, measured
from tests.bench.processes import Measured, running

_SERVE = ("-m", "tyrusd", "serve", "--host", "127.0.0.1", "--port", "0")


def _per_answer(server: Measured, case: str, seconds: float, connections: int) -> float:
    """Microseconds of the server's CPU for one answer."""
    before = server.cpu()
    answered = {"echo": echo, "lockstep": lockstep}[case](server.port, seconds, connections)
    return (server.cpu() - before) / answered * 1e6


def main() -> None:
    """Run the rounds and print a table, or one JSON object."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument(
        "what", nargs="?", choices=("placements", "ladder", "ratings", "start"), default="placements"
    )
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3.0, help="of each measurement")
    parser.add_argument("--connections", type=int, default=100)
    parser.add_argument("--games", type=int, default=600, help="of each measured ladder")
    parser.add_argument("--versions", type=int, default=200, help="that are rated")
    parser.add_argument("--rated", type=int, default=100_000, help="games from which they are rated")
    parser.add_argument("--journal", type=int, default=100_000, help="games of the journal of a start")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if options.what == "ladder":
        ladders = measured(options.rounds, options.games)
        print(json.dumps(ladders) if options.json else "\n".join(lines(ladders)))
        return
    if options.what == "ratings":
        fits = ratings.measured(options.rounds, options.versions, options.rated)
        print(json.dumps(fits) if options.json else "\n".join(ratings.lines(fits)))
        return
    if options.what == "start":
        start = starting.measured(options.journal)
        print(json.dumps(start) if options.json else "\n".join(starting.lines(start)))
        return
    rounds: list[tuple[float, float]] = []
    with running("-m", "tests.bench.echo_server") as bare, running(*_SERVE) as served:
        for number in range(options.rounds):
            pair = (
                _per_answer(bare, "echo", options.seconds, options.connections),
                _per_answer(served, "lockstep", options.seconds, options.connections),
            )
            rounds.append(pair)
            print(f"round {number + 1}: echo {pair[0]:.1f}, placement {pair[1]:.1f} us", file=sys.stderr)
    found = {
        "connections": options.connections,
        "rounds": options.rounds,
        "echo_us": round(statistics.median(one for one, _ in rounds), 1),
        "placement_us": round(statistics.median(other for _, other in rounds), 1),
        "ratio": round(statistics.median(other / one for one, other in rounds), 2),
    }
    if options.json:
        print(json.dumps(found))
    else:
        print("server CPU, medians of {rounds} rounds over {connections} connections:".format(**found))
        print("  bare trio echo, a line        {echo_us:8.1f} us".format(**found))
        print("  lock-step game, a placement   {placement_us:8.1f} us".format(**found))
        print("  placement / echo              {ratio:8.2f}".format(**found))


if __name__ == "__main__":
    main()
