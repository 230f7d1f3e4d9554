"""The pairs that workers hold: what may come back of them, and what is still awaited."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import replace

from tyrusd.host.ladder.crewing import ResultIn, UnreadyIn
from tyrusd.league.tournament.played import Played
from tyrusd.league.tournament.task import PairTask, Place


class Handed:
    """Tasks by pair and attempt; known: the games that have results, which others add to."""

    def __init__(self, known: AbstractSet[Place]) -> None:
        self._known = known
        self._tasks: dict[tuple[int, int], PairTask] = {}

    def __len__(self) -> int:
        return len(self._tasks)

    @property
    def pairs(self) -> set[int]:
        """The numbers of the pairs that are held."""
        return {pair for pair, _ in self._tasks}

    def add(self, task: PairTask) -> None:
        """A worker has got it."""
        self._tasks[task.pair, task.attempt] = task

    def end(self, pair: int, attempt: int) -> None:
        """Nobody holds it any more."""
        self._tasks.pop((pair, attempt), None)

    def give_back(self, part: PairTask) -> bool:
        """Some games of a task, or all, are held no more; False if they were not held."""
        handed = self._tasks.pop((part.pair, part.attempt), None)
        if handed is None:
            return False
        begun = tuple([game for game in handed.games if game not in part.games])
        if any(handed.place(game) not in self._known for game in begun):
            self.add(replace(handed, games=begun))  # the first game of a pair goes on
        return True

    def may_be_unready(self, event: UnreadyIn) -> bool:
        """Whether a worker holds such a pair with such a bot."""
        task = self._tasks.get((event.pair, event.attempt))
        return task is not None and event.bot in (task.first, task.second)

    def stranger(self, event: ResultIn, played: Played) -> str | None:
        """Why a result is none of what was handed out; None where it is."""
        place = played.place
        task = self._tasks.get((place.pair, place.attempt))
        if task is None or place.game not in task.games or place.round != task.round:
            return "nobody was asked to play it"
        seeds = event.record["game"]["seeds"]
        dealt = (seeds["ivory"], seeds["brown"]) == task.seeds[place.game - 1]
        if (played.ivory, played.brown) != task.seats(place.game) or not dealt:
            return "it was not played as it was handed out"
        return None
