"""What a seat is filled with: `plugin:NAME`, `exec:COMMAND LINE` or `tcp:NAME`."""

from __future__ import annotations

from typing import NamedTuple

_NAME_BYTES = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")
_LONGEST_NAME = 32


class SeatSpec(NamedTuple):
    """One seat's filling: its kind (`plugin`, `exec` or `tcp`) and what follows the colon."""

    kind: str
    text: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.text}"


def is_name(text: str) -> bool:
    """Tell whether a text is a name as protocol.md#names has it: 1 to 32 of `A-Za-z0-9_-`."""
    return 0 < len(text) <= _LONGEST_NAME and _NAME_BYTES.issuperset(text)


def _plugin(text: str) -> str | None:
    distribution, slash, name = text.rpartition("/")
    if not name or (slash and not distribution):
        return "plugin: wants a plugin's name, or DISTRIBUTION/NAME; `tyrusd plugins` lists them"
    return None


def _exec(text: str) -> str | None:
    return None if text.strip() else "exec: wants a command line, as in exec:./mybot"


def _tcp(text: str) -> str | None:
    return None if is_name(text) else "tcp: wants a name of 1 to 32 letters, digits, _ or -"


_CHECKS = {"plugin": _plugin, "exec": _exec, "tcp": _tcp}


def parse_seat(text: str) -> SeatSpec:
    """Read a seat as it is written on a command line.

    Raises ValueError with a sentence that says what is allowed; show it to who typed the seat.
    """
    kind, colon, rest = text.partition(":")
    check = _CHECKS.get(kind)
    if not colon or check is None:
        raise ValueError(f"{text!r} is not a seat: write plugin:NAME, exec:COMMAND LINE or tcp:NAME")
    problem = check(rest)
    if problem is not None:
        raise ValueError(f"{text!r} is not a seat: {problem}")
    return SeatSpec(kind, rest)
