"""Kinds of values in a configuration: what is allowed, in words and as a check, in TOML or as plain text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from tyrusd.core.names import name_fault
from tyrusd.core.seatspec import parse_seat
from tyrusd.host.addresses import parse_address

_WHOLE: Final = re.compile(r"[0-9]{1,12}")
_DECIMAL: Final = re.compile(r"[0-9]{1,9}(\.[0-9]{1,3})?")
_SHOWN: Final = 60  # characters of a value in a sentence


class Kind(Protocol):
    """One kind of value."""

    @property
    def allowed(self) -> str:
        """What may stand there, as a sentence goes on after `wants`."""

    def take(self, value: Any) -> Any:
        """Check a value as TOML has it; raises ValueError with a sentence that says what is allowed."""

    def read(self, text: str) -> Any:
        """Read a value from the environment; raises ValueError as `take` does."""


class EntriesError(ValueError):
    """Entries of a table are wrong, not the table; faults: each with a sentence."""

    def __init__(self, faults: Sequence[tuple[str, str]]) -> None:
        self.faults = faults
        super().__init__("; ".join(f"{entry} {sentence}" for entry, sentence in faults))


def checked_entries(table: Mapping[str, Any], fault_of: Callable[[Any], str | None]) -> None:
    """Raise EntriesError for names that no bot can have, or are there twice, and for values with a fault."""
    found: list[tuple[str, str]] = []
    seen: set[str] = set()
    for name, value in table.items():
        fault = name_fault(name)
        if fault is not None:
            found.append((name, f"is no name for a bot: {fault}"))
        elif name.lower() in seen:
            found.append((name, "is there twice: names must differ in more than their case"))
        elif (wrong := fault_of(value)) is not None:
            found.append((name, wrong))
        seen.add(name.lower())
    if found:
        raise EntriesError(found)


def shown(value: Any) -> str:
    """A value as an operator writes it, cut where it is long."""
    text = str(value).lower() if isinstance(value, bool) else repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def refuse(kind: Kind, value: Any) -> ValueError:
    """The error that says what is wanted instead of a value."""
    return ValueError(f"wants {kind.allowed}, not {shown(value)}")


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number in a range."""

    low: int
    high: int

    @property
    def allowed(self) -> str:
        """The range."""
        return f"a whole number from {self.low} to {self.high}"

    def take(self, value: Any) -> int:
        """Check a number."""
        if not isinstance(value, int) or isinstance(value, bool) or not self.low <= value <= self.high:
            raise refuse(self, value)
        return value

    def read(self, text: str) -> int:
        """Read plain digits."""
        if _WHOLE.fullmatch(text) is None:
            raise refuse(self, text)
        return self.take(int(text))


@dataclass(frozen=True, slots=True)
class Number:
    """A number in a range that may have decimals."""

    low: float
    high: float

    @property
    def allowed(self) -> str:
        """The range."""
        return f"a number from {self.low:g} to {self.high:.12g}"

    def take(self, value: Any) -> float:
        """Check a number; `nan` is in no range."""
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise refuse(self, value)
        if not self.low <= value <= self.high:
            raise refuse(self, value)
        return float(value)

    def read(self, text: str) -> float:
        """Read plain digits with at most three decimals."""
        if _DECIMAL.fullmatch(text) is None:
            raise refuse(self, text)
        return self.take(float(text))


@dataclass(frozen=True, slots=True)
class Flag:
    """Yes or no."""

    allowed: str = "true or false"

    def take(self, value: Any) -> bool:
        """Check a truth value."""
        if not isinstance(value, bool):
            raise refuse(self, value)
        return value

    def read(self, text: str) -> bool:
        """Read the words of TOML."""
        if text not in ("true", "false"):
            raise refuse(self, text)
        return text == "true"


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few words."""

    words: tuple[str, ...]

    @property
    def allowed(self) -> str:
        """The words."""
        return f"one of {', '.join(map(repr, self.words))}"

    def take(self, value: Any) -> str:
        """Check a word."""
        if value not in self.words:
            raise refuse(self, value)
        return str(value)

    read = take


@dataclass(frozen=True, slots=True)
class Directory:
    """The path of a directory; nothing is opened to check it."""

    allowed: str = "the path of a directory as text in quotes"

    def take(self, value: Any) -> Path:
        """Check a path."""
        if not isinstance(value, str) or not value or "\0" in value:
            raise refuse(self, value)
        return Path(value)

    read = take


@dataclass(frozen=True, slots=True)
class File:
    """The path of a file; nothing is opened to check it."""

    allowed: str = "the path of a file as text in quotes"

    take = Directory.take
    read = take


@dataclass(frozen=True, slots=True)
class Listen:
    """An address and a port to listen on."""

    allowed: str = 'a HOST:PORT as text in quotes, as in "127.0.0.1:9433" or "[::1]:9433"'

    def take(self, value: Any) -> str:
        """Check an address; whether the host exists is found out when the server starts."""
        try:
            parse_address(value if isinstance(value, str) else "")
        except ValueError:
            raise refuse(self, value) from None
        return str(value)

    read = take


@dataclass(frozen=True, slots=True)
class Words:
    """Several texts, such as addresses; in the environment with commas between them."""

    what: str

    @property
    def allowed(self) -> str:
        """What a list of them looks like."""
        return f'a list of {self.what}, each a text in quotes, as in ["127.0.0.1", "::1"]'

    def take(self, value: Any) -> tuple[str, ...]:
        """Check a list."""
        if not isinstance(value, list) or not all(
            isinstance(item, str) and item and item.isascii() and item.isprintable() and " " not in item
            for item in value
        ):
            raise refuse(self, value)
        return tuple(dict.fromkeys(value))

    def read(self, text: str) -> tuple[str, ...]:
        """Read a list; an empty text is an empty list."""
        return self.take([item.strip() for item in text.split(",")] if text.strip() else [])


@dataclass(frozen=True, slots=True)
class Houses:
    """Bots of the lobby by name; in the environment one `NAME=SEAT` a line."""

    allowed: str = 'a table of bots, each NAME = "SEAT" with a plugin: or exec: seat'

    def take(self, value: Any) -> dict[str, str]:
        """Check names and seats; whether they exist is found out when the server starts."""
        if not isinstance(value, Mapping):
            raise refuse(self, value)
        checked_entries(value, _seat_fault)
        return dict(value)

    def read(self, text: str) -> dict[str, str]:
        """Read one bot a line."""
        found = {}
        for line in text.splitlines():
            name, equals, seat = line.strip().partition("=")
            if not equals:
                raise ValueError(f"wants one NAME=SEAT a line, not {shown(line)}")
            found[name] = seat
        return self.take(found)


def _seat_fault(seat: Any) -> str | None:
    if not isinstance(seat, str):
        return f"wants a seat as text in quotes, not {shown(seat)}"
    try:
        spec = parse_seat(seat)
    except ValueError as error:
        return f"wants a seat: {error}"
    return f"wants plugin: or exec:, not {shown(seat)}" if spec.kind == "tcp" else None
