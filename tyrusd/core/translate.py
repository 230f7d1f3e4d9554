"""The one crossing between the game's values and the wire's messages.

Everything that leaves here has passed `rules.view`; nothing here looks at a full state by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from tyrusd.league.clock import TimeControl
from tyrusd.league.match import Match, OpenRequest
from tyrusd.league.rated import rated_word
from tyrusd.rules.events import (
    Drew,
    ElectionOpened,
    Event,
    Over,
    Placed,
    Remaining,
    Revealed,
    Tallied,
)
from tyrusd.rules.notation import write_entries, write_view
from tyrusd.rules.pieces import BUILDING_NAMED, TILE_NAMED, Building, Kind, Side, Tile
from tyrusd.rules.view import see, view
from tyrusd.wire import messages as wire

SIDE_LETTER: Final[dict[Side | None, str]] = {Side.IVORY: "I", Side.BROWN: "B", None: "-"}
_RESULT_LETTER: Final[dict[Side | None, str]] = {Side.IVORY: "I", Side.BROWN: "B", None: "N"}
_KIND_LETTER: Final[dict[Kind, str]] = {kind: kind.letter for kind in Kind}
_BUILDING_NAME: Final[dict[Building, str]] = {building: building.name for building in Building}
_FACE: Final[dict[Tile | None, str]] = {None: "?"} | {tile: name for name, tile in TILE_NAMED.items()}

TILE_OF: Final = TILE_NAMED
BUILDING_OF: Final = BUILDING_NAMED


def won_text(winners: Iterable[Side | None]) -> str:
    """The results of the finished elections as one word, such as IBN; `-` for none."""
    return "".join([_RESULT_LETTER[winner] for winner in winners]) or "-"


def detail_word(detail: str) -> str | None:
    """A detail as one word of the wire: what is not a plain letter, digit or dash becomes a dash."""
    word = "".join([letter if letter.isascii() and letter.isalnum() else "-" for letter in detail])
    return word.strip("-")[:64] or None


def start_message(match: Match, side: Side, display: str | None = None) -> wire.Start:
    """What a seat is told when its game begins (protocol.md#start); display: what the enemy is called."""
    own: TimeControl = match.controls[side]
    enemy: TimeControl = match.controls[side.other]
    return wire.Start(
        game=match.game_id,
        side=SIDE_LETTER[side],
        own=match.names[side],
        enemy=match.names[side.other],
        variant=match.game.variant.name,
        clock=own.clock_text,
        cap=own.cap_text,
        enemy_clock=enemy.clock_text,
        enemy_cap=enemy.cap_text,
        lenient=match.lenient[side],
        seed=match.seeds[side],
        opener=SIDE_LETTER[match.game.deal.opener],
        ponder="on" if match.ponder else "off",
        rated=rated_word(match.rated),
        text=display,
    )


def request_message(match: Match, request: OpenRequest, full: bool, now: float) -> wire.Choose | wire.Turn:
    """The open request as its seat gets it: complete, or short for a seat that follows the events."""
    side = request.side
    left, time, enemy = match.left_ms(now), match.time_ms(side, now), match.time_ms(side.other, now)
    if full:
        sightline = write_view(view(match.game, side))
        return wire.Choose(match.game_id, request.number, left, time, enemy, sightline)
    return wire.Turn(match.game_id, request.number, left, time, enemy)


def snapshot_message(match: Match, viewer: Side | None, seq: int, now: float) -> wire.Snapshot:
    """Everything a viewer may know after event `seq`."""
    ivory, brown = match.names
    return wire.Snapshot(
        match.game_id,
        seq,
        ivory,
        brown,
        match.time_ms(Side.IVORY, now),
        match.time_ms(Side.BROWN, now),
        write_view(view(match.game, viewer)),
    )


def event_message(game: str, seq: int, event: Event, viewer: Side | None) -> wire.ServerMessage:
    """One event as a viewer may know it, with its sequence number."""
    seen = see(event, viewer)
    return _EVENTS[type(seen)](game, seq, seen)


def _election(game: str, seq: int, event: ElectionOpened) -> wire.ServerMessage:
    return wire.Election(game, seq, event.number, _KIND_LETTER[event.kind], SIDE_LETTER[event.opener])


def _placed(game: str, seq: int, event: Placed) -> wire.ServerMessage:
    side, election, turn, building, tile = event
    return wire.Placed(game, seq, SIDE_LETTER[side], election, turn, _BUILDING_NAME[building], _FACE[tile])


def _revealed(game: str, seq: int, event: Revealed) -> wire.ServerMessage:
    return wire.Revealed(game, seq, _BUILDING_NAME[event.building], write_entries(event.tiles))


def _tallied(game: str, seq: int, event: Tallied) -> wire.ServerMessage:
    kind, winner = _KIND_LETTER[event.kind], _RESULT_LETTER[event.winner]
    return wire.Tallied(game, seq, event.number, kind, winner, *event.ivory, *event.brown)


def _tiles(tiles: Iterable[Tile | None]) -> str:
    return ",".join([_FACE[tile] for tile in tiles])


def _drew(game: str, seq: int, event: Drew) -> wire.ServerMessage:
    tiles: Iterable[Tile | None] = [None] * event.count if event.tiles is None else event.tiles
    return wire.Drew(game, seq, SIDE_LETTER[event.side], _tiles(tiles))


def _remaining(game: str, seq: int, event: Remaining) -> wire.ServerMessage:
    return wire.Remaining(game, seq, SIDE_LETTER[event.side], _tiles(event.tiles))


def _over(game: str, seq: int, event: Over) -> wire.ServerMessage:
    return wire.Over(game, seq, SIDE_LETTER[event.winner], event.reason, detail_word(event.detail))


_EVENTS: Final[dict[type[Event], Callable[[str, int, Any], wire.ServerMessage]]] = {
    ElectionOpened: _election,
    Placed: _placed,
    Revealed: _revealed,
    Tallied: _tallied,
    Drew: _drew,
    Remaining: _remaining,
    Over: _over,
}

__all__ = [
    "BUILDING_OF",
    "SIDE_LETTER",
    "TILE_OF",
    "detail_word",
    "event_message",
    "request_message",
    "snapshot_message",
    "start_message",
    "won_text",
]
