"""Writes and reads the sightline: one line of text that holds exactly what one seat sees of a game."""

from collections.abc import Callable
from typing import Any, Final

from tyrusd.rules.agreement import find_disagreement
from tyrusd.rules.events import SeenTile
from tyrusd.rules.pieces import (
    BUILDING_NAMED,
    KIND_OF_LETTER,
    SIDE_OF_LETTER,
    TILE_NAMED,
    Building,
    Kind,
    Side,
    Tile,
)
from tyrusd.rules.variants import VARIANTS
from tyrusd.rules.view import View

KEYS: Final = (
    "side",
    "variant",
    "opener",
    "election",
    "turn",
    "move",
    "kind",
    "cards",
    "won",
    "hand",
    "reserve",
    "board",
    "past",
)

GRAMMAR: Final = """\
sightline = %s"side=" viewer SP %s"variant=" variant SP %s"opener=" side SP %s"election=" nine
            SP %s"turn=" six SP %s"move=" viewer SP %s"kind=" kind SP %s"cards=" 1*9kind
            SP %s"won=" ( "-" / 1*9result ) SP %s"hand=" ( "-" / tile *8( "," tile ) )
            SP %s"reserve=" reserve SP %s"board=" group SP %s"past=" group *8( "/" group )
viewer    = side / "-"           ; "-" is a spectator; in "move" it is nobody, since the game is over
variant   = %s"standard" / %s"replay-ties"
side      = %s"I" / %s"B"        ; Ivory, Brown
nine      = %x31-39
six       = %x31-36
kind      = %s"C" / %s"M" / %s"T"            ; Citadel, Market, Temple
result    = side / %s"N"         ; who won, or null
reserve   = "0" / "3" / "6" / "9" / "12" / "15" / "18" / "21"
group     = "-" / entry *( "," entry )
entry     = building "." nine "." six "." side "." ( tile / "?" )
building  = side kind
tile      = ( %s"S" / %s"M" / %s"P" ) ( "10" / nine )   ; Soldier, Merchant, Priest
"""

_LETTER_OF_VIEWER: Final[dict[Side | None, str]] = {Side.IVORY: "I", Side.BROWN: "B", None: "-"}
_LETTER_OF_WINNER: Final[dict[Side | None, str]] = {Side.IVORY: "I", Side.BROWN: "B", None: "N"}
_LETTER_OF_KIND: Final[dict[Kind, str]] = {kind: kind.letter for kind in Kind}
_NAME_OF_BUILDING: Final[dict[Building, str]] = {building: building.name for building in Building}
_FACE: Final[dict[Tile | None, str]] = {None: "?"} | {tile: name for name, tile in TILE_NAMED.items()}

_VIEWERS: Final[dict[str, Side | None]] = {"I": Side.IVORY, "B": Side.BROWN, "-": None}
_WINNERS: Final[dict[str, Side | None]] = {"I": Side.IVORY, "B": Side.BROWN, "N": None}
_FACES: Final[dict[str, Tile | None]] = {"?": None} | dict(TILE_NAMED)
_NINE: Final = {str(number): number for number in range(1, 10)}
_SIX: Final = {str(number): number for number in range(1, 7)}
_RESERVES: Final = {str(number): number for number in range(0, 22, 3)}


def view_words(view: View) -> tuple[tuple[str, str], ...]:
    """Return the keys and values of the sightline of a view, in their order."""
    return (
        ("side", _LETTER_OF_VIEWER[view.viewer]),
        ("variant", view.variant),
        ("opener", _LETTER_OF_VIEWER[view.opener]),
        ("election", str(view.election)),
        ("turn", str(view.turn)),
        ("move", _LETTER_OF_VIEWER[view.to_move]),
        ("kind", _LETTER_OF_KIND[view.kind]),
        ("cards", "".join([_LETTER_OF_KIND[kind] for kind in view.cards])),
        ("won", "".join([_LETTER_OF_WINNER[winner] for winner in view.winners]) or "-"),
        ("hand", ",".join([_FACE[tile] for tile in view.hand]) or "-"),
        ("reserve", str(view.reserve)),
        ("board", write_entries(view.board)),
        ("past", "/".join([write_entries(group) for group in view.past]) or "-"),
    )


def write_view(view: View) -> str:
    """Return the sightline of a view."""
    return " ".join([f"{key}={value}" for key, value in view_words(view)])


def write_entries(tiles: tuple[SeenTile, ...]) -> str:
    """Return tiles on the board as a comma list of entries, or `-` for none."""
    return (
        ",".join(
            [
                f"{_NAME_OF_BUILDING[building]}.{election}.{turn}.{_LETTER_OF_VIEWER[side]}.{_FACE[tile]}"
                for building, election, turn, side, tile in tiles
            ]
        )
        or "-"
    )


def read_entries(text: str) -> tuple[SeenTile, ...]:
    """Return the tiles in a comma list of entries, `-` being none; ValueError for any other spelling."""
    try:
        return _read_group(text)
    except (KeyError, ValueError):
        raise ValueError(f"entries: {text!r} is not a list of entries; see the grammar of group") from None


def read_view(text: str) -> View:
    """Return the view that a sightline holds.

    Raises ValueError, which names the key at fault, for any other spelling and for keys that do not agree.
    """
    words = text.split(" ")
    if len(words) != len(KEYS):
        raise ValueError(f"sightline: {len(KEYS)} words separated by one space are needed, not {len(words)}")
    values: dict[str, Any] = {}
    for expected, word in zip(KEYS, words, strict=True):
        key, equals, value = word.partition("=")
        if key != expected or not equals:
            raise ValueError(f"sightline: {expected}: a word {expected}=... belongs here, not {word!r}")
        values[key] = _read(expected, value)
    found = View(
        viewer=values["side"],
        variant=values["variant"],
        opener=values["opener"],
        election=values["election"],
        kind=values["kind"],
        turn=values["turn"],
        to_move=values["move"],
        cards=values["cards"],
        winners=values["won"],
        hand=values["hand"],
        reserve=values["reserve"],
        board=values["board"],
        # With no election over there is no group; otherwise a lone "-" is one group without tiles.
        past=values["past"] if values["won"] else tuple(group for group in values["past"] if group),
    )
    disagreement = find_disagreement(found)
    if disagreement is not None:
        key, sentence = disagreement
        raise ValueError(f"sightline: {key}: {sentence}")
    return found


def _read(key: str, value: str) -> Any:
    try:
        return _READERS[key](value)
    except (KeyError, ValueError):
        raise ValueError(f"sightline: {key}: {value!r} is not allowed here; see its grammar") from None


def _letters(table: dict[str, Any], value: str) -> tuple[Any, ...]:
    return tuple([table[letter] for letter in value])


def _read_won(value: str) -> tuple[Side | None, ...]:
    return () if value == "-" else _some(_letters(_WINNERS, value))


def _some(values: tuple[Any, ...]) -> tuple[Any, ...]:
    if not values:
        raise ValueError("empty")
    return values


def _read_hand(value: str) -> tuple[Tile, ...]:
    return () if value == "-" else tuple([TILE_NAMED[name] for name in value.split(",")])


def _read_entry(text: str) -> SeenTile:
    building, election, turn, side, face = text.split(".")
    return SeenTile(BUILDING_NAMED[building], _NINE[election], _SIX[turn], SIDE_OF_LETTER[side], _FACES[face])


def _read_group(value: str) -> tuple[SeenTile, ...]:
    return () if value == "-" else tuple([_read_entry(text) for text in value.split(",")])


_READERS: Final[dict[str, Callable[[str], Any]]] = {
    "side": _VIEWERS.__getitem__,
    "variant": lambda value: VARIANTS[value].name,
    "opener": SIDE_OF_LETTER.__getitem__,
    "election": _NINE.__getitem__,
    "turn": _SIX.__getitem__,
    "move": _VIEWERS.__getitem__,
    "kind": KIND_OF_LETTER.__getitem__,
    "cards": lambda value: _some(_letters(KIND_OF_LETTER, value)),
    "won": _read_won,
    "hand": _read_hand,
    "reserve": _RESERVES.__getitem__,
    "board": _read_group,
    "past": lambda value: tuple([_read_group(group) for group in value.split("/")]),
}
