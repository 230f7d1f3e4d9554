"""Newcomers are told how to end a line, and nobody is sent away without the word for it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.core.world import Peer, World
from tyrusd.core.accounts import Account, Accounts, Key
from tyrusd.core.keys import key_digest
from tyrusd.core.lobby import Lobby
from tyrusd.core.operator_words import Kick
from tyrusd.core.settings import Settings
from tyrusd.wire import GOODBYES, LIMITS
from tyrusd.wire import messages as wire


@pytest.mark.parametrize("begun", ["", "hello 0.1 ada human"])
def test_a_newcomer_of_whom_no_complete_line_comes_is_told_once_how_to_end_one(begun: str) -> None:
    world = World(Lobby({}))
    peer = world.connect()
    if begun:
        peer.send_bytes(begun.encode())
    world.wait(LIMITS["first-line"].value - 0.001)
    assert not peer.got(wire.Notice)
    world.wait(0.001)
    assert peer.last(wire.Notice).code == "end-lines-with-lf"
    peer.forget()
    world.wait(60.0)
    assert not peer.inbox
    peer.send_bytes(b"\n" if begun else b"hello 0.1 ada human\n")
    assert peer.got(wire.Welcome)


def test_a_newcomer_whose_line_came_is_not_told_how_to_end_one() -> None:
    world = World(Lobby({}))
    peer = world.connect()
    peer.say("ping here")
    peer.send_bytes(b"hel")
    world.wait(60.0)
    assert not peer.got(wire.Notice)


def _flood(world: World) -> Peer:
    peer = world.join("ada")
    for _ in range(5):
        peer.send_bytes(b"pong x\n" * 200)
        world.wait(0.9)
    return peer


def _replaced(world: World) -> Peer:
    ada, bob = world.join("ada"), world.join("bob")
    for peer in (ada, bob):
        peer.say("seek")
    world.connect().say(f"resume {ada.last(wire.Welcome).secret}")
    return ada


def _shut_down(world: World) -> Peer:
    peer = world.join("ada")
    world.server.drain(world.now, 30.0)
    world.run()
    return peer


def _one_too_many(world: World) -> Peer:
    for _ in range(3):
        peer = world.connect("10.0.0.1")
    return peer


def _silent(world: World) -> Peer:
    peer = world.connect()
    world.wait(121.0)
    return peer


def _kicked(world: World) -> Peer:
    peer = world.join("ada")
    lobby = world.server.director
    assert isinstance(lobby, Lobby)
    lobby.operator.do(Kick("ada"), world.now)
    world.run()
    return peer


def _revoked(world: World) -> Peer:
    lobby = world.server.director
    assert isinstance(lobby, Lobby)
    ada = Account("ada", "bot")
    lobby.admission.changed(Accounts([ada], [Key(key_digest("secret"), "ada", "token")]), world.now)
    peer = world.connect()
    peer.say("hello 0.1 ada bot key=secret")
    peer.last(wire.Welcome)
    world.server.step(lambda now: lobby.admission.changed(Accounts([ada]), now), world.now)
    world.run()
    return peer


def _says(*lines: str) -> Callable[[World], Peer]:
    def said(world: World) -> Peer:
        peer = world.connect()
        for line in lines:
            if not peer.closed:
                peer.say(line)
        return peer

    return said


SENDINGS: dict[str, Callable[[World], Peer]] = {
    "bye": _says("hello 0.1 ada bot", "quit"),
    "slow-down": _flood,
    "line-too-long": _says("x" * 513),
    "replaced": _replaced,
    "kicked": _kicked,
    "revoked": _revoked,
    "shutdown": _shut_down,
    "busy": _one_too_many,
    "timeout": _silent,
    "protocol": _says("nonsense", "nonsense", "nonsense", "nonsense"),
    "version": _says("hello 1.0 ada bot"),
}


@pytest.mark.parametrize("reason", SENDINGS)
def test_nobody_is_sent_away_without_the_word_for_it(reason: str) -> None:
    world = World(Lobby({}), Settings(connections_per_host=2))
    peer = SENDINGS[reason](world)
    assert peer.closed
    goodbye = peer.inbox[-1]
    assert isinstance(goodbye, wire.Bye)
    assert goodbye.reason == reason


def test_who_does_not_read_gets_the_word_for_it_after_what_it_did_not_read() -> None:
    world = World(Lobby({}))
    peer = world.join("ada")
    server = world.server
    while not server.closing(peer.number):
        server.receive(peer.number, b"help\n", world.now)
        server.collect()
        world.now += 0.1
    data = b""
    while chunk := server.output(peer.number):
        data += chunk
        server.sent(peer.number, len(chunk), world.now)
    assert data.endswith(b"\n")
    assert data.splitlines()[-1].startswith(b"bye too-slow :")


def test_the_goodbyes_are_all_here() -> None:
    assert set(SENDINGS) | {"too-slow"} == set(GOODBYES)
