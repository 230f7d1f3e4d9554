"""Counts how workers end: how long to wait before the next is started, and when it is of no use any more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tyrusd.host.ladder.crewing import CrewLost
from tyrusd.league.tournament.task import PairTask

DEATHS: Final = 3  # of one worker in a row without a finished game
DROPS: Final = 5  # workers that end with the same pair in their hands
PAUSE: Final = 0.5  # seconds before a worker is started again; twice as much each time
LONGEST_PAUSE: Final = 8.0


class Setbacks:
    """The ends of workers that nobody asked for, by their places, and those that pairs have seen."""

    def __init__(self, places: int) -> None:
        self._deaths = [0] * places
        self._drops: dict[tuple[int, int], int] = {}

    def finished(self, place: int) -> None:
        """The worker of a place has got through a game."""
        self._deaths[place] = 0

    def done(self, pair: int, attempt: int) -> None:
        """A pair is over."""
        self._drops.pop((pair, attempt), None)

    def died(self, place: int, tasks: Sequence[PairTask]) -> None:
        """A worker has ended with these tasks in its hands."""
        self._deaths[place] += 1
        for task in tasks:
            key = task.pair, task.attempt
            self._drops[key] = self._drops.get(key, 0) + 1

    def check(self, place: int, sentence: str) -> None:
        """Raise CrewLost if that was one too many; sentence: how the last one ended."""
        deaths = self._deaths[place]
        if deaths >= DEATHS:
            raise CrewLost(
                f"{deaths} workers in a row have ended without finishing a game; the last: {sentence}"
            )
        for (pair, _), drops in self._drops.items():
            if drops >= DROPS:
                raise CrewLost(f"pair {pair} has ended {drops} workers; the last: {sentence}")

    def pause(self, place: int) -> float:
        """Seconds to wait before the next worker of a place is started."""
        deaths = self._deaths[place]
        return min(PAUSE * 2 ** (deaths - 1), LONGEST_PAUSE) if deaths else 0.0
