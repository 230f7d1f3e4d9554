"""Waits for a disk or a process that never answers end all the same."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import trio

from tests.host.test_host_children import SH, program
from tyrusd.core.bans import Ban
from tyrusd.core.requests import DropLog
from tyrusd.host import children, console, shelf
from tyrusd.host.ban_file import BanFile
from tyrusd.host.console import Console


class HangingFile(BanFile):
    """A disk that takes nothing until it is let go."""

    def __init__(self, data: Path) -> None:
        super().__init__(data)
        self.free = threading.Event()
        self.saved: list[list[str]] = []

    def save(self, bans: Iterable[Ban]) -> None:
        self.free.wait(30)
        self.saved.append([ban.who for ban in bans])


async def test_a_disk_that_takes_no_bans_keeps_no_operator_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(console, "PATIENCE", 0.05)
    file, bans = HangingFile(tmp_path), [Ban("eve")]
    operator = SimpleNamespace(bans=lambda: list(bans), bans_changed=True)
    found = Console(tmp_path, cast(Any, operator), file)
    with trio.fail_after(5):
        assert not await found._keep_bans() and operator.bans_changed
        assert "bans hold only until the server ends" in caplog.text and "not within 0.05 s" in caplog.text
        bans.append(Ban("mallory"))
        assert not await found._keep_bans()  # the first writer still hangs: there is no second one
        file.free.set()
        monkeypatch.setattr(console, "PATIENCE", 5.0)
        assert await found._keep_bans() and not operator.bans_changed
    assert file.saved == [["eve"], ["eve", "mallory"]]


def test_logs_to_drop_do_not_pile_up_behind_a_disk_that_hangs(tmp_path: Path) -> None:
    found = shelf.Shelf(tmp_path)
    for number in range(shelf.WAITING + 100):
        found.drop(DropLog(f"g{number}"))
    assert len(found._dropped) == shelf.WAITING


async def test_a_process_that_cannot_be_killed_does_not_keep_the_server_from_ending(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(children, "END_LIMIT", 0.05)
    child = await children.start(program(SH, "-c", "exec sleep 60"))
    keeper = child._keeper
    real = keeper.wait

    async def never() -> int:
        await trio.sleep_forever()
        return 0

    monkeypatch.setattr(keeper, "wait", never)
    with trio.fail_after(5):
        await child.close()
    children.close_all((child.entry, child.outlet, child.errors))
    with trio.fail_after(5):
        await real()  # it could be killed in truth
