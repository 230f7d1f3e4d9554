"""One game in which the bot is examined: a true game, what the bot is told of it, and what it still owes."""

from __future__ import annotations

from tyrusd.core import translate
from tyrusd.core.conformance import positions
from tyrusd.league.match import Match
from tyrusd.rules.pieces import BUILDING_NAMED, TILE_NAMED, Building, Side, Tile
from tyrusd.wire import messages as wire


class Exam:
    """A game and the bot's side in it.

    asked: the number of its newest request; owed: the same while the bot has not answered it.
    """

    __slots__ = ("asked", "game", "match", "owed", "side")

    def __init__(self, match: Match, side: Side) -> None:
        self.match = match
        self.game = match.game_id
        self.side = side
        self.asked = 0
        self.owed: int | None = None

    def beginning(self, events: bool, now: float) -> list[wire.ServerMessage]:
        """What tells the bot that it plays: `start`, and where the game stands if it follows the events."""
        return [translate.start_message(self.match, self.side), *([self.snapshot(now)] if events else [])]

    def snapshot(self, now: float) -> wire.Snapshot:
        """The whole game as the bot may know it."""
        return translate.snapshot_message(self.match, self.side, self.match.game.event_count, now)

    def request(self, full: bool, now: float) -> wire.Choose | wire.Turn:
        """The request that is due, issued now or once more."""
        request = self.match.open_request or self.match.issue(now)
        self.asked = self.owed = request.number
        return translate.request_message(self.match, request, full, now)

    def fault_in(self, place: wire.Place) -> str | None:
        """What is wrong with an answer by the rules; None for nothing."""
        hand = self.match.game.hand(self.side)
        if TILE_NAMED[place.tile] in hand:
            return None
        return f"it placed {place.tile}, which is not in its hand ({','.join(map(str, hand))})"

    def place(self, place: wire.Place, now: float) -> int:
        """Do what the bot has answered; return the number of events before it."""
        told = self.match.game.event_count
        request = self.match.open_request
        number = request.number if request is not None else 0
        self.match.place(self.side, number, TILE_NAMED[place.tile], BUILDING_NAMED[place.building], now)
        return told

    def enemy_places(self, placement: tuple[Tile, Building], now: float) -> int:
        """Make the other side's placement; return the number of events before it."""
        return positions.play(self.match, *placement, now)

    def events_after(self, told: int) -> list[wire.ServerMessage]:
        """The events since `told` of them, as the bot may know them."""
        return [
            translate.event_message(self.game, seq, event, self.side)
            for seq, event in enumerate(self.match.game.events[told:], told + 1)
        ]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.match.game.outcome is not None

    @property
    def enemy_to_move(self) -> bool:
        """Whether the other side has to place next."""
        return self.match.game.to_move is self.side.other
