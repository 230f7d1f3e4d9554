"""Nothing has an effect before it is on the disk; a full disk is waited for, a failing one ends all."""

from __future__ import annotations

import errno
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
import trio
import trio.testing

from tests.host.ladder_stage import Stage, records, stage_in, table, whole
from tyrusd.host.ladder.crewing import LogIn
from tyrusd.host.ladder.keeping import LogKeeper
from tyrusd.host.ladder.news import Continued, Paused
from tyrusd.host.ladder.scribe import Scribe
from tyrusd.host.storekeeper import StorageLost


class Disk:
    """A journal in memory that fails as the test wants."""

    durable = True

    def __init__(self) -> None:
        self.log: list[str] = []
        self.append_errors: list[OSError] = []
        self.sync_error: OSError | None = None
        self.release = threading.Event()
        self.release.set()
        self.begun = threading.Event()

    def append(self, frames: Sequence[bytes]) -> None:
        if self.append_errors:
            self.log.append("full")
            raise self.append_errors.pop(0)
        self.log.append("write " + " ".join(frame.decode() for frame in frames))

    def sync(self) -> None:
        self.begun.set()
        assert self.release.wait(10)
        if self.sync_error is not None:
            raise self.sync_error
        self.log.append("sync")

    def close(self) -> None:
        pass


class Watch:
    def __init__(self, log: list[str]) -> None:
        self._log = log
        self.sentences: list[str] = []

    def storage_full(self, sentence: str) -> None:
        self._log.append("paused")
        self.sentences.append(sentence)

    def storage_back(self) -> None:
        self._log.append("continued")


class Desk:
    def __init__(self) -> None:
        self.disk = Disk()
        self.watch = Watch(self.disk.log)
        self.scribe = Scribe(self.disk, self.watch)
        self.done = trio.Event()

    def put(self, word: str | None, effect: str) -> None:
        self.scribe.put(None if word is None else word.encode(), lambda: self.disk.log.append(effect))

    async def drained(self, nursery: trio.Nursery) -> list[str]:
        self.scribe.put(None, self.done.set)
        nursery.start_soon(self.scribe.run)
        with trio.fail_after(10):
            await self.done.wait()
        assert self.scribe.idle
        return self.disk.log


async def test_all_that_waits_is_written_at_once_and_takes_effect_in_order(nursery: trio.Nursery) -> None:
    desk = Desk()
    desk.put("a", "told a")
    desk.put(None, "handed out")
    desk.put("b", "told b")
    assert desk.disk.log == []
    assert not desk.scribe.idle
    assert await desk.drained(nursery) == ["write a b", "sync", "told a", "handed out", "told b"]


async def test_what_comes_during_a_sync_waits_for_the_next(nursery: trio.Nursery) -> None:
    desk = Desk()
    desk.disk.release.clear()
    desk.put("a", "told a")
    nursery.start_soon(desk.scribe.run)
    await trio.to_thread.run_sync(desk.disk.begun.wait)
    desk.put("b", "told b")
    desk.put(None, "handed out")
    assert desk.disk.log == ["write a"]
    desk.scribe.put(None, desk.done.set)
    desk.disk.release.set()
    with trio.fail_after(10):
        await desk.done.wait()
    assert desk.disk.log == ["write a", "sync", "told a", "write b", "sync", "told b", "handed out"]


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
async def test_a_full_disk_is_waited_for(
    nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    monkeypatch.setattr("tyrusd.host.ladder.scribe.RETRY", 0.001)
    desk = Desk()
    desk.disk.append_errors = [OSError(number, "full") for _ in range(3)]
    desk.put("a", "told a")
    assert await desk.drained(nursery) == [
        "full", "paused", "full", "full", "write a", "continued", "sync", "told a"
    ]  # fmt: skip
    assert "no game begins until there is room" in desk.watch.sentences[0]


async def test_a_disk_that_stays_full_ends_the_run_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tyrusd.host.ladder.scribe.RETRY", 0.001)
    monkeypatch.setattr("tyrusd.host.ladder.scribe.PATIENCE", 0.01)
    desk = Desk()
    desk.disk.append_errors = [OSError(errno.ENOSPC, "full") for _ in range(1000)]
    desk.put("a", "told a")
    with pytest.raises(StorageLost, match="make room and resume"), trio.fail_after(10):
        await desk.scribe.run()
    assert "told a" not in desk.disk.log


async def test_nobody_waits_for_a_full_disk_who_wants_the_end(nursery: trio.Nursery) -> None:
    desk = Desk()
    desk.disk.append_errors = [OSError(errno.ENOSPC, "full") for _ in range(1000)]
    desk.put("a", "told a")
    desk.scribe.put(None, desk.done.set)
    with pytest.RaisesGroup(StorageLost), trio.fail_after(10):
        async with trio.open_nursery() as inner:
            inner.start_soon(desk.scribe.run)
            await trio.testing.wait_all_tasks_blocked()
            assert desk.disk.log == ["full", "paused"]
            desk.scribe.hurry()
    assert desk.disk.log == ["full", "paused", "full"]


@pytest.mark.parametrize("failing", ["write", "sync"])
async def test_a_disk_that_fails_ends_the_run_at_once(failing: str) -> None:
    desk = Desk()
    error = OSError(errno.EIO, "Input/output error")
    if failing == "write":
        desk.disk.append_errors = [error]
    else:
        desk.disk.sync_error = error
    desk.put("a", "told a")
    with pytest.raises(StorageLost, match="Input/output error"), trio.fail_after(10):
        await desk.scribe.run()
    assert "told a" not in desk.disk.log


async def test_a_disk_that_hangs_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tyrusd.host.ladder.scribe.ABANDON", 0.05)
    desk = Desk()
    desk.disk.release.clear()
    desk.put("a", "told a")
    with pytest.raises(StorageLost, match="check the disk"), trio.fail_after(10):
        await desk.scribe.run()
    desk.disk.release.set()
    assert "told a" not in desk.disk.log


def failing(stage: Stage, errors: list[OSError]) -> None:
    """Let the next writes of a run's journal fail."""
    append = stage.run.journal.append

    def maybe(frames: Sequence[bytes]) -> None:
        if errors:
            raise errors.pop(0)
        append(frames)

    stage.run.journal.append = maybe  # type: ignore[method-assign]


async def test_a_run_pauses_while_the_disk_is_full_and_comes_to_the_same_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tyrusd.host.ladder.scribe.RETRY", 0.001)
    stage = stage_in(tmp_path / "run")
    errors: list[OSError] = []
    failing(stage, errors)
    stage.after(5, lambda: errors.extend(OSError(errno.ENOSPC, "full") for _ in range(4)))
    assert (await stage.play()).complete
    stage.run.close()
    told = [news for news in stage.news if isinstance(news, Paused | Continued)]
    assert [news.cause for news in told] == ["storage", "storage"]
    assert [type(news) for news in told] == [Paused, Continued]
    assert stage.crew.limits == [0, 4]
    assert table(stage) == table(await whole(tmp_path / "whole"))


async def test_a_run_whose_disk_fails_has_told_nothing_that_is_lost(tmp_path: Path) -> None:
    stage = stage_in(tmp_path / "run")
    errors: list[OSError] = []
    failing(stage, errors)
    stage.after(5, lambda: errors.append(OSError(errno.EIO, "Input/output error")))
    with pytest.RaisesGroup(StorageLost):
        await stage.play()
    stage.run.close()
    kept = {record["id"] for record in records(tmp_path / "run") if record["kind"] == "game"}
    assert set(stage.crew.told) <= set(stage.games) <= kept
    assert not (tmp_path / "run" / "control.sock").exists()
    assert table(await whole(tmp_path / "run")) == table(await whole(tmp_path / "whole"))


async def test_logs_of_games_are_kept_and_the_oldest_go_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tyrusd.host.ladder.keeping.FILES", 3)
    keeper = LogKeeper(tmp_path / "logs")
    for number in range(1, 6):
        keeper.keep(f"p{number}-1", b"%d\n" % number)
        await keeper.close()
    assert sorted(path.name for path in (tmp_path / "logs").iterdir()) == ["p3-1.log", "p4-1.log", "p5-1.log"]
    assert (tmp_path / "logs" / "p5-1.log").read_bytes() == b"5\n"
    assert (tmp_path / "logs").stat().st_mode & 0o777 == 0o700


async def test_logs_that_cannot_be_kept_end_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "logs").touch()
    keeper = LogKeeper(tmp_path / "logs")
    for number in range(3):
        keeper.keep(f"p{number}-1", b"x")
        await keeper.close()
    assert caplog.text.count("logs of games cannot be kept") == 1


async def test_a_run_keeps_the_logs_that_workers_send(tmp_path: Path) -> None:

    stage = stage_in(tmp_path / "run")
    stage.after(3, lambda: stage.coordinator._hear(LogIn("p1-1", b"what was said\n")))
    assert (await stage.play()).complete
    stage.run.close()
    assert (tmp_path / "run" / "logs" / "p1-1.log").read_bytes() == b"what was said\n"
