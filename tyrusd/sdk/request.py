"""What a bot is asked and what it answers: one request holds all that a seat may know."""

from __future__ import annotations

from typing import NamedTuple

from tyrusd.rules.pieces import Building, Tile
from tyrusd.rules.view import View


class Request(NamedTuple):
    """One decision that is due: everything the seat may know at this moment, so that a bot needs no memory.

    `left_ms` is what this answer may take, `time_ms` and `enemy_time_ms` are the clocks: milliseconds, None
    where there is no limit. `number` counts the game's placements from 1; `seed` is this seat's own random
    text of this game (it tells nothing about the deal); `enemy` is the name of the other player.
    """

    game: str
    number: int
    left_ms: int | None
    time_ms: int | None
    enemy_time_ms: int | None
    view: View
    seed: str
    enemy: str


class Placement(NamedTuple):
    """The answer to one request: this tile of the hand into this building (any of the six)."""

    tile: Tile
    building: Building
