"""How every command fails: one sentence on stderr and the exit code that docs/commands.md gives."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Awaitable, Callable, Iterable
from typing import IO, TYPE_CHECKING, Any, Final, NoReturn, TypeVar

import click

if TYPE_CHECKING:
    from tyrusd.core.seatspec import SeatSpec

FAILURE: Final = 1
USAGE: Final = 2
MISSING_EXTRA: Final = 3
GATE: Final = 4
FAILED_STEPS: Final = 5
INTERRUPTED: Final = 130

_Result = TypeVar("_Result")


class Failure(click.ClickException):
    """Ends the command with a sentence."""

    exit_code = FAILURE

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the sentence, in which nothing may drive the terminal, wherever its words are from."""
        sentence = "".join(map(_shown, self.message))
        click.echo(f"tyrusd: {sentence}", file=file, err=file is None)


def _shown(sign: str) -> str:
    return sign if sign == "\n" or sign.isprintable() else sign.encode("unicode-escape").decode("ascii")


class Refusal(Failure):
    """What was typed cannot be done."""

    exit_code = USAGE


class Missing(Failure):
    """Something that was asked for is not installed or cannot work on this machine."""

    exit_code = MISSING_EXTRA


class Interruption(Failure):
    """A signal ended the command."""

    exit_code = INTERRUPTED


def tell(line: str, *, err: bool = False) -> None:
    """Print a line while games run: nobody who cannot be told it stops them."""
    with contextlib.suppress(OSError):
        click.echo(line, err=err)


def warn_of_root() -> None:
    """Say that a server and its bots should not have all rights, where they have them."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        import logging

        logging.getLogger("tyrusd.daemon").warning(
            "this runs as root, and so do its bots: use an account of the system without rights"
        )


def usage(sentence: str) -> NoReturn:
    """Refuse what was typed."""
    raise Refusal(sentence)


def check_options(seats: Iterable[SeatSpec]) -> None:
    """Refuse a seat whose options its plugin does not have or cannot take; only such plugins are loaded."""
    seats = [seat for seat in seats if seat.kind == "plugin" and "?" in seat.text]
    if seats:
        from tyrusd.host.checking import check_seats

        sentence = run(lambda: check_seats(seats))
        if sentence is not None:
            usage(sentence)


def run(main: Callable[[], Awaitable[_Result]]) -> _Result:
    """Run a server; trouble that it tells of in a sentence becomes a Failure."""
    from tyrusd.host.running import TroubleError, run_to_end

    try:
        return run_to_end(main)
    except TroubleError as trouble:
        raise Failure(str(trouble)) from trouble
    except KeyboardInterrupt as interrupt:
        raise Interruption("interrupted") from interrupt
