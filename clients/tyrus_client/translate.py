"""Turns event messages of the wire into the events of the rules: the client's one crossing."""

from collections.abc import Callable
from typing import Any, Final

from tyrusd.rules import events as told
from tyrusd.rules.notation import read_entries, read_view
from tyrusd.rules.pieces import BUILDING_NAMED, KIND_OF_LETTER, SIDE_OF_LETTER, TILE_NAMED, Side, Tile
from tyrusd.rules.tally import Count
from tyrusd.rules.view import View
from tyrusd.wire import messages as wire


class NonsenseError(Exception):
    """A message is well spelled, but no game can have it: the server is at fault, pass it over."""


_SIDES: Final[dict[str, Side | None]] = {**SIDE_OF_LETTER, "N": None, "-": None}
_HIDDEN: Final = "?"


def event_of(message: wire.ServerMessage) -> told.Event | None:
    """Return the event of the rules that a message tells, or None for a message that is no event.

    Raises NonsenseError.
    """
    translate = _TRANSLATIONS.get(type(message))
    try:
        return None if translate is None else translate(message)
    except (ValueError, KeyError) as error:
        raise NonsenseError(str(error)) from error


def view_of(sightline: str) -> View:
    """Return the view that a sightline in a message holds; raises NonsenseError."""
    try:
        return read_view(sightline)
    except ValueError as error:
        raise NonsenseError(str(error)) from error


def _election(message: wire.Election) -> told.Event:
    return told.ElectionOpened(message.number, KIND_OF_LETTER[message.kind], SIDE_OF_LETTER[message.opener])


def _placed(message: wire.Placed) -> told.Event:
    return told.Placed(
        SIDE_OF_LETTER[message.side],
        message.election,
        message.turn,
        BUILDING_NAMED[message.building],
        TILE_NAMED.get(message.face),
    )


def _revealed(message: wire.Revealed) -> told.Event:
    return told.Revealed(BUILDING_NAMED[message.building], read_entries(message.entries))


def _tallied(message: wire.Tallied) -> told.Event:
    ivory = (message.ivory_votes, message.ivory_blocks, message.ivory_counters, message.ivory_score)
    brown = (message.brown_votes, message.brown_blocks, message.brown_counters, message.brown_score)
    return told.Tallied(
        message.number, KIND_OF_LETTER[message.kind], Count(*ivory), Count(*brown), _SIDES[message.winner]
    )


def _drew(message: wire.Drew) -> told.Event:
    names = message.tiles.split(",")
    tiles = None if _HIDDEN in names else _tiles(names)
    return told.Drew(SIDE_OF_LETTER[message.side], len(names), tiles)


def _remaining(message: wire.Remaining) -> told.Event:
    return told.Remaining(SIDE_OF_LETTER[message.side], _tiles(message.tiles.split(",")))


def _over(message: wire.Over) -> told.Event:
    return told.Over(_SIDES[message.winner], message.reason, message.detail or "")


def _tiles(names: list[str]) -> tuple[Tile, ...]:
    return tuple([TILE_NAMED[name] for name in names])


_TRANSLATIONS: Final[dict[type[wire.ServerMessage], Callable[[Any], told.Event]]] = {
    wire.Election: _election,
    wire.Placed: _placed,
    wire.Revealed: _revealed,
    wire.Tallied: _tallied,
    wire.Drew: _drew,
    wire.Remaining: _remaining,
    wire.Over: _over,
}
