"""Deal files on the disk: read with the hash that names them, and written for their owner only."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from tyrusd.league.deal_text import read_deals, write_deal
from tyrusd.rules.deal import Deal

LARGEST: Final = 512 * 1024 * 1024  # bytes; two million deals


class DealFile(NamedTuple):
    """The deals of a file in its order, and the hexadecimal SHA-256 of its bytes."""

    deals: tuple[Deal, ...]
    hash: str


def read_deal_file(path: Path) -> DealFile:
    """Read a file of deals; raises OSError, or ValueError with a sentence that tells the line."""
    with path.open("rb") as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise ValueError(f"it has more than {LARGEST} bytes; leave some deals out")
    try:
        text = data.decode("ascii")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ValueError(f"line {line}: a byte that is no ASCII; deals are plain text") from None
    deals = read_deals(text)
    if not deals:
        raise ValueError("there is no deal in it")
    return DealFile(deals, hashlib.sha256(data).hexdigest())


def write_deal_file(path: Path, head: str, deals: Iterable[Deal]) -> str:
    """Write a new file, a comment line first; its hash.

    Raises FileExistsError where there is one: nothing is overwritten. Only its owner may read it, since
    whoever knows the deals of a ladder knows the tiles of both sides.
    """
    digest = hashlib.sha256()
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with open(descriptor, "wb") as file:  # noqa: PTH123 -- a descriptor has no path
            for line in (f"# {head}", *map(write_deal, deals)):
                data = f"{line}\n".encode("ascii")
                digest.update(data)
                file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        path.unlink(missing_ok=True)  # half a file would be taken for a whole one
        raise
    return digest.hexdigest()
