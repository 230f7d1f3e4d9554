"""What bot authors in Python import: typed views, hooks, and the process a plugin runs in."""

from tyrusd.rules.events import (
    Drew,
    ElectionOpened,
    Over,
    Placed,
    Remaining,
    Revealed,
    SeenTile,
    Tallied,
)
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
from tyrusd.sdk.events import Event, Snapshot
from tyrusd.sdk.helpers import chance, own_side, turns_left, unseen_tiles
from tyrusd.sdk.hooks import hookimpl
from tyrusd.sdk.options import Option, OptionValue
from tyrusd.sdk.request import GameStart, Placement, Request, Turn

__all__ = [
    "ALL_CARDS",
    "ALL_TILES",
    "BLOCKER_OF",
    "TILE_NAMED",
    "VOTERS_OF",
    "Building",
    "Count",
    "Drew",
    "ElectionOpened",
    "Event",
    "GameStart",
    "Kind",
    "Option",
    "OptionValue",
    "Over",
    "Placed",
    "Placement",
    "Profession",
    "Remaining",
    "Request",
    "Revealed",
    "SeenTile",
    "Side",
    "Snapshot",
    "Tallied",
    "Tile",
    "Turn",
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
