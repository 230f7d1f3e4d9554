"""The real `tyrusd ladder`, killed at the n-th call that changes a disk or a pipe; and what its run comes to.

`python -m tests.e2e.killed_ladder POINT MOMENT JOURNAL ladder …` is that program; point 0 lets it live, and
the names of the calls go to JOURNAL.calls.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.e2e.ladders import ROOT, TYRUSD
from tests.host.ladder_killed import Death, Moment

KILLED = [sys.executable, "-m", "tests.e2e.killed_ladder"]


def statistics(directory: Path) -> dict[str, Any]:
    """All that `tyrusd stats` tells of a run, but how long it took and on what machines."""
    words = [*TYRUSD, "stats", str(directory), "--json"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    del found["runs"]
    for entrant in found["entrants"]:
        del entrant["time"]
    # The points of the curve are taken in the order in which pairs were complete.
    del found["progress"]
    return found


def main() -> None:
    """Be the ladder, and die."""
    point, moment, journal, *words = sys.argv[1:]
    moments: dict[str, Moment] = {"before": "before", "within": "within", "after": "after"}
    death = Death(Path(journal), int(point), moments[moment], power=False)
    sys.argv = [str(ROOT / "tyrusd" / "__main__.py"), *words]
    from tyrusd.__main__ import main as tyrusd

    try:
        tyrusd()
    finally:
        Path(journal).with_suffix(".calls").write_text(" ".join(death.names))


if __name__ == "__main__":
    main()
