"""Copies the data directory of a server that may be running: whole records, and a whole store."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

from tyrusd.host.ban_file import BANS
from tyrusd.host.journal import JOURNAL, damaged
from tyrusd.host.shelf import LOGS
from tyrusd.host.store import PATIENCE, STORE
from tyrusd.host.store_file import StoreError, checked, failure
from tyrusd.league.framing import BadRecord, read_frames

_ATTEMPTS: Final = 3  # a journal that is cut back after a failed write may look damaged to who reads then


class BackupError(Exception):
    """Nothing was copied; the text is a sentence that says why."""


class Copied(NamedTuple):
    """A file or directory of the copy, and how much of what is in it."""

    name: str
    what: str


def back_up(data: Path, target: Path) -> list[Copied]:
    """Copy a data directory to a new one, and return what was copied, when it is on the disk.

    The journal comes first: whoever it names is then in the store as well. Raises BackupError; there is no
    target then.
    """
    if os.path.lexists(target):
        raise BackupError(f"{target} exists already: choose another name, a copy never overwrites")
    try:
        new = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
    except OSError as error:
        raise BackupError(f"{target} cannot be made: {error.strerror}") from error
    try:
        copied = [*_journal(data, new), *_store(data, new), *_bans(data, new), *_logs(data, new)]
        if not copied:
            raise BackupError(f"{data} is no data directory of a server: there is nothing to copy in it")
        if not (new / STORE).exists():
            raise BackupError(
                f"there is no store {data / STORE}, so nothing was copied: a copy would have no accounts. "
                "Restore an older copy of the store first"
            )
        _sync(new)
        new.rename(target)
        _sync(target.parent)
    except (OSError, sqlite3.Error) as error:
        raise BackupError(f"{data} cannot be copied to {target}: {error}") from error
    except StoreError as error:
        raise BackupError(str(error)) from error
    finally:
        if new.exists():
            _remove(new)
    return copied


def _journal(data: Path, new: Path) -> list[Copied]:
    path = data / JOURNAL
    if not os.path.lexists(path):
        return []
    if not path.is_file():
        raise BackupError(f"{path} is not a file: move it away")
    for attempt in range(1, _ATTEMPTS + 1):
        content = path.read_bytes()
        count, whole = 0, len(content)
        try:
            count = sum(1 for _ in read_frames(content))
            break
        except BadRecord as bad:
            if not bad.last and attempt == _ATTEMPTS:
                raise BackupError(damaged(path, bad)) from bad
            if bad.last:  # an unfinished record, which a server would cut off as well
                whole = bad.offset
                count = sum(1 for _ in read_frames(content[:whole])) if whole else 0
                break
    _write(new / JOURNAL, content[:whole])
    left = f"; {len(content) - whole} bytes of an unfinished one were left out" * (whole < len(content))
    return [Copied(JOURNAL, f"{count} records, {whole} bytes{left}")]


def _store(data: Path, new: Path) -> list[Copied]:
    path = data / STORE
    if not os.path.lexists(path):
        return []
    checked(path, PATIENCE)
    copy = new / STORE
    os.close(os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    try:
        # The server may be in the middle of a change: SQLite copies what was before, or what is after it.
        with (
            closing(
                sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", timeout=PATIENCE, uri=True)
            ) as source,
            closing(sqlite3.connect(copy)) as target,
        ):
            source.backup(target)
            count = target.execute("SELECT count(*) FROM account").fetchone()[0]
            lacking = _lacking(target, new / JOURNAL, data / JOURNAL)
            target.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.Error as error:
        raise failure(path, error) from error
    _sync(copy)
    told = "1 account" if count == 1 else f"{count} accounts"
    if lacking:
        told += f"; the journal lacks {lacking} games of its index: was it emptied?"
    return [Copied(STORE, told)]


def _lacking(store: sqlite3.Connection, copied: Path, journal: Path) -> int:
    """Take games out of the copied index that are over since the journal was copied.

    Returns how many are left that the journal does not have by now either: a server on the copy will tell it,
    as one here would.
    """
    rows = {row[0] for row in store.execute("SELECT id FROM game")}
    lacking = rows - _finished(copied)
    if lacking:
        newer = lacking & _finished(journal)
        store.executemany("DELETE FROM game WHERE id = ?", [(game,) for game in newer])
        store.commit()
        lacking -= newer
    return len(lacking)


def _finished(journal: Path) -> set[str]:
    """The games with an end, as far as the journal can be read: it may be written just now."""
    found: set[str] = set()
    with contextlib.suppress(BadRecord, FileNotFoundError):
        for _, payload in read_frames(journal.read_bytes()):
            if payload["kind"] == "game":
                found.add(payload["id"])
    return found


def _bans(data: Path, new: Path) -> list[Copied]:
    path = data / BANS
    if not path.is_file():
        return []
    content = path.read_bytes()
    _write(new / BANS, content)
    return [Copied(BANS, f"{len(content)} bytes")]


def _logs(data: Path, new: Path) -> list[Copied]:
    """Copy the logs of games; each is whole, and one that is dropped meanwhile is left out."""
    count = 0
    for path in sorted((data / LOGS).glob("*.log")):
        try:
            content = path.read_bytes()
        except FileNotFoundError:
            continue
        (new / LOGS).mkdir(mode=0o700, exist_ok=True)
        _write(new / LOGS / path.name, content)
        count += 1
    return [Copied(LOGS, f"{count} games")] if count else []


def _write(path: Path, content: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _remove(directory: Path) -> None:
    for path in directory.iterdir():
        if path.is_dir():
            _remove(path)
        else:
            path.unlink()
    directory.rmdir()
