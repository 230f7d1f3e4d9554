"""Round robins and gauntlets: everything is known beforehand, so nothing waits for results."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container, Sequence

from tyrusd.league.pairing.meeting import Round
from tyrusd.league.tournament.forms import Batch, Plain
from tyrusd.league.tournament.happenings import Happening
from tyrusd.league.tournament.pair import Pair


class Circuit(Plain):
    """Cycle after cycle with the same meetings; `cycles` is None where the schedule has no end."""

    waits = False

    def __init__(self, cycle_of: Callable[[int], tuple[Round, ...]], cycles: int | None) -> None:
        super().__init__()
        self._cycle_of = cycle_of
        self._cycles = cycles
        self._cycle = 0
        self._round = 0
        self._rounds: deque[Round] = deque()
        cycle = cycle_of(1)
        each = sum(len(round_.meetings) for round_ in cycle)
        self.rounds = None if cycles is None else cycles * len(cycle)
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
