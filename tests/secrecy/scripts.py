"""Scripts: whole games told by slots instead of faces, so that the same script plays on any hidden faces.

A slot is a tile's place in its owner's drawing order. Whether a placement is legal never depends on a face,
so a script that is right for one deal is right for every deal with the same slots.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from tyrusd.rules.deal import Deal
from tyrusd.rules.game import Game
from tyrusd.rules.pieces import ALL_CARDS, ALL_TILES, Building, Side, Tile
from tyrusd.rules.variants import VARIANTS
from tyrusd.wire import Codec

BUILDINGS = tuple(Building)
GUESTS = 3  # peers of the lobby who do not play
REMARKS = ("help", "ping here", "place g9 1 S1 IC", "nonsense", "resign g9", "hello 0.1 ida bot")


class Seat(NamedTuple):
    """What sits in one seat; a program is started by the server and talks through a pipe."""

    codec: Codec = Codec.LINE
    kind: str = "human"
    want: tuple[str, ...] = ()
    program: bool = False


class Setting(NamedTuple):
    """The place of a script: the seats of Ivory and Brown, lobby or match, the variant and the clock."""

    ivory: Seat = Seat()
    brown: Seat = Seat()
    lobby: bool = True
    variant: str = "standard"
    clock: str = "600+5"

    def seat(self, side: Side) -> Seat:
        return self.brown if side else self.ivory


class Place(NamedTuple):
    """Answer request `number` of game `game` (counted from 1) with the tile of a slot.

    `held` is False for a tile that the side does not hold.
    """

    side: Side
    game: int
    number: int
    slot: int
    building: Building
    tagged: bool = False
    held: bool = True


class Say(NamedTuple):
    """A guest (0..) or a side says a line that holds no tile."""

    who: int | Side
    line: str


class Lose(NamedTuple):
    """A side loses its connection, having sent half a placement of the tile in `slot`, if one is given."""

    side: Side
    slot: int | None = None
    cause: str = ""


class Resume(NamedTuple):
    """A side comes back with its secret."""

    side: Side


class Wait(NamedTuple):
    """Time passes."""

    seconds: float


class Drain(NamedTuple):
    """The server closes down."""

    grace: float


class Store(NamedTuple):
    """From now on records are made durable at once, never (they wait), or not (each attempt fails)."""

    how: str  # "at-once" | "later" | "failing"


Act: TypeAlias = Place | Say | Lose | Resume | Wait | Drain | Store
Choice: TypeAlias = Callable[[Game, random.Random], tuple[Tile, Building]]


class Script(NamedTuple):
    """What happens, one act after the other, on these deals (a drawn game of the lobby is dealt again)."""

    setting: Setting
    deals: tuple[Deal, ...]
    acts: tuple[Act, ...]


def any_deal(chance: random.Random) -> Deal:
    """A deal drawn with a test's own chance."""
    tiles = [tuple(chance.sample(ALL_TILES, len(ALL_TILES))) for _ in Side]
    cards = tuple(chance.sample(ALL_CARDS, len(ALL_CARDS)))
    return Deal(cards, tiles[0], tiles[1], Side(chance.randrange(2)))


def any_seat(chance: random.Random, program: bool = False) -> Seat:
    """Some way to sit at a table."""
    codec = Codec.FRAME if program else chance.choice(tuple(Codec))
    kind = "bot" if program else chance.choice(("human", "bot"))
    return Seat(codec, kind, chance.choice(((), ("events",), ("events", "full"))), program)


def any_setting(chance: random.Random) -> Setting:
    """Some place for a script."""
    lobby = chance.random() < 0.75
    programs = [chance.random() < 0.3, False] if lobby else [True, chance.random() < 0.7]
    chance.shuffle(programs)
    seats = [any_seat(chance, program) for program in programs]
    variant = chance.choice(tuple(VARIANTS))
    return Setting(seats[0], seats[1], lobby, variant, chance.choice(("600+5", "30+1", "none")))


def random_choice(game: Game, chance: random.Random) -> tuple[Tile, Building]:
    """Any legal placement."""
    assert game.to_move is not None
    return chance.choice(game.hand(game.to_move)), chance.choice(BUILDINGS)


def random_script(chance: random.Random, setting: Setting | None = None, noise: float = 0.3) -> Script:
    """A whole game, with all that may happen beside it, and a little after it."""
    setting = any_setting(chance) if setting is None else setting
    deals = (any_deal(chance), any_deal(chance))
    acts: list[Act] = []
    for number, deal in enumerate(deals, 1):
        game = Game(deal, VARIANTS[setting.variant])
        while game.outcome is None:
            if chance.random() < noise:
                acts += noises(game, number, setting, chance)
            acts += placed(game, number, *random_choice(game, chance), chance.random() < 0.2)
            if number == 2 and game.placed_count > 20:
                break  # a game that follows a drawn one need not be whole
        if game.outcome is None or game.outcome.reason != "drawn" or not setting.lobby:
            break
    return Script(setting, deals, (*acts, *after(setting)))


def placed(game: Game, number: int, tile: Tile, building: Building, tagged: bool = False) -> list[Act]:
    """One placement, done in the game and told as an act."""
    side = game.to_move
    assert side is not None
    slot = game.deal.tiles(side).index(tile)
    act = Place(side, number, game.placed_count + 1, slot, building, tagged)
    game.place(side, tile, building)
    return [act]


def noises(game: Game, number: int, setting: Setting, chance: random.Random) -> list[Act]:
    """Something that happens between two placements and leaves the game as it is."""
    name, side = f"g{number}", Side(chance.randrange(2))
    guest = chance.randrange(GUESTS)
    away = not setting.seat(side).program
    choices: list[Callable[[], list[Act]]] = [
        lambda: [Wait(chance.choice((0.001, 0.25, 1.0, 2.5)))],
        lambda: [Say(side, f"look {name}")],
        lambda: [_misplaced(game, number, side, chance)],
        lambda: [Say(side, chance.choice(REMARKS))],
    ]
    if setting.lobby:
        verbs = ("watch", "watch", "unwatch", "look")
        choices += [lambda: [Say(guest, f"{chance.choice(verbs)} {name}")]] * 3
        questions = (
            "games",
            "who",
            f"resign {name}",
            f"place {name} 1 S1 IC",
            f"record {name}",
            f"log {name}",
        )
        choices += [lambda: [Say(guest, chance.choice(questions))]]
    if away:
        choices += [lambda: [Lose(side, _half(game, side, chance)), *_pause(chance), Resume(side)]]
    mover = game.to_move
    if mover is not None and setting.lobby and setting.seat(mover).kind == "human":
        choices += [lambda: [illegal(game, number, chance)]]  # a person may try as often as he likes
    return chance.choice(choices)()


def _pause(chance: random.Random) -> list[Act]:
    return [Wait(chance.choice((0.05, 1.5)))] if chance.random() < 0.5 else []


def _half(game: Game, side: Side, chance: random.Random) -> int | None:
    """The slot of a tile that a side begins to place and does not, or nothing."""
    hand = game.hand(side)
    return game.deal.tiles(side).index(chance.choice(hand)) if hand and chance.random() < 0.5 else None


def _misplaced(game: Game, number: int, side: Side, chance: random.Random) -> Place:
    """A well-formed placement that answers no open request of its sender."""
    asked = game.placed_count + 1
    wrong = chance.choice((asked - 1, asked + 1) if side == game.to_move else (asked - 1, asked, asked + 1))
    return Place(side, number, max(wrong, 0), chance.randrange(30), chance.choice(BUILDINGS))


def illegal(game: Game, number: int, chance: random.Random) -> Place:
    """An answer of the side to move with a tile that it does not hold."""
    side = game.to_move
    assert side is not None
    hand = set(game.hand(side))
    slot = chance.choice([slot for slot, tile in enumerate(game.deal.tiles(side)) if tile not in hand])
    return Place(side, number, game.placed_count + 1, slot, chance.choice(BUILDINGS), held=False)


def after(setting: Setting) -> list[Act]:
    """What is said when a game is over."""
    acts: list[Act] = [Place(side, 1, 54, 29, Building.IC) for side in Side]
    acts += [Say(side, line) for side in Side for line in ("look g1", "resign g1")]
    if setting.lobby:
        acts += [Say(0, "watch g1"), Say(1, "games"), Say(2, "look g1")]
    return [*acts, Wait(1.0)]
