"""The options of a bot: what it declares, and how the words of a seat become typed values."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, TypeAlias

OptionValue: TypeAlias = int | float | bool | str
OptionType: TypeAlias = type[int] | type[float] | type[bool] | type[str]

MOST: Final = 32  # options of one bot: a seat has to fit on a command line
LONGEST_VALUE: Final = 200  # characters of a text, and of the help
LONGEST: Final = 8192  # characters of all help and choices together: a page that people read
_NAME = re.compile(r"[a-z][a-z0-9_]{0,31}", re.ASCII)
_INT = re.compile(r"-?(?:0|[1-9][0-9]{0,17})", re.ASCII)
_FLOAT = re.compile(r"-?(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{1,17})?(?:e-?[0-9]{1,3})?", re.ASCII)
_BOOLS: Final = {"true": True, "false": False}
_KINDS: Final[dict[type, str]] = {
    int: "a whole number", float: "a number", bool: "true or false", str: "a text of printable characters",
}  # fmt: skip


class Option(NamedTuple):
    """One option: its name, type, default and one line of help; limits for numbers, or the only choices.

    The name is lower-case letters, digits and `_`. `low` and `high` are the least and the greatest value.
    """

    name: str
    type: OptionType
    default: OptionValue
    help: str
    low: float | None = None
    high: float | None = None
    choices: tuple[OptionValue, ...] = ()

    @property
    def allowed(self) -> str:
        """What values it takes, in words."""
        if self.choices:
            return "one of " + ", ".join(write_value(choice) for choice in self.choices)
        limits = [
            f"{word} {limit:g}"
            for word, limit in (("from", self.low), ("to", self.high))
            if limit is not None
        ]
        return " ".join([_KINDS[self.type], *limits])


class WrongOptionError(ValueError):
    """An option does not exist or its value is not allowed; the text is one sentence for whoever wrote it."""


def check_declared(options: object) -> tuple[Option, ...]:
    """Return what a bot declared; ValueError says which option is declared wrongly, and how."""
    if not isinstance(options, Sequence) or isinstance(options, str | bytes):
        raise ValueError(f"{type(options).__name__} instead of a list of Option")
    if len(options) > MOST:
        raise ValueError(f"{len(options)} options, and {MOST} are the most")
    seen: set[str] = set()
    for option in options:
        if not isinstance(option, Option):
            raise ValueError(f"{type(option).__name__} among the options")
        problem = _problem(option)
        if problem is None and option.name in seen:
            problem = "is declared twice"
        if problem is not None:
            raise ValueError(f"the option {option.name!r} {problem}")
        seen.add(option.name)
    if sum(len(option.help) + len(option.allowed) for option in options) > LONGEST:
        raise ValueError(f"options whose help and choices have more than {LONGEST} characters")
    return tuple(options)


def _problem(option: Option) -> str | None:
    if not isinstance(option.name, str) or _NAME.fullmatch(option.name) is None:
        return "needs a name of 1 to 32 lower-case letters, digits or _"
    if option.type not in _KINDS:
        return "needs the type int, float, bool or str"
    if not isinstance(option.help, str) or not _is_text(option.help) or not option.help.strip():
        return f"needs one line of help of at most {LONGEST_VALUE} printable characters"
    if option.type not in (int, float) and (option.low is not None or option.high is not None):
        return "has limits, which only numbers have"
    if option.low is not None and option.high is not None and option.low > option.high:
        return "has a lowest value above its highest"
    if not isinstance(option.choices, tuple):
        return "needs a tuple of choices"
    for word, value in [("choice", choice) for choice in option.choices] + [("default", option.default)]:
        # bool is a kind of int in Python, and none here.
        if type(value) is not option.type or not _fits(option, value):
            return f"has the {word} {value!r}, which is not {option.allowed}"
    return None


def _is_text(text: str) -> bool:
    return len(text) <= LONGEST_VALUE and text.isprintable()


def _fits(option: Option, value: OptionValue) -> bool:
    if isinstance(value, str):
        possible = _is_text(value)
    else:
        low = -math.inf if option.low is None else option.low
        possible = math.isfinite(value) and low <= value <= (math.inf if option.high is None else option.high)
    return possible and (not option.choices or value in option.choices)


def read_options(declared: Sequence[Option], given: Iterable[tuple[str, str]]) -> dict[str, OptionValue]:
    """Return the value of every declared option: what was given as text, otherwise its default.

    Raises WrongOptionError with one sentence for a name that is not declared or given twice, and for a value
    that is not spelled or not allowed.
    """
    named = {option.name: option for option in declared}
    values: dict[str, OptionValue] = {}
    for name, text in given:
        option = named.get(name)
        if option is None:
            known = ", ".join(f"{option.name} ({option.allowed})" for option in declared)
            raise WrongOptionError(
                f"there is no option {name!r}: " + (f"there are {known}" if known else "this bot has none")
            )
        if name in values:
            raise WrongOptionError(f"the option {name} is given twice")
        value = _read(option.type, text)
        if value is None or not _fits(option, value):
            raise WrongOptionError(f"{name}={text} is not possible: {name} takes {option.allowed}")
        values[name] = value
    return {option.name: values.get(option.name, option.default) for option in declared}


def _read(kind: OptionType, text: str) -> OptionValue | None:
    if kind is bool:
        return _BOOLS.get(text)
    if kind is str:
        return text
    if kind is int:
        return int(text) if _INT.fullmatch(text) else None
    return float(text) if _FLOAT.fullmatch(text) else None


def write_value(value: OptionValue) -> str:
    """Return a value as it is written in a seat."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def described(option: Option) -> dict[str, object]:
    """Return an option as plain data, as `tyrusd plugins --json` prints it."""
    return {
        "name": option.name,
        "type": option.type.__name__,
        "default": option.default,
        "help": option.help,
        "low": option.low,
        "high": option.high,
        "choices": list(option.choices),
        "allowed": option.allowed,
    }
