"""The workers of one machine, real ones: every pair once, whatever happens to a worker."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import pytest
import trio

from tests.host.ladders import Coordination, noted, noting, plan, playing, task
from tests.host.test_host_children import alive, exists, gone
from tyrusd.host.ladder import pool as pools
from tyrusd.host.ladder import process, setbacks, vigil
from tyrusd.host.ladder.crewing import CrewLost, Ended, GivenBack, Lost, PairDoneIn, ResultIn, Said
from tyrusd.host.ladder.machine import machine
from tyrusd.host.ladder.plan import Pace


def games(*pairs: int) -> set[str]:
    return {f"p{pair}-{game}" for pair in pairs for game in (1, 2)}


def players_of(file: Path, end: str) -> set[int]:
    """The processes that have played games whose ids end so."""
    return {note["pid"] for note in noted(file, "game") if note["game"].endswith(end)}


async def test_two_workers_play_every_pair_once() -> None:
    found = Coordination([task(pair) for pair in range(1, 21)])
    async with playing(found, plan(), Pace(4, 2)) as pool:
        await found.until(lambda: len(pool.pids) == 2)
        pids = pool.pids
    assert found.results.keys() == games(*range(1, 21))
    assert sorted(found.done) == [(pair, 1) for pair in range(1, 21)]
    assert {result.worker for result in found.results.values()} == {1, 2}
    assert isinstance(found.events[-1], Ended)
    assert not any(map(alive, pids))
    assert found.all(Lost) == []
    for result in found.results.values():
        assert (result.record["ladder"]["host"], result.record["ladder"]["cpu"]) == machine()


async def test_a_result_is_told_to_the_bots_only_when_it_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "notes"
    seats = (noting(file), noting(file))
    found = Coordination([task(1), task(2)], keeping=False)
    async with playing(found, plan(seats), Pace(2, 1)):
        await found.until(lambda: len(found.results) == 2)
        # Neither is it told, nor does another game begin in its place: what is not kept is bounded.
        await trio.sleep(0.5)
        assert found.results.keys() == games(1)
        assert noted(file, "over") == []
        assert {note["game"] for note in noted(file, "game")} == games(1)
        assert found.all(PairDoneIn) == []
        told_at = time.monotonic()
        found.keeping = True
        found.keep_all()
    overs = noted(file, "over")
    assert sorted(note["game"] for note in overs) == sorted(2 * list(games(1, 2)))
    assert min(note["at"] for note in overs) >= told_at  # both clocks are the system's


async def test_a_killed_worker_is_replaced_and_its_pairs_are_played_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(setbacks, "PAUSE", 0.01)
    file = tmp_path / "notes"
    found = Coordination([task(pair) for pair in range(1, 13)])
    async with playing(found, plan((noting(file, 0.005), "plugin:random")), Pace(4, 2)) as pool:
        await found.until(lambda: len(found.done) >= 2)
        bots = {note["pid"] for note in noted(file, "start")}
        os.kill(pool.pids[0], signal.SIGKILL)
        await found.until(lambda: found.all(Lost))
    [lost] = found.all(Lost)
    assert lost.tasks
    assert lost.why in [f"worker {number} has ended: killed by signal 9 (SIGKILL)" for number in (1, 2)]
    assert found.results.keys() == games(*range(1, 13))
    assert {result.worker for result in found.results.values()} == {1, 2, 3}
    await gone(*bots)


async def test_a_worker_that_stands_still_is_noticed_and_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vigil, "BEAT", 0.25)
    monkeypatch.setattr(vigil, "SILENCE", 3.0)
    file = tmp_path / "notes"
    found = Coordination([task(1), task(2)])
    async with playing(found, plan((noting(file, 0.01), "plugin:random")), Pace(2, 1)) as pool:
        await found.until(lambda: noted(file, "game"))
        [stuck] = pool.pids
        bots = {note["pid"] for note in noted(file, "start")}
        os.kill(stuck, signal.SIGSTOP)
        await found.until(lambda: found.all(Lost))
        assert not alive(stuck)
        await gone(*bots)
    assert [lost.why for lost in found.all(Lost)] == ["worker 1 has ended: it was silent for 3 s"]
    assert found.results.keys() == games(1, 2)


async def test_a_terminated_worker_reports_nothing_of_its_running_games(tmp_path: Path) -> None:
    file = tmp_path / "notes"
    found = Coordination([task(1)])
    async with playing(found, plan((noting(file, 0.01), "plugin:random")), Pace(2, 1)) as pool:
        await found.until(lambda: len(noted(file, "game")) == 2)
        os.kill(pool.pids[0], signal.SIGTERM)
        await found.until(lambda: found.all(Lost))
        assert found.results == {}
        assert found.done == []
    assert [lost.tasks for lost in found.all(Lost)] == [(task(1),)]
    assert {result.record["game"]["reason"] for result in found.results.values()}.isdisjoint({"aborted"})
    assert found.results.keys() == games(1)


@pytest.mark.parametrize(
    ("program", "why"),
    [
        (
            "import sys; sys.stderr.write('no \\x1b[2J luck\\n'); sys.exit(3)",
            "exit status 3; its last words: no ",
        ),
        ("print('hello there, this is no frame', flush=True); input()", "what cannot be understood"),
        (r"import os; os.write(1, b'\0\0\0\4\x81\xa3say'); input()", "what cannot be understood"),
        ("import os; os.close(1); import time; time.sleep(600)", "it closed its output"),
    ],
    ids=["exit", "text", "frame", "deaf"],
)
async def test_a_worker_that_ends_again_and_again_ends_the_run_with_a_sentence(
    program: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "COMMAND", (sys.executable, "-c", program))
    monkeypatch.setattr(process, "EXIT_FOLLOWS", 0.2)
    monkeypatch.setattr(setbacks, "PAUSE", 0.01)
    found = Coordination([task(1)])
    with pytest.raises((CrewLost, ExceptionGroup)) as raised:
        async with playing(found, plan(), Pace(2, 1)):
            pass
    error: BaseException = raised.value
    while isinstance(error, BaseExceptionGroup):
        [error] = error.exceptions
    assert isinstance(error, CrewLost)
    assert "3 workers in a row have ended without finishing a game" in str(error)
    assert why in str(error)
    assert str(error).isprintable()
    assert len(found.all(Lost)) == 3


async def test_what_has_not_begun_is_given_back_and_running_games_finish(tmp_path: Path) -> None:
    file = tmp_path / "notes"
    found = Coordination([task(pair) for pair in range(1, 5)], finishing=False)
    async with playing(found, plan((noting(file, 0.005), "plugin:random")), Pace(1, 1)) as pool:
        await found.until(lambda: noted(file, "game"))
        assert found.tasks  # more than the reserve
        found.handing = False
        pool.withdraw()
        assert pool.room == 0
        await found.until(lambda: found.done)
        assert found.results.keys() == {"p1-1"}
        pool.finish()
    [back] = found.all(GivenBack)
    assert [(task.pair, task.games) for task in back.tasks] == [(1, (2,)), (2, (1, 2))]
    assert found.results.keys() == {"p1-1"}


async def test_an_abort_ends_everything_and_reports_nothing(tmp_path: Path) -> None:
    file = tmp_path / "notes"
    found = Coordination([task(1), task(2)], finishing=False)
    async with playing(found, plan((noting(file, 0.2), "plugin:random")), Pace(4, 2)) as pool:
        await found.until(lambda: len(noted(file, "game")) == 4)
        before = trio.current_time()
        pool.abort()
    assert trio.current_time() - before < vigil.END_LIMIT
    assert found.events == [Ended()]
    assert not any(alive(note["pid"]) for note in noted(file, "start"))


async def test_a_pause_begins_nothing_and_more_workers_play_when_more_may(tmp_path: Path) -> None:
    file = tmp_path / "notes"
    found = Coordination([task(pair) for pair in range(1, 9)])
    async with playing(found, plan((noting(file, 0.001), "plugin:random")), Pace(1, 2)) as pool:
        await found.until(lambda: noted(file, "game"))
        pool.limit(0)
        await found.until(lambda: found.results)
        await trio.sleep(0.3)
        assert len(noted(file, "game")) == 1
        assert pool.room == 0
        pool.limit(4)
        found.look()
    assert found.results.keys() == games(*range(1, 9))
    assert {result.worker for result in found.results.values()} == {1, 2}


async def test_fewer_games_than_workers_leave_no_half_pair_behind() -> None:
    found = Coordination([task(pair) for pair in range(1, 7)])
    async with playing(found, plan(), Pace(4, 2)) as pool:
        await found.until(lambda: {event.worker for event in found.all(ResultIn)} == {1, 2})
        pool.limit(1)
    assert found.results.keys() == games(*range(1, 7))
    assert len(found.done) == 6


async def test_the_two_sets_share_no_process_and_no_directory(tmp_path: Path) -> None:
    file = tmp_path / "notes"
    found = Coordination([task(pair) for pair in range(1, 7)])
    async with playing(found, plan((noting(file), noting(file))), Pace(4, 2)):
        pass
    starts = {note["pid"]: note for note in noted(file, "start")}
    sets = [players_of(file, f"-{game}") for game in (1, 2)]
    assert sets[0] and sets[1]
    assert not sets[0] & sets[1]
    assert sets[0] | sets[1] <= starts.keys()
    for place in ("tmpdir", "home"):
        assert len({note[place] for note in starts.values()}) == len(starts)
    assert not any(exists(note["tmpdir"]) for note in starts.values())  # nothing is left of them


async def test_with_affinity_each_worker_and_its_bots_keep_to_one_core(tmp_path: Path) -> None:
    file = tmp_path / "notes"
    found = Coordination([task(pair) for pair in range(1, 5)])
    async with playing(found, plan((noting(file), noting(file))), Pace(4, 2, affinity=True)):
        pass
    cores = sorted(os.sched_getaffinity(0))
    assert {tuple(note["cores"]) for note in noted(file, "start")} == {(core,) for core in cores[:2]}


async def test_what_a_worker_prints_is_told_line_by_line_and_not_without_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    program = "import sys; sys.stderr.write('\\x1b[31mred\\n' * 5000); sys.exit(1)"
    monkeypatch.setattr(process, "COMMAND", (sys.executable, "-c", program))
    monkeypatch.setattr(setbacks, "PAUSE", 0.01)
    found = Coordination([task(1)])
    with pytest.raises((CrewLost, ExceptionGroup)):
        async with playing(found, plan(), Pace(2, 1)):
            pass
    lines = [said.sentence for said in found.all(Said)]
    assert 0 < len(lines) <= pools.LINES + 5
    assert lines[0] == "worker 1: \\x1b[31mred"
