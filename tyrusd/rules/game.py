"""Plays one game by the rules: whose turn it is, what may be placed, what follows, and how it ends."""

from typing import Final, NamedTuple

from tyrusd.rules.deal import HAND_SIZE, Deal
from tyrusd.rules.events import (
    Drew,
    ElectionOpened,
    Event,
    Over,
    Placed,
    Remaining,
    Revealed,
    SeenTile,
    Tallied,
)
from tyrusd.rules.pieces import OTHER_SIDE, SIDE_WORDS, SIDES, Building, Kind, Side, Tile, building_of
from tyrusd.rules.tally import Count, count, winner
from tyrusd.rules.variants import STANDARD, Variant

ELECTIONS: Final = 9
TURNS: Final = 6
DRAWN_TILES: Final = 3
LAST_DRAWING: Final = 7
ROW_LENGTH: Final = 3

# How a game can end. The first four only the game itself finds; the last two leave no winner and no result.
REASONS: Final = (
    "three-in-a-row",
    "majority",
    "remaining-tiles",
    "drawn",
    "resigned",
    "timeout",
    "illegal",
    "disconnected",
    "crashed",
    "protocol",
    "adjudicated",
    "walkover",
    "aborted",
    "void",
)
PLAYED_OUT: Final = frozenset(REASONS[:4])
WITHOUT_RESULT: Final = frozenset(REASONS[12:])

_BUILDINGS: Final = dict(enumerate(Building))


class Outcome(NamedTuple):
    """How a game ended: the winner or None, one of `REASONS`, and a detail word or nothing."""

    winner: Side | None
    reason: str
    detail: str


class IllegalPlacement(Exception):  # noqa: N818 - it is what happened, and not always a fault
    """A placement that the rules do not allow; `why` is over, not-your-turn or not-in-hand.

    Nothing has changed: tell the player `sentence` and ask again, or end the game.
    """

    def __init__(self, why: str, sentence: str) -> None:
        super().__init__(sentence)
        self.why = why
        self.sentence = sentence


class Game:
    """One game, from a deal; the attributes are for reading, only the methods change them.

    `turn` is 1..6 of the next placement (of the last one when the election was the last); `board` and `past`
    hold full faces: what a player may know of them is decided in `view`.
    """

    __slots__ = (
        "_hands",
        "_history",
        "board",
        "deal",
        "election",
        "event_count",
        "kind",
        "opener_now",
        "outcome",
        "past",
        "reserve_count",
        "to_move",
        "turn",
        "variant",
        "winners",
    )

    def __init__(self, deal: Deal, variant: Variant = STANDARD) -> None:
        self.deal = deal
        self.variant = variant
        self.election = 1
        self.turn = 1
        self.kind: Kind = deal.cards[0]
        self.opener_now: Side = deal.opener
        self.to_move: Side | None = deal.opener
        self.winners: list[Side | None] = []
        self.outcome: Outcome | None = None
        self.board: list[SeenTile] = []
        self.past: list[tuple[SeenTile, ...]] = []
        self.reserve_count = len(deal.ivory) - HAND_SIZE
        self.event_count = 1
        self._hands = (sorted(deal.ivory[:HAND_SIZE]), sorted(deal.brown[:HAND_SIZE]))
        self._history: list[SeenTile] = []

    def __repr__(self) -> str:
        state = "over" if self.outcome else f"election {self.election}, turn {self.turn}"
        return f"<Game {self.variant.name}, {state}, faces hidden>"

    @property
    def placed_count(self) -> int:
        """How many tiles have been placed since the start."""
        return len(self._history)

    @property
    def placements(self) -> list[tuple[Side, Tile, Building]]:
        """All placements since the start, in order, with full faces."""
        return [(seen.side, _face(seen), seen.building) for seen in self._history]

    @property
    def events(self) -> list[Event]:
        """All events since the start, with full faces, as a new list.

        Keeping them would double the memory of a running game, so they are told again from the placements;
        `event_count` is their number, at no cost.
        """
        again = Game(self.deal, self.variant)
        told: list[Event] = [ElectionOpened(1, again.kind, again.opener_now)]
        for side, tile, building in self.placements:
            told.extend(again.place(side, tile, building))
        if self.outcome is not None and again.outcome is None:
            told.append(Over(*self.outcome))
        return told

    def hand(self, side: Side) -> tuple[Tile, ...]:
        """Return the tiles a side holds, sorted."""
        return tuple(self._hands[side])

    def verify(self, side: Side, tile: Tile, building: Building) -> None:
        """Raise IllegalPlacement, saying why, when this placement is not allowed now (Placing the Tiles).

        ValueError for a building that does not exist.
        """
        if building not in _BUILDINGS:
            raise ValueError(f"there is no building {building!r}; pass a Building")
        if self.outcome is not None:
            raise IllegalPlacement("over", "The game is over; nothing more can be placed in it.")
        if side != self.to_move:
            mover = SIDE_WORDS[OTHER_SIDE[side]]
            raise IllegalPlacement("not-your-turn", f"It is the turn of {mover}; wait for yours.")
        if tile not in self._hands[side]:
            raise IllegalPlacement("not-in-hand", f"You do not hold {tile}; place a tile from your hand.")

    def can(self, side: Side, tile: Tile, building: Building) -> bool:
        """Tell whether this placement is allowed now."""
        try:
            self.verify(side, tile, building)
        except IllegalPlacement:
            return False
        return True

    def place(self, side: Side, tile: Tile, building: Building) -> tuple[Event, ...]:
        """Place a tile and return everything that happened, with full faces.

        Raises IllegalPlacement (nothing has changed; say why to the player), ValueError for no such building.
        """
        if side != self.to_move:
            self.verify(side, tile, building)
        hand = self._hands[side]
        try:
            held = hand.index(tile)
            building = _BUILDINGS[building]
        except (ValueError, KeyError):
            self.verify(side, tile, building)
            raise
        # From here on only our own values are kept: what was passed may merely be equal to them.
        mover = SIDES[side]
        tile = hand.pop(held)
        turn = self.turn
        seen = SeenTile(building, self.election, turn, mover, tile)
        self.board.append(seen)
        self._history.append(seen)
        placed = Placed(mover, self.election, turn, building, tile)
        if turn < TURNS:
            self.turn = turn + 1
            self.to_move = OTHER_SIDE[side]
            self.event_count += 1
            return (placed,)
        happened: list[Event] = [placed]
        self._tally(happened)
        self.event_count += len(happened)
        return tuple(happened)

    def resign(self, side: Side) -> tuple[Event, ...]:
        """End the game by the resignation of a side; ValueError when it is over already."""
        return self.stop(side.other, "resigned", side.word)

    def stop(self, winner: Side | None, reason: str, detail: str = "") -> tuple[Event, ...]:
        """End the game for a reason from outside the board and return the one event of it.

        ValueError when it is over already, or the reason is unknown, can only come from play, or does not go
        with a winner: correct the caller.
        """
        if self.outcome is not None:
            raise ValueError(f"the game is over already ({self.outcome.reason}); it cannot end twice")
        if reason not in REASONS or reason in PLAYED_OUT:
            raise ValueError(f"a game cannot be stopped for {reason!r}; use one of {', '.join(REASONS[4:])}")
        if reason in WITHOUT_RESULT and winner is not None:
            raise ValueError(f"a game that ends as {reason!r} has no winner; pass None")
        self.event_count += 1
        return (self._end(winner, reason, detail),)

    def _end(self, winner: Side | None, reason: str, detail: str = "") -> Over:
        self.outcome = Outcome(winner, reason, detail)
        self.to_move = None
        return Over(winner, reason, detail)

    def _tally(self, happened: list[Event]) -> None:
        kind = self.kind
        counts: list[Count] = []
        turned_up: list[SeenTile] = []
        for side in SIDES:
            building = building_of(side, kind)
            tiles = tuple(seen for seen in self.board if seen[0] == building)
            happened.append(Revealed(building, tiles))
            turned_up.extend(tiles)
            counts.append(count(kind, side, [(seen.side, _face(seen)) for seen in tiles]))
        self.board = [seen for seen in self.board if seen[0] % 3 != kind]
        self.past.append(tuple(turned_up))
        ivory, brown = counts
        elected = winner(ivory, brown)
        self.winners.append(elected)
        happened.append(Tallied(self.election, kind, ivory, brown, elected))
        if elected is not None and self.winners[-ROW_LENGTH:] == [elected] * ROW_LENGTH:
            happened.append(self._end(elected, "three-in-a-row"))
        elif self.election == ELECTIONS:
            self._finish(happened)
        else:
            self._open_next(happened)

    def _open_next(self, happened: list[Event]) -> None:
        if self.election <= LAST_DRAWING:
            start = len(self.deal.ivory) - self.reserve_count
            for side in SIDES:
                drawn = tuple(sorted(self.deal.tiles(side)[start : start + DRAWN_TILES]))
                self._hands[side].extend(drawn)
                self._hands[side].sort()
                happened.append(Drew(side, DRAWN_TILES, drawn))
            self.reserve_count -= DRAWN_TILES
        self.kind = self.deal.cards[self.election]
        self.election += 1
        self.turn = 1
        self.opener_now = OTHER_SIDE[self.opener_now]
        self.to_move = self.opener_now
        happened.append(ElectionOpened(self.election, self.kind, self.opener_now))

    def _finish(self, happened: list[Event]) -> None:
        figures = [self.winners.count(side) for side in SIDES]
        reason = "majority"
        if figures[0] == figures[1] and self.variant.last_tiles_decide:
            happened.extend(Remaining(side, self.hand(side)) for side in SIDES)
            figures = [sum(tile.number for tile in self.hand(side)) for side in SIDES]
            reason = "remaining-tiles"
        if figures[0] == figures[1]:
            happened.append(self._end(None, "drawn"))
        else:
            happened.append(self._end(Side(figures[1] > figures[0]), reason))


def _face(seen: SeenTile) -> Tile:
    assert seen.tile is not None, "the game itself knows every face"
    return seen.tile
