"""The bot `lowest`: always its lowest tile, into its own building of the election."""

from collections.abc import Sequence

from tyrusd.sdk import Placement, Request, building_of, hookimpl, own_side


def choose(request: Request) -> Placement:
    """Return the lowest tile of the hand and our own building of the election."""
    view = request.view
    tile = min(view.hand, key=lambda tile: tile.number)
    return Placement(tile, building_of(own_side(view), view.kind))


@hookimpl
def tyrusd_choose(requests: Sequence[Request]) -> Sequence[Placement]:
    """Answer all waiting requests, in their order."""
    return [choose(request) for request in requests]


@hookimpl
def tyrusd_about() -> str:
    """Tell what this bot is."""
    return "always its lowest tile, into its own building of the election"
