"""Ends workers that do not work: those that say nothing, and those that do not end when they should."""

from __future__ import annotations

from typing import Final

import trio

from tyrusd.host.ladder import link
from tyrusd.host.ladder.hand import Hand

BEAT: Final = 2.0  # seconds between two questions whether a worker still works
SILENCE: Final = 20.0  # seconds without an answer after which it is ended
START_LIMIT: Final = 60.0  # the same, until it is ready for the first time
END_LIMIT: Final = 12.0  # seconds for bots to leave, once there is nothing to play or games are stopped


async def watch(hand: Hand) -> None:
    """Kill a worker that is silent, or does not end although nothing is left to play; for ever.

    Our own looks are counted and not the time, so that it is no offence of a worker if we slept.
    """
    silent, idle, number = 0.0, 0.0, 0
    while True:
        number += 1
        hand.process.send(link.Ask(number))
        await trio.sleep(BEAT)
        silent = 0.0 if hand.heard else silent + BEAT
        hand.heard = False
        if silent >= (SILENCE if hand.ready else START_LIMIT):
            hand.process.kill(f"it was silent for {silent:g} s")
        idle = idle + BEAT if hand.finishing and not hand.tasks else 0.0
        if idle >= END_LIMIT:
            hand.process.kill(f"it had nothing to do and did not end within {idle:g} s")


async def limit_end(hand: Hand, aborted: trio.Event) -> None:
    """Kill a worker that does not end soon after it was told to stop everything."""
    await aborted.wait()
    await trio.sleep(END_LIMIT)
    hand.process.kill(f"it did not end within {END_LIMIT:g} s")
