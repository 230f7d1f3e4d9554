"""Live lives of a lobby whose servers are killed anywhere: `python -m tests.core.live --lives 10000`."""

from __future__ import annotations

import argparse
import logging
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path

from tests.core.lives.life import Life


class LifeFailed(AssertionError):  # noqa: N818 -- it is what happened
    """A promise is broken, or a server did not start; the text tells how to see it again."""


def live(seed: int, directory: Path) -> Counter[str]:
    """Live the life of one seed; return what happened how often. Raises LifeFailed."""
    try:
        return Life(seed, directory / f"{seed}.tyrus").live()
    except Exception as failure:
        again = f"python -m tests.core.live --seed {seed}"
        told = f"life {seed}: {type(failure).__name__}: {failure}\nlive it again with: {again}"
        raise LifeFailed(told) from failure


def main() -> int:
    """Live what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.core.live", description=__doc__)
    parser.add_argument("--seed", type=int, help="live only this life")
    parser.add_argument("--lives", type=int, default=1000, help="so many (default: 1000)")
    parser.add_argument("--first-seed", type=int, default=1, help="the first seed (default: 1)")
    parser.add_argument("--go-on", action="store_true", help="tell failures in a line and go on")
    arguments = parser.parse_args()
    seeds = range(arguments.first_seed, arguments.first_seed + arguments.lives)
    began, total, failed = time.monotonic(), Counter[str](), 0
    logging.disable(logging.ERROR)  # recoveries tell a lot
    with tempfile.TemporaryDirectory() as directory:
        for seed in [arguments.seed] if arguments.seed is not None else seeds:
            try:
                total += live(seed, Path(directory))
            except LifeFailed as failure:
                failed += 1
                if not arguments.go_on:
                    traceback.print_exception(failure.__cause__)
                    print(failure, file=sys.stderr)
                    return 1
                print(str(failure).splitlines()[0][:400], file=sys.stderr)
            (Path(directory) / f"{seed}.tyrus").unlink(missing_ok=True)
    for what, count in sorted(total.items()):
        print(f"{count:>10} {what}")
    print(f"{failed} lives failed; {time.monotonic() - began:.1f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
