"""Bots of every kind for the tests: module level functions, classes with and without events, async ones."""

from __future__ import annotations

from collections.abc import Sequence

from tyrusd.sdk import (
    Building,
    Drew,
    ElectionOpened,
    Event,
    GameStart,
    Kind,
    Option,
    Over,
    Placed,
    Placement,
    Profession,
    Remaining,
    Request,
    Revealed,
    Side,
    Snapshot,
    Tallied,
    Tile,
    Turn,
    View,
    building_of,
    hookimpl,
    own_side,
)


def by_view(view: View) -> Placement:
    """The first tile into the own building of the election."""
    return Placement(view.hand[0], building_of(own_side(view), view.kind))


def by_request(request: Request) -> tuple[Tile, Building]:
    """The same, answered with a plain tuple."""
    return request.view.hand[0], building_of(own_side(request.view), request.view.kind)


class PerGame:
    """An object for each game that counts its own decisions."""

    def __init__(self, *, last: bool = False) -> None:
        self.last = last
        self.asked = 0
        self.start: GameStart | None = None

    def started(self, start: GameStart) -> None:
        self.start = start

    def choose(self, view: View) -> Placement:
        assert self.start is not None
        assert self.start.side == own_side(view)
        self.asked += 1
        assert self.asked <= 27, "nobody else's game is counted here"
        return Placement(view.hand[-1 if self.last else 0], building_of(own_side(view), view.kind))

    def over(self, over: Over) -> None:
        assert over.reason


class Following:
    """Keeps the hand and the election from events alone, and asks for no complete request."""

    def __init__(self) -> None:
        self.side = Side.IVORY
        self.hand: list[Tile] = []
        self.kind = Kind.CITADEL

    def started(self, start: GameStart) -> None:
        self.side = start.side

    def event(self, event: Event) -> None:
        match event:
            case Snapshot(view=view):
                self.hand, self.kind = list(view.hand), view.kind
            case ElectionOpened(kind=kind):
                self.kind = kind
            case Placed(side=side, tile=tile):
                assert (tile is None) == (side != self.side)
                if tile is not None:
                    self.hand.remove(tile)
            case Drew(side=side, tiles=tiles):
                assert (tiles is None) == (side != self.side)
                self.hand = sorted([*self.hand, *(tiles or ())])
            case Revealed() | Tallied() | Remaining():
                pass

    def choose(self, turn: Turn) -> Placement:
        return Placement(self.hand[0], building_of(self.side, self.kind))


class Watching(Following):
    """Follows the events and gets complete requests too: both must agree."""

    def choose(self, request: Request) -> Placement:  # type: ignore[override]
        assert list(request.view.hand) == self.hand
        assert request.view.kind == self.kind
        return by_view(request.view)


async def awaited(view: View) -> Placement:
    """The same as by_view, after a moment."""
    import trio

    await trio.lowlevel.checkpoint()
    return by_view(view)


class Shared:
    """One object for all games."""

    def choose(self, view: View) -> Placement:
        return by_view(view)


shared = Shared()


class WithOption:
    """Its only option decides which tile it takes."""

    def __init__(self, last: bool, only: str) -> None:
        self.last = last
        assert only in ("", "S")

    @staticmethod
    @hookimpl
    def tyrusd_options() -> Sequence[Option]:
        return [
            Option("last", bool, False, "take the last tile"),
            Option("only", str, "", "a profession to prefer", choices=("", "S")),
        ]

    def choose(self, view: View) -> Placement:
        assert Profession.SOLDIER.letter == "S"
        return Placement(view.hand[-1 if self.last else 0], building_of(own_side(view), view.kind))


def cheats(view: View) -> Placement:
    """A tile that was placed before, as soon as there is one."""
    mine = [seen.tile for seen in view.board if seen.side == view.viewer]
    return Placement(mine[0] or view.hand[0], Building.IC) if mine else by_view(view)
