"""Twins: a game that looks the same to one viewer although everything hidden from him is different.

Needs nothing but the public names of the rules, so tests of any room can use it to prove that nothing leaks:
whatever a viewer is sent in a game and in its twin must be the same, byte for byte.
"""

from collections.abc import Callable
from typing import Any

Shuffle = Callable[[list[Any]], list[Any]]


def reverse(values: list[Any]) -> list[Any]:
    """A shuffle without chance."""
    return values[::-1]


def public_tiles(rules: Any, game: Any, side: Any) -> set[Any]:
    """The tiles of a side that everybody has seen."""
    seen = {tile.tile for group in game.past for tile in group if tile.side == side}
    for event in game.events:
        if type(event) is rules.Remaining and event.side == side:
            seen.update(event.tiles)
    return seen


def twin(rules: Any, game: Any, viewer: Any, shuffle: Shuffle) -> Any:
    """The twin of a game for a viewer (None: a spectator), its hidden faces exchanged as `shuffle` says."""
    faces: dict[Any, dict[Any, Any]] = {}
    drawing: dict[Any, tuple[Any, ...]] = {}
    for side in rules.Side:
        order = game.deal.tiles(side)
        public = public_tiles(rules, game, side)
        if side == viewer:
            # He knows every tile he has drawn; only the order of his reserve is hidden from him.
            drawn = len(order) - game.reserve_count
            hidden = list(order[drawn:])
        else:
            hidden = [tile for tile in order if tile not in public]
        faces[side] = dict(zip(hidden, shuffle(hidden), strict=True))
        drawing[side] = tuple(faces[side].get(tile, tile) for tile in order)
    cards = game.deal.cards
    known = game.election
    deal = rules.Deal(
        cards[:known] + tuple(shuffle(list(cards[known:]))),
        *(drawing[side] for side in rules.Side),
        game.deal.opener,
    )
    other = rules.Game(deal, game.variant)
    for side, tile, building in game.placements:
        other.place(side, faces[side].get(tile, tile), building)
    if game.outcome is not None and other.outcome is None:
        other.stop(*game.outcome)
    return other
