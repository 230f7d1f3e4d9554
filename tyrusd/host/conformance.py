"""Runs a check of one seat with the adapters of a server: its program, or the port where it connects."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import trio

from tyrusd.core.conformance import Result, Step
from tyrusd.core.conformance.desk import Desk
from tyrusd.core.seatspec import SeatSpec
from tyrusd.host.assembly import Assembly
from tyrusd.host.daemon import hide_memory
from tyrusd.host.journal import MemoryJournal

PATIENCE: Final = 6.0  # seconds to end after a goodbye: longer than any step waits for that


class CheckBroken(Exception):  # noqa: N818 - it is told to people
    """The check could not be done to its end for a fault of its own; report it."""


@dataclass(frozen=True, slots=True)
class CheckPlan:
    """What to check: wait is seconds for the first connection of a tcp seat, which has a key."""

    name: str
    seat: SeatSpec
    key: str | None
    steps: Sequence[Step]
    wait: float


class CheckEnd(NamedTuple):
    """How a check ended: complete (else a signal ended it); absent: why the bot never came, if it did not."""

    complete: bool
    absent: str


async def run_check(
    plan: CheckPlan,
    listeners: Sequence[socket.socket],
    tell: Callable[[Result | None], None],
    ready: Callable[[], None],
) -> CheckEnd:
    """Do the steps.

    tell: gets each result when its step is done, and None when a bot on a socket is waited for.
    """
    hide_memory()
    desk = Desk(plan.name, plan.seat, plan.key, plan.steps, os.urandom, trio.current_time(), plan.wait, tell)
    assembly = Assembly(desk, MemoryJournal(), listeners, grace=0.0, patience=PATIENCE)
    await assembly.run(ready)
    if not (assembly.interrupted or desk.run.complete):
        raise CheckBroken(
            "the check itself failed: what is above in the log is a fault of tyrusd, not of the bot"
        )
    return CheckEnd(not assembly.interrupted, desk.run.absent)
