"""The journal: whole records only, whatever the disk does, and one owner."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tyrusd.host.journal import JOURNAL, LOCK, DataDirectory, FileJournal, JournalError, MemoryJournal
from tyrusd.league.record import HEADER, placed_frame, read_frames

FRAMES = [placed_frame("g1", "ivory", f"S{number}", "IC", number) for number in range(1, 6)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.tyrus"


def written(path: Path, frames: list[bytes]) -> None:
    journal = FileJournal(path)
    journal.append(frames)
    journal.close()


def tiles(path: Path) -> list[str]:
    return [payload["tile"] for _, payload in read_frames(path.read_bytes())]


def test_what_is_appended_is_in_the_file_at_once(path: Path) -> None:
    journal = FileJournal(path)
    journal.append(FRAMES[:2])
    assert tiles(path) == ["S1", "S2"]  # with the system already: kill -9 loses nothing of it
    journal.append(FRAMES[2:3])
    journal.sync()
    journal.close()
    again = FileJournal(path)
    assert [payload["tile"] for _, payload in again.found] == ["S1", "S2", "S3"]
    again.append(FRAMES[3:4])
    again.close()
    assert tiles(path) == ["S1", "S2", "S3", "S4"]
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("kept", range(len(FRAMES[2]) - 1, 0, -1))
def test_row_50_a_damaged_tail_is_cut_and_saved_aside(
    path: Path, kept: int, caplog: pytest.LogCaptureFixture
) -> None:
    written(path, FRAMES[:2])
    whole = path.read_bytes()
    path.write_bytes(whole + FRAMES[2][:kept])
    journal = FileJournal(path)
    journal.append(FRAMES[3:4])
    journal.close()
    assert tiles(path) == ["S1", "S2", "S4"]
    assert (path.parent / f"journal.tyrus.tail-{len(whole)}").read_bytes() == FRAMES[2][:kept]
    assert f"byte {len(whole)}" in caplog.text


def test_row_50_a_last_record_with_a_wrong_checksum_is_a_damaged_tail(path: Path) -> None:
    written(path, FRAMES[:3])
    data = bytearray(path.read_bytes())
    data[-3] ^= 1
    path.write_bytes(data)
    FileJournal(path).close()
    assert tiles(path) == ["S1", "S2"]


def test_row_51_damage_further_in_is_refused_and_nothing_is_changed(path: Path) -> None:
    written(path, FRAMES)
    data = bytearray(path.read_bytes())
    at = len(HEADER) + len(FRAMES[0])
    data[at + 12] ^= 1
    path.write_bytes(data)
    with pytest.raises(JournalError, match=rf"journal\.tyrus: bad record at byte {at}.*nothing was changed"):
        FileJournal(path)
    assert path.read_bytes() == data
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("data", [b"#!/bin/sh\necho\n", HEADER[:-1] + b"\x09", b"\0" * 100])
def test_row_51_a_foreign_file_is_refused_and_nothing_is_changed(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    with pytest.raises(JournalError, match="bad record at byte"):
        FileJournal(path)
    assert path.read_bytes() == data


@pytest.mark.parametrize("size", range(len(HEADER)))
def test_a_journal_whose_first_owner_died_within_the_header_is_begun_anew(path: Path, size: int) -> None:
    path.write_bytes(HEADER[:size])
    written(path, FRAMES[:2])
    assert tiles(path) == ["S1", "S2"]


def test_a_new_record_file_never_overwrites(path: Path) -> None:
    written(path, FRAMES)
    with pytest.raises(JournalError, match="exists already"):
        FileJournal(path, new=True)
    assert tiles(path) == ["S1", "S2", "S3", "S4", "S5"]


def test_a_path_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match=r"nosuch/journal\.tyrus cannot be opened: No such file"):
        FileJournal(tmp_path / "nosuch" / "journal.tyrus")


@pytest.mark.timeout(20)
def test_a_pipe_or_a_directory_in_its_place_is_refused_at_once(path: Path) -> None:
    os.mkfifo(path)
    with pytest.raises(JournalError, match=r"journal\.tyrus is not a file: move it away"):
        FileJournal(path)
    path.unlink()
    path.mkdir()
    with pytest.raises(JournalError, match=r"journal\.tyrus cannot be opened: Is a directory"):
        FileJournal(path)


class Disk:
    """Stands for os in the journal: a write may be short, and then fail."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.room: int | None = None
        self.truncates = True
        self._write, self._truncate = os.write, os.ftruncate
        monkeypatch.setattr("tyrusd.host.journal.os.write", self.write)
        monkeypatch.setattr("tyrusd.host.journal.os.ftruncate", self.ftruncate)

    def write(self, descriptor: int, data: bytes | memoryview) -> int:
        if self.room is None:
            return self._write(descriptor, data)
        if self.room == 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        count = self._write(descriptor, data[: self.room])
        self.room -= count
        return count

    def ftruncate(self, descriptor: int, size: int) -> None:
        if not self.truncates:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        self._truncate(descriptor, size)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(monkeypatch)


@pytest.mark.parametrize("room", range(2 * len(FRAMES[1])))
def test_f080_row_49_a_short_write_is_cut_back_and_later_records_are_whole(
    path: Path, disk: Disk, room: int
) -> None:
    """redis/redis#587: what a short write had left in the log made all behind it unreadable."""
    journal = FileJournal(path)
    journal.append(FRAMES[:1])
    disk.room = room
    with pytest.raises(OSError, match="No space left"):
        journal.append(FRAMES[1:3])
    assert tiles(path) == ["S1"]
    disk.room = None  # F077: there is space again, and no restart is needed
    journal.append(FRAMES[3:5])
    journal.close()
    assert tiles(path) == ["S1", "S4", "S5"]


def test_row_49_a_write_in_pieces_is_one_record(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr("tyrusd.host.journal.os.write", lambda descriptor, data: real(descriptor, data[:7]))
    written(path, FRAMES)
    assert tiles(path) == ["S1", "S2", "S3", "S4", "S5"]


def test_row_49_when_even_the_cut_fails_nothing_is_written_after_it(path: Path, disk: Disk) -> None:
    journal = FileJournal(path)
    disk.room, disk.truncates = 5, False
    with pytest.raises(OSError, match="No space left"):
        journal.append(FRAMES[:1])
    disk.room = None
    with pytest.raises(OSError, match="cut back"):
        journal.append(FRAMES[1:2])
    journal.close()
    disk.truncates = True
    FileJournal(path).close()  # the next start cuts the tail
    assert path.read_bytes() == HEADER


def test_a_memory_journal_takes_everything() -> None:
    journal = MemoryJournal()
    journal.append(FRAMES)
    journal.sync()
    journal.close()
    assert not journal.durable


@pytest.fixture
def directory(tmp_path: Path) -> Iterator[DataDirectory]:
    found = DataDirectory(tmp_path / "deep" / "data")
    yield found
    found.close()


def test_d3_a_new_data_directory_is_closed_to_others(directory: DataDirectory) -> None:
    assert directory.path.stat().st_mode & 0o777 == 0o700
    journal = directory.journal()
    journal.close()
    assert {name.name for name in directory.path.iterdir()} == {JOURNAL, LOCK}


def test_d3_an_empty_open_directory_is_closed_and_a_foreign_one_is_left_alone(tmp_path: Path) -> None:
    empty, foreign = tmp_path / "empty", tmp_path / "foreign"
    for each in (empty, foreign):
        each.mkdir()
        each.chmod(0o755)
    (foreign / "letter.txt").write_text("not ours")
    DataDirectory(empty).close()
    assert empty.stat().st_mode & 0o777 == 0o700
    with pytest.raises(JournalError, match=r"open to others.*chmod 700.*--data"):
        DataDirectory(foreign)
    assert foreign.stat().st_mode & 0o777 == 0o755


def test_a_data_directory_that_is_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError, match=r"data directory .*/file cannot be used"):
        DataDirectory(tmp_path / "file")


def test_row_52_a_second_owner_is_refused_with_the_process_that_has_it(directory: DataDirectory) -> None:
    code = (
        "import sys; from pathlib import Path; from tyrusd.host.journal import *\n"
        "try: DataDirectory(Path(sys.argv[1]))\n"
        "except JournalError as error: print(error)\n"
    )

    def second() -> str:
        command = [sys.executable, "-c", code, str(directory.path)]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    assert f"another tyrusd (process {os.getpid()}) uses {directory.path}: stop it" in second()
    directory.close()
    assert second() == ""


def test_row_52_a_lock_file_alone_does_not_keep_the_next_one_out(tmp_path: Path) -> None:
    first = DataDirectory(tmp_path)
    first.close()
    assert (tmp_path / LOCK).exists()
    DataDirectory(tmp_path).close()
