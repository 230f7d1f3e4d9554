"""The real command dies just before, within or just after a write, sync or rename, and is resumed."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from tests.e2e.killed_ladder import KILLED, statistics
from tests.e2e.ladders import CAUTIOUS, GREEDY, RANDOM, ROOT, TYRUSD, bots
from tyrusd.host.ladder.past import read_run

FULL: Final = os.environ.get("TYRUSD_FULL_SIZE") == "1"
SOME: Final = 6  # points in a short run
LIMIT: Final = 120  # seconds
WORDS: Final = (
    "ladder", *bots(RANDOM, GREEDY, CAUTIOUS), "--rounds", "2", "--seed", "points", "--sandbox", "none",
    "--concurrency", "2", "--workers", "1",
)  # fmt: skip


def killed(directory: Path, point: int, moment: str) -> int:
    """Begin a run and let it die; its exit code, negative for a signal."""
    words = [*KILLED, str(point), moment, str(directory / "journal.tyrus"), *WORDS, "--out", str(directory)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=LIMIT, check=False)
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode


def to_its_end(directory: Path) -> None:
    """Take a run up that died; one that has not begun is begun."""
    whole = (directory / "ladder.json").exists()
    words = ["ladder", "--resume", str(directory)] if whole else [*WORDS, "--out", str(directory)]
    done = subprocess.run(
        [*TYRUSD, *words], cwd=ROOT, capture_output=True, text=True, timeout=LIMIT, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], dict[str, Any]]:
    """The calls and the statistics of the run that does not die."""
    directory = tmp_path_factory.mktemp("undisturbed") / "run"
    assert killed(directory, 0, "before") == 0
    return (directory / "journal.calls").read_text().split(), statistics(directory)


@pytest.mark.timeout(20_000 if FULL else 280)
def test_row_45_wherever_it_dies_the_table_is_the_same(
    tmp_path: Path, undisturbed: tuple[list[str], dict[str, Any]]
) -> None:
    calls, expected = undisturbed
    assert {"write", "fsync", "replace"} <= set(calls)
    points = [
        (point, moment) for point in range(1, len(calls) + 1) for moment in ("before", "within", "after")
    ]
    died = 0
    for point, moment in points if FULL else Random(7).sample(points, SOME):
        directory = tmp_path / f"{point}-{moment}"
        died += killed(directory, point, moment) == -signal.SIGKILL
        to_its_end(directory)
        games = [record["id"] for record in read_run(directory).records if record["kind"] == "game"]
        assert len(games) == len(set(games)) == 12, (point, moment)
        assert statistics(directory) == expected, (point, moment)
    assert died >= 0.5 * (len(points) if FULL else SOME)  # how many calls there are is a matter of chance
