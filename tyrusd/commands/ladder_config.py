"""Reads the configuration of a ladder: TOML whose keys are the options, held to the same checks as those."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import click

from tyrusd.commands.ladder_words import (
    FILLINGS,
    SPRT,
    TIMES,
    BotWords,
    bot_of,
    other_word,
    sprt_of,
    times_of,
)

TABLES: Final = ("ladder", "each", "sprt", "bot")
LARGEST: Final = 1 << 20  # bytes
# Options with a table of their own, and one that says where a run is and not what it is.
_NO_KEYS: Final = frozenset({"bot", "each", "sprt", "resume"})
_HEAD: Final = re.compile(r"\s*\[\[?\s*[\"']?([A-Za-z0-9_-]+)[\"']?\s*\]\]?")
_KEY: Final = re.compile(r"\s*[\"']?([A-Za-z0-9_-]+)[\"']?\s*=")


class ConfigError(ValueError):
    """The file is no configuration; the sentence names the line and the key and tells what is allowed."""


def keys_of(options: list[click.Option]) -> dict[str, click.Option]:
    """The keys of the table [ladder]: the options without their hyphens in front."""
    keys = {option.opts[0].removeprefix("--"): option for option in options}
    return {key: option for key, option in keys.items() if key not in _NO_KEYS}


def read_config(path: Path, options: list[click.Option]) -> dict[str, Any]:
    """The values of a file by the names of the command's parameters; raises ConfigError or OSError."""
    with path.open("rb") as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise ConfigError(f"{path}: it is larger than {LARGEST} bytes")
    try:
        text = data.decode("utf-8")
        found = tomllib.loads(text)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{path}, line {line}: a byte that is no UTF-8") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(f"{path} is no TOML: {error}") from None
    return _Reader(path, text, keys_of(options)).values(found)


class _Reader:
    def __init__(self, path: Path, text: str, keys: Mapping[str, click.Option]) -> None:
        self._path = path
        self._lines = text.splitlines()
        self._keys = keys

    def values(self, found: Mapping[str, Any]) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for table, content in found.items():
            if table not in TABLES:
                raise self._error(
                    table, None, 1, "is not known; there are the tables [ladder], [each], [sprt] and [[bot]]"
                )
            if table == "bot":
                values["bot"] = self._bots(content)
                continue
            if not isinstance(content, dict):
                raise self._error(table, None, 1, f"is a table: write [{table}] on a line of its own")
            if table == "ladder":
                values |= {
                    option.name or "": self._value(key, value, option)
                    for key, value, option in map(self._known, content.items())
                }
            else:
                allowed, make = _WORDS[table]
                values[table] = self._words(table, 1, content, allowed, make)
        return values

    def _known(self, item: tuple[str, Any]) -> tuple[str, Any, click.Option]:
        key, value = item
        if key not in self._keys:
            raise self._error("ladder", key, 1, f"is not known; there are {', '.join(self._keys)}")
        return key, value, self._keys[key]

    def _value(self, key: str, value: Any, option: click.Option) -> Any:
        kind = option.type
        wanted, fits = _wanted(option)
        if not fits(value):
            raise self._error("ladder", key, 1, f"wants {wanted}, not {_shown(value)}")
        try:
            return kind.convert(value, option, None)
        except click.BadParameter as error:
            raise self._error("ladder", key, 1, error.message) from None

    def _bots(self, content: Any) -> tuple[BotWords, ...]:
        if not isinstance(content, list) or not all(isinstance(bot, dict) for bot in content):
            raise self._error("bot", None, 1, "is a table for each bot: write [[bot]], with two brackets")
        allowed = ("name", *FILLINGS, *TIMES)
        return tuple(
            self._words("bot", number, bot, allowed, bot_of, more=isinstance(bot.get("plugin"), str))
            for number, bot in enumerate(content, 1)
        )

    def _words(
        self,
        table: str,
        number: int,
        content: Mapping[str, Any],
        allowed: tuple[str, ...],
        make: Callable[[Mapping[str, str]], Any],
        *,
        more: bool = False,
    ) -> Any:
        """A table whose keys are the words of an option; more: also the options of a plugin."""
        words: dict[str, str] = {}
        for key, value in content.items():
            if key not in allowed and not more:
                other = other_word(key)
                meant = f"here that is {other}" if other else f"there are {', '.join(allowed)}"
                raise self._error(table, key, number, f"is not known; {meant}")
            if key == "tcp":
                if value is not True:
                    raise self._error(table, key, number, f"wants true, not {_shown(value)}")
                words[key] = ""
            elif isinstance(value, bool) and key not in allowed:
                words[key] = str(value).lower()
            elif isinstance(value, str | int | float) and not isinstance(value, bool):
                words[key] = value if isinstance(value, str) else f"{value:.10g}"
            else:
                raise self._error(table, key, number, f"wants a text or a number, not {_shown(value)}")
        try:
            return make(words)
        except ValueError as error:
            named = next((key for key in content if str(error).startswith(f"{key}=")), None)
            raise self._error(table, named, number, str(error), colon=True) from None

    def _error(
        self, table: str, key: str | None, number: int, what: str, *, colon: bool = False
    ) -> ConfigError:
        """Name the place: the file, the line where it is found, the table and the key."""
        line = self._line(table, key, number)
        place = f"{self._path}, line {line}" if line else str(self._path)
        name = f"[[bot]] number {number}" if table == "bot" else f"[{table}]"
        name = name if table in TABLES else repr(table)
        shown = f"{name} {key}" if key is not None else name
        return ConfigError(f"{place}: {shown}{':' if colon else ''} {what}")

    def _line(self, table: str, key: str | None, number: int) -> int | None:
        """The line of a key, or of its table; None where it is written in a way that is not found."""
        at: int | None = None
        seen = 0
        inside = False
        for line_number, line in enumerate(self._lines, 1):
            head = _HEAD.match(line)
            if head is not None:
                seen += head[1] == table
                inside = head[1] == table and seen == number
                at = line_number if inside else at
                continue
            found = _KEY.match(line)
            if found is not None and inside and found[1] == key:
                return line_number
            if found is not None and at is None and not seen and found[1] == table:
                at = line_number
        return at


_WORDS: Final[dict[str, tuple[tuple[str, ...], Callable[[Mapping[str, str]], Any]]]] = {
    "each": (TIMES, times_of),
    "sprt": (SPRT, sprt_of),
}


def _wanted(option: click.Option) -> tuple[str, Callable[[Any], bool]]:
    """What a key wants, in words and as a check; everything else is up to the option's own type."""
    kind = option.type
    if option.is_flag:
        return "true or false", lambda value: isinstance(value, bool)
    if isinstance(kind, click.IntRange):
        return (
            f"a whole number from {kind.min} to {kind.max}",
            lambda value: isinstance(value, int) and not isinstance(value, bool),
        )
    if isinstance(kind, click.FloatRange):
        return (
            f"a number of seconds from {kind.min} to {kind.max:g}",
            lambda value: isinstance(value, int | float) and not isinstance(value, bool),
        )
    if isinstance(kind, click.Choice):
        return f"one of {', '.join(map(repr, kind.choices))}", lambda value: isinstance(value, str)
    return "a text in quotes", lambda value: isinstance(value, str)


def _shown(value: Any) -> str:
    text = repr(value).lower() if isinstance(value, bool) else repr(value)
    return text if len(text) <= 60 else f"{text[:60]}..."
