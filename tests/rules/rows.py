"""The register of rules checks: each names the rows of docs/rules.md it is about.

The rules are handed to a check as an object, so that the same checks run on faulty copies of them.
"""

import importlib
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, NamedTuple

MODULES = (
    "pieces",
    "variants",
    "tally",
    "deal",
    "events",
    "game",
    "view",
    "agreement",
    "notation",
)


class Check(NamedTuple):
    name: str
    rows: tuple[int, ...]
    run: Callable[[Any], None]


CHECKS: list[Check] = []


def check(*rows: int) -> Callable[[Callable[[Any], None]], Callable[[Any], None]]:
    """Enter a function in the register, under these rows."""

    def enter(function: Callable[[Any], None]) -> Callable[[Any], None]:
        assert rows, "a check is about at least one row"
        CHECKS.append(Check(function.__name__, rows, function))
        return function

    return enter


def load_rules(package: str) -> Any:
    """All public names of a rules package, in one object."""
    rules = SimpleNamespace()
    for module in MODULES:
        loaded = importlib.import_module(f"{package}.{module}")
        vars(rules).update({name: value for name, value in vars(loaded).items() if not name.startswith("_")})
    return rules


def tiles(rules: Any, names: str) -> tuple[Any, ...]:
    """`"S1 P10"` as tiles."""
    return tuple(rules.TILE_NAMED[name] for name in names.split())


def deal_beginning(rules: Any, ivory: str, brown: str, cards: str = "CMTCMTCMT", opener: str = "I") -> Any:
    """A deal in which each side's tiles begin as named; the rest follow sorted."""

    def whole(names: str) -> tuple[Any, ...]:
        first = tiles(rules, names)
        return first + tuple(tile for tile in rules.ALL_TILES if tile not in first)

    return rules.Deal(
        tuple(rules.KIND_OF_LETTER[letter] for letter in cards),
        whole(ivory),
        whole(brown),
        rules.SIDE_OF_LETTER[opener],
    )


def place_all(rules: Any, game: Any, placements: str) -> list[Any]:
    """Play `"I:S1>IC B:M2>IC"` and return the events."""
    events: list[Any] = []
    for word in placements.split():
        side, _, rest = word.partition(":")
        tile, _, building = rest.partition(">")
        events += game.place(
            rules.SIDE_OF_LETTER[side], rules.TILE_NAMED[tile], rules.BUILDING_NAMED[building]
        )
    return events


def only(events: Any, kind: type) -> list[Any]:
    """The events of one type."""
    return [event for event in events if type(event) is kind]


def idle_building(rules: Any, side: Any, tile: Any) -> Any:
    """The own building in which a tile does nothing: where its profession would block its own side."""
    for kind in rules.Kind:
        if rules.BLOCKER_OF[rules.VOTERS_OF[kind]] == tile.profession:
            return rules.building_of(side, kind)
    raise AssertionError("every profession blocks some other")


# Each side always holds tiles of all three professions when each triple has one of each.
LOW_FIRST = " ".join(f"S{n} M{n} P{n}" for n in range(1, 11))


def steer(rules: Any, wanted: str, variant: Any = None, brown_last: str = "") -> tuple[Any, list[Any]]:
    """Play elections so that they are won as wanted (`"IIBN..."`), every other placement doing nothing.

    Each side spends one soldier, one merchant and one priest an election, low numbers first, so that its last
    tiles are S10 M10 P10; tiles named in `brown_last` Brown keeps instead. Returns the game and its events.
    """
    deal = deal_beginning(rules, LOW_FIRST, LOW_FIRST)
    game = rules.Game(deal, variant or rules.STANDARD)
    events: list[Any] = []
    kept = tiles(rules, brown_last)
    for letter in wanted:
        assert game.outcome is None, f"over already: {game.outcome}"
        voters = rules.VOTERS_OF[game.kind]
        home = {side: rules.building_of(side, game.kind) for side in rules.Side}
        spent: dict[Any, set[Any]] = {side: set() for side in rules.Side}
        for _ in range(rules.TURNS):
            side = game.to_move
            tile = next(
                tile
                for tile in game.hand(side)
                if tile.profession not in spent[side] and not (side and tile in kept)
            )
            spent[side].add(tile.profession)
            votes = side.letter == letter and tile.profession == voters
            building = home[side] if votes else idle_building(rules, side, tile)
            events += game.place(side, tile, building)
    return game, events


def refused(rules: Any, game: Any, side: Any, tile: str, building: Any) -> str:
    """Why a placement is refused (and that it changes nothing)."""
    before = (game.placed_count, game.event_count, game.hand(side), tuple(game.board))
    assert not game.can(side, rules.TILE_NAMED[tile], building)
    try:
        game.place(side, rules.TILE_NAMED[tile], building)
    except rules.IllegalPlacement as refusal:
        assert (game.placed_count, game.event_count, game.hand(side), tuple(game.board)) == before
        return str(refusal.why)
    raise AssertionError(f"{tile} was allowed")


def fails(act: Any) -> bool:
    """Whether a call raises ValueError."""
    try:
        act()
    except ValueError:
        return True
    return False
