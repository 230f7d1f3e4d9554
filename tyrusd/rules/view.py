"""Decides who may know what: the only place where hidden faces are, or are not, handed to a viewer.

Everything here is built up from what is allowed, never by taking things away from the full state.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from tyrusd.rules.events import (
    Drew,
    ElectionOpened,
    Event,
    Over,
    Placed,
    Remaining,
    Revealed,
    SeenTile,
    Tallied,
)
from tyrusd.rules.game import Game
from tyrusd.rules.pieces import Kind, Side, Tile


class View(NamedTuple):
    """Everything one viewer may know of a game at one moment; `viewer` is None for a spectator.

    `opener` opens the odd elections; `cards` are those turned up so far; `reserve` is how many tiles each
    reserve has left; `board` is in placement order; `past` has a group of tiles for each finished election.
    """

    viewer: Side | None
    variant: str
    opener: Side
    election: int
    kind: Kind
    turn: int
    to_move: Side | None
    cards: tuple[Kind, ...]
    winners: tuple[Side | None, ...]
    hand: tuple[Tile, ...]
    reserve: int
    board: tuple[SeenTile, ...]
    past: tuple[tuple[SeenTile, ...], ...]

    def __repr__(self) -> str:
        who = "a spectator" if self.viewer is None else self.viewer.word
        return f"<View of {who}: election {self.election}, turn {self.turn}, faces hidden>"


def view(game: Game, viewer: Side | None) -> View:
    """Return what the viewer (a side, or None for a spectator) may know of the game now."""
    return View(
        viewer=viewer,
        variant=game.variant.name,
        opener=game.deal.opener,
        election=game.election,
        kind=game.kind,
        turn=game.turn,
        to_move=game.to_move,
        cards=game.deal.cards[: game.election],
        winners=tuple(game.winners),
        hand=() if viewer is None else game.hand(viewer),
        reserve=game.reserve_count,
        board=tuple(
            [
                # A player knows the faces of the tiles he laid himself, and of no other tile on the board.
                SeenTile(building, election, turn, side, tile if side == viewer else None)
                for building, election, turn, side, tile in game.board
            ]
        ),
        # Every past reveal was public, so a view repeats them all: nobody is judged on memory.
        past=tuple(game.past),
    )


def see(event: Event, viewer: Side | None) -> Event:
    """Return the event as the viewer may know it; TypeError for a kind of event nobody has ruled on."""
    try:
        look = _LOOKS[type(event)]
    except KeyError:
        raise TypeError(f"no rule says who may see a {type(event).__name__}; add one to view.py") from None
    return look(event, viewer)


def _public(event: Event, viewer: Side | None) -> Event:
    return event


def _placed(event: Placed, viewer: Side | None) -> Event:
    side, election, turn, building, tile = event
    return Placed(side, election, turn, building, tile if side == viewer else None)


def _drew(event: Drew, viewer: Side | None) -> Event:
    side, count, tiles = event
    return Drew(side, count, tiles if side == viewer else None)


_LOOKS: Final[dict[type[Event], Callable[[Any, Side | None], Event]]] = {
    ElectionOpened: _public,
    Placed: _placed,
    Revealed: _public,
    Tallied: _public,
    Drew: _drew,
    Remaining: _public,
    Over: _public,
}
