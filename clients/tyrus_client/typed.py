"""Reads what a person types: one short line, in upper or lower case, becomes one command or one hint."""

from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

from tyrusd.rules.pieces import BUILDING_NAMED, TILE_NAMED, Building, Tile
from tyrusd.rules.variants import VARIANTS
from tyrusd.wire import messages as wire
from tyrusd.wire.line import encode_line


class Placing(NamedTuple):
    """Put this tile into this building."""

    tile: Tile
    building: Building


class Saying(NamedTuple):
    """Say this to the server as it is."""

    message: wire.ClientMessage


class Showing(NamedTuple):
    """Show something that the client itself knows, or act on the present game: one of `LOCAL`."""

    what: str


class Unclear(NamedTuple):
    """Nothing can be done with the line: the code of a sentence, and the facts it needs."""

    code: str
    facts: dict[str, str]


Command: TypeAlias = Placing | Saying | Showing | Unclear

LOCAL: Final = frozenset({"hand", "board", "past", "resign", "help", "rules", "quit"})

_SIDES: Final = {"ivory": "I", "i": "I", "brown": "B", "b": "B"}
_SHORT: Final = {"b": "board", "h": "help", "?": "help", "q": "quit", "exit": "quit", "bye": "quit"}


def read_typed(line: str) -> Command | None:
    """Return the command in a typed line, None for an empty one."""
    words = line.split()
    if not words:
        return None
    verb = _SHORT.get(words[0].lower(), words[0].lower())
    if verb in LOCAL:
        return Showing(verb) if len(words) == 1 else Unclear("usage.word", {"word": verb})
    reader = _READERS.get(verb)
    if reader is not None:
        return reader(verb, words[1:])
    return _placing(words)


def _placing(words: list[str]) -> Command:
    names = [word.upper() for word in words]
    tiles = [TILE_NAMED[name] for name in names if name in TILE_NAMED]
    buildings = [BUILDING_NAMED[name] for name in names if name in BUILDING_NAMED]
    if len(words) == 2 and len(tiles) == len(buildings) == 1:
        return Placing(tiles[0], buildings[0])
    if len(words) == 2 and len(tiles) + len(buildings) == 1:
        (other,) = (name for name in names if name not in TILE_NAMED and name not in BUILDING_NAMED)
        return Unclear("typed.no-building" if tiles else "typed.no-tile", {"word": other})
    if tiles or buildings:
        return Unclear("usage.place", {})
    return Unclear("typed.unknown", {"word": words[0]})


def _bare(verb: str, words: list[str]) -> Command:
    return Unclear("usage.word", {"word": verb}) if words else Saying(_BARE[verb]())


def _play(verb: str, words: list[str]) -> Command:
    return _said(verb, lambda: wire.Play(_only(words[:1]), **_terms(words[1:])))


def _seek(verb: str, words: list[str]) -> Command:
    return _said(verb, lambda: wire.Seek(**_terms(words)))


def _challenge(verb: str, words: list[str]) -> Command:
    rounds = [word for word in words[1:] if word.lower().startswith("games=")]
    terms = [word for word in words[1:] if word not in rounds]

    def build() -> wire.ClientMessage:
        count = int(_only(rounds)[6:]) if rounds else 1
        return wire.Challenge(_only(words[:1]), **_terms(terms), rounds=count)

    return _said(verb, build)


def _decline(verb: str, words: list[str]) -> Command:
    return _said(verb, lambda: wire.Decline(_only(words[:1]), *words[1:]))


def _cancel(verb: str, words: list[str]) -> Command:
    return _said(verb, lambda: wire.Cancel(_only(words) if words else None))


def _ratings(verb: str, words: list[str]) -> Command:
    return _said(verb, lambda: wire.Ratings(_only(words) if words else None))


def _merge(verb: str, words: list[str]) -> Command:
    return _said(verb, lambda: wire.Merge(*words))


def _of_game(verb: str, words: list[str]) -> Command:
    return _said(verb, lambda: _WITH_GAME[verb](_only(words)))


def _terms(words: list[str]) -> dict[str, str]:
    """Return the terms of a game by key; ValueError when a word is no term or says something twice."""
    terms: dict[str, str] = {}
    for word in map(str.lower, words):
        key, equals, value = word.partition("=")
        if word in _SIDES:
            key, value = "side", _SIDES[word]
        elif word in VARIANTS:
            key, value = "variant", word
        elif word == "rated":
            value = "yes"
        elif not equals or key not in ("clock", "cap", "rated"):
            raise ValueError("term")
        if key in terms:
            raise ValueError("twice")
        terms[key] = value
    return terms


def _only(words: list[str]) -> str:
    if len(words) != 1:
        raise ValueError("one word")
    return words[0]


def _said(verb: str, build: Callable[[], wire.ClientMessage]) -> Command:
    try:
        message = build()
        # The codec knows how each field is spelled; what it cannot write the server could not read.
        encode_line(message)
    except (ValueError, KeyError, TypeError):
        return Unclear(f"usage.{verb}", {})
    return Saying(message)


_BARE: Final[dict[str, Callable[[], wire.ClientMessage]]] = {
    "who": wire.Who,
    "games": wire.Games,
    "events": wire.Events,
}
_WITH_GAME: Final[dict[str, Callable[[str], wire.ClientMessage]]] = {
    "watch": wire.Watch,
    "unwatch": wire.Unwatch,
    "accept": wire.Accept,
    "rematch": wire.Rematch,
    "join": wire.Join,
    "withdraw": wire.Withdraw,
    "bracket": wire.Bracket,
}
_READERS: Final[dict[str, Callable[[str, list[str]], Command]]] = {
    "play": _play,
    "seek": _seek,
    "challenge": _challenge,
    "decline": _decline,
    "cancel": _cancel,
    "ratings": _ratings,
    "merge": _merge,
    **dict.fromkeys(_BARE, _bare),
    **dict.fromkeys(_WITH_GAME, _of_game),
}
