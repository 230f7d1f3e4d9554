"""The things that happen in a game, as frozen values; hidden faces never show in a repr."""

from typing import NamedTuple, TypeAlias

from tyrusd.rules.pieces import Building, Kind, Side, Tile
from tyrusd.rules.tally import Count


class SeenTile(NamedTuple):
    """A tile on the board: where, when and by whom it was placed; `tile` is None where the face is hidden."""

    building: Building
    election: int
    turn: int
    side: Side
    tile: Tile | None

    def __repr__(self) -> str:
        return f"SeenTile({_where(self.building, self.election, self.turn, self.side)})"


class ElectionOpened(NamedTuple):
    """An election card was turned up: its number (1..9), its kind, and who places first."""

    number: int
    kind: Kind
    opener: Side


class Placed(NamedTuple):
    """A tile was laid face down; `turn` is 1..6 within the election, `tile` is None where it is hidden."""

    side: Side
    election: int
    turn: int
    building: Building
    tile: Tile | None

    def __repr__(self) -> str:
        return f"Placed({_where(self.building, self.election, self.turn, self.side)})"


class Revealed(NamedTuple):
    """All tiles of one building of the election, turned up, in the order in which they were placed."""

    building: Building
    tiles: tuple[SeenTile, ...]

    def __repr__(self) -> str:
        # These faces are public, so they are shown although a SeenTile by itself shows none.
        faces = ", ".join(f"{_where(*seen[:4])}: {seen.tile}" for seen in self.tiles)
        return f"Revealed({self.building.name}: [{faces}])"


class Tallied(NamedTuple):
    """An election was counted; `winner` is None for a null election."""

    number: int
    kind: Kind
    ivory: Count
    brown: Count
    winner: Side | None


class Drew(NamedTuple):
    """A side drew `count` tiles from its reserve; `tiles` (sorted) is None where they are hidden."""

    side: Side
    # It shadows tuple.count, which nobody asks of an event.
    count: int  # type: ignore[assignment]
    tiles: tuple[Tile, ...] | None

    def __repr__(self) -> str:
        return f"Drew({self.side.word}, {self.count})"


class Remaining(NamedTuple):
    """The three tiles a side has left (sorted), shown because representatives are equal."""

    side: Side
    tiles: tuple[Tile, ...]


class Over(NamedTuple):
    """The game ended: the winner or None, one of the reasons in `REASONS`, and a detail word or nothing."""

    winner: Side | None
    reason: str
    detail: str


Event: TypeAlias = ElectionOpened | Placed | Revealed | Tallied | Drew | Remaining | Over


def _where(building: Building, election: int, turn: int, side: Side) -> str:
    return f"{building.name}.{election}.{turn}.{side.letter}"
