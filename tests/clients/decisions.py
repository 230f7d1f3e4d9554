"""Positions to decide in, and what each sample bot does there."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Final

from tests.clients.samples import choose, program
from tests.screen.games import place_one
from tyrusd.rules.deal import deal_from_bytes
from tyrusd.rules.game import Game
from tyrusd.rules.pieces import Building, Tile, building_of
from tyrusd.wire import messages as wire

_GAMES: Final = 40
_ASKED: Final = 0.25  # of the placements of a game


@cache
def positions() -> list[wire.Choose]:
    """Requests of any stage, in games in which both sides often vote at home, as samples do."""
    asked = []
    for number in range(_GAMES):
        chance, game = Random(number), Game(deal_from_bytes(b"position %d" % number))
        while game.outcome is None:
            if chance.random() < _ASKED:
                asked.append(choose("g1", game))
            if chance.random() < 0.4:
                place_one(game, chance)
            else:
                _vote_at_home(game)
    return asked


def _vote_at_home(game: Game) -> None:
    side = game.to_move
    assert side is not None
    hand = game.hand(side)
    voters = [tile for tile in hand if tile.profession == game.kind.voters]
    game.place(side, max(voters or hand, key=lambda tile: tile.number), building_of(side, game.kind))


@cache
def decisions(language: str) -> list[tuple[Tile, Building]]:
    """What a sample does in each of the positions."""
    made = []
    with program(language) as talk:
        for request in positions():
            talk.send(request)
            made.append(talk.placed()[2:])
    return made
