"""The bot `lowest`: always its lowest tile, into its own building of the election."""

from tyrusd.sdk import Placement, View, building_of, own_side


def choose(view: View) -> Placement:
    """Return the lowest tile of the hand and our own building of the election."""
    tile = min(view.hand, key=lambda tile: tile.number)
    return Placement(tile, building_of(own_side(view), view.kind))
