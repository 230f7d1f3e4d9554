"""Coming in: what the error budget before hello lets through, and which names are words of the protocol."""

from __future__ import annotations

import pytest

from tests.core.world import World
from tyrusd.core.lobby import Lobby
from tyrusd.wire import messages as wire


def test_nothing_gets_in_behind_more_wrong_secrets_than_are_forgiven() -> None:
    world = World(Lobby({}))
    peer = world.connect()
    peer.say("resume a\nresume b\nresume c\nresume d\nhello 0.1 gh bot")
    world.wait(20)
    assert [error.code for error in peer.got(wire.Error)] == ["auth"] * 4
    assert peer.got(wire.Welcome) == []
    assert peer.last(wire.Bye).reason == "protocol"


def test_control_behind_those_that_are_forgiven_a_hello_is_heard() -> None:
    world = World(Lobby({}))
    peer = world.connect()
    peer.say("resume a\nresume b\nresume c\nhello 0.1 gh bot")
    world.wait(20)
    assert peer.last(wire.Welcome).name == "gh"


@pytest.mark.parametrize(
    "name", ["-", "I", "b", "N", "examiner", "spectator", "Welcome", "error", "BYE", "place"]
)
def test_row_60_a_word_of_the_protocol_is_no_name(name: str) -> None:
    peer = World(Lobby({})).connect()
    peer.say(f"hello 0.1 {name} bot")
    assert peer.last(wire.Error).code == "name"
