"""Turns a plan into the one placement to make now: spare tiles and bluffs first, strength last."""

from __future__ import annotations

from typing import Final

from tyrusd.sdk import (
    Building,
    Placement,
    Request,
    Tile,
    View,
    building_of,
    chance,
    own_side,
    turns_left,
)

from .plan import Plan, Spare, make_plan, spares_of
from .reading import ROLES, read
from .stakes import stakes

BLUFF_NUMBER: Final = 3  # the highest tile that is given away to look like strength
BLUFF: Final = 50  # how many of a hundred such tiles


def choose(request: Request, bluff: int = BLUFF) -> Placement:
    """Return the placement for this decision; `bluff` of a hundred tiles that could be bluffs are."""
    view = request.view
    spares = spares_of(view)
    plan = make_plan(view, read(view), stakes(view), spares)
    mine, _ = turns_left(view)
    if len(plan.tiles) >= mine:
        return _strength(view, plan)
    spare = next(spare for spare in spares if spare.tile not in plan.tiles)
    return _bluff(request, spare, mine, bluff) or Placement(spare.tile, spare.building)


def _strength(view: View, plan: Plan) -> Placement:
    # The greatest first: what is placed later can then still be saved if the enemy gives in.
    tile = max(plan.tiles, key=lambda tile: tile.number)
    return Placement(tile, place_of(view, tile))


def place_of(view: View, tile: Tile) -> Building:
    """Return the building in which a tile counts in the election at hand."""
    side = own_side(view)
    _, blockers, _ = ROLES[view.kind]
    return building_of(side.other if tile.profession == blockers else side, view.kind)


def _bluff(request: Request, spare: Spare, mine: int, bluff: int) -> Placement | None:
    view = request.view
    # The last tile can frighten nobody any more.
    if spare.tile.number > BLUFF_NUMBER or mine == 1 or 100 * chance(request).random() >= bluff:
        return None
    side = own_side(view)
    return Placement(spare.tile, building_of(side, view.kind))
