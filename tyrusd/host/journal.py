"""The append-only journal: whole records only, cut back after a failed write, one owner at a time."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import logging
import os
import shlex
import stat
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final, Protocol

from tyrusd.league.framing import read_pieces
from tyrusd.league.record import HEADER, BadRecord, Payload

JOURNAL: Final = "journal.tyrus"
LOCK: Final = "journal.lock"
_OURS: Final = frozenset({JOURNAL, "store.sqlite"})  # one of them shows that a directory is for us
_PIECE: Final = 4 << 20  # bytes of a journal that are read at once

Take = Callable[[int, Payload], None]

_log = logging.getLogger("tyrusd.journal")


class JournalError(Exception):
    """The journal cannot be used; the text is a sentence that names the file and says what to do."""


def damaged(path: Path, why: object) -> str:
    """The sentence for a journal with a record that is not whole, or contradicts others: what to do with it.

    A file without that would have no games at all, so nobody is told to move it away.
    """
    return (
        f"{path}: {why}; nothing was changed. Restore it from a copy, or put a repaired one in its place: "
        f"`tyrusd records check {shlex.quote(str(path))} --repair NEW` writes all that is whole to NEW"
    )


def lacking(path: Path, games: int) -> str:
    """The sentence for a journal without games that the index of games has."""
    what = "a game" if games == 1 else f"{games} games"
    return (
        f"{path} lacks {what} of the index in its store: it was emptied, or is an older copy. Restore a "
        "newer one, or give up what it lacks, also in the ratings: `tyrusd reindex --drop-games --data "
        f"{shlex.quote(str(path.parent))}`"
    )


class Journal(Protocol):
    """Where records go; `durable` tells whether they must be synced before a result is announced."""

    durable: bool

    def append(self, frames: Sequence[bytes]) -> None:
        """Hand whole frames to the system; after OSError nothing of them is kept."""

    def sync(self) -> None:
        """Return when all that was appended is on the disk (blocks; call it in a thread)."""

    def close(self) -> None:
        """Give the file back."""


class MemoryJournal:
    """Keeps nothing: for matches that nobody asked to record."""

    durable = False

    def append(self, frames: Sequence[bytes]) -> None:
        """Forget the frames."""

    def sync(self) -> None:
        """There is nothing to sync."""

    def close(self) -> None:
        """There is nothing to close."""


class FileJournal:
    """One file of frames, ours alone while it is open.

    Opening it cuts a damaged tail off and saves that aside; a file that is damaged further in is refused and
    left as it is. Raises JournalError, and nothing is changed then.

    take: gets each record that is there with its offset, in order, so that not all of a long journal is in
    memory; what it raises passes through, and nothing is changed. Without it they are all in `found`.
    """

    durable = True

    def __init__(self, path: Path, *, new: bool = False, take: Take | None = None) -> None:
        self.path = path
        self.found: list[tuple[int, Payload]] = []
        self._broken = False
        # Without waiting, as at a pipe that nobody else has opened; to a file that makes no difference.
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NONBLOCK
        flags |= os.O_EXCL if new else 0
        try:
            self._file = os.open(path, flags, 0o600)
        except FileExistsError as error:
            raise JournalError(
                f"{path} exists already: choose another file, records never overwrite"
            ) from error
        except OSError as error:
            raise JournalError(f"{path} cannot be opened: {error.strerror}") from error
        try:
            if not stat.S_ISREG(os.fstat(self._file).st_mode):
                raise JournalError(f"{path} is not a file: move it away; nothing was changed")
            self._size = self._check(take or (lambda offset, payload: self.found.append((offset, payload))))
        except BaseException:
            os.close(self._file)
            raise

    def append(self, frames: Sequence[bytes]) -> None:
        """Write whole frames; raises OSError after cutting the file back to its last whole record."""
        if self._broken:
            raise OSError(errno.EIO, "the journal could not be cut back after a failed write")
        data = b"".join(frames)
        try:
            left = memoryview(data)
            while left:
                left = left[os.write(self._file, left) :]
        except OSError:
            self._cut_back()
            raise
        self._size += len(data)

    def sync(self) -> None:
        """Return when everything appended so far is on the disk; OSError means that nobody can know."""
        os.fsync(self._file)

    def close(self) -> None:
        """Close the file."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _cut_back(self) -> None:
        try:
            os.ftruncate(self._file, self._size)
        except OSError as error:
            # A half-written record would hide all that follow it, so nothing may follow it.
            self._broken = True
            _log.error("%s cannot be cut back to its last whole record: %s", self.path, error)

    def _check(self, take: Take) -> int:
        """Read what is there, repair the tail, write the header of a new file; the size of what is whole."""
        with self.path.open("rb") as file:
            head = file.read(len(HEADER))
            # New, or its first owner died within that.
            if len(head) < len(HEADER) and HEADER.startswith(head):
                return self._begin()
            file.seek(0)
            try:
                for offset, payload in read_pieces(iter(partial(file.read, _PIECE), b"")):
                    take(offset, payload)
            except BadRecord as bad:
                if not bad.last:
                    raise JournalError(damaged(self.path, bad)) from bad
                file.seek(bad.offset)
                self._save_tail(file.read(), bad)
                return bad.offset
            return file.tell()

    def _begin(self) -> int:
        self._size = 0
        try:
            os.ftruncate(self._file, 0)
            self.append([HEADER])
            os.fsync(self._file)
            _sync_directory(self.path.parent)
        except OSError as error:
            raise JournalError(f"{self.path} cannot be written: {error.strerror}") from error
        return len(HEADER)

    def _save_tail(self, tail: bytes, bad: BadRecord) -> None:
        aside = self.path.with_name(f"{self.path.name}.tail-{bad.offset}")
        try:
            while aside.exists():  # one that was saved before stays
                aside = aside.with_name(f"{aside.name}-again")
            aside.write_bytes(tail)
            os.ftruncate(self._file, bad.offset)
            os.fsync(self._file)
        except OSError as error:
            raise JournalError(
                f"{self.path} has a damaged tail that cannot be cut: {error.strerror}"
            ) from error
        _log.warning(
            "%s: %s; the last %d bytes were cut off and saved as %s",
            self.path, bad, len(tail), aside.name,
        )  # fmt: skip


class DataDirectory:
    """A data directory that is ours alone, for this process and this user; raises JournalError."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = -1
        try:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._close_to_others()
            self._lock = os.open(path / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise JournalError(f"the data directory {path} cannot be used: {error.strerror}") from error
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            owner = os.read(self._lock, 32).decode("ascii", "replace").strip() or "unknown"
            self.close()
            raise JournalError(
                f"another tyrusd (process {owner}) uses {path}: stop it, or choose another with --data"
            ) from error
        try:
            os.ftruncate(self._lock, 0)
            os.pwrite(self._lock, f"{os.getpid()}\n".encode("ascii"), 0)
        except OSError as error:
            self.close()
            raise JournalError(f"the data directory {path} cannot be written: {error.strerror}") from error

    def journal(self) -> FileJournal:
        """Open the journal of this directory; raises JournalError."""
        return FileJournal(self.path / JOURNAL)

    def close(self) -> None:
        """Let others use the directory."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def _close_to_others(self) -> None:
        mode = stat.S_IMODE(self.path.stat().st_mode)
        if not mode & 0o077:
            return
        # Only a directory that is plainly for us is changed: --data /tmp must not lock everybody out.
        names = {entry.name for entry in self.path.iterdir()}
        if names and not names & _OURS:
            raise JournalError(
                f"{self.path} holds other files and is open to others: `chmod 700` it, or choose another "
                "directory with --data"
            )
        self.path.chmod(0o700)


def _sync_directory(path: Path) -> None:
    # A new file's name is durable only when its directory is.
    with contextlib.suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
