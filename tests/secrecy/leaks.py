"""Leaks to plant: each makes the server tell, in its own way, something that depends on a hidden face."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, Final

import pytest

from tyrusd.core import table as tables
from tyrusd.core import translate
from tyrusd.core.failures import refuse
from tyrusd.core.session import Session
from tyrusd.core.table import Table
from tyrusd.league.match import Match
from tyrusd.rules.events import Drew, Event, Over, Placed, Revealed, Tallied
from tyrusd.rules.game import Game
from tyrusd.rules.pieces import Side, Tile
from tyrusd.rules.view import View, view
from tyrusd.rules.view import see as honest_see
from tyrusd.wire import messages as wire

Patch = pytest.MonkeyPatch
Plant = Callable[[Patch], None]

# What a blabbing server would add to an event that it tells a viewer; None for nothing.
Blab = Callable[[Game, Event, Side | None], str | None]


def _told_beside_events(patch: Patch, blab: Blab) -> None:
    """Every event is followed by a line with what `blab` says to it."""
    honest = Table._encode

    def encode(
        self: Table, session: Session, viewer: Side | None, events: tuple[Event, ...], seq: int
    ) -> bytes:
        said = [blab(self.match.game, event, viewer) for event in events]
        notes = [session.encode(wire.Notice("storage", text)) for text in said if text is not None]
        return honest(self, session, viewer, events, seq) + b"".join(notes)

    patch.setattr(Table, "_encode", encode)


def _enemy_placed(event: Event, viewer: Side | None) -> Tile | None:
    """The tile of a placement that is not the viewer's own."""
    return event.tile if type(event) is Placed and event.side != viewer else None


def _number(tile: Tile | None) -> int:
    assert tile is not None
    return tile.number


def slot_in_the_sorted_hand(game: Game, event: Event, viewer: Side | None) -> str | None:
    tile = _enemy_placed(event, viewer)
    if tile is None or type(event) is not Placed:
        return None
    return f"from slot {sum(other < tile for other in game.hand(event.side))}"


def number_of_the_tile(game: Game, event: Event, viewer: Side | None) -> str | None:
    tile = _enemy_placed(event, viewer)
    return None if tile is None else f"worth {tile.number}"


def unsalted_hash(game: Game, event: Event, viewer: Side | None) -> str | None:
    tile = _enemy_placed(event, viewer)
    return None if tile is None else hashlib.sha256(str(tile).encode()).hexdigest()[:16]


def hint_at_a_useless_tile(game: Game, event: Event, viewer: Side | None) -> str | None:
    tile = _enemy_placed(event, viewer)
    if tile is None or type(event) is not Placed:
        return None
    voters = event.building.kind.voters
    return (
        "that cannot vote there" if event.building.side is event.side and tile.profession != voters else None
    )


def debug_line_for_spectators(game: Game, event: Event, viewer: Side | None) -> str | None:
    return f"debug: {event.tile}" if viewer is None and type(event) is Placed else None


def sum_of_the_draw(game: Game, event: Event, viewer: Side | None) -> str | None:
    if type(event) is not Drew or event.side == viewer or event.tiles is None:
        return None
    return f"drew {sum(tile.number for tile in event.tiles)}"


def _sums(game: Game) -> str:
    return " ".join([str(sum(tile.number for tile in game.hand(side))) for side in Side])


def sum_of_the_hand(game: Game, event: Event, viewer: Side | None) -> str | None:
    return _sums(game) if type(event) is Tallied else None


def sum_of_the_hand_at_every_end(game: Game, event: Event, viewer: Side | None) -> str | None:
    return _sums(game) if type(event) is Over else None


def line_padding(patch: Patch) -> None:
    """A line is as long as the name of the tile in it, which is blanked out and not left out."""
    honest = Table._encode

    def encode(
        self: Table, session: Session, viewer: Side | None, events: tuple[Event, ...], seq: int
    ) -> bytes:
        tiles = [tile for event in events if (tile := _enemy_placed(event, viewer)) is not None]
        return honest(self, session, viewer, events, seq) + b" " * sum(len(str(tile)) for tile in tiles)

    patch.setattr(Table, "_encode", encode)


def one_tile_too_many_turned_up(patch: Patch) -> None:
    """The last tile that is still on the board is turned up with those of the elected kind."""
    honest = Table._encode

    def encode(
        self: Table, session: Session, viewer: Side | None, events: tuple[Event, ...], seq: int
    ) -> bytes:
        board = self.match.game.board
        shown = [
            event._replace(tiles=(*event.tiles, board[-1])) if type(event) is Revealed and board else event
            for event in events
        ]
        return honest(self, session, viewer, tuple(shown), seq)

    patch.setattr(Table, "_encode", encode)


def faces_in_snapshots(patch: Patch) -> None:
    """A snapshot is made from the full state."""

    def full(game: Game, viewer: Side | None) -> View:
        return view(game, viewer)._replace(board=tuple(game.board))

    patch.setattr(translate, "view", full)


def hand_of_a_player_for_spectators(patch: Patch) -> None:
    """A spectator gets what Ivory or Brown, whoever is to move, would see."""
    honest = translate.snapshot_message

    def snapshot(match: Match, viewer: Side | None, seq: int, now: float) -> wire.Snapshot:
        return honest(match, match.game.to_move if viewer is None else viewer, seq, now)

    patch.setattr(translate, "snapshot_message", snapshot)


def draws_shown(patch: Patch) -> None:
    """What one side draws is told to all, as if it were public."""

    def see(event: Event, viewer: Side | None) -> Event:
        return event if type(event) is Drew else honest_see(event, viewer)

    patch.setattr(translate, "see", see)


def refusals_that_name_the_last_tile(patch: Patch) -> None:
    """An error sentence says too much to somebody who answers out of turn."""

    def talkative(session: Session, message: Any, code: str, sentence: str, *more: Any, **keys: Any) -> None:
        if code == "not-your-turn" and session.player is not None and message.game in session.player.seats:
            placements = session.player.seats[message.game][0].match.game.placements
            sentence = f"{sentence} {placements[-1][1] if placements else ''}"
        refuse(session, message, code, sentence, *more, **keys)

    patch.setattr(tables, "refuse", talkative)


def a_delay_that_depends_on_the_tile(patch: Patch) -> None:
    """The bytes are right, but they leave later the higher the tile is."""
    honest = Table._broadcast

    def late(self: Table, events: tuple[Event, ...], seq: int) -> None:
        tile = events[0].tile if type(events[0]) is Placed else None
        wait = _number(tile) / 10_000
        timers = self.server.timers
        timers.set(("late", self.game, seq), self.server.now + wait, lambda at: honest(self, events, seq))

    patch.setattr(Table, "_broadcast", late)


def drawing_number_of_a_placed_tile(game: Game, event: Event, viewer: Side | None) -> str | None:
    tile = _enemy_placed(event, viewer)
    if tile is None or type(event) is not Placed:
        return None
    return f"tile {game.deal.tiles(event.side).index(tile)}"


def drawing_numbers_at_the_reveal(game: Game, event: Event, viewer: Side | None) -> str | None:
    if type(event) is not Revealed:
        return None
    return " ".join(
        [str(game.deal.tiles(seen.side).index(seen.tile)) for seen in event.tiles if seen.tile is not None]
    )


def hands_in_drawing_order(patch: Patch) -> None:
    """A hand is shown as it was drawn, not sorted."""

    def unsorted(game: Game, viewer: Side | None) -> View:
        seen = view(game, viewer)
        order = [] if viewer is None else [tile for tile in game.deal.tiles(viewer) if tile in seen.hand]
        return seen._replace(hand=tuple(order))

    patch.setattr(translate, "view", unsorted)


def _beside(blab: Blab) -> Plant:
    return lambda patch: _told_beside_events(patch, blab)


# The first ten are the classic ones; the rest are planted where this server could leak by its own ways.
LEAKS: Final[dict[str, Plant]] = {
    "slot in the sorted hand": _beside(slot_in_the_sorted_hand),
    "number of the tile": _beside(number_of_the_tile),
    "unsalted hash": _beside(unsalted_hash),
    "line padding": line_padding,
    "useless tile": _beside(hint_at_a_useless_tile),
    "debug line for spectators": _beside(debug_line_for_spectators),
    "one tile too many turned up": one_tile_too_many_turned_up,
    "sum of the draw": _beside(sum_of_the_draw),
    "sum of the hand": _beside(sum_of_the_hand),
    "sum of the hand at every end": _beside(sum_of_the_hand_at_every_end),
    "faces in snapshots": faces_in_snapshots,
    "a player's hand for spectators": hand_of_a_player_for_spectators,
    "draws shown": draws_shown,
    "refusals that name a tile": refusals_that_name_the_last_tile,
    "delay that depends on the tile": a_delay_that_depends_on_the_tile,
}

# These depend on when a tile was drawn, not on its face.
ORDER_LEAKS: Final[dict[str, Plant]] = {
    "drawing number of a placed tile": _beside(drawing_number_of_a_placed_tile),
    "drawing numbers at the reveal": _beside(drawing_numbers_at_the_reveal),
}
