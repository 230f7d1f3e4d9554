"""The workers that are there, and how games are shared out among them."""

from __future__ import annotations

from typing import Final

from tyrusd.host.ladder.hand import Hand, shares
from tyrusd.league.tournament.task import PairTask

AHEAD: Final = 2  # games that a worker has in reserve, so that it need not wait for the next pair


class Roster:
    """So many places for workers, the tasks that wait for one, and the games that may run at a time."""

    def __init__(self, places: int, concurrency: int) -> None:
        self.concurrency = concurrency
        self.waiting: list[PairTask] = []
        self._hands: list[Hand | None] = [None] * places
        self._unborn = set(range(places))  # places whose first worker has not been started yet
        self._orders = 0

    @property
    def hands(self) -> list[Hand]:
        """The workers that are there."""
        return [hand for hand in self._hands if hand is not None]

    @property
    def places(self) -> range:
        """The places, by their numbers."""
        return range(len(self._hands))

    @property
    def room(self) -> int:
        """How many more games may be handed out, some in reserve."""
        reserve = AHEAD * min(self.concurrency, len(self._hands))
        return max(0, self.concurrency + reserve - self.outstanding)

    @property
    def outstanding(self) -> int:
        """How many games of the tasks that are handed out have no result yet."""
        return sum([len(task.games) for task in self.waiting]) + sum([hand.games for hand in self.hands])

    def place(self, number: int, hand: Hand | None) -> None:
        """Have a worker, or none, at a place."""
        self._hands[number] = hand
        self._unborn.discard(number)

    def share_out(self) -> None:
        """Give each worker its share of the games, and what waits to those that have room."""
        # The first worker must not get everything before the others are there.
        hands = [] if self._unborn else self.hands
        while hands:
            for hand, share in zip(hands, shares(self.concurrency, hands), strict=True):
                hand.limit(share)
            best = max(hands, key=_room_of)
            if not self.waiting or _room_of(best) <= 0:
                return
            self._orders += 1
            best.play(self.waiting.pop(0), self._orders)


def _room_of(hand: Hand) -> int:
    return hand.share + AHEAD - hand.games if hand.share else 0
