"""The one task that sleeps: on time, early when something nearer comes, patient with a full disk."""

from __future__ import annotations

import errno
from collections.abc import Sequence

import pytest
import trio
from trio.testing import MockClock

from tests.host.fakecore import FakeCore
from tyrusd.host import clockwork as clockworks
from tyrusd.host.clockwork import Clockwork
from tyrusd.host.engine import Engine
from tyrusd.host.journal import MemoryJournal
from tyrusd.host.storekeeper import StorageLost


def ticks(core: FakeCore) -> list[object]:
    return [call[1] for call in core.calls if call[0] == "tick"]


async def test_it_wakes_at_the_deadline_and_sleeps_without_one(
    autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    core = FakeCore()
    engine = Engine(core, MemoryJournal(), trio.current_time)
    start = trio.current_time()
    core.wake_at = start + 3.0
    nursery.start_soon(Clockwork(engine).run)
    await trio.sleep(1000)
    assert ticks(core) == [pytest.approx(start + 3.0)]


async def test_a_nearer_deadline_wakes_it_earlier_and_a_later_one_does_not_disturb(
    autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    core = FakeCore()
    engine = Engine(core, MemoryJournal(), trio.current_time)
    nursery.start_soon(Clockwork(engine).run)
    start = trio.current_time()
    await trio.sleep(1)
    core.wake_at = start + 50
    engine.answers([])
    engine.flush()
    await trio.sleep(1)
    core.wake_at = start + 10
    engine.answers([])
    engine.flush()
    await trio.sleep(1)
    core.wake_at = start + 20  # found out at 10, when it wakes up for nothing
    engine.answers([])
    engine.flush()
    await trio.sleep(100)
    assert ticks(core) == [pytest.approx(start + 10), pytest.approx(start + 20)]


async def test_a_deadline_in_the_past_comes_at_once(autojump_clock: MockClock, nursery: trio.Nursery) -> None:
    core = FakeCore()
    core.wake_at = trio.current_time() - 5
    nursery.start_soon(Clockwork(Engine(core, MemoryJournal(), trio.current_time)).run)
    await trio.testing.wait_all_tasks_blocked()
    assert len(ticks(core)) == 1


class FullDisk(MemoryJournal):
    def __init__(self, until: float) -> None:
        self.until = until
        self.kept: list[bytes] = []

    def append(self, frames: Sequence[bytes]) -> None:
        if trio.current_time() < self.until:
            raise OSError(errno.ENOSPC, "No space left on device")
        self.kept.extend(frames)


async def test_row_49_a_full_disk_is_tried_again_and_no_deadline_passes_meanwhile(
    autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    core = FakeCore()
    start = trio.current_time()
    disk = FullDisk(start + 10)
    engine = Engine(core, disk, trio.current_time)
    nursery.start_soon(Clockwork(engine).run)
    await trio.testing.wait_all_tasks_blocked()
    core.wake_at = start + 5
    core.journal.append(b"placement")
    engine.answers([])
    engine.flush()
    waited: list[float] = []

    async def adapter() -> None:
        await engine.flowing()
        waited.append(trio.current_time() - start)

    nursery.start_soon(adapter)
    await trio.sleep(9.5)
    assert (engine.held, ticks(core), disk.kept, waited) == (True, [], [], [])
    await trio.sleep(2)
    assert (engine.held, len(ticks(core)), disk.kept) == (False, 1, [b"placement"])
    assert waited == [pytest.approx(10)]


async def test_row_49_a_disk_that_stays_full_ends_the_server(autojump_clock: MockClock) -> None:
    core = FakeCore()
    start = trio.current_time()
    engine = Engine(core, FullDisk(start + 1e9), trio.current_time)
    with pytest.RaisesGroup(pytest.RaisesExc(StorageLost, match="free some disk space")):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(Clockwork(engine).run)
            await trio.testing.wait_all_tasks_blocked()
            core.journal.append(b"placement")
            engine.answers([])
            engine.flush()
    assert trio.current_time() - start == pytest.approx(clockworks.GIVE_UP, abs=2)
