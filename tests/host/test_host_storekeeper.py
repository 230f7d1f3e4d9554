"""Results are durable before they are answered for, many in one sync; a failed sync ends everything."""

from __future__ import annotations

import errno
import threading
from collections.abc import Sequence

import pytest
import trio

from tyrusd.core.requests import Answer, Store, Stored, StoreFailed
from tyrusd.host.journal import MemoryJournal
from tyrusd.host.storekeeper import StorageLost, Storekeeper


class Disk:
    """A journal whose sync takes as long as the test wants."""

    durable = True

    def __init__(self) -> None:
        self.appended: list[bytes] = []
        self.synced: list[int] = []
        self.release = threading.Event()
        self.begun = threading.Event()
        self.append_error: OSError | None = None
        self.sync_error: OSError | None = None

    def append(self, frames: Sequence[bytes]) -> None:
        if self.append_error is not None:
            raise self.append_error
        self.appended.extend(frames)

    def sync(self) -> None:
        count = len(self.appended)
        self.begun.set()
        assert self.release.wait(10)
        if self.sync_error is not None:
            raise self.sync_error
        self.synced.append(count)

    def close(self) -> None:
        pass


class Answers:
    def __init__(self) -> None:
        self.batches: list[list[Answer]] = []
        self.came = trio.Event()

    def take(self, answers: Sequence[Answer]) -> None:
        self.batches.append(list(answers))
        self.came.set()
        self.came = trio.Event()


async def wait_for(answers: Answers, batches: int) -> None:
    with trio.fail_after(5):
        while len(answers.batches) < batches:
            await answers.came.wait()


def record(number: int) -> Store:
    return Store(number, f"g{number}", b"record %d" % number)


async def test_an_answer_comes_after_the_sync_and_those_that_wait_share_the_next_one(
    nursery: trio.Nursery,
) -> None:
    disk, answers = Disk(), Answers()
    keeper = Storekeeper(disk, answers.take)
    nursery.start_soon(keeper.run)
    keeper.store(record(1))
    await trio.to_thread.run_sync(disk.begun.wait)
    for number in (2, 3, 4):
        keeper.store(record(number))
    assert answers.batches == []  # nothing is promised while the disk is busy
    disk.release.set()
    await wait_for(answers, 2)
    assert answers.batches == [[Stored(1)], [Stored(2), Stored(3), Stored(4)]]
    assert disk.synced == [1, 4]


async def test_row_49_a_record_that_cannot_be_written_is_answered_as_failed(
    nursery: trio.Nursery, caplog: pytest.LogCaptureFixture
) -> None:
    disk, answers = Disk(), Answers()
    disk.release.set()
    keeper = Storekeeper(disk, answers.take)
    nursery.start_soon(keeper.run)
    disk.append_error = OSError(errno.ENOSPC, "x")
    keeper.store(record(1))
    assert answers.batches == [[StoreFailed(1, "No space left on device")]]
    disk.append_error = None  # F077: it works again without a restart
    keeper.store(record(2))
    await wait_for(answers, 2)
    assert answers.batches[1] == [Stored(2)]
    assert "No space left" in caplog.text


async def test_row_49_a_disk_that_stays_full_ends_the_server_and_gives_no_result_up(
    mock_clock: trio.testing.MockClock,
) -> None:
    disk, answers = Disk(), Answers()
    keeper = Storekeeper(disk, answers.take)
    disk.append_error = OSError(errno.ENOSPC, "x")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_until_lost, keeper, nursery.cancel_scope)
        for second in range(62):
            mock_clock.jump(1.0)
            keeper.store(record(1))
            await trio.testing.wait_all_tasks_blocked()
            assert nursery.cancel_scope.cancel_called is (second == 61)


async def _until_lost(keeper: Storekeeper, scope: trio.CancelScope) -> None:
    with pytest.raises(StorageLost, match="free some disk space"):
        await keeper.run()
    scope.cancel()


async def test_row_49_after_a_failed_sync_nothing_more_is_promised() -> None:
    disk, answers = Disk(), Answers()
    disk.release.set()
    disk.sync_error = OSError(errno.EIO, "x")
    keeper = Storekeeper(disk, answers.take)
    keeper.store(record(1))
    with pytest.raises(StorageLost, match="check the disk"):
        await keeper.run()
    assert answers.batches == [[StoreFailed(1, "the disk failed")]]


async def test_row_49_a_disk_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tyrusd.host.storekeeper.ABANDON", 0.05)
    disk, answers = Disk(), Answers()
    keeper = Storekeeper(disk, answers.take)
    keeper.store(record(1))
    with pytest.raises(StorageLost):
        await keeper.run()
    assert answers.batches == [[StoreFailed(1, "the disk failed")]]
    disk.release.set()


async def test_without_a_file_the_answer_comes_at_once() -> None:
    answers = Answers()
    Storekeeper(MemoryJournal(), answers.take).store(record(1))
    assert answers.batches == [[Stored(1)]]
