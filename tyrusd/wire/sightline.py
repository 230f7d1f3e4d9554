"""The words of a sightline (what one seat sees, on one line): their order and how each is spelled.

The rules have the notation itself; here only its spelling is known, so that a message that carries a
sightline can be checked and spread over a frame's map.
"""

from typing import Final

from tyrusd.wire.fields import (
    ELECTED,
    ELECTION,
    ENTRIES,
    ENTRIES_PATTERN,
    SIDE,
    SIDE_OR_NONE,
    TURN,
    VARIANT,
    WON,
    Kind,
    choice_kind,
    pattern_kind,
)

RESERVE: Final = choice_kind("reserve", "0, 3, 6, 9, 12, 15, 18 or 21", map(str, range(0, 22, 3)))
_TILE: Final = "[SMP](?:10|[1-9])"
CARDS: Final = pattern_kind("cards", "kinds like TMC", "[CMT]{1,9}", 9)
HAND: Final = pattern_kind(
    "hand", "sorted tiles like S4,M1,P2, or -", f"(?:-|{_TILE}(?:,{_TILE}){{0,8}})", 9 * 4 - 1
)
PAST: Final = pattern_kind(
    "past",
    "groups of entries joined by /, or -",
    f"{ENTRIES_PATTERN}(?:/{ENTRIES_PATTERN}){{0,8}}",
    54 * 14 - 1,
)

SIGHT: Final[dict[str, Kind]] = {
    "side": SIDE_OR_NONE,
    "variant": VARIANT,
    "opener": SIDE,
    "election": ELECTION,
    "turn": TURN,
    "move": SIDE_OR_NONE,
    "kind": ELECTED,
    "cards": CARDS,
    "won": WON,
    "hand": HAND,
    "reserve": RESERVE,
    "board": ENTRIES,
    "past": PAST,
}
SIGHT_KEYS: Final = tuple(SIGHT)
# Fifty-four placed tiles and the longest words come to about a thousand.
LONGEST_VIEW: Final = 2048
_OPENINGS: Final = tuple(f"{key}=" for key in SIGHT)


def split_view(view: str) -> list[str]:
    """Return the words of a view in their order; ValueError if it is not the words of one sightline.

    Only order and printability are checked, not each value's spelling: a view comes from one place in the
    rules, and a full check of fifty entries would cost more than all the rest of a request.
    """
    words = view.split(" ")
    fits = len(words) == len(_OPENINGS) and len(view) <= LONGEST_VIEW
    if not (fits and view.isascii() and view.isprintable()):
        raise ValueError("view")
    for word, opening in zip(words, _OPENINGS, strict=True):
        if not word.startswith(opening) or len(word) == len(opening):
            raise ValueError("view")
    return words
