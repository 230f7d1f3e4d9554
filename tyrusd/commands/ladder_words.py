"""Reads the words of `--bot`, `--each` and `--sprt`; each refuses what it cannot read with a sentence."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, cast
from urllib.parse import quote

import click

from tyrusd.core.seatspec import SeatSpec, is_name, parse_seat

if TYPE_CHECKING:
    from tyrusd.league.statistics.plan import SprtPlan

FILLINGS: Final = ("plugin", "exec", "tcp")
TIMES: Final = ("clock", "cap")
SPRT: Final = ("elo0", "elo1", "alpha", "beta", "model")
MODELS: Final = ("normalized", "logistic")
LARGEST_ELO: Final = 1000.0

# What the words of other programs are called here.
_OTHERS: Final = {
    "tc": "clock=BASE+INC",
    "st": "cap=SECONDS",
    "cmd": "exec='COMMAND LINE'",
    "engine": "a --bot of its own",
    "conf": "plugin=NAME or exec='COMMAND LINE'",
    "args": "exec='COMMAND LINE', arguments and all",
    "option": "OPTION=VALUE of a plugin, without the word option",
    "timemargin": "nothing: an answer may always come 50 ms after its time",
    "restart": "nothing: a program that failed is started again, one that did not plays on",
}
_OPTION: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_DECIMAL: Final = re.compile(r"-?([0-9]{1,7}(\.[0-9]{0,9})?|\.[0-9]{1,9})")

if TYPE_CHECKING:
    _BotBase = click.ParamType["BotWords"]
    _TimesBase = click.ParamType["TimeWords"]
    _SprtBase = click.ParamType[SprtPlan]
else:  # older versions of click have no type arguments
    _BotBase = _TimesBase = _SprtBase = click.ParamType


class TimeWords(NamedTuple):
    """Time controls as they were typed, None where nothing was."""

    clock: str | None = None
    cap: str | None = None


class BotWords(NamedTuple):
    """One bot as it was typed; the name is None where it follows from the seat."""

    name: str | None
    seat: SeatSpec
    times: TimeWords


def words_of(text: str) -> dict[str, str]:
    """Split a text into its words KEY=VALUE as a shell would; a bare `tcp` has the value ``.

    Raises ValueError with a sentence.
    """
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise ValueError(f"{text!r} cannot be split into words ({error}); close the quotes") from None
    found: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if (not equals and word != "tcp") or not key:
            raise ValueError(f"{word!r} is not KEY=VALUE; quote values with spaces, as in exec='./b --fast'")
        if key in found:
            raise ValueError(f"{key}= is there twice")
        found[key] = value
    return found


def bot_of(words: Mapping[str, str]) -> BotWords:
    """Make a bot of its words; raises ValueError with a sentence."""
    rest = dict(words)
    name = rest.pop("name", None)
    if name is not None and not is_name(name):
        raise ValueError(f"name={name}: a name is 1 to 32 letters, digits, _ or -")
    times = _times(rest)
    kinds = [kind for kind in FILLINGS if kind in rest]
    if len(kinds) != 1:
        known = [f"write {_OTHERS[word]} for {word}" for word in rest if word in _OTHERS]
        raise ValueError(
            "a bot has one of plugin=NAME, exec='COMMAND LINE' and tcp" + "".join(f"; {how}" for how in known)
        )
    kind = kinds[0]
    value = rest.pop(kind)
    if kind != "plugin" and rest:
        raise ValueError(_unknown(next(iter(rest)), ("name", *FILLINGS, *TIMES)))
    return BotWords(name, _seat(kind, value, name, rest), times)


def _seat(kind: str, value: str, name: str | None, options: Mapping[str, str]) -> SeatSpec:
    if kind == "tcp":
        if value:
            raise ValueError(f"tcp={value}: write the bare word tcp; the bot comes by the name of name=")
        if name is None:
            raise ValueError("a tcp bot needs name=NAME, by which it comes")
        return parse_seat(f"tcp:{name}")
    if kind == "exec":
        return parse_seat(f"exec:{value}")
    for option in options:
        if option in _OTHERS:
            meant = f"an option of the plugin that is called so is written plugin='{value}?{option}=...'"
            raise ValueError(f"{_unknown(option, ())}; {meant}")
        if not _OPTION.fullmatch(option):
            raise ValueError(f"{option!r} is no name of an option")
    if not value:
        raise ValueError("plugin=: wants a plugin's name; `tyrusd plugins` lists them")
    joined = "&".join(f"{option}={quote(text, safe='')}" for option, text in options.items())
    mark = "" if not options else "&" if "?" in value else "?"
    return parse_seat(f"plugin:{value}{mark}{joined}")


def times_of(words: Mapping[str, str]) -> TimeWords:
    """Make the times of --each of its words; raises ValueError with a sentence."""
    rest = dict(words)
    times = _times(rest)
    if rest:
        raise ValueError(_unknown(next(iter(rest)), TIMES))
    return times


def _times(rest: dict[str, str]) -> TimeWords:
    """Take the times out of words, and look at each of them alone."""
    from tyrusd.league.clock import NONE, TimeControl

    times = TimeWords(rest.pop("clock", None), rest.pop("cap", None))
    for clock, cap in ((times.clock, NONE), (NONE, times.cap)):
        if clock is not None and cap is not None:
            try:
                TimeControl.parse(clock, cap)
            except ValueError as error:
                wrong = f"clock={clock}" if cap == NONE else f"cap={cap}"
                raise ValueError(f"{wrong}: {error}") from None
    return times


def sprt_of(words: Mapping[str, str]) -> SprtPlan:
    """Make a sequential test of its words; raises ValueError with a sentence."""
    from tyrusd.league.statistics.plan import SprtPlan

    unknown = [word for word in words if word not in SPRT]
    if unknown:
        raise ValueError(_unknown(unknown[0], SPRT))
    missing = [word for word in SPRT[:2] if word not in words]
    if missing:
        raise ValueError(f'{missing[0]}= is missing, as in "elo0=0 elo1=5 alpha=0.05 beta=0.05"')
    elo0, elo1 = (_decimal(word, words[word], -LARGEST_ELO, LARGEST_ELO) for word in SPRT[:2])
    alpha, beta = (_decimal(word, words.get(word, "0.05"), 0.0001, 0.4999) for word in SPRT[2:4])
    if elo0 >= elo1:
        raise ValueError(f"elo0={elo0:g} elo1={elo1:g}: elo0 is the smaller of the two")
    model = words.get("model", MODELS[0])
    if model not in MODELS:
        raise ValueError(f"model={model}: the models are {' and '.join(MODELS)}")
    return SprtPlan(elo0, elo1, alpha, beta, cast('Literal["normalized", "logistic"]', model))


def _decimal(key: str, text: str, least: float, most: float) -> float:
    if not (_DECIMAL.fullmatch(text) and least <= float(text) <= most):
        raise ValueError(f"{key}={text}: a number from {least:g} to {most:g} is wanted")
    return float(text)


def other_word(word: str) -> str | None:
    """What a word of another program is called here, None for a word that is none of theirs."""
    return _OTHERS.get(word)


def _unknown(word: str, allowed: tuple[str, ...]) -> str:
    if word in _OTHERS:
        return f"{word}=: here that is {_OTHERS[word]}"
    return f"{word}= is not known here; there are {', '.join(allowed)}"


class BotType(_BotBase):
    """A bot: `name=A plugin=greedy level=3`."""

    name = "words"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> BotWords:
        """Read a bot."""
        if isinstance(value, BotWords):
            return value
        try:
            return bot_of(words_of(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)


class TimesType(_TimesBase):
    """Times for every bot: `clock=10+0.1 cap=60`."""

    name = "words"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> TimeWords:
        """Read times."""
        if isinstance(value, TimeWords):
            return value
        try:
            return times_of(words_of(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)


class SprtType(_SprtBase):
    """A sequential test: `elo0=0 elo1=5`."""

    name = "words"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> SprtPlan:
        """Read a test."""
        if not isinstance(value, str):
            return cast("SprtPlan", value)
        try:
            return sprt_of(words_of(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)
