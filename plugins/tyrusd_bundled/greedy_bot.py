"""The bot `greedy`: spends its best votes on the election at hand, and now and then a blocker."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tyrusd.sdk import (
    BLOCKER_OF,
    Kind,
    Placement,
    Profession,
    Request,
    Tile,
    building_of,
    chance,
    hookimpl,
    own_side,
)

BLOCK_CHANCE: Final = 0.25  # of each turn in which the enemy has something in its building to block
KIND_VOTED_BY: Final = {kind.voters: kind for kind in Kind}


def choose(request: Request) -> Placement:
    """Return the best vote, sometimes a block; without either the lowest tile, laid for a later election."""
    view = request.view
    side = own_side(view)
    own, theirs = building_of(side, view.kind), building_of(side.other, view.kind)
    vote = _best(view.hand, view.kind.voters)
    block = _best(view.hand, BLOCKER_OF[view.kind.voters])
    blockable = any(seen.building == theirs and seen.side != side for seen in view.board)
    if block and (vote is None or (blockable and chance(request).random() < BLOCK_CHANCE)):
        return Placement(block, theirs)
    if vote:
        return Placement(vote, own)
    lowest = min(view.hand, key=lambda tile: tile.number)
    return Placement(lowest, building_of(side, KIND_VOTED_BY[lowest.profession]))


def _best(hand: Sequence[Tile], profession: Profession) -> Tile | None:
    return max((tile for tile in hand if tile.profession == profession), default=None)


@hookimpl
def tyrusd_choose(requests: Sequence[Request]) -> Sequence[Placement]:
    """Answer all waiting requests."""
    return [choose(request) for request in requests]


@hookimpl
def tyrusd_about() -> str:
    """Tell what this bot is."""
    return "spends its best votes on the election at hand, and now and then a blocker"
