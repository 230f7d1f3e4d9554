"""The pairs that may be handed out: first by number, but for those of bots that seem to fail always."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from typing import Final

from tyrusd.league.tournament.pair import Pair
from tyrusd.league.tournament.plan import TournamentPlan
from tyrusd.league.tournament.verdicts import Verdicts

_MOST_HELD: Final = 200  # pairs that are held back before nothing more is scheduled


class Waiting:
    """Pairs by number; which of them are still to be played is asked when one is wanted.

    A bot that has failed as often in a row as suspends it, in the order in which results came, is likely to
    be suspended when all pairs before are settled. Until then its pairs are held back: this only saves
    games that would be played in vain, and changes nothing of what counts.
    """

    def __init__(self, plan: TournamentPlan) -> None:
        self._limit = plan.suspend_after
        self._streaks = dict.fromkeys(plan.entrants, 0)
        self._ready: list[int] = []
        self._held: list[int] = []

    @property
    def crowded(self) -> bool:
        """Whether so many pairs are held back that further ones would be, too."""
        return len(self._held) > _MOST_HELD

    def add(self, number: int) -> None:
        """A pair has games to hand out, perhaps."""
        heappush(self._ready, number)

    def heard(self, name: str, failed: bool) -> None:
        """An entrant has played a game, or failed to."""
        self._streaks[name] = self._streaks[name] + 1 if failed else 0

    def release(self) -> None:
        """Something is known that was not: look at everything again."""
        for number in self._held:
            heappush(self._ready, number)
        self._held.clear()

    def first(self, pairs: Sequence[Pair], verdicts: Verdicts) -> Pair | None:
        """Take out the first pair that can be played now."""
        while self._ready:
            number = heappop(self._ready)
            pair = pairs[number - 1]
            if not pair.missing or verdicts.cut_of(pair) is not None:
                continue
            if max(self._streaks[pair.first], self._streaks[pair.second]) < self._limit:
                return pair
            self._held.append(number)
        return None
