"""Steps about time: pings, limits that are not there, a bank, an answer in a hurry."""

from __future__ import annotations

from collections.abc import Generator
from typing import Final

from tyrusd.core.conformance.games import exam, examine
from tyrusd.core.conformance.step import Failed, Script
from tyrusd.core.conformance.talk import Talk
from tyrusd.league.clock import MARGIN_MS, TimeControl
from tyrusd.rules.pieces import Side
from tyrusd.wire import messages as wire

NO_LIMIT: Final = TimeControl(None, 0, None)
BANK: Final = TimeControl(600_000, 5_000, None)
HURRY: Final = TimeControl(None, 0, 200)
TRIES: Final = 3  # a busy machine may spoil one of them
WORDS: Final = ("a", "Keep.it!~7", "w" * 64)


def ping(talk: Talk) -> Generator[float, None, None]:
    """Pings of several words, one at a time."""
    for word in WORDS:
        talk.send(wire.Ping(word))
        yield from talk.pong(word)


def ping_while_asked(talk: Talk) -> Generator[float, None, None]:
    """A ping while an answer is due: both come, in any order."""
    one = exam(talk, Side.BROWN, 2)
    talk.begin(one)
    talk.send(talk.request(one), wire.Ping("while-asked"))
    yield from talk.pong("while-asked")
    yield from talk.answer(one)


def timed(control: TimeControl) -> Script:
    """A script: one answer under this time control."""

    def script(talk: Talk) -> Generator[float, None, None]:
        yield from examine(talk, exam(talk, request=13, control=control))

    return script


def hurry(talk: Talk) -> Generator[float, None, None]:
    """Little time: the answer comes within it in one of several tries."""
    allowed = (HURRY.cap_ms or 0) + MARGIN_MS
    quickest = 0
    for number in range(TRIES):
        one = exam(talk, request=25 + number, control=HURRY)
        talk.begin(one)
        asked = talk.now
        talk.send(talk.request(one))
        yield from talk.answer(one)
        took = int((talk.now - asked) * 1000)
        if took <= allowed:
            return
        quickest = min(quickest or took, took)
        talk.stop(one, False, "timeout", "move-cap")
    raise Failed(f"with left={HURRY.cap_ms} the quickest of {TRIES} answers took {quickest} ms")
