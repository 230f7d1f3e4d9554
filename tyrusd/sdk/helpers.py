"""Small readings of a request that most bots need: repeatable chance, turns left, tiles not yet seen."""

from __future__ import annotations

from random import Random

from tyrusd.rules.game import TURNS
from tyrusd.rules.pieces import ALL_TILES, Side, Tile
from tyrusd.rules.view import View
from tyrusd.sdk.request import Request


def chance(request: Request) -> Random:
    """Return the random numbers of this decision: the same ones whenever the same request is asked again."""
    return Random(f"{request.seed}:{request.number}")


def own_side(view: View) -> Side:
    """Return the side the view belongs to; ValueError for a spectator's view (no bot is asked with one)."""
    if view.viewer is None:
        raise ValueError("a spectator's view has no own side; pass the view of a player")
    return view.viewer


def turns_left(view: View) -> tuple[int, int]:
    """Return how many tiles the mover and the other side still place in this election, this turn included."""
    after = TURNS - view.turn
    return after // 2 + 1, after - after // 2


def unseen_tiles(view: View, side: Side) -> list[Tile]:
    """Return the tiles of a side that the viewer has seen nowhere: each side's set of thirty is public."""
    seen = {tile for group in view.past for _, _, _, owner, tile in group if owner == side}
    seen.update([tile for _, _, _, owner, tile in view.board if owner == side and tile is not None])
    if side == view.viewer:
        seen.update(view.hand)
    return [tile for tile in ALL_TILES if tile not in seen]
