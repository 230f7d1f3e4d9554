"""Games for the tests of what people see: any number of placements of any game, chosen by numbers."""

from __future__ import annotations

from random import Random

from tyrusd.rules.deal import deal_from_bytes
from tyrusd.rules.game import Game
from tyrusd.rules.pieces import Building, Side
from tyrusd.rules.variants import STANDARD, Variant

VIEWERS: tuple[Side | None, ...] = (Side.IVORY, Side.BROWN, None)


def place_one(game: Game, chance: Random) -> None:
    """Go on by one placement, whatever it is."""
    side = game.to_move
    assert side is not None
    game.place(side, chance.choice(game.hand(side)), chance.choice(list(Building)))


def played(number: int, placements: int = 54, variant: Variant = STANDARD) -> Game:
    """Game `number` after that many placements, or at its end if that is sooner."""
    chance = Random(number)
    game = Game(deal_from_bytes(number.to_bytes(4, "big")), variant)
    while game.outcome is None and game.placed_count < placements:
        place_one(game, chance)
    return game
