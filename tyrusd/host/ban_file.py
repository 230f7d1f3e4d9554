"""Keeps bans in a small file of the data directory: whole or as it was, and never guessed."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from tyrusd.core.bans import Ban
from tyrusd.core.hosts import canonical_host
from tyrusd.host.store_file import StoreError

BANS: Final = "bans.json"
FORMAT: Final = "tyrusd bans 1"


class _Ban(Struct, frozen=True, forbid_unknown_fields=True):
    who: str
    until: float | None = None


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    format: str
    bans: list[_Ban]


class BanFile:
    """The bans of a data directory; used by one process at a time."""

    def __init__(self, data: Path) -> None:
        self.path = data / BANS

    def load(self) -> list[Ban]:
        """Return what was kept; raises StoreError for a file that cannot be read, which is left as it is."""
        try:
            found = msgspec.json.decode(self.path.read_bytes(), type=_File)
        except FileNotFoundError:
            return []
        except OSError as error:
            raise StoreError(f"{self.path} cannot be read: {error.strerror}") from error
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise StoreError(
                f"{self.path} is damaged ({error}); nothing was changed. "
                "Mend it, or move it away to ban nobody"
            ) from error
        if found.format != FORMAT:
            raise StoreError(
                f"{self.path} is {found.format!r}, and this tyrusd knows {FORMAT!r}; nothing was changed"
            )
        return [Ban(canonical_host(ban.who), ban.until) for ban in found.bans]

    def save(self, bans: Iterable[Ban]) -> None:
        """Keep these bans durably, in place of all others; after OSError the file is as it was (blocks)."""
        content = msgspec.json.format(
            msgspec.json.encode(_File(FORMAT, [_Ban(ban.who, ban.until) for ban in bans])), indent=1
        )
        new = self.path.with_name(f"{BANS}.new")
        try:
            new.unlink(missing_ok=True)
            new.touch(mode=0o600)
            with new.open("wb") as file:
                file.write(content + b"\n")
                file.flush()
                os.fsync(file.fileno())
            new.replace(self.path)
        except OSError:
            with contextlib.suppress(OSError):
                new.unlink()
            raise
        folder = os.open(self.path.parent, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
