"""Reads the file of a store from its beginning to its end, and leaves nothing beside it: is it whole?"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Final

# Where things are: https://www.sqlite.org/fileformat2.html#the_database_header
_HEADER: Final = 100
_PAGE_SIZE: Final = slice(16, 18)
_CHANGES: Final = slice(24, 28)
_PAGES: Final = slice(28, 32)
_PAGES_VALID_FOR: Final = slice(92, 96)
# https://www.sqlite.org/fileformat2.html#the_write_ahead_log
_WAL_HEADER: Final = 32
_WAL_FRAME_HEADER: Final = 24


def fault_of(path: Path, columns: Mapping[str, str], patience: float) -> str | None:
    """What is wrong with a database, in one line; None if it is whole and has these columns of its tables.

    patience: seconds to wait while others write. Raises sqlite3.Error for what SQLite finds wrong, and
    OSError.
    """
    short = _missing_bytes(path)
    if short:
        return f"{short} bytes are missing at its end"
    before = path.stat()

    def alone() -> bool:
        return not _in_use(path) and _same(before, path.stat())

    if alone():
        # Only read as if nobody could change it, SQLite makes no files beside it.
        try:
            found = _read(path, columns, "immutable=1", patience)
        except sqlite3.Error:
            if alone():
                raise
        else:
            if found is None or alone():
                return found
    return _read(path, columns, "mode=ro", patience)  # somebody works on it, or has meanwhile begun to


def _in_use(path: Path) -> bool:
    """Whether a process may have the file open, or was killed when it had."""
    return any(os.path.lexists(f"{path}{ending}") for ending in ("-wal", "-shm"))


def _same(before: os.stat_result, after: os.stat_result) -> bool:
    return (before.st_ino, before.st_size, before.st_mtime_ns) == (
        after.st_ino,
        after.st_size,
        after.st_mtime_ns,
    )


def _read(path: Path, columns: Mapping[str, str], how: str, patience: float) -> str | None:
    with closing(
        sqlite3.connect(f"{path.absolute().as_uri()}?{how}", timeout=patience, uri=True)
    ) as database:
        found = [str(row[0]) for row in database.execute("PRAGMA quick_check")]
        for table, names in columns.items():
            database.execute(f"SELECT {names} FROM {table} LIMIT 1")
    lines = [line for text in found for line in text.splitlines() if line and not line.startswith("***")]
    return None if found == ["ok"] else (lines or found)[0]


def _missing_bytes(path: Path) -> int:
    """How many bytes the file is too short for its pages, unless these wait in the log of what is new.

    The log is read before the length: pages leave it only when they are in the file.
    """
    with path.open("rb") as file:
        header = file.read(_HEADER)
        size = int.from_bytes(header[_PAGE_SIZE], "big")
        size = 65_536 if size == 1 else size  # which has no room in two bytes
        if header[_CHANGES] != header[_PAGES_VALID_FOR] or not size:
            return 0  # written by a SQLite that does not count them
        pages = int.from_bytes(header[_PAGES], "big")
        waiting = set(_waiting_pages(Path(f"{path}-wal"), size))
        length = os.fstat(file.fileno()).st_size
    if set(range(length // size + 1, pages + 1)) <= waiting:
        return 0
    return pages * size - length


def _waiting_pages(log: Path, size: int) -> Iterator[int]:
    """The numbers of the pages in a write-ahead log, also of those that it has no more use for."""
    try:
        file = log.open("rb")
    except FileNotFoundError:
        return
    with file:
        file.seek(_WAL_HEADER)
        while len(head := file.read(_WAL_FRAME_HEADER)) == _WAL_FRAME_HEADER:
            yield int.from_bytes(head[:4], "big")
            file.seek(size, os.SEEK_CUR)
