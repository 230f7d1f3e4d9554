"""The kinds of tournament, each as a source of batches of meetings."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Container, Sequence
from typing import Any, NamedTuple, Protocol

from tyrusd.league.pairing.gauntlet import gauntlet
from tyrusd.league.pairing.meeting import Meeting, Round
from tyrusd.league.pairing.roundrobin import round_robin
from tyrusd.league.tournament.happenings import Happening
from tyrusd.league.tournament.pair import Pair
from tyrusd.league.tournament.plan import TournamentPlan


class Batch(NamedTuple):
    """Meetings that are scheduled together, `deals` pairs each, all first deals before any second.

    opens: a round begins with it; False for further pairs of the same round.
    """

    round: int
    meetings: tuple[Meeting, ...]
    byes: tuple[str, ...] = ()
    deals: int = 1
    opens: bool = True


class Form(Protocol):
    """A kind of tournament.

    waits: whether a batch depends on the results of the one before. rounds: how many, None where nobody
    knows. total: how many pairs there will be, None where nobody knows; least: at least so many. byes: how
    many each has had; given: the points each has been given without a game. champion and finalists: once
    there are any. out: who has lost and plays no more.
    """

    waits: bool
    rounds: int | None
    total: int | None
    least: int
    byes: Counter[str]
    given: Counter[str]
    champion: str | None
    finalists: tuple[str, ...]
    out: set[str]

    def next(
        self, last: Sequence[Pair], gone: Container[str], tell: Callable[[Happening], None]
    ) -> Batch | None:
        """Return the next batch, None when there is no more.

        last: the pairs of the batch before, all of them settled if the form waits. gone: who plays no more.
        """

    def bracket(self) -> list[Any]:
        """Return the rounds of a knock-out as plain JSON data, nothing for other kinds."""

    def reached(self, name: str) -> int:
        """Return the round that an entrant of a knock-out has come to, 0 in other kinds."""


class Plain:
    """What a kind without a bracket has to say about it."""

    def __init__(self) -> None:
        self.byes: Counter[str] = Counter()
        self.given: Counter[str] = Counter()
        self.champion: str | None = None
        self.finalists: tuple[str, ...] = ()
        self.out: set[str] = set()

    def bracket(self) -> list[Any]:
        """There is none."""
        return []

    def reached(self, name: str) -> int:
        """Nobody goes anywhere."""
        return 0


class Circuit(Plain):
    """A schedule that does not depend on results: cycle after cycle, each with the same meetings."""

    waits = False

    def __init__(self, cycle_of: Callable[[int], tuple[Round, ...]], cycles: int | None) -> None:
        super().__init__()
        self._cycle_of = cycle_of
        self._cycles = cycles
        self._cycle = 0
        self._round = 0
        self._rounds: deque[Round] = deque()
        cycle = cycle_of(1)
        self.rounds = None if cycles is None else cycles * len(cycle)
        each = sum(len(round_.meetings) for round_ in cycle)
        self.total = None if cycles is None else cycles * each
        self.least = self.total or each

    def next(
        self, last: Sequence[Pair], gone: Container[str], tell: Callable[[Happening], None]
    ) -> Batch | None:
        """Return the next round."""
        if not self._rounds:
            if self._cycle == self._cycles:
                return None
            self._cycle += 1
            self._rounds.extend(self._cycle_of(self._cycle))
        self._round += 1
        meetings, byes = self._rounds.popleft()
        self.byes.update(byes)
        return Batch(self._round, meetings, byes)


def form_of(plan: TournamentPlan) -> Form:
    """Return the form of a plan that was checked."""
    return _FORMS[plan.kind](plan)


_FORMS: dict[str, Callable[[TournamentPlan], Form]] = {
    "roundrobin": lambda plan: Circuit(lambda cycle: round_robin(plan.entrants, cycle), plan.rounds),
    "gauntlet": lambda plan: Circuit(lambda cycle: gauntlet(plan.entrants, plan.seeds, cycle), plan.rounds),
}
