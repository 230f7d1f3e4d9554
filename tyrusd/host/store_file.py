"""The file of the store: made whole or not at all, and never touched when it is not what we expect."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import tempfile
from pathlib import Path
from typing import Final

from tyrusd.host.store_pages import fault_of

VERSION: Final = 2
APPLICATION: Final = 0x54595255  # "TYRU": what tells our file from other databases

_MAGIC: Final = b"SQLite format 3\0"
_HEADER: Final = 100  # bytes; https://www.sqlite.org/fileformat2.html#the_database_header
_VERSION_AT: Final = slice(60, 64)
_APPLICATION_AT: Final = slice(68, 72)

_SCHEMA: Final = f"""
PRAGMA journal_mode = WAL;
BEGIN;
CREATE TABLE account (
    name TEXT PRIMARY KEY COLLATE NOCASE,
    kind TEXT NOT NULL CHECK (kind IN ('bot', 'human')),
    display TEXT,
    owner TEXT COLLATE NOCASE,
    disabled INTEGER NOT NULL CHECK (disabled IN (0, 1)),
    created TEXT NOT NULL
) STRICT;
CREATE TABLE key (
    digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
    account TEXT NOT NULL COLLATE NOCASE REFERENCES account (name),
    sort TEXT NOT NULL CHECK (sort IN ('token', 'code')),
    label TEXT,
    created TEXT NOT NULL,
    used TEXT,
    revoked TEXT
) STRICT;
CREATE TABLE house (name TEXT PRIMARY KEY COLLATE NOCASE) STRICT;
CREATE TABLE game (
    id TEXT NOT NULL PRIMARY KEY,
    started TEXT NOT NULL,
    variant TEXT NOT NULL,
    ivory TEXT NOT NULL COLLATE NOCASE,
    brown TEXT NOT NULL COLLATE NOCASE,
    winner TEXT CHECK (winner IN ('ivory', 'brown')),
    reason TEXT NOT NULL,
    placed INTEGER NOT NULL,
    deal TEXT NOT NULL,
    rated INTEGER NOT NULL CHECK (rated IN (0, 1)),
    by TEXT CHECK (by IN ('ladder', 'lobby')),
    ivory_agent TEXT,
    brown_agent TEXT,
    opener TEXT NOT NULL CHECK (opener IN ('ivory', 'brown')),
    flags TEXT NOT NULL,
    CHECK (rated = (by IS NOT NULL))
) STRICT;
CREATE INDEX game_ivory ON game (ivory);
CREATE INDEX game_brown ON game (brown);
CREATE INDEX game_rated ON game (id) WHERE rated = 1;
CREATE TABLE merge (
    name TEXT NOT NULL COLLATE NOCASE REFERENCES account (name),
    old TEXT NOT NULL,
    new TEXT NOT NULL,
    at TEXT NOT NULL,
    by TEXT NOT NULL COLLATE NOCASE,
    PRIMARY KEY (name, old)
) STRICT;
CREATE TABLE rating (
    place INTEGER NOT NULL PRIMARY KEY,
    name TEXT NOT NULL COLLATE NOCASE,
    agent TEXT NOT NULL,
    elo REAL,
    low REAL,
    high REAL,
    games INTEGER NOT NULL,
    won INTEGER NOT NULL,
    drawn INTEGER NOT NULL,
    lost INTEGER NOT NULL,
    forfeits INTEGER NOT NULL,
    forfeited INTEGER NOT NULL,
    flagged INTEGER NOT NULL,
    provisional INTEGER NOT NULL CHECK (provisional IN (0, 1)),
    anchor INTEGER NOT NULL CHECK (anchor IN (0, 1)),
    UNIQUE (name, agent)
) STRICT;
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
COMMIT;
"""


# What is read of each table to see that it is there and has its columns. `game` is derived from the journal:
# `deal` is the game on whose deal it was played, itself where that was new; `flags` are words with commas.
# The others are facts. In `merge` and `rating` the empty word stands for the version without an agent's word.
_COLUMNS: Final = {
    "key": "digest, account, sort, label, created, used, revoked",
    "account": "name, kind, display, owner, disabled",
    "house": "name",
    "game": "id, started, variant, ivory, brown, winner, reason, placed, deal, rated, by, ivory_agent, "
    "brown_agent, opener, flags",
    "merge": "name, old, new, at, by",
    "rating": "place, name, agent, elo, low, high, games, won, drawn, lost, forfeits, forfeited, flagged, "
    "provisional, anchor",
}


class StoreError(Exception):
    """The store cannot be used; the text is a sentence that names the file and says what to do."""


def checked(path: Path, patience: float, make: bool = True) -> None:
    """Make the store if it is not there; raises StoreError for a file that is not whole and ours.

    make: without it, a store that is not there is an error as well.
    """
    try:
        if path.exists() and not path.is_file():
            raise StoreError(f"{path} is not a file: move it away; nothing was changed")
        with path.open("rb") as file:
            header = file.read(_HEADER)
    except FileNotFoundError:
        if not make:
            raise StoreError(
                f"there is no store {path}, so there are no accounts; if there was one, restore a copy of it"
            ) from None
        _make(path)
        return
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror}") from error
    if not header.startswith(_MAGIC) or len(header) < _HEADER:
        raise StoreError(f"{path} is not a store of tyrusd, or is damaged: move it away, or restore a copy")
    if int.from_bytes(header[_APPLICATION_AT], "big") != APPLICATION:
        raise StoreError(f"{path} is a database of another program: move it away")
    version = int.from_bytes(header[_VERSION_AT], "big")
    if version != VERSION:
        raise StoreError(
            f"{path} has version {version} and this tyrusd knows {VERSION}: use the tyrusd that wrote it, "
            "or restore a copy of that version"
        )
    try:
        fault = fault_of(path, _COLUMNS, patience)
    except sqlite3.Error as error:
        raise failure(path, error) from error
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror}") from error
    if fault is not None:
        raise _damaged(path, fault)


def failure(path: Path, error: sqlite3.Error) -> StoreError:
    """Say in a sentence what SQLite could not do."""
    text = str(error)
    if isinstance(error, sqlite3.OperationalError) and ("locked" in text or "busy" in text):
        return StoreError(f"{path} is locked by another process: try again when that has ended")
    if isinstance(error, sqlite3.OperationalError):
        return StoreError(f"{path} cannot be used: {text}")
    return _damaged(path, text)


def _damaged(path: Path, what: str) -> StoreError:
    return StoreError(f"{path} is damaged ({what}): restore it from a copy; nothing was changed")


def _make(path: Path) -> None:
    """Make a whole store under another name, then give it its own; another process may be faster."""
    try:
        directory = tempfile.mkdtemp(prefix=f".{path.name}-", dir=path.parent)
    except OSError as error:
        raise StoreError(f"{path} cannot be made: {error.strerror}") from error
    new = Path(directory) / path.name
    try:
        os.close(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        database = sqlite3.connect(new)
        try:
            database.executescript(_SCHEMA)
        finally:
            database.close()
        _sync(new)
        with contextlib.suppress(FileExistsError):
            os.link(new, path)
        _sync(path.parent)
    except sqlite3.Error as error:
        raise StoreError(f"{path} cannot be made: {error}") from error
    except OSError as error:
        raise StoreError(f"{path} cannot be made: {error.strerror}") from error
    finally:
        for left in Path(directory).iterdir():
            left.unlink()
        Path(directory).rmdir()


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
