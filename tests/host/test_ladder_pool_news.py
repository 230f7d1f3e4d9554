"""What a pool tells beside results: bots that never start, logs of faults, and who thought in whose time."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import trio

from tests.host.daemons import ROOT
from tests.host.ladders import Coordination, noting, plan, playing, task
from tyrusd.host.ladder import setbacks, vigil
from tyrusd.host.ladder.crewing import CrewLost, Ended, GivenBack, LogIn, Lost, PonderedIn, UnreadyIn
from tyrusd.host.ladder.plan import Pace
from tyrusd.host.ladder.pool import Pool
from tyrusd.host.ladder.relay import KEEP_LIMIT
from tyrusd.host.sandbox import NoSandbox


async def test_a_bot_that_never_starts_makes_its_pairs_unready() -> None:
    found = Coordination([task(1), task(2)])
    seat = f"exec:{sys.executable} -I -S -c 'import sys; sys.exit(\"no\\x20luck\")'"
    async with playing(found, plan(("plugin:random", seat)), Pace(2, 1)):
        pass
    unready = found.all(UnreadyIn)
    assert sorted((event.pair, event.attempt, event.bot) for event in unready) == [
        (1, 1, "bob"),
        (2, 1, "bob"),
    ]
    assert all("exit status 1" in event.why for event in unready)
    assert found.results == {}
    assert found.all(Lost) == []


async def test_a_lost_game_s_log_and_last_words_come_with_it() -> None:
    found = Coordination([task(1)])
    lines = 'import sys; print("hello 0.1 x bot", flush=True)\nfor line in sys.stdin:\n'
    code = lines + '    if line.startswith("choose"): sys.exit("my last words")'
    seat = f"exec:{sys.executable} -I -S -c '{code}'"
    async with playing(found, plan((seat, "plugin:random")), Pace(2, 1)):
        pass
    assert {result.record["game"]["reason"] for result in found.results.values()} == {"crashed"}
    assert all("my last words" in result.note for result in found.results.values())
    logs = {log.game: log.text.decode() for log in found.all(LogIn)}
    assert logs.keys() == found.results.keys()
    for game, text in logs.items():
        assert f"choose {game} 1 " in text
        assert "my last words" in text
        assert "The program of ann" in text


@pytest.mark.parametrize("ponder", [True, False])
async def test_without_pondering_it_is_told_who_did(tmp_path: Path, ponder: bool) -> None:
    found = Coordination([task(1)])
    async with playing(found, plan((noting(tmp_path / "notes"), "plugin:random"), ponder=ponder), Pace(2, 1)):
        pass
    told = found.all(PonderedIn)
    assert {event.game for event in told} == (set() if ponder else found.results.keys())
    assert all(spent is not None and spent >= 0 for event in told for spent in event.pondered)


async def test_tasks_come_back_that_were_handed_out_before_any_worker_was_there() -> None:
    found = Coordination([task(1)], finishing=False)
    async with trio.open_nursery() as nursery:
        pool = found.pool = Pool(plan(), Pace(2, 1), [], found.hear)
        found.look()
        assert (pool.room, pool.outstanding) == (2, 2)
        pool.withdraw()
        pool.play(task(2))
        assert found.events == []  # nothing is told from within a call
        pool.finish()
        nursery.start_soon(pool.run)
    assert [event.tasks for event in found.all(GivenBack)] == [(task(1),), (task(2),)]
    assert isinstance(found.events[-1], Ended)


async def test_a_run_that_is_cancelled_leaves_no_process(tmp_path: Path) -> None:
    found = Coordination([task(1)])
    with trio.CancelScope() as scope:
        async with playing(found, plan(), Pace(2, 2)) as pool:
            await found.until(lambda: len(pool.pids) == 2)
            pids = pool.pids
            scope.cancel()
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)  # noqa: ASYNC240 -- it is not a disk


def test_where_the_sandbox_cannot_work_that_is_said_before_anything_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoSandbox, match="install the system's package"):
        Pool(plan(sandbox="bwrap"), Pace(2, 1), [], lambda _: None)


async def test_a_python_that_cannot_be_started_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tyrusd.host.ladder.process.COMMAND", ("/nowhere/python",))
    monkeypatch.setattr("tyrusd.host.ladder.setbacks.PAUSE", 0.01)
    found = Coordination([task(1)])
    with pytest.raises((CrewLost, ExceptionGroup)) as raised:
        async with playing(found, plan(), Pace(2, 1)):
            pass
    assert raised.group_contains(CrewLost, match="it could not be started: No such file or directory")


def test_the_page_tells_the_times_that_hold() -> None:
    page = " ".join((ROOT / "docs" / "ladder.md").read_text("utf-8").split())
    for sentence in (
        f"it is asked every {vigil.BEAT:g} s; after {vigil.SILENCE:g} s without an answer "
        f"({vigil.START_LIMIT:g} s while it starts) it is killed",
        f"the next is started after {setbacks.PAUSE:g} s, then {2 * setbacks.PAUSE:g} s",
        f"when {setbacks.DEATHS} in a row have not finished a game, or {setbacks.DROPS} have ended",
        "workers finish what runs and wait, for a day at most",
    ):
        assert sentence in page
    assert KEEP_LIMIT == 24 * 3600
