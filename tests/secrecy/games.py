"""Games for directed scripts: watched from the start, and come so far, or ended in some way."""

from __future__ import annotations

import random
from typing import Final

from tests.secrecy.scripts import Act, Say, Script, Seat, Setting, any_deal, placed, random_choice
from tyrusd.rules.game import Game
from tyrusd.rules.pieces import Side
from tyrusd.rules.variants import VARIANTS
from tyrusd.wire import Codec

PEOPLE: Final = Setting(Seat(want=("events",)), Seat(Codec.FRAME, want=("events", "full")), clock="30+1")
WATCHED: Final = (Say(0, "watch g1"), Say(1, "watch g1"))


def mover(game: Game) -> Side:
    """The side to move."""
    assert game.to_move is not None
    return game.to_move


def beginning(setting: Setting, placements: int, chance: random.Random) -> tuple[Script, Game]:
    """A game that is watched and has come this far."""
    deal = any_deal(chance)
    game = Game(deal, VARIANTS[setting.variant])
    acts: list[Act] = list(WATCHED) if setting.lobby else []
    while game.placed_count < placements and game.outcome is None:
        acts += placed(game, 1, *random_choice(game, chance))
    return Script(setting, (deal, any_deal(chance)), tuple(acts)), game


def _ends_as(reason: str, variant: str) -> tuple[Game, random.Random]:
    """The first game of random placements that ends so; few do, so some hundred are played."""
    for seed in range(20_000):
        chance = random.Random(seed)
        game = Game(any_deal(chance), VARIANTS[variant])
        while game.outcome is None:
            game.place(mover(game), *random_choice(game, chance))
        if game.outcome.reason == reason:
            return game, chance
    raise AssertionError(f"no game ended as {reason}")


def played_out(reason: str, variant: str, setting: Setting) -> tuple[Script, int, random.Random]:
    """A watched game with this ending, the act from which on it is compared, and the chance."""
    found, chance = _ends_as(reason, variant)
    game = Game(found.deal, found.variant)
    acts: list[Act] = list(WATCHED)
    for _, tile, building in found.placements:
        acts += placed(game, 1, tile, building)
    setting = setting._replace(variant=variant)
    return Script(setting, (found.deal, any_deal(chance)), tuple(acts)), len(acts) - 7, chance
