"""What bot authors in Python import: typed views, hooks, and the process a plugin runs in."""

from tyrusd.rules.events import SeenTile
from tyrusd.rules.notation import read_view, write_view
from tyrusd.rules.pieces import (
    ALL_CARDS,
    ALL_TILES,
    BLOCKER_OF,
    TILE_NAMED,
    VOTERS_OF,
    Building,
    Kind,
    Profession,
    Side,
    Tile,
    building_of,
)
from tyrusd.rules.tally import Count, count, score, winner
from tyrusd.rules.view import View
from tyrusd.sdk.helpers import chance, own_side, turns_left, unseen_tiles
from tyrusd.sdk.hooks import hookimpl
from tyrusd.sdk.request import Placement, Request

__all__ = [
    "ALL_CARDS",
    "ALL_TILES",
    "BLOCKER_OF",
    "TILE_NAMED",
    "VOTERS_OF",
    "Building",
    "Count",
    "Kind",
    "Placement",
    "Profession",
    "Request",
    "SeenTile",
    "Side",
    "Tile",
    "View",
    "building_of",
    "chance",
    "count",
    "hookimpl",
    "own_side",
    "read_view",
    "score",
    "turns_left",
    "unseen_tiles",
    "winner",
    "write_view",
]
