"""The events of a game as a bot gets them: values of the rules, made from the messages that tell them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias

from tyrusd.rules.events import Drew, ElectionOpened, Over, Placed, Remaining, Revealed, Tallied
from tyrusd.rules.notation import read_entries, read_view
from tyrusd.rules.pieces import BUILDING_NAMED, KIND_OF_LETTER, SIDE_OF_LETTER, TILE_NAMED, Side, Tile
from tyrusd.rules.tally import Count
from tyrusd.rules.view import View
from tyrusd.sdk.request import GameStart
from tyrusd.wire import messages as wire


class Snapshot(NamedTuple):
    """The whole game as it stands for the seat: comes first, and again after a lost connection."""

    view: View


Event: TypeAlias = Snapshot | ElectionOpened | Placed | Revealed | Tallied | Drew | Remaining

_SIDES: Final[dict[str, Side | None]] = {**SIDE_OF_LETTER, "N": None, "-": None}


def event_of(message: wire.ServerMessage) -> Event | None:
    """Return the event that a message tells, None for a message that tells none.

    ValueError or KeyError for a message that no game can have: the server is at fault.
    """
    translate = _TRANSLATIONS.get(type(message))
    return None if translate is None else translate(message)


def over_of(message: wire.Over) -> Over:
    """Return the end of a game."""
    return Over(_SIDES[message.winner], message.reason, message.detail or "")


def start_of(message: wire.Start) -> GameStart:
    """Return the start of a game."""
    return GameStart(
        message.game,
        SIDE_OF_LETTER[message.side],
        message.own,
        message.enemy,
        message.variant,
        message.clock,
        message.cap,
        message.enemy_clock,
        message.enemy_cap,
        message.lenient,
        message.seed,
        SIDE_OF_LETTER[message.opener],
        message.ponder == "on",
    )


def begun_unheard(snapshot: wire.Snapshot) -> wire.Start:
    """Return a start for a game that began while the connection was lost, from what its snapshot tells.

    The clocks and the seed are not in it: there are none, and the game's id.
    """
    view = read_view(snapshot.view)
    own, enemy = snapshot.ivory, snapshot.brown
    if view.viewer is Side.BROWN:
        own, enemy = enemy, own
    letter = "B" if view.viewer is Side.BROWN else "I"
    limits = ("none", "none", "none", "none")
    return wire.Start(
        snapshot.game, letter, own, enemy, view.variant, *limits, 0, snapshot.game, view.opener.letter
    )


def _placed(message: wire.Placed) -> Event:
    side, building = SIDE_OF_LETTER[message.side], BUILDING_NAMED[message.building]
    return Placed(side, message.election, message.turn, building, TILE_NAMED.get(message.face))


def _tallied(message: wire.Tallied) -> Event:
    ivory = (message.ivory_votes, message.ivory_blocks, message.ivory_counters, message.ivory_score)
    brown = (message.brown_votes, message.brown_blocks, message.brown_counters, message.brown_score)
    kind, winner = KIND_OF_LETTER[message.kind], _SIDES[message.winner]
    return Tallied(message.number, kind, Count(*ivory), Count(*brown), winner)


def _drew(message: wire.Drew) -> Event:
    names = message.tiles.split(",")
    return Drew(SIDE_OF_LETTER[message.side], len(names), None if "?" in names else _tiles(message.tiles))


def _tiles(names: str) -> tuple[Tile, ...]:
    return tuple([TILE_NAMED[name] for name in names.split(",")])


_TRANSLATIONS: Final[dict[type[wire.ServerMessage], Callable[[Any], Event]]] = {
    wire.Snapshot: lambda message: Snapshot(read_view(message.view)),
    wire.Election: lambda message: ElectionOpened(
        message.number, KIND_OF_LETTER[message.kind], SIDE_OF_LETTER[message.opener]
    ),
    wire.Placed: _placed,
    wire.Revealed: lambda message: Revealed(BUILDING_NAMED[message.building], read_entries(message.entries)),
    wire.Tallied: _tallied,
    wire.Drew: _drew,
    wire.Remaining: lambda message: Remaining(SIDE_OF_LETTER[message.side], _tiles(message.tiles)),
}
