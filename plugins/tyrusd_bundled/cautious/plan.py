"""Finds the cheapest way to win the election at hand, or finds that none is worth its price."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final, NamedTuple

from tyrusd.sdk import (
    ALL_CARDS,
    Building,
    Kind,
    Side,
    Tile,
    View,
    building_of,
    own_side,
    turns_left,
)

from .reading import ROLES, Reading

PRICE: Final = 0.009  # share of a game that one more of a tile's number is worth later
LAST_TILES: Final = 0.25  # how much of that a tile keeps that is never placed: it may settle a tie

# How much of its price a tile keeps that is placed now for a later election, by what it will do there.
KEPT_AS_VOTE: Final = 0.85
KEPT_AS_BLOCK: Final = 0.5
KEPT_AS_COUNTER: Final = 0.2


class Spare(NamedTuple):
    """A tile that the election does not need, where it is best laid aside, and what that costs."""

    cost: float
    tile: Tile
    building: Building


class Plan(NamedTuple):
    """Which tiles to spend on this election (none: let it go), its chance to win, and its worth in all."""

    worth: float
    chance: float
    tiles: tuple[Tile, ...]


def make_plan(view: View, reading: Reading, at_stake: float, spares: Sequence[Spare]) -> Plan:
    """Return the plan worth most: what is at stake times the chance, minus the prices of all tiles laid."""
    mine, _ = turns_left(view)
    voters, blockers, counterers = ROLES[view.kind]
    price = price_of_number(view.election)
    best = Plan(-1.0, 0.0, ())
    for size in range(min(mine, len(view.hand)) + 1):
        for tiles in combinations(view.hand, size):
            sums = [0, 0, 0]
            for profession, number in tiles:
                sums[profession] += number
            chance = reading.chance(votes=sums[voters], counters=sums[counterers], blocks=sums[blockers])
            worth = at_stake * chance - price * sum(sums) - _cheapest(spares, tiles, mine - size)
            if worth > best.worth:
                best = Plan(worth, chance, tiles)
    return best


def _cheapest(spares: Sequence[Spare], taken: tuple[Tile, ...], wanted: int) -> float:
    cost = 0.0
    for spare in spares:
        if not wanted:
            break
        if spare.tile not in taken:
            cost += spare.cost
            wanted -= 1
    return cost


def price_of_number(election: int) -> float:
    """Return the share of a game that each of a tile's number is worth after this election."""
    # No tiles are drawn after election 7: of the six held after the eighth three are placed, then none.
    to_place = {8: 0.5, 9: 0.0}.get(election, 1.0)
    return PRICE * (to_place + LAST_TILES * (1 - to_place))


def spares_of(view: View) -> list[Spare]:
    """Return every tile of the hand with the place where it loses least, the cheapest first."""
    side = own_side(view)
    price = price_of_number(view.election)
    places = [place for kind in Kind for place in _places(side, kind, view)]
    found = []
    for tile in view.hand:
        kept, building = max(
            (kept, building) for profession, kept, building in places if profession == tile.profession
        )
        found.append(Spare(price * tile.number * (1 - kept), tile, building))
    return sorted(found)


def _places(side: Side, kind: Kind, view: View) -> list[tuple[int, float, Building]]:
    voters, blockers, counterers = ROLES[kind]
    own, theirs = building_of(side, kind), building_of(side.other, kind)
    cards = ALL_CARDS.count(kind) - view.cards.count(kind)
    # Whatever lies in the buildings of the election at hand is spent, and without a card nothing counts.
    comes = 0.0 if kind == view.kind or not cards else 1.0
    return [
        (voters, KEPT_AS_VOTE * comes, own),
        (blockers, KEPT_AS_BLOCK * comes, theirs),
        (counterers, KEPT_AS_COUNTER * comes, own),
    ]
