"""Notices that the file of an open store is not at its place any more: removed, or replaced by another."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tyrusd.host.store_file import StoreError

_BESIDE: Final = ("-wal", "-shm")  # https://www.sqlite.org/wal.html: found by their names, whosever they are

_Identity = tuple[int, int]  # device and inode


class StoreGoneError(StoreError):
    """What is open has no name any more: what is written into it nobody will read."""


class Place:
    """Where a store was opened, and which files those were; take one when it is open and was read once."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._store = _identity(path)
        self._beside = {ending: _identity(_with(path, ending)) for ending in _BESIDE}

    def check(self) -> None:
        """Raise StoreGoneError if another file is at the place of the store, or none."""
        found = _identity(self.path)
        if found is None:
            raise StoreGoneError(f"{self.path} was removed while it was in use: restore a copy of it")
        if found != self._store:
            raise StoreGoneError(f"{self.path} was replaced by another file while it was in use")

    def has_log(self) -> bool:
        """Whether something that was written is not in the file itself yet."""
        try:
            return _with(self.path, "-wal").stat().st_size > 0
        except OSError:
            return False

    def left(self) -> list[Path]:
        """What SQLite kept beside the store that was there, and would take for the new one's."""
        beside = ((_with(self.path, ending), known) for ending, known in self._beside.items())
        return [path for path, known in beside if known is not None and _identity(path) == known]

    def clear(self) -> None:
        """Remove that, for who knows that nothing is in it any more; raises OSError."""
        for path in self.left():
            path.unlink(missing_ok=True)


def _with(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)


def _identity(path: Path) -> _Identity | None:
    """None if it is not there; what cannot be looked at for another reason counts as not there as well."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
