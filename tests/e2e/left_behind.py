"""Finds what a tyrusd has left: its processes are known by a word in their environment that is passed on."""

from __future__ import annotations

import os
import time
import uuid
from pathlib import Path

from tests.host.test_host_children import alive

VARIABLE = "LC_TYRUSD_TEST"  # bots get every LC_ variable
PATIENCE = 5.0  # seconds


def new_mark() -> str:
    return uuid.uuid4().hex


def processes(mark: str) -> list[int]:
    """Our processes that were started with this mark, zombies left out."""
    word = f"{VARIABLE}={mark}".encode()
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            if word in (entry / "environ").read_bytes().split(b"\0") and alive(int(entry.name)):
                found.append(int(entry.name))
        except OSError:
            continue  # it has ended, or is not ours
    return found


def all_gone(mark: str, within: float = PATIENCE) -> bool:
    """Wait until none of them is left."""
    until = time.monotonic() + within
    while processes(mark):
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True


def emptied(directory: Path, within: float = PATIENCE) -> bool:
    """Wait until nothing is left in a directory."""
    until = time.monotonic() + within
    while any(directory.iterdir()):
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True
