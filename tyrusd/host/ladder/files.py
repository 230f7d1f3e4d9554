"""Files of a run: written whole or not at all, and read only where they are plain files of a sane size."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO, Final

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


def open_plain(path: Path) -> BinaryIO:
    """Open a file of a directory that may be anybody's, to read it.

    Raises OSError, also for what is no plain file: a pipe would keep us waiting, and a device has no end.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "it is not a plain file", str(path))
    return os.fdopen(descriptor, "rb")


def read_plain(path: Path, most: int | None = None) -> bytes:
    """Read such a file; most: bytes it may have. Raises OSError as open_plain."""
    with open_plain(path) as file:
        if most is not None and os.fstat(file.fileno()).st_size > most:
            raise OSError(errno.EFBIG, f"it has more than {most} bytes", str(path))
        try:
            return file.read()
        except MemoryError:
            raise OSError(errno.ENOMEM, "it does not fit memory", str(path)) from None


def sync_directory(path: Path) -> None:
    """Make the names in a directory durable, where the file system can do that."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        with contextlib.suppress(OSError):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)
