"""No worker, keeper or bot outlives its coordinator; and a terminal's Ctrl-C reaches the coordinator only."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.host.daemons import wait_until
from tests.host.ladders import noted
from tests.host.test_host_children import alive

SCRIPT = Path(__file__).with_name("ladder_coordinator.py")
WITHIN = 5.0  # seconds in which everything is gone


@contextmanager
def coordinator(file: Path, pairs: int, pause: float) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, str(SCRIPT), str(file), str(pairs), str(pause)],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,  # as a terminal's job: a process group that a Ctrl-C reaches
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def descendants(process: int) -> set[int]:
    """All that a process has started, and what that has started."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text()
            except OSError:
                continue
            parents[int(entry.name)] = int(stat.rpartition(")")[2].split()[1])
    found: set[int] = set()
    step = {process}
    while step := {child for child, parent in parents.items() if parent in step}:
        found |= step
    return found


def workers_of(process: subprocess.Popen[str]) -> list[int]:
    assert process.stdout is not None
    return [int(word) for word in process.stdout.readline().split()]


@pytest.mark.parametrize("stopped", [False, True], ids=["running", "stopped"])
def test_f008_after_kill_9_nothing_of_a_ladder_is_left(tmp_path: Path, stopped: bool) -> None:
    """Disservin/fastchess#94: of a manager that was killed the engines stayed."""
    file = tmp_path / "notes"
    with coordinator(file, 2, 0.5) as process:
        workers = workers_of(process)
        wait_until(lambda: len(noted(file, "game")) >= 8, 30)
        tree = descendants(process.pid)
        bots = {note["pid"] for note in noted(file, "start")}
        assert set(workers) | bots <= tree
        assert len(tree) >= len(workers) + 2 * len(bots)  # each bot has its keeper
        if stopped:
            os.kill(workers[0], signal.SIGSTOP)
        process.kill()
        until = time.monotonic() + WITHIN
        wait_until(lambda: not any(map(alive, tree)), WITHIN)
        assert time.monotonic() < until
    wait_until(lambda: not any(Path(note["tmpdir"]).exists() for note in noted(file, "start")))


def test_f015_ctrl_c_reaches_the_coordinator_only(tmp_path: Path) -> None:
    """notnil/chess#114, lichess-org/fishnet#54: a Ctrl-C went to the engines first, and lost their games."""
    file = tmp_path / "notes"
    with coordinator(file, 2, 0.02) as process:
        workers_of(process)
        wait_until(lambda: len(noted(file, "game")) >= 8, 30)
        os.killpg(process.pid, signal.SIGINT)
        out, _ = process.communicate(timeout=60)
    assert out.splitlines() == ["interrupted", "results 4"]
    assert noted(file, "interrupted") == []
    assert process.returncode == 0
