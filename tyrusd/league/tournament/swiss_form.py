"""A Swiss tournament: each round is paired by what the rounds before it gave."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Sequence
from typing import cast

from tyrusd.league.pairing.ranking import Score, ranked, table
from tyrusd.league.pairing.swiss import NEVER_AGAIN, Contestant, swiss_round
from tyrusd.league.tournament.forms import Batch, Plain, blames, scores_of
from tyrusd.league.tournament.happenings import Happening
from tyrusd.league.tournament.pair import Pair
from tyrusd.league.tournament.plan import TournamentPlan


class Swiss(Plain):
    """So many rounds, or as many as single out one who has won them all."""

    waits = True

    def __init__(self, plan: TournamentPlan) -> None:
        super().__init__()
        self._entrants = plan.entrants
        self._games = plan.games
        self._deals = cast("int", plan.rounds)  # a plan without has a sequential test, and those are refused
        rounds = plan.swiss_rounds or (len(plan.entrants) - 1).bit_length()
        self.rounds: int | None = rounds
        self.least = rounds * (len(plan.entrants) // 2) * self._deals
        self.total: int | None = self.least
        self._round = 0
        self._met: Counter[frozenset[str]] = Counter()
        self._leads: Counter[str] = Counter()
        self._scores: list[Score] = []

    def next(
        self, last: Sequence[Pair], gone: Container[str], tell: Callable[[Happening], None]
    ) -> Batch | None:
        """Pair the next round, among those who are still there."""
        self._learn(last, gone)
        here = {name for name in self._entrants if name not in gone}
        if self._round == self.rounds or len(here) < 2:
            return None
        self._round += 1
        rows = ranked(table(self._entrants, self._scores, self.given, self.byes))
        field = [
            Contestant(row.name, row.points, self.byes[row.name], self._leads[row.name])
            for row in rows
            if row.name in here
        ]
        meetings, byes = swiss_round(field, self._met, self._round)
        for name in byes:
            self.byes[name] += 1
            self.given[name] += self._deals * self._games
        self._met.update(frozenset(meeting) for meeting in meetings)
        return Batch(self._round, meetings, byes, self._deals)

    def _learn(self, pairs: Sequence[Pair], gone: Container[str]) -> None:
        counted = [pair for pair in pairs if pair.cut is None]
        self._scores += scores_of(counted, self._games)
        for pair in counted:
            self._leads[pair.first] += 1
            self._leads[pair.second] -= 1
        halted = blames(pairs)
        for names in halted:
            self._met[names] = NEVER_AGAIN
        for pair in pairs:
            if pair.cut is not None:
                for name in _ready(pair, gone, halted.get(pair.names)):
                    self.given[name] += self._games


def _ready(pair: Pair, gone: Container[str], blame: str | None) -> Iterable[str]:
    """Who gets the points of a deal that was not played: the one of the two who could have."""
    able = [name for name in (pair.first, pair.second) if name not in gone and name != blame]
    return able if len(able) == 1 else ()
