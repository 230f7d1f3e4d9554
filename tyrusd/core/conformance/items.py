"""What happens in a check, and what is to be done about it: the vocabulary of a run and its caller."""

from __future__ import annotations

from typing import NamedTuple

from tyrusd.core.conformance.step import Result
from tyrusd.wire import messages as wire


class Write(NamedTuple):
    """Write these bytes to the bot, apart from others."""

    data: bytes


class Open(NamedTuple):
    """Bring a new connection: start the program again, or let the bot come; call `connected` then."""


class End(NamedTuple):
    """Say nothing more on this connection: the bot sees the end of its input."""


class Done(NamedTuple):
    """Nothing is to be done but to tell this: a step is done."""

    result: Result


Action = Write | Open | End | Done


class Fault(NamedTuple):
    """The bot did something that no step allows; one sentence."""

    sentence: str


class Connected(NamedTuple):
    """A new connection is there."""


class Ended(NamedTuple):
    """The bot has ended or closed the connection: how, and the last it wrote to its error output."""

    cause: str
    note: str = ""

    def __str__(self) -> str:
        words = [line.strip() for line in self.note.splitlines() if line.strip()]
        return f"{self.cause}; its last words: {words[-1]}" if words else self.cause


Item = wire.ClientMessage | Fault | Connected | Ended
