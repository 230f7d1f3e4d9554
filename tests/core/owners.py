"""Two players who finish games and ask about them."""

from __future__ import annotations

from tests.core.world import Peer, World
from tyrusd.rules.pieces import Side
from tyrusd.wire import Start
from tyrusd.wire import messages as wire


def pair(world: World, kind: str = "bot", extra: str = "") -> tuple[Peer, Peer]:
    return world.join("anna", kind, extra), world.join("bob", kind, extra)


def begin(anna: Peer, bob: Peer, terms: str = "clock=none cap=60") -> str:
    """A game in which anna has Ivory; its id."""
    anna.say(f"seek side=I {terms}")
    bob.say(f"seek {terms}")
    return anna.last(Start).game


def play_out(world: World, game: str, anna: Peer, bob: Peer) -> None:
    while (table := world.server.tables.get(game)) is not None:
        match = table.match.game
        assert match.to_move is not None
        peer = bob if match.to_move is Side.BROWN else anna
        peer.say(f"place {game} {match.placed_count + 1} {match.hand(match.to_move)[0]} BT")


def asked(peer: Peer, line: str) -> list[wire.Message]:
    """The answer to a line, with its `ok` or `error`."""
    before = len(peer.inbox)
    peer.say(line)
    return [message for message in peer.inbox[before:] if isinstance(message, wire.Message)]


def refusal(peer: Peer, line: str) -> str:
    (error,) = asked(peer, line)
    assert isinstance(error, wire.Error)
    return error.code
