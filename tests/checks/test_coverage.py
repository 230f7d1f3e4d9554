"""The tests of the pure rooms reach over 95 % of each room, its branches included."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("rules", "wire", "league", "core")
SUITES = ("rules", "records", "wire", "league", "core", "conformance")
LEAST = 95.0
# The simulator would find its way into every branch by chance; what counts is what is aimed at.
LEFT_OUT = (
    "tests/core/test_simulation.py",
    "tests/core/test_crew_simulation.py",
    "tests/rules/test_mutants.py",
    "tests/league/test_statistics_error_rates.py",
    "tests/league/test_statistics_coverage.py",
    # Long lives and great numbers: what they reach is reached by others, and watching them takes minutes.
    "tests/core/test_crew_idle.py",
    "tests/core/test_crew_leaks.py",
    "tests/core/test_crew_memory.py",
    "tests/core/test_honest_hosts.py",
    "tests/core/test_honest_users.py",
    "tests/core/test_memory_of_games.py",
    "tests/core/test_restarts_anywhere.py",
    "tests/core/test_standing_restarts.py",
    "tests/core/test_standing_seasons.py",
    "tests/league/test_standing_long_runs.py",
)


def share(files: dict[str, dict[str, dict[str, int]]], room: str) -> float:
    """Percent of a room's lines and branches that were reached."""
    found = [what["summary"] for name, what in files.items() if Path(name).parts[:2] == ("tyrusd", room)]
    reached = sum(summary["covered_lines"] + summary["covered_branches"] for summary in found)
    return 100 * reached / sum(summary["num_statements"] + summary["num_branches"] for summary in found)


@pytest.mark.timeout(900)
def test_over_95_percent_of_the_pure_rooms_is_reached(tmp_path: Path) -> None:
    report = tmp_path / "coverage.json"
    done = subprocess.run(
        [
            sys.executable, "-m", "pytest", "-n0", "-q", "-p", "no:cacheprovider",
            *(f"tests/{suite}" for suite in SUITES),
            *(f"--ignore={file}" for file in LEFT_OUT),
            *(f"--cov=tyrusd/{room}" for room in ROOMS),
            "--cov-branch", "--cov-report=", f"--cov-report=json:{report}",
        ],
        cwd=ROOT,
        env={key: value for key, value in os.environ.items() if not key.startswith(("PYTEST_", "COV_"))}
        | {"COVERAGE_FILE": str(tmp_path / "data")},
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    files = json.loads(report.read_text("utf-8"))["files"]
    shares = {room: round(share(files, room), 1) for room in ROOMS}
    assert min(shares.values()) > LEAST, f"percent reached: {shares}"
