"""What a step of the run is, what it can need, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tyrusd.core.conformance.talk import Talk


class Verdict(Enum):
    """What a step found."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


class Need(Enum):
    """What a step cannot do without; the value is the sentence for who has not got it."""

    LINES = "this bot speaks frames, which have no line ends"
    TWO_GAMES = "the bot's hello does not say games=2 or more"
    CONNECTION = "it needs connections of its own: run `tyrusd check`"
    SOCKET = "it is for bots on sockets: a program that has ended cannot come back"


class Failed(Exception):  # noqa: N818 - a finding, not an error
    """The bot does not do what the step expects; the text is one sentence about what it did."""


class Skipped(Exception):  # noqa: N818
    """The step cannot be judged; the text is one sentence that says why."""


Script = Callable[["Talk"], Generator[float, None, None]]
"""Plays a step: it yields the time (seconds) until which it waits, and goes on when something has come."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step: what it sends, what it expects, and where protocol.md says so.

    section: an anchor of protocol.md. limit: seconds that the bot has for each thing expected of it. vital:
    when it fails nothing after it can be judged. opens: it begins with a connection of its own.
    """

    number: int
    name: str
    section: str
    sends: str
    expects: str
    script: Script
    limit: float
    needs: frozenset[Need] = frozenset()
    vital: bool = False
    opens: bool = False


class Result(NamedTuple):
    """What came of a step; sent and came are its last lines, oldest first."""

    step: Step
    verdict: Verdict
    sentence: str
    sent: tuple[str, ...] = ()
    came: tuple[str, ...] = ()
