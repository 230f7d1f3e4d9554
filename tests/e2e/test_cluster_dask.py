"""Real Dask clusters: workers and schedulers are killed, and the table is that of one machine."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path

import pytest
import trio

from tests.e2e.cluster_runs import PLAN, alone, here, joined, on_machines, play
from tests.host.dask_clusters import cluster_of, require_dask
from tests.host.test_host_children import alive
from tyrusd import __version__
from tyrusd.host.ladder.coordinator import Coordinator
from tyrusd.host.ladder.directory import RunDirectory

pytestmark = pytest.mark.timeout(180)


def descendants(pid: int) -> set[int]:
    """All processes that a process has started, and theirs."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text("utf-8", "replace").rpartition(") ")[2].split()
            except OSError:
                continue
            parents[int(entry.name)] = int(fields[1])
    found: set[int] = set()
    fresh = {pid}
    while fresh:
        fresh = {child for child, parent in parents.items() if parent in fresh} - found
        found |= fresh
    return found


def plays(pid: int) -> bool:
    """Whether a process is one that plays."""
    try:
        return b"tyrusd.host.ladder.worker" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


async def gone(pids: set[int]) -> bool:
    """Whether processes are gone, or will be in a few seconds."""
    for _ in range(100):
        if not any(map(alive, pids)):
            return True
        await trio.sleep(0.1)
    return False


async def test_a_worker_that_is_killed_changes_nothing_of_the_table(tmp_path: Path) -> None:
    expected = await alone(tmp_path / "alone")
    with cluster_of(tmp_path / "cluster", 2) as cluster:
        victims: set[int] = set()

        def at_game(number: int, coordinator: Coordinator) -> None:
            # As soon as it plays, but not with the first game, so that the other one plays as well.
            victim = cluster.workers[0]
            playing = descendants(victim.pid) if number >= 4 and not victims else set()
            if len(playing) > 4:
                victims.update(playing)
                os.kill(victim.pid, signal.SIGKILL)

        directory = RunDirectory.begin(tmp_path / "run", PLAN)
        outcome = await play(directory, on_machines(cluster.address), at_game)
        assert len(victims) > 4  # the process that plays, keepers and bots
        assert await gone(victims)
    assert outcome.end.complete
    assert outcome.standing == expected.standing
    assert outcome.games == expected.games
    assert sum("is gone" in sentence for sentence in outcome.told) == 1


async def test_a_process_that_plays_is_started_again_when_it_is_killed(tmp_path: Path) -> None:
    expected = await alone(tmp_path / "alone")
    with cluster_of(tmp_path / "cluster", 1) as cluster:
        killed: list[int] = []

        def at_game(number: int, coordinator: Coordinator) -> None:
            if number in (4, 12, 20):
                (worker,) = cluster.workers
                for pid in filter(plays, descendants(worker.pid)):
                    with suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
                        killed.append(pid)

        outcome = await play(
            RunDirectory.begin(tmp_path / "run", PLAN), on_machines(cluster.address), at_game
        )
    assert outcome.end.complete
    assert outcome.standing == expected.standing
    assert outcome.games == expected.games
    # It was replaced by another one each time; between two pairs without a word.
    assert len(set(killed)) >= 2


async def test_workers_that_are_not_the_same_are_refused(tmp_path: Path) -> None:
    with cluster_of(tmp_path / "cluster", 0) as cluster:
        cluster.add_worker(preload="import tyrusd\ntyrusd.__version__ = '0.0.7'\n")
        cluster.add_worker(preload="import sys\nsys.modules['tyrusd'] = None\n")
        directory = RunDirectory.begin(tmp_path / "refused", PLAN)
        await joined(cluster.address, 2)
        outcome = await play(directory, on_machines(cluster.address, patience=8.0))
        assert not outcome.end.complete
        assert outcome.games == []
        assert outcome.end.failure is not None
        assert "nobody in the cluster" in outcome.end.failure
        versions = f"tyrusd is {__version__} here and 0.0.7 there"
        assert sum(versions in sentence for sentence in outcome.told) == 1
        assert sum("is this tyrusd there?" in one for one in outcome.told) == 1

        # Control: with one that is the same beside them, that one plays everything.
        cluster.add_worker()
        outcome = await play(RunDirectory.resume(tmp_path / "refused"), on_machines(cluster.address))
        assert outcome.end.complete
        assert sum("may not play" in sentence for sentence in outcome.told) == 2


async def test_a_run_that_loses_its_scheduler_or_is_interrupted_is_taken_up_here(tmp_path: Path) -> None:
    require_dask()
    expected = await alone(tmp_path / "alone")
    with cluster_of(tmp_path / "cluster", 2) as cluster:

        def interrupted(number: int, coordinator: Coordinator) -> None:
            if number == 5:
                coordinator.interrupt("SIGINT")

        directory = RunDirectory.begin(tmp_path / "run", PLAN)
        outcome = await play(directory, on_machines(cluster.address), interrupted)
        assert outcome.end.interrupted
        begun = len(outcome.games)
        assert 5 <= begun < 20

        def left(number: int, coordinator: Coordinator) -> None:
            if number == 5:
                cluster.kill_scheduler()

        outcome = await play(
            RunDirectory.resume(tmp_path / "run"), on_machines(cluster.address, patience=4.0), left
        )
        assert outcome.end.failure is not None
        assert "the Dask scheduler" in outcome.end.failure
        assert begun + 5 <= len(outcome.games) < 36
    outcome = await play(RunDirectory.resume(tmp_path / "run"), here)
    assert outcome.end.complete
    assert outcome.standing == expected.standing
    assert outcome.games == expected.games


async def test_a_run_that_is_aborted_leaves_no_process_behind(tmp_path: Path) -> None:
    with cluster_of(tmp_path / "cluster", 1) as cluster:
        (worker,) = cluster.workers
        players: set[int] = set()

        def at_game(number: int, coordinator: Coordinator) -> None:
            if number == 3:
                players.update(descendants(worker.pid))
                coordinator.interrupt("SIGINT")
                coordinator.interrupt("SIGINT")

        directory = RunDirectory.begin(tmp_path / "run", PLAN)
        outcome = await play(directory, on_machines(cluster.address), at_game)
        assert outcome.end.interrupted
        assert len(players) > 4
        assert await gone(players)
        assert worker.poll() is None
