"""At the edges: a clock that woke late is told, a full disk at the start is a sentence, no tail is lost."""

from __future__ import annotations

import errno
import os
import signal
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from tests.host.daemons import login, running
from tests.host.fakecore import FakeCore
from tyrusd.host.clockwork import Clockwork
from tyrusd.host.engine import Engine
from tyrusd.host.journal import JOURNAL, DataDirectory, FileJournal, JournalError, MemoryJournal
from tyrusd.league.record import whole_frames


@pytest.mark.parametrize(("late", "told"), [(0.0, False), (0.09, False), (0.2, True), (6.5, True)])
async def test_row_21_a_stall_of_our_own_is_logged(
    late: float,
    told: bool,
    autojump_clock: MockClock,
    nursery: trio.Nursery,
    caplog: pytest.LogCaptureFixture,
) -> None:
    core = FakeCore()
    core.wake_at = trio.current_time() - late
    nursery.start_soon(Clockwork(Engine(core, MemoryJournal(), trio.current_time)).run)
    await trio.sleep(1)
    assert ("stood still" in caplog.text) is told


async def test_row_21_so_it_is_when_the_deadline_has_come_nearer_meanwhile(
    autojump_clock: MockClock, nursery: trio.Nursery, caplog: pytest.LogCaptureFixture
) -> None:
    core = FakeCore()
    core.wake_at = trio.current_time() + 1000
    clockwork = Clockwork(Engine(core, MemoryJournal(), trio.current_time))
    nursery.start_soon(clockwork.run)
    await trio.sleep(1)
    clockwork.expect(trio.current_time() - 2.5)
    core.wake_at = None
    await trio.sleep(1)
    assert caplog.text.count("the server stood still for 2.5 s") == 1


def test_row_49_a_full_disk_at_the_start_is_told_in_a_sentence_and_locks_nobody_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as disk:
        disk.setattr(os, "pwrite", full)
        with pytest.raises(JournalError, match="cannot be written: No space left"):
            DataDirectory(tmp_path / "data")
    DataDirectory(tmp_path / "data").close()


def test_row_50_a_tail_saved_before_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "journal.tyrus"
    FileJournal(path).close()
    whole = path.read_bytes()
    for tail in (b"\0\0\0\x09one", b"\0\0\0\x09two"):
        path.write_bytes(whole + tail)
        FileJournal(path).close()
    aside = path.with_name(f"journal.tyrus.tail-{len(whole)}")
    assert aside.read_bytes().endswith(b"one")
    assert aside.with_name(f"{aside.name}-again").read_bytes().endswith(b"two")


@pytest.mark.parametrize("name", ["ünï 日 \udcff", "a b;$(touch made) 'q' \"d\" *\nend\x1b[2J"])
def test_row_59_any_directory_is_served_from_under_the_poorest_locale(tmp_path: Path, name: str) -> None:
    data = tmp_path / name
    words = ("serve", "--port", "0", "--host", "127.0.0.1", f"--data={data}")
    with running(*words, cwd=tmp_path, LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0") as daemon:
        [address] = daemon.addresses()
        with login(address, "ada") as ada, login(address, "bob") as bob:
            for peer in (ada, bob):
                peer.say("seek")
            game = ada.until("start").split()[1]
            ada.say(f"resign {game}")
            assert bob.until("over").split()[4] == "resigned"
        daemon.signal(signal.SIGTERM)
        code, out, err = daemon.end()
    assert code == 0 and "Traceback" not in err
    assert all(sign == "\n" or sign.isprintable() for sign in out + err)
    frames, tail = whole_frames((data / JOURNAL).read_bytes())
    assert tail is None and frames[-1][1]["kind"] == "game"
    assert list(tmp_path.iterdir()) == [data]  # nothing was made anywhere else
