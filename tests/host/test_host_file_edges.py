"""Limits of what is in files at one below, at, and one above, and those of ends: of a server, of a bot."""

from __future__ import annotations

import contextlib
import inspect
import sqlite3
import sys
import threading
from pathlib import Path
from typing import NoReturn

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from tests.host.fakecore import FakeCore
from tests.host.limits_moved import AROUND, moved
from tests.host.test_game_index import nothing, over
from tests.host.test_host_children import SH, read, running
from tyrusd.core.accounts import Account
from tyrusd.host import game_index, refit
from tyrusd.host.assembly import HURRY, Assembly
from tyrusd.host.configuration.reading import LARGEST, ConfigurationError, read_configuration
from tyrusd.host.game_index import GameIndex
from tyrusd.host.journal import MemoryJournal
from tyrusd.host.keeper import GRACE
from tyrusd.host.store import PATIENCE, STORE, Store
from tyrusd.host.store_file import StoreError
from tyrusd.league.framing import HEADER, MAX_PAYLOAD, BadRecord, read_frames

MOMENT = 0.001  # seconds


@pytest.mark.parametrize("more", AROUND)
async def test_limit_index_waiting(tmp_path: Path, more: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_index, "WAITING", 50)
    with Store(tmp_path) as store:
        index = GameIndex(store, nothing)
        with moved(*["index_waiting"] * (more > 0)):
            for number in range(game_index.WAITING + more):
                index.tell(over(number))
        assert index.left_out == (game_index.WAITING + 1 if more > 0 else 0)
        assert len(index._waiting) == (0 if more > 0 else game_index.WAITING + more)


@pytest.mark.parametrize(("held", "kept"), [(0.0, True), (0.2, True), (3.0, False)])
def test_limit_store_locked(tmp_path: Path, held: float, kept: bool) -> None:
    """Another program holds the store for so long; tried with a patience of one second."""
    assert inspect.signature(Store).parameters["patience"].default == PATIENCE
    with Store(tmp_path, patience=1.0) as store:
        other = sqlite3.connect(tmp_path / STORE, isolation_level=None, check_same_thread=False)
        other.execute("BEGIN IMMEDIATE")
        release = threading.Timer(held, other.execute, ("ROLLBACK",))
        release.start()
        try:
            with (
                contextlib.nullcontext() if kept else pytest.raises(StoreError, match="is locked by another")
            ):
                assert store.add(Account("ada", "human"))
        finally:
            release.cancel()
            release.join()
            other.close()
        assert (store.accounts().find("ada") is not None) is kept


@pytest.mark.parametrize("more", AROUND)
def test_limit_record(more: int) -> None:
    """The length alone decides: nothing of a longer record is read."""
    length = MAX_PAYLOAD + more
    with pytest.raises(BadRecord) as fault:
        list(read_frames(HEADER + length.to_bytes(4, "big") + bytes(4 + 100)))
    assert (f"a payload of {length} bytes is announced" in str(fault.value)) is (more > 0)


@pytest.mark.parametrize("more", AROUND)
def test_limit_config_file(tmp_path: Path, more: int) -> None:
    file = tmp_path / "long.toml"
    file.write_bytes(b"#" * (LARGEST - 1 + more) + b"\n")
    if more > 0:
        with pytest.raises(ConfigurationError, match="it is larger than 262144 bytes"):
            read_configuration(file, {}, {})
    else:
        assert read_configuration(file, {}, {})["limits.listed"] == 200


@pytest.mark.parametrize("more", AROUND)
async def test_limit_end(more: int, mock_clock: MockClock) -> None:
    """A server whose last goodbyes do not get through ends all the same."""
    core = FakeCore()
    assembly = Assembly(core, MemoryJournal(), grace=5.0)
    ended = trio.Event()

    async def run() -> None:
        await assembly.run()
        ended.set()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(run)
        await trio.testing.wait_all_tasks_blocked()
        assembly.interrupt()
        assert core.drained == [5.0]
        mock_clock.jump(5.0 + HURRY + more * MOMENT)
        await trio.testing.wait_all_tasks_blocked(0.01)
        assert ended.is_set() is (more >= 0) and assembly.complete is (more < 0)
        mock_clock.jump(1.0)
        with trio.fail_after(5):
            await ended.wait()


@pytest.mark.parametrize("more", AROUND)
async def test_limit_fit(
    tmp_path: Path, more: int, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def process(*args: object, **options: object) -> NoReturn:
        await trio.sleep(refit.LIMIT + more * MOMENT)
        raise FileNotFoundError(2, "it was begun in time")

    monkeypatch.setattr(trio, "run_process", process)
    words = "took more than 600 s" if more >= 0 else "it was begun in time"
    with moved(*["fit"] * (more >= 0)), pytest.raises(refit.RefitError, match=words):
        await refit.fit_beside(tmp_path / "none.sqlite", {}, 20)


@pytest.mark.parametrize("more", AROUND)
async def test_limit_fit_memory(tmp_path: Path, more: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process may have so many addresses and not one page more; then its end tells why."""
    code = f"""
import mmap, sys
from tyrusd.host import refit

def fit(*wanted):
    size = int(open("/proc/self/statm").read().split()[0]) * mmap.PAGESIZE
    try:
        mmap.mmap(-1, refit.MEMORY * refit.MIB - size + {more} * mmap.PAGESIZE)
    except OSError as error:
        raise MemoryError from error
    raise refit.RefitError("it has what it wants")

refit.fit = fit
sys.exit(refit.main())
"""
    monkeypatch.setattr(refit, "COMMAND", (sys.executable, "-c", code))
    words = "takes more than 1024 MiB of memory" if more > 0 else "it has what it wants"
    with moved(*["fit_memory"] * (more > 0)), pytest.raises(refit.RefitError, match=words):
        await refit.fit_beside(tmp_path / "none.sqlite", {}, 20)


@pytest.mark.parametrize(
    ("takes", "end"), [(0, "exit status 5"), (GRACE - 1, "exit status 5"), (GRACE + 2, "killed by signal 9")]
)
async def test_limit_bot_term(takes: float, end: str) -> None:
    """A bot has two seconds to end by itself; how quick this machine is counts in that."""
    code = f"trap 'sleep {takes}; exit 5' TERM; echo ready; while :; do sleep 0.05; done"
    async with running(SH, "-c", code) as child:
        assert await read(child.outlet) == ["ready"]
        child.stop()
        with trio.fail_after(20):
            assert (await child.ended()).startswith(end)
