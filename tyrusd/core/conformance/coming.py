"""Steps about the start: how the bot takes greetings, its hello, its first answer."""

from __future__ import annotations

from collections.abc import Generator

from tyrusd.core.conformance.arrival import connect, enter, first_features, introduce
from tyrusd.core.conformance.games import examine
from tyrusd.core.conformance.items import End, Ended
from tyrusd.core.conformance.step import Failed, Script
from tyrusd.core.conformance.talk import Talk
from tyrusd.wire import messages as wire

LAST_WORDS = 2.0  # seconds in which a program that has lost its input writes what it had kept back


def start_up(talk: Talk) -> Generator[float, None, None]:
    """Its first line, whatever that is, comes in time."""
    yield from connect(talk, first_features(talk))
    until = talk.now + talk.step.limit
    while not (talk.inbox or talk.rubbish):
        if talk.now >= until:
            raise Failed(f"no complete line came within {talk.step.limit:g} s: end lines with LF and flush")
        yield until
    for item in talk.inbox:
        if isinstance(item, Ended):
            raise Failed(f"it ended before it said anything ({item})")


def hello(talk: Talk) -> Generator[float, None, None]:
    """It is a well-formed hello of a bot, and there is one of it."""
    if not talk.introduced:
        if not talk.alive:
            yield from connect(talk, first_features(talk))
        yield from introduce(talk)
    found = talk.hello
    if found is not None and found.kind != "bot":
        raise Failed(f"its hello says that it is a {found.kind}; a bot says `bot`")
    yield from one_hello(talk)


def one_hello(talk: Talk) -> Generator[float, None, None]:
    """No second hello follows the first."""
    if not talk.can_open:
        return  # the server has refused every other one
    yield from talk.pause(talk.setting.quiet)
    for item in talk.inbox:
        talk.refuse(item)
        if isinstance(item, wire.Hello):
            raise Failed("it said hello twice on one connection")


def greeted(feature: str) -> Script:
    """A script: hello comes after a greeting that is special in this way."""

    def script(talk: Talk) -> Generator[float, None, None]:
        if not (talk.alive and talk.introduced and feature in talk.features):
            yield from enter(
                talk, first_features(talk) | {feature} if not talk.met else frozenset((feature,))
            )
        yield from one_hello(talk)
        yield from examine(talk)

    return script


def flush(talk: Talk) -> Generator[float, None, None]:
    """The first answer comes by itself, not only when more input or its end drives it out."""
    try:
        yield from examine(talk)
    except Failed:
        if not talk.alive or not talk.can_open:
            raise
        owed = {(exam.game, exam.owed) for exam in talk.ledger.exams.values()}
        talk.actions.append(End())
        yield from talk.pause(LAST_WORDS)
        for item in talk.inbox:
            if isinstance(item, wire.Place) and (item.game, item.request) in owed:
                raise Failed("its answer came only when its input had ended: flush after each line") from None
        raise
