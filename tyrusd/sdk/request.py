"""What a bot is told and asked, and what it answers."""

from __future__ import annotations

from typing import NamedTuple

from tyrusd.rules.pieces import Building, Side, Tile
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


class Turn(NamedTuple):
    """One decision that is due, for a bot that follows the events and keeps its own view of the game."""

    game: str
    number: int
    left_ms: int | None
    time_ms: int | None
    enemy_time_ms: int | None


class Placement(NamedTuple):
    """The answer to one request: this tile of the hand into this building (any of the six)."""

    tile: Tile
    building: Building


class GameStart(NamedTuple):
    """A game begins. Clocks and caps are in seconds as the protocol writes them: `600+5`, `60` or `none`.

    `lenient` is how many illegal placements are forgiven, None for any number; `opener` opens the odd
    elections; `seed` is this seat's own random text of this game; without `ponder` the bot is asked not to
    think while it owes no decision.
    """

    game: str
    side: Side
    name: str
    enemy: str
    variant: str
    clock: str
    cap: str
    enemy_clock: str
    enemy_cap: str
    lenient: int | None
    seed: str
    opener: Side
    ponder: bool = True
