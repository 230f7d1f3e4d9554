"""How a bot comes in: a connection, the greeting in its several forms, hello, welcome."""

from __future__ import annotations

import hmac
from collections.abc import Generator, Iterable
from itertools import pairwise
from typing import Final

from tyrusd.core.conformance.items import Connected, End, Ended
from tyrusd.core.conformance.setting import Where
from tyrusd.core.conformance.step import Failed, Skipped
from tyrusd.core.conformance.talk import Talk
from tyrusd.wire import CAPABILITIES, LIMITS, PROTOCOL_VERSION
from tyrusd.wire import messages as wire

LATE: Final = "late"  # the greeting comes half a second after the connection
PIECES: Final = "pieces"  # it comes in pieces
KEYS: Final = "keys"  # it has keys that nobody knows yet
LATENESS: Final = 0.5
GAP: Final = 0.01  # seconds between pieces, so that they are not read as one
_MAJOR: Final = PROTOCOL_VERSION.partition(".")[0]


def first_features(talk: Talk) -> frozenset[str]:
    """How the first greeting is special: a bot on a socket may come only once, so there it is all of it."""
    return frozenset((LATE, PIECES, KEYS) if talk.setting.where is Where.SOCKET else ())


def reach(talk: Talk) -> Generator[float, None, None]:
    """Have the bot there and introduced; raises Skipped when it does not come (again)."""
    if talk.alive and talk.introduced:
        return
    try:
        if talk.left:
            raise Failed("it has left and did not come again")
        yield from enter(talk, frozenset() if talk.met else first_features(talk))
    except Failed as failed:
        talk.left = True
        alone = f"; check it by itself: --only {talk.step.name}" if talk.met else ""
        raise Skipped(f"the bot is not there for this step: {failed}{alone}") from failed


def enter(talk: Talk, features: frozenset[str]) -> Generator[float, None, None]:
    """Have a new connection and the bot introduced on it; raises Failed for what goes wrong."""
    yield from connect(talk, features)
    yield from introduce(talk)


def connect(talk: Talk, features: frozenset[str]) -> Generator[float, None, None]:
    """Have a new connection and greet on it."""
    limit = talk.setting.wait if not talk.met else talk.setting.again
    if talk.setting.where is Where.PROGRAM:
        limit = talk.setting.hello
    talk.open()
    try:
        yield from _connected(talk, limit)
    except Failed as failed:
        talk.absent = "" if talk.met else str(failed)
        raise
    talk.inbox = type(talk.inbox)(item for item in talk.inbox if not isinstance(item, Connected))
    talk.met, talk.features = True, features
    yield from _greet(talk, features)


def _connected(talk: Talk, limit: float) -> Generator[float, None, None]:
    until = talk.now + limit
    while not any(isinstance(item, Connected) for item in talk.inbox):
        for item in talk.inbox:
            if isinstance(item, Ended):
                raise Failed(item.cause)
        if talk.now >= until:
            raise Failed(f"it did not connect {'again ' if talk.met else ''}within {limit:g} s")
        yield until


def _greet(talk: Talk, features: frozenset[str]) -> Generator[float, None, None]:
    if LATE in features:
        yield from talk.pause(LATENESS)
    client, server, games = (LIMITS[name].value for name in ("client-line", "server-line", "games"))
    patience = int(talk.setting.hello * 1000)
    greeting = wire.Greeting(
        PROTOCOL_VERSION, talk.setting.server, tuple(CAPABILITIES), client, server, games, patience
    )
    data = talk.encoded(greeting)
    if KEYS in features:
        data = talk.together(talk.parts(greeting).with_keys(("motto", "veritas"), ("hello-again", "1")))
    if PIECES in features:
        yield from in_pieces(talk, data, (1, 9, 10, len(data) // 2, len(data) - 1))
    else:
        talk.write(data)


def in_pieces(talk: Talk, data: bytes, cuts: Iterable[int]) -> Generator[float, None, None]:
    """Send data cut at these places, with a moment between the pieces."""
    edges = [0, *sorted(set(cuts)), len(data)]
    talk.transcript.sent(data, talk.codec)
    for start, end in pairwise(edges):
        if start:
            yield from talk.pause(GAP)
        talk.write_piece(data[start:end])


def introduce(talk: Talk) -> Generator[float, None, None]:
    """Wait for hello and welcome the bot."""
    limit = talk.setting.hello
    until = talk.now + limit
    while not talk.introduced:
        first = yield from talk.find(
            wire.ClientMessage,
            "hello",
            lambda item: isinstance(item, wire.Hello | wire.Resume),
            until - talk.now,
        )
        if isinstance(first, wire.Hello):
            _judge_version(talk, first)
            if _has_key(talk, first):
                talk.hello = first
                welcome(talk, first)
                continue
        elif isinstance(first, wire.Resume) and talk.hello is not None and first.secret == talk.secret:
            welcome(talk, first)
            continue
        yield from _refuse(talk, first)


def _refuse(talk: Talk, first: wire.ClientMessage) -> Generator[float, None, None]:
    """Send somebody away who is not the bot that is waited for, and wait on."""
    sentence = "The key or secret is not valid here."
    talk.send(wire.Error("auth", "retry", sentence, first.tag, first.verb), wire.Bye("bye", sentence))
    talk.met = talk.hello is not None
    yield from connect(talk, talk.features)


def _judge_version(talk: Talk, hello: wire.Hello) -> None:
    if hello.version.partition(".")[0] != _MAJOR:
        sentence = f"This server speaks version {PROTOCOL_VERSION}; get a client of the same major version."
        talk.send(wire.Error("version", "fatal", sentence, hello.tag, "hello"), wire.Bye("version", sentence))
        talk.actions.append(End())
        raise Failed(f"its hello is of version {hello.version}; this server speaks {PROTOCOL_VERSION}")


def _has_key(talk: Talk, hello: wire.Hello) -> bool:
    key = talk.setting.key
    return key is None or hmac.compare_digest(key.encode(), (hello.key or "").encode())


def welcome(talk: Talk, first: wire.Hello | wire.Resume) -> None:
    """Let the bot in, with a new secret to resume with."""
    hello = talk.hello
    if hello is None:
        raise Failed("it resumed before it had said hello")
    talk.secret = talk.setting.secret()
    want = tuple(word for word in hello.want if word in CAPABILITIES)
    talk.introduced = True
    talk.send(wire.Welcome(talk.setting.name, "bot", talk.secret, hello.games, want))
    if first.tag is not None:
        talk.send(wire.Ok(first.tag, first.verb))
