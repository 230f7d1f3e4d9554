"""The lobby in memory: seeks, challenges, whole games, and what everyone is told."""

from __future__ import annotations

import random

from tests.core.world import Peer, World
from tyrusd.core.lobby import Lobby
from tyrusd.rules.notation import read_view
from tyrusd.wire import messages as wire


def answer(peer: Peer, chance: random.Random) -> bool:
    """Answer the newest open request with any legal placement; False when there is none."""
    requests = peer.got(wire.Choose)
    if not requests:
        return False
    request = requests[-1]
    peer.forget()
    tile = chance.choice(read_view(request.view).hand)
    building = chance.choice(("IC", "IM", "IT", "BC", "BM", "BT"))
    peer.send(wire.Place(game=request.game, request=request.request, tile=str(tile), building=building))
    return True


def test_two_seeks_make_a_game_that_is_played_to_its_end() -> None:
    world, chance = World(Lobby({})), random.Random(5)
    ada, bob = world.join("ada"), world.join("bob", "bot")
    ada.say("seek")
    bob.say("seek")
    game = ada.last(wire.Start).game
    assert bob.last(wire.Start).game == game
    for _ in range(300):
        if not (answer(ada, chance) or answer(bob, chance)):
            break
        world.wait(0.2)
    over = ada.last(wire.Over), bob.last(wire.Over)
    assert over[0] == over[1]
    assert world.server.tables == {} or over[0].next in world.server.tables
