"""Names the pieces of the game and says which profession votes where, and which blocks which."""

from enum import IntEnum
from typing import Final, NamedTuple


class Side(IntEnum):
    """One of the two players (rulebook, Setup)."""

    IVORY = 0
    BROWN = 1

    @property
    def other(self) -> "Side":
        """The opponent of this side."""
        return OTHER_SIDE[self]

    @property
    def letter(self) -> str:
        """The letter of the side in all notation: I or B."""
        return "IB"[self]

    @property
    def word(self) -> str:
        """The word for the side in records: ivory or brown."""
        return SIDE_WORDS[self]


class Profession(IntEnum):
    """What the people on a tile do for a living (rulebook, Electorate Tiles)."""

    SOLDIER = 0
    MERCHANT = 1
    PRIEST = 2

    @property
    def letter(self) -> str:
        """The letter of the profession in all notation: S, M or P."""
        return "SMP"[self]


class Kind(IntEnum):
    """The kind of a building and of the election held there (rulebook, Designating the Election)."""

    CITADEL = 0
    MARKET = 1
    TEMPLE = 2

    @property
    def letter(self) -> str:
        """The letter of the kind in all notation: C, M or T."""
        return "CMT"[self]

    @property
    def voters(self) -> Profession:
        """The profession that votes in elections of this kind."""
        return VOTERS_OF[self]


class Building(IntEnum):
    """One of the six buildings of the board, named by side and kind."""

    IC = 0
    IM = 1
    IT = 2
    BC = 3
    BM = 4
    BT = 5

    @property
    def side(self) -> Side:
        """The side that owns the building."""
        return Side.IVORY if self < 3 else Side.BROWN

    @property
    def kind(self) -> Kind:
        """The kind of election for which tiles in the building are counted."""
        return Kind(self % 3)


class Tile(NamedTuple):
    """One electorate tile: a profession and how many people of it the tile stands for (1..10)."""

    profession: Profession
    number: int

    def __str__(self) -> str:
        return f"{'SMP'[self.profession]}{self.number}"

    def __repr__(self) -> str:
        return f"<{self}>"


SIDES: Final = (Side.IVORY, Side.BROWN)
SIDE_WORDS: Final = ("ivory", "brown")
OTHER_SIDE: Final = (Side.BROWN, Side.IVORY)

# The General is elected by soldiers, the Merchant Guildmaster by merchants, the High Priest by priests.
VOTERS_OF: Final = (Profession.SOLDIER, Profession.MERCHANT, Profession.PRIEST)

# Indexed by the blocked profession. The profession that counters a block is the blocker of the blocker,
# which with three professions is always the third one.
BLOCKER_OF: Final = (Profession.MERCHANT, Profession.PRIEST, Profession.SOLDIER)

HIGHEST_NUMBER: Final = 10
ALL_TILES: Final = tuple(
    Tile(profession, number) for profession in Profession for number in range(1, HIGHEST_NUMBER + 1)
)
ALL_CARDS: Final = tuple(kind for kind in Kind for _ in range(3))

TILE_NAMED: Final[dict[str, Tile]] = {str(tile): tile for tile in ALL_TILES}
BUILDING_NAMED: Final[dict[str, Building]] = {building.name: building for building in Building}
SIDE_OF_LETTER: Final[dict[str, Side]] = {side.letter: side for side in Side}
SIDE_OF_WORD: Final[dict[str, Side]] = {side.word: side for side in Side}
KIND_OF_LETTER: Final[dict[str, Kind]] = {kind.letter: kind for kind in Kind}
PROFESSION_OF_LETTER: Final[dict[str, Profession]] = {
    profession.letter: profession for profession in Profession
}

_BUILDINGS: Final = tuple(tuple(Building(3 * side + kind) for kind in Kind) for side in Side)


def building_of(side: Side, kind: Kind) -> Building:
    """Return the building of that kind which the side owns."""
    return _BUILDINGS[side][kind]
