"""Files of a run: written whole or not at all, and read only where they are plain files of a sane size."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from pathlib import Path
from typing import Final

NEW: Final = ".new"


def write_whole(path: Path, data: bytes) -> None:
    """Put a file in place of another in one step that a power cut cannot halve; OSError: nothing changed."""
    new = path.with_name(path.name + NEW)
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        left = memoryview(data)
        while left:
            left = left[os.write(descriptor, left) :]
        os.fsync(descriptor)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(new)  # noqa: PTH108 -- beside the other calls of the system
        raise
    finally:
        os.close(descriptor)
    os.replace(new, path)  # noqa: PTH105 -- as above
    sync_directory(path.parent)


def read_plain(path: Path, most: int | None = None) -> bytes:
    """Read a file of a directory that may be anybody's; most: bytes it may have.

    Raises OSError, also for what is no plain file: a pipe would keep us waiting, and a device has no end.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, "it is not a plain file", str(path))
        if most is not None and found.st_size > most:
            raise OSError(errno.EFBIG, f"it has more than {most} bytes", str(path))
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            return file.read()
    except MemoryError:
        raise OSError(errno.ENOMEM, "it does not fit memory", str(path)) from None
    finally:
        os.close(descriptor)


def sync_directory(path: Path) -> None:
    """Make the names in a directory durable, where the file system can do that."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        with contextlib.suppress(OSError):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)
