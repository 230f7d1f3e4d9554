"""Option types that several commands share: each refuses what it cannot read with a sentence."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from tyrusd.core.seatspec import SeatSpec, is_name, parse_seat

_WHOLE = re.compile(r"[0-9]{1,12}")
_ELO = re.compile(r"-?[0-9]{1,6}")
_SECONDS = re.compile(r"[0-9]{1,7}(\.[0-9]{1,3})?")

if TYPE_CHECKING:
    from collections.abc import Callable

    from tyrusd.core.settings import Settings
    from tyrusd.host.confinement import Confinement

    _SeatBase = click.ParamType[SeatSpec]
    _HouseBase = click.ParamType[tuple[str, SeatSpec]]
    _AnchorBase = click.ParamType[tuple[str, int]]
    _ClockBase = click.ParamType[str]
else:  # older versions of click have no type arguments
    _SeatBase = _HouseBase = _AnchorBase = _ClockBase = click.ParamType


class SeatType(_SeatBase):
    """A seat: plugin:NAME, exec:COMMAND LINE or tcp:NAME."""

    name = "seat"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> SeatSpec:
        """Read a seat."""
        if isinstance(value, SeatSpec):
            return value
        try:
            return parse_seat(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


class HouseType(_HouseBase):
    """A bot of the lobby: NAME=SEAT, where the seat is a plugin or a program."""

    name = "name=seat"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, SeatSpec]:
        """Read a name and its seat."""
        name, equals, text = value.partition("=")
        if not equals or not is_name(name):
            self.fail(
                f"{value!r} is not NAME=SEAT with a name of 1 to 32 letters, digits, _ or -", param, ctx
            )
        seat = SEAT.convert(text, param, ctx)
        if seat.kind == "tcp":
            self.fail(
                f"{value!r}: a bot of the lobby is plugin: or exec:; others connect by themselves", param, ctx
            )
        return name, seat


class AnchorType(_AnchorBase):
    """A house bot whose rating is given: NAME=ELO."""

    name = "name=elo"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, int]:
        """Read a name and a rating."""
        from tyrusd.host.configuration.ladder_kinds import MOST_ELO

        if isinstance(value, tuple):
            return value
        name, _, elo = value.partition("=")
        if not is_name(name) or _ELO.fullmatch(elo) is None or abs(int(elo)) > MOST_ELO:
            self.fail(
                f"{value!r} is not NAME=ELO with the name of a bot of this server and a whole number from "
                f"-{MOST_ELO} to {MOST_ELO}",
                param,
                ctx,
            )
        return name, int(elo)


class ClockType(_ClockBase):
    """A bank and an increment: BASE+INC in seconds."""

    name = "base+inc"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Check a clock."""
        from tyrusd.host.configuration.ladder_kinds import LadderClock

        try:
            return LadderClock().take(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


class WholeRange(click.IntRange):
    """A whole number in a range, in plain digits: `int` alone would also read 1_0, +7 and other alphabets."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read a number."""
        if isinstance(value, str) and _WHOLE.fullmatch(value) is None:
            self.fail(f"{value!r} is not a whole number in plain digits", param, ctx)
        return super().convert(value, param, ctx)


class SecondsRange(click.FloatRange):
    """Seconds in a range, in plain digits with at most three decimals."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read seconds."""
        if isinstance(value, str) and _SECONDS.fullmatch(value) is None:
            self.fail(f"{value!r} is not a number of seconds such as 60 or 0.5", param, ctx)
        return super().convert(value, param, ctx)


LONGEST_SEED: Final = 64

SEAT = SeatType()
HOUSE = HouseType()
ANCHOR = AnchorType()
CLOCK = ClockType()

_Command = TypeVar("_Command", bound="Callable[..., Any]")


def bot_options(*, auto: bool = False) -> Callable[[_Command], _Command]:
    """Add the options that say how far bots are kept apart; `confinement` reads them.

    auto: the sandbox is bubblewrap wherever it works, unless something else is asked for.
    """
    choices = ["auto", "none", "bwrap"] if auto else ["none", "bwrap"]
    where = "; auto: where it works" if auto else ""
    options = (
        click.option(
            "--bot-start",
            type=SecondsRange(0.1, 600),
            default=10.0,
            show_default=True,
            metavar="SECONDS",
            help="How long a bot may take until its hello.",
        ),
        click.option(
            "--sandbox",
            type=click.Choice(choices),
            default=choices[0],
            show_default=True,
            help=f"What bots run in; bwrap: bubblewrap, without network and other files{where}.",
        ),
        click.option(
            "--bot-cpu",
            type=WholeRange(1, 1_000_000),
            metavar="SECONDS",
            help="Processor time for each bot's process.  [default: no limit]",
        ),
        click.option(
            "--bot-memory",
            type=WholeRange(16, 1_048_576),
            default=512,
            show_default=True,
            metavar="MIB",
            help="Memory for each bot's process.",
        ),
    )

    def added(command: _Command) -> _Command:
        for option in options:
            command = option(command)
        return command

    return added


def settings(bot_start: float) -> Settings:
    """The server's limits, with the time that a bot has to start."""
    from dataclasses import replace

    from tyrusd.core.settings import DEFAULTS

    return replace(DEFAULTS, bot_start=bot_start, hello_pipe=bot_start)


def seed_of(typed: str | None) -> str:
    """The seed of a series: what was typed, or 128 bits that nobody can guess."""
    import secrets

    from tyrusd.commands.running import usage

    seed = secrets.token_hex(16) if typed is None else typed
    if not (0 < len(seed) <= LONGEST_SEED and seed.isascii() and seed.isprintable()):
        usage(f"--seed wants 1 to {LONGEST_SEED} printable ASCII characters")
    return seed


def confinement(sandbox: str, bot_memory: int, bot_cpu: int | None) -> Confinement:
    """What the options of `bot_options` ask for."""
    from tyrusd.commands.running import Missing
    from tyrusd.host.confinement import Confinement
    from tyrusd.host.limits import DEFAULT
    from tyrusd.host.sandbox import NoSandbox, find

    limits = DEFAULT._replace(memory=bot_memory, cpu=bot_cpu)
    if sandbox == "none":
        return Confinement(limits)
    try:
        return Confinement(limits, find())
    except NoSandbox as error:
        raise Missing(str(error)) from error
