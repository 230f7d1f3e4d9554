"""The bot `random`: any tile of the hand into any building, all equally likely."""

from __future__ import annotations

from typing import Final

from tyrusd.sdk import Building, Placement, Request, chance, hookimpl

BUILDINGS: Final = tuple(Building)


def choose(request: Request) -> Placement:
    """Return a placement drawn evenly from all legal ones."""
    random = chance(request)
    return Placement(random.choice(request.view.hand), random.choice(BUILDINGS))


@hookimpl
def tyrusd_about() -> str:
    """Tell what this bot is."""
    return "places any tile of its hand anywhere, all placements equally likely"
