"""Who is suspended, which pairings are halted, when the test is decided: read in the order of the schedule.

Results come in any order, and with another concurrency in another one. So nothing here depends on when a
result came: the pairs are read by their numbers, each only when all before it are settled.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from tyrusd.league.statistics.sprt import Sequential, SprtState
from tyrusd.league.tournament.happenings import Decided, Happening, PairingHalted, Suspended
from tyrusd.league.tournament.pair import Attempt, Pair
from tyrusd.league.tournament.plan import TournamentPlan
from tyrusd.league.tournament.played import Played

FAILURES: Final = frozenset({"crashed", "timeout", "illegal", "protocol", "disconnected"})
"""The endings that are a failure of the program that lost; a bot that never became ready has failed, too."""

CRASHES: Final = frozenset({"crashed", "disconnected"})
"""Those of them that end a tournament which a crash ends, as a bot that is not ready does."""


class Halt(NamedTuple):
    """A pairing that goes no further, after the pair of this number."""

    pair: int
    first: str
    second: str
    why: str


def failed(played: Played) -> str | None:
    """Who failed in a game, None where nobody did."""
    return played.at_fault if played.reason in FAILURES else None


class Verdicts:
    """What has been decided about a tournament so far.

    suspended: by name, after which pair and how many failures. halted: by the two names. decided: the pair
    at which the sequential test accepted a hypothesis, and its state.
    """

    def __init__(self, plan: TournamentPlan, twins: Callable[[Sequence[str]], bool]) -> None:
        self.suspended: dict[str, tuple[int, int]] = {}
        self.dropped: list[str] = []
        self.halted: dict[frozenset[str], Halt] = {}
        self.decided: tuple[int, SprtState] | None = None
        self._after = plan.suspend_after
        self._failures = dict.fromkeys(plan.entrants, 0)
        self._seen = 0  # attempts of the pair that is being read
        self._hero = plan.entrants[0]
        self._test = plan.sprt and Sequential(plan.sprt, 5 if twins(plan.entrants) else 3)

    @property
    def gone(self) -> set[str]:
        """Who plays no more."""
        return {*self.suspended, *self.dropped}

    @property
    def test(self) -> SprtState | None:
        """How the sequential test stands, None without one."""
        return self._test.state if self._test else None

    def cut_of(self, pair: Pair) -> str | None:
        """Why nothing of a pair counts, None if it does as far as is known."""
        if pair.cut is not None:
            return pair.cut
        if self.decided is not None and pair.number > self.decided[0]:
            return "decided"
        for name in (pair.first, pair.second):
            if name in self.suspended and pair.number > self.suspended[name][0]:
                return "suspended"
            if name in self.dropped and not pair.complete:
                return "dropped"
        halt = self.halted.get(pair.names)
        return "halted" if halt is not None and pair.number > halt.pair else None

    def halt(self, pair: Pair, why: str, tell: Callable[[Happening], None]) -> None:
        """Two attempts in a row at a pair were void: its pairing ends there, or at an earlier such pair."""
        known = self.halted.get(pair.names)
        if known is None:
            tell(PairingHalted(pair.first, pair.second, why))
        if known is None or pair.number < known.pair:
            self.halted[pair.names] = Halt(pair.number, pair.first, pair.second, why)

    def settle(self, pair: Pair, tell: Callable[[Happening], None]) -> bool:
        """Read the first pair that is not settled; whether it is now. `pair.cut` is final then."""
        pair.cut = self.cut_of(pair)
        if pair.cut is None:
            self._read(pair, tell)
        if pair.cut is None and not pair.complete:
            return False
        self._seen = 0
        if pair.cut is None and self._test is not None:
            state = self._test.add(round(2 * pair.score(self._hero)))
            if state.decision is not None:
                self.decided = (pair.number, state)
                tell(Decided(pair.number, state))
        return True

    def _read(self, pair: Pair, tell: Callable[[Happening], None]) -> None:
        for attempt in pair.attempts[self._seen :]:
            if attempt.ending is None:
                return
            self._seen += 1
            self._count(attempt, pair.number, tell)
            if not self.suspended.keys().isdisjoint(pair.names) and attempt.ending != "complete":
                pair.cut = "suspended"
                return
        if pair.halted:
            pair.cut = "halted"

    def _count(self, attempt: Attempt, number: int, tell: Callable[[Happening], None]) -> None:
        if attempt.unready is not None:
            self._failure(attempt.unready[0], number, tell)
        if attempt.ending == "void":
            return  # whether its other game was played is a matter of chance
        for _, played in sorted(attempt.games.items() if attempt.unready is None else ()):
            fault = failed(played)
            for name in (played.ivory, played.brown):
                if name == fault:
                    self._failure(name, number, tell)
                else:
                    self._failures[name] = 0

    def _failure(self, name: str, number: int, tell: Callable[[Happening], None]) -> None:
        self._failures[name] += 1
        if self._failures[name] >= self._after and name not in self.suspended:
            self.suspended[name] = (number, self._failures[name])
            tell(Suspended(name, self._failures[name]))
