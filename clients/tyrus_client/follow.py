"""Keeps what a person knows of one game up to date: a view from the server, and the events that follow it."""

from collections.abc import Callable
from typing import Any, Final

from tyrusd.rules.events import Drew, ElectionOpened, Event, Over, Placed, Revealed, SeenTile, Tallied
from tyrusd.rules.game import TURNS
from tyrusd.rules.pieces import Side
from tyrusd.rules.view import View


class Following:
    """One view that follows the events of its game."""

    __slots__ = ("_turned_up", "view")

    def __init__(self, view: View) -> None:
        self.view = view
        self._turned_up: list[Revealed] = []

    def apply(self, event: Event) -> None:
        """Bring the view up to date with the next event of the game; events must come without a gap."""
        if isinstance(event, Revealed):
            self._turned_up.append(event)
        step = _STEPS.get(type(event))
        if step is not None:
            self.view = step(self.view, event)
        if isinstance(event, Tallied):
            # Both buildings of the election make one group, Ivory's first, as they are told.
            group = tuple(seen for revealed in self._turned_up for seen in revealed.tiles)
            self.view = self.view._replace(past=(*self.view.past, group))
            self._turned_up = []


def _opened(view: View, event: ElectionOpened) -> View:
    return view._replace(
        election=event.number, turn=1, to_move=event.opener, kind=event.kind, cards=(*view.cards, event.kind)
    )


def _placed(view: View, event: Placed) -> View:
    seen = SeenTile(event.building, event.election, event.turn, event.side, event.tile)
    hand = view.hand
    if event.side is view.viewer:
        hand = tuple(tile for tile in hand if tile != event.tile)
    # After the last placement the count decides who is next; until it is told nobody is asked.
    to_move = event.side.other if event.turn < TURNS else None
    return view._replace(
        board=(*view.board, seen), hand=hand, to_move=to_move, turn=min(event.turn + 1, TURNS)
    )


def _revealed(view: View, event: Revealed) -> View:
    return view._replace(board=tuple(seen for seen in view.board if seen.building is not event.building))


def _tallied(view: View, event: Tallied) -> View:
    return view._replace(winners=(*view.winners, event.winner))


def _drew(view: View, event: Drew) -> View:
    hand = view.hand if event.tiles is None else tuple(sorted((*view.hand, *event.tiles)))
    # Both sides draw, Ivory first; the view has one number for both reserves.
    reserve = view.reserve - event.count if event.side is Side.BROWN else view.reserve
    return view._replace(hand=hand, reserve=reserve)


def _over(view: View, event: Over) -> View:
    return view._replace(to_move=None)


_STEPS: Final[dict[type[Event], Callable[[View, Any], View]]] = {
    ElectionOpened: _opened,
    Placed: _placed,
    Revealed: _revealed,
    Tallied: _tallied,
    Drew: _drew,
    Over: _over,
}
