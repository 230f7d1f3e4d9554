"""Lets a real server bear thousands of clients, good and bad, for minutes: `python -m tests.soak`."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.soak.run import soak
from tests.soak.size import Size, allow_files


def lines(figures: dict[str, Any]) -> list[str]:
    """The figures as a table."""
    told = []
    for what, value in figures.items():
        if what in ("size", "growth", "breaches"):
            continue
        shown = value
        if isinstance(value, dict):
            shown = ", ".join(f"{name} {count:,}" for name, count in sorted(value.items())) or "none"
        told.append(f"{what:26}{shown}")
    told.append(f"{'':26}{'median':>12}{'most':>12}{'grown':>12}{'allowed':>12}")
    for what, found in figures["growth"].items():
        told.append(f"{what:26}" + "".join(f"{value:12,.1f}" for value in found.values()))
    return told


def main() -> int:
    """Run it; 1 if anything was not as it must be."""
    size = Size()
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=size.minutes)
    parser.add_argument("--bots", type=int, default=size.bots, help="connections of bots")
    parser.add_argument("--games", type=int, default=size.games, help="at once")
    parser.add_argument("--hostile", type=int, default=size.hostile, help="peers that attack")
    parser.add_argument("--rate", type=float, default=size.rate, help="placements a second, all together")
    parser.add_argument("--seed", type=int, default=1, help="of what clients and attackers do")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there as well")
    given = parser.parse_args()
    size = Size(given.minutes, given.bots, given.games, given.hostile, given.rate)
    sentence = allow_files(size)
    if sentence is not None:
        print(sentence, file=sys.stderr)
        return 2
    with TemporaryDirectory(prefix="tyrusd-soak-") as folder:
        report = soak(size, Path(folder), given.seed, say=True)
    figures = report.figures()
    if given.json is not None:
        given.json.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")
    print("\n".join(lines(figures)))
    for breach in report.breaches:
        print(f"BREACH  {breach}")
    print(f"{len(report.breaches)} breaches" if report.breaches else "nothing was wrong")
    return 1 if report.breaches else 0


if __name__ == "__main__":
    sys.exit(main())
