"""What drives a playing process in a worker of a cluster: pairs in, reports out, whatever it does."""

from __future__ import annotations

import asyncio
import secrets
import sys
import threading
import time
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from tests.host.cluster_stage import FakeClient, Stage, report_of
from tests.host.ladder_plans import plan_of
from tests.host.test_host_children import alive
from tyrusd.host.ladder import cluster_child, cluster_task
from tyrusd.host.ladder.cluster_child import PlayingProcess
from tyrusd.host.ladder.cluster_report import Order, Report, read_report, write
from tyrusd.host.ladder.link import Setup
from tyrusd.host.ladder.manifest import write_manifest
from tyrusd.host.ladder.outfit import outfits
from tyrusd.host.ladder.plan import Pace
from tyrusd.host.ladder.terms import task_words
from tyrusd.league.tournament.task import PairTask
from tyrusd.league.tournament.tournament import Tournament

PLAN = plan_of("anna", "bert", rounds=4)
ENTRANTS = {entrant.name: entrant for entrant in PLAN.entrants}
MANIFEST = Stage(PLAN, FakeClient()).manifest


def setup() -> Setup:
    (outfit,) = outfits(PLAN, Pace(1, 1), (), {}, (), Path.cwd())
    return replace(outfit, concurrency=1)


def tasks() -> list[PairTask]:
    tournament = Tournament(PLAN.tournament)
    return [task for _ in range(4) if (task := tournament.next()) is not None]


def toy(code: str) -> PlayingProcess:
    """A process that plays nothing."""
    return PlayingProcess(setup(), (sys.executable, "-I", "-S", "-c", code))


def order(task: PairTask, run: str, **changes: str) -> bytes:
    manifest = write_manifest(replace(MANIFEST, **changes))
    return write(Order(run, manifest, setup(), task_words(task)))


def report(data: bytes) -> Report:
    return msgspec.msgpack.decode(data, type=Report)


def ended(pid: int) -> bool:
    """Whether a process ends, which another thread sees to."""
    until = time.monotonic() + 20
    while alive(pid) and time.monotonic() < until:
        time.sleep(0.02)
    return not alive(pid)


def test_a_process_plays_pair_after_pair() -> None:
    process = PlayingProcess(setup())
    try:
        for task in tasks():
            found = process.play(task_words(task))
            checked = read_report(write(found), task, ENTRANTS, "standard")
            assert checked.fate == "over"
            assert [game.record["id"] for game in checked.games] == [
                task.place(1).game_id,
                task.place(2).game_id,
            ]
        assert process.usable
    finally:
        process.close()
    assert not alive(process.pid)


def test_a_process_that_is_withdrawn_finishes_and_ends() -> None:
    process = PlayingProcess(setup())
    process.withdraw()
    found = process.play(task_words(tasks()[0]))
    assert found.fate == "returned"
    assert not process.usable
    process.close()


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("raise SystemExit(3)", "ended with status 3"),
        ("import os; os.kill(os.getpid(), 9)", "ended with status -9"),
        ("print('hello, this is no frame'); input()", "said what is not known"),
        (
            "import sys; sys.stdout.buffer.write(b'\\0\\0\\0\\1\\xc0'); sys.stdout.flush(); input()",
            "said what is not",
        ),
    ],
)
def test_a_process_that_ends_or_says_what_is_not_known_has_died(code: str, words: str) -> None:
    process = toy(code)
    found = process.play(task_words(tasks()[0]))
    process.close()
    assert found.fate == "died"
    assert words in found.why
    assert not process.usable


def test_a_process_that_is_silent_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_child, "SILENCE", 0.05)
    monkeypatch.setattr(cluster_child, "PATIENCE", 0.1)
    process = toy("import time; time.sleep(600)")
    found = process.play(task_words(tasks()[0]))
    process.close()
    assert (found.fate, found.why) == ("died", "the playing process ended with status -9")


def test_control_the_report_of_an_honest_machine_is_of_the_same_form() -> None:
    task = tasks()[0]
    checked = read_report(write(report_of(task)), task, ENTRANTS, "standard")
    assert len(checked.games) == 2


def test_tasks_of_a_run_share_a_process_until_the_run_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[PlayingProcess] = []

    class Counted(PlayingProcess):
        def __init__(self, setup: Setup) -> None:
            super().__init__(setup)
            made.append(self)

    monkeypatch.setattr(cluster_task, "PlayingProcess", Counted)
    run = secrets.token_hex(8)
    first, second, third, _ = tasks()
    assert report(cluster_task.play(order(first, run))).fate == "over"
    cluster_task.obey(run.encode(), cluster_task.HOLD)
    cluster_task.obey(run.encode(), cluster_task.GO)
    assert report(cluster_task.play(order(second, run))).fate == "over"
    (process,) = made
    cluster_task.obey(run.encode(), cluster_task.CLOSE)
    assert ended(process.pid)
    # Whatever comes late is not played.
    assert report(cluster_task.play(order(third, run))).fate == "returned"
    assert len(made) == 1


def test_processes_that_wait_too_long_are_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_task, "IDLE", 0.01)
    run = secrets.token_hex(8)
    assert report(cluster_task.play(order(tasks()[0], run))).fate == "over"
    for thread in threading.enumerate():
        if isinstance(thread, threading.Timer):
            thread.join(20)
    assert cluster_task._run(run)._idle == []
    assert report(cluster_task.play(order(tasks()[1], run))).fate == "over"
    cluster_task.obey(run.encode(), cluster_task.CLOSE)


def test_a_machine_that_differs_plays_nothing_even_if_it_is_handed_a_pair() -> None:
    found = report(cluster_task.play(order(tasks()[0], secrets.token_hex(8), tyrusd="0.0.7")))
    assert (found.fate, found.why) == ("differs", "tyrusd is 0.0.7 here and 0.1.0 there")


def test_an_order_that_cannot_be_read_is_not_played() -> None:
    assert report(cluster_task.play(b"\xc1")).fate == "died"


def test_a_machine_tells_what_it_has_and_what_it_lacks() -> None:
    assert asyncio.run(cluster_task.look(write_manifest(MANIFEST))) == write_manifest(MANIFEST)
    lacking = replace(MANIFEST, bots=[replace(MANIFEST.bots[0], seat="plugin:nosuch")])
    assert asyncio.run(cluster_task.look(write_manifest(lacking))).startswith(b"cannot: ")
    assert asyncio.run(cluster_task.look(b"{}")).startswith(b"cannot: ")
