"""Twin deals: what was hidden when a script was cut lies elsewhere, what had been shown lies as it lay."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from tyrusd.rules.deal import HAND_SIZE, Deal
from tyrusd.rules.game import DRAWN_TILES, ELECTIONS, Game
from tyrusd.rules.pieces import Side, Tile

Value = TypeVar("Value")


class Known(NamedTuple):
    """What is known of one game: tiles shown of each side, how many each has drawn, cards turned up."""

    shown: tuple[frozenset[Tile], frozenset[Tile]]
    drawn: int
    cards: int


NOTHING = Known((frozenset(), frozenset()), 0, 0)


def known(game: Game) -> Known:
    """What has become known of a game up to now."""
    faces: tuple[set[Tile], set[Tile]] = (set(), set())
    for group in game.past:
        for seen in group:
            assert seen.tile is not None
            faces[seen.side].add(seen.tile)
    outcome = game.outcome
    if outcome is not None and (
        outcome.reason == "remaining-tiles" or (outcome.reason == "drawn" and game.variant.last_tiles_decide)
    ):
        for side in Side:
            faces[side].update(game.hand(side))
    drawn = len(game.deal.ivory) - game.reserve_count
    return Known((frozenset(faces[0]), frozenset(faces[1])), drawn, game.election)


def twin_deal(deal: Deal, facts: Known, owner: Side, chance: random.Random) -> Deal:
    """The deal that looks the same to everyone but the owner of the hidden tiles.

    Exchanged are: all tiles of the owner that have not been shown, the order in which the other side's
    reserve lies, and the election cards that have not been turned up.
    """
    everything = range(len(deal.ivory))
    hidden = [slot for slot in everything if deal.tiles(owner)[slot] not in facts.shown[owner]]
    orders = {
        owner: _exchanged(deal.tiles(owner), hidden, chance),
        owner.other: _exchanged(deal.tiles(owner.other), everything[facts.drawn :], chance),
    }
    cards = _exchanged(deal.cards, range(facts.cards, len(deal.cards)), chance)
    return Deal(cards, orders[Side.IVORY], orders[Side.BROWN], deal.opener)


def reordered_deal(game: Game, owner: Side, chance: random.Random) -> Deal:
    """The deal in which the owner draws the same tiles at other times, but each before he places it.

    The enemy sees the same placements and the same faces; when a tile was drawn is the owner's secret.
    """
    laid = [seen for group in (*game.past, game.board) for seen in group]
    needed = {(seen.side, seen.tile): seen.election for seen in laid}
    left = list(game.deal.tiles(owner))
    order: list[Tile] = []
    for slot in reversed(range(len(left))):
        first = 1 if slot < HAND_SIZE else (slot - HAND_SIZE) // DRAWN_TILES + 2
        fitting = [tile for tile in left if needed.get((owner, tile), ELECTIONS) >= first]
        order.append(chance.choice(fitting))
        left.remove(order[-1])
    return _with_order(game.deal, owner, tuple(reversed(order)))


def shuffled_draws(deal: Deal, owner: Side, chance: random.Random) -> Deal:
    """The deal in which the owner draws the same tiles at the same times, in another order each time."""
    order = deal.tiles(owner)
    ends = range(HAND_SIZE, len(order) + 1, DRAWN_TILES)
    for start, end in zip((0, *ends), ends, strict=False):
        order = _exchanged(order, range(start, end), chance)
    return _with_order(deal, owner, order)


def _with_order(deal: Deal, owner: Side, order: tuple[Tile, ...]) -> Deal:
    if owner is Side.IVORY:
        return Deal(deal.cards, order, deal.brown, deal.opener)
    return Deal(deal.cards, deal.ivory, order, deal.opener)


def _exchanged(values: tuple[Value, ...], places: Sequence[int], chance: random.Random) -> tuple[Value, ...]:
    """The values with those at some places exchanged among themselves."""
    taken = [values[place] for place in places]
    chance.shuffle(taken)
    exchanged = list(values)
    for place, value in zip(places, taken, strict=True):
        exchanged[place] = value
    return tuple(exchanged)
