"""Decides whether the parts of a view agree: a sightline that contradicts itself is refused."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any, Final, TypeAlias

from tyrusd.rules.deal import HAND_SIZE
from tyrusd.rules.events import SeenTile
from tyrusd.rules.game import DRAWN_TILES, LAST_DRAWING
from tyrusd.rules.pieces import HIGHEST_NUMBER
from tyrusd.rules.view import View

_Agreement: TypeAlias = tuple[str, Callable[[View], bool], str]

_FIRST_RESERVE: Final = 3 * HIGHEST_NUMBER - HAND_SIZE


def find_disagreement(view: View) -> tuple[str, str] | None:
    """Return the key of the first part that contradicts others and what it should be, or None."""
    for key, holds, sentence in _AGREEMENTS:
        if not holds(view):
            return key, sentence
    return None


def _is_rising(values: list[Any]) -> bool:
    return all(one < following for one, following in pairwise(values))


def _times(tiles: tuple[SeenTile, ...]) -> list[tuple[int, int]]:
    return [(seen.election, seen.turn) for seen in tiles]


def _move_fits(view: View) -> bool:
    # The opener of the odd elections places on odd turns of these, and on even turns of the others.
    return view.to_move is None or view.to_move == view.opener ^ ((view.election + view.turn) & 1)


def _won_fits(view: View) -> bool:
    finished = len(view.winners)
    return finished == view.election - 1 or (finished == view.election and view.to_move is None)


def _reserve_fits(view: View) -> bool:
    return view.reserve == _FIRST_RESERVE - DRAWN_TILES * min(view.election - 1, LAST_DRAWING)


def _board_is_present(view: View) -> bool:
    now = (view.election, view.turn)
    return all(time < now or view.to_move is None for time in _times(view.board))


def _board_shows_own_faces_only(view: View) -> bool:
    return all((seen.tile is not None) == (seen.side == view.viewer) for seen in view.board)


def _past_fits_cards(view: View) -> bool:
    return all(
        seen.tile is not None and seen.building.kind == kind and seen.election <= number
        for number, (kind, group) in enumerate(zip(view.cards, view.past, strict=False), start=1)
        for seen in group
    )


def _past_is_in_order(view: View) -> bool:
    return all(
        _is_rising([(seen.building, seen.election, seen.turn) for seen in group]) for group in view.past
    )


# The key at fault, the test, and what should be there; a later row may rely on the rows above it.
_AGREEMENTS: Final[tuple[_Agreement, ...]] = (
    ("move", _move_fits, "it must follow from opener, election and turn, or be - when the game is over"),
    ("cards", lambda view: len(view.cards) == view.election, "it must be a letter for each election opened"),
    ("kind", lambda view: view.kind == view.cards[-1], "it must be the last letter of cards"),
    ("won", _won_fits, "it must be a letter for each finished election, or - for none"),
    ("hand", lambda view: _is_rising(list(view.hand)), "tiles must be sorted, none twice"),
    ("hand", lambda view: len(view.hand) <= HAND_SIZE, "it must be nine tiles at most"),
    ("hand", lambda view: view.viewer is not None or not view.hand, "a spectator must see none"),
    ("reserve", _reserve_fits, "it must be 21, less three for each drawing"),
    ("board", lambda view: _is_rising(_times(view.board)), "entries must be in the order of placement"),
    ("board", _board_is_present, "an entry must be earlier than the election and turn of now"),
    ("board", _board_shows_own_faces_only, "own tiles must show their face, all others a ?"),
    (
        "past",
        lambda view: len(view.past) == len(view.winners),
        "it must be a group for each finished election",
    ),
    ("past", _past_fits_cards, "each group must be tiles of its election's two buildings, with their faces"),
    (
        "past",
        _past_is_in_order,
        "in a group, entries must be in order: Ivory's building, Brown's, each by time",
    ),
)
