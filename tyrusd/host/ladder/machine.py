"""What the records of a ladder call the machine that a game was played on."""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import Final

LONGEST: Final = 128  # characters, as records have it

_CPUINFO: Final = Path("/proc/cpuinfo")
_NAMES: Final = ("model name", "Hardware", "cpu model", "uarch")


def machine() -> tuple[str, str]:
    """The host's name and the name of its processor, both printable and never empty."""
    return _told(platform.node()), _told(_processor())


def cores() -> list[int]:
    """The cores that this process may use, in order; none where the system cannot tell."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


def _processor() -> str:
    try:
        lines = _CPUINFO.read_text("utf-8", "replace").splitlines()
    except OSError:
        lines = []
    found = {
        key.strip(): value.strip() for key, _, value in (line.partition(":") for line in reversed(lines))
    }
    return next(
        (found[name] for name in _NAMES if found.get(name)), platform.processor() or platform.machine()
    )


def _told(text: str) -> str:
    plain = "".join([sign if sign.isprintable() else "?" for sign in text])
    return plain[:LONGEST].strip() or "unknown"
