"""What a seat is filled with: `plugin:NAME?OPTION=VALUE&…`, `exec:COMMAND LINE` or `tcp:NAME`."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import unquote

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


def plugin_words(text: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Split what follows `plugin:` into the plugin's name and its options, whose values are still texts.

    Raises ValueError with a sentence for what cannot be read; whether the options exist only the bot knows.
    """
    name, mark, rest = text.partition("?")
    if mark and not rest:
        raise ValueError("after ? come options, as in plugin:NAME?level=3&fast=true")
    return name, tuple([_option(word) for word in rest.split("&")]) if mark else ()


def _option(word: str) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    if not name or not equals:
        raise ValueError(f"{word!r} is not OPTION=VALUE; several of them are joined by &")
    if not (word.isascii() and word.isprintable()):
        raise ValueError(f"{word!r} is not printable ASCII; write other characters as % and two digits")
    try:
        return name, unquote(value, errors="strict")
    except UnicodeDecodeError:
        raise ValueError(f"{word!r} does not stand for UTF-8") from None


def _plugin(text: str) -> str | None:
    try:
        text, _ = plugin_words(text)
    except ValueError as error:
        return str(error)
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
