"""Writes a whole file or none: what was there before stays until the new one is on the disk."""

from __future__ import annotations

import contextlib
import os
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


def sync_directory(path: Path) -> None:
    """Make the names in a directory durable, where the file system can do that."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        with contextlib.suppress(OSError):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)
