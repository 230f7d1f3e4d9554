"""A knock-out: who loses a tie is out, and a tie goes on until somebody has won it."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, cast

from tyrusd.league.pairing.knockout import bracket, drawn
from tyrusd.league.pairing.meeting import Meeting
from tyrusd.league.tournament.forms import Batch, Plain, blames
from tyrusd.league.tournament.happenings import Advanced, Happening
from tyrusd.league.tournament.pair import Pair
from tyrusd.league.tournament.plan import TournamentPlan

FURTHER: Final = 16
"""How many further pairs a tie may have before the higher seed goes on."""


@dataclass(slots=True)
class Tie:
    """Two who meet in the bracket, the stronger by seeding or lot first; None is a place without anybody."""

    first: str | None
    second: str | None
    pairs: list[Pair] = field(default_factory=list)
    winner: str | None = None
    how: str | None = None

    @property
    def players(self) -> list[str]:
        """Who is there."""
        return [name for name in (self.first, self.second) if name is not None]

    def points(self) -> list[float]:
        """What the games that count have given to both."""
        counted = [pair for pair in self.pairs if pair.cut is None]
        return [
            sum(pair.score(name) for pair in counted) if name else 0.0 for name in (self.first, self.second)
        ]

    def settle(self, winner: str | None, how: str) -> None:
        """Somebody goes on, or with None nobody."""
        self.winner, self.how = winner, how


class Knockout(Plain):
    """Rounds of ties; in each, pairs until somebody is ahead."""

    waits = True

    def __init__(self, plan: TournamentPlan) -> None:
        super().__init__()
        count = len(plan.entrants)
        self._deals = cast("int", plan.rounds)  # a plan without has a sequential test, and those are refused
        self._strength = drawn(plan.entrants, plan.seeds, plan.seed)
        self.rounds: int | None = (count - 1).bit_length()
        self.total: int | None = None
        self.least = (count - 1) * self._deals
        self._reached = dict.fromkeys(plan.entrants, 1)
        self._rounds: list[list[Tie]] = []
        self._enter([self._strength[place] if place < count else None for place in bracket(count)])

    def next(
        self, last: Sequence[Pair], gone: Container[str], tell: Callable[[Happening], None]
    ) -> Batch | None:
        """Return the first pairs of the next round, or further ones for the ties that are not decided."""
        ties = self._rounds[-1]
        opens = not last
        by_names = {frozenset(tie.players): tie for tie in ties if len(tie.players) == 2}
        for pair in last:
            by_names[pair.names].pairs.append(pair)
        while not opens and self.champion is None:
            for tie in ties:
                if tie.how is None:
                    self._judge(tie, gone, tell)
            if any(tie.how is None for tie in ties) or not self._next_round(gone):
                break
            ties = self._rounds[-1]
            opens = any(tie.how is None for tie in ties)
        meetings = tuple(self._meeting(tie) for tie in ties if tie.how is None)
        if not meetings:
            return None
        byes = tuple(name for tie in ties if tie.how == "bye" for name in tie.players)
        return Batch(len(self._rounds), meetings, byes, self._deals if opens else 1, opens)

    def bracket(self) -> list[Any]:
        """Return the ties of each round, from the top of the bracket to its bottom."""
        return [
            [
                {
                    "first": tie.first,
                    "second": tie.second,
                    "points": tie.points(),
                    "pairs": [pair.number for pair in tie.pairs],
                    "winner": tie.winner,
                    "how": tie.how,
                }
                for tie in ties
            ]
            for ties in self._rounds
        ]

    def reached(self, name: str) -> int:
        """Return the round that an entrant has come to; the champion is past the last."""
        return self._reached[name]

    def _enter(self, places: list[str | None]) -> None:
        """Make a round of those who are in it, in the order of the bracket; byes are settled at once."""
        ties = []
        for upper, lower in zip(places[::2], places[1::2], strict=True):
            first, second = sorted((upper, lower), key=self._weakness)
            tie = Tie(first, second)
            if second is None:
                tie.settle(first, "bye" if first is not None else "nobody")
                self.byes.update(tie.players)
            ties.append(tie)
        self._rounds.append(ties)
        for tie in ties:
            self._reached.update(dict.fromkeys(tie.players, len(self._rounds)))

    def _weakness(self, name: str | None) -> int:
        return len(self._strength) if name is None else self._strength.index(name)

    def _meeting(self, tie: Tie) -> Meeting:
        meeting = Meeting(*tie.players)
        return meeting.swapped if len(tie.pairs) % 2 else meeting

    def _judge(self, tie: Tie, gone: Container[str], tell: Callable[[Happening], None]) -> None:
        """Decide a tie all of whose pairs are settled, if it can be."""
        first, second = tie.players
        points = tie.points()
        cut = [pair for pair in tie.pairs if pair.cut is not None]
        if cut:
            blame = blames(tie.pairs).get(frozenset(tie.players))
            able = [name for name in tie.players if name not in gone and name != blame]
            if len(able) == 1:
                tie.settle(able[0], "walkover")
            elif not able:
                tie.settle(None, "nobody")
        if tie.how is None and points[0] != points[1]:
            tie.settle(first if points[0] > points[1] else second, "won")
        elif tie.how is None and (cut or len(tie.pairs) >= self._deals + FURTHER):
            tie.settle(first, "seed")
        if tie.how is not None:
            self.out.update(name for name in tie.players if name != tie.winner)
        if tie.winner is not None and tie.how is not None:
            tell(Advanced(tie.winner, second if tie.winner == first else first, tie.how))

    def _next_round(self, gone: Container[str]) -> bool:
        """Let the winners meet; False when there is nobody left to meet."""
        ties = self._rounds[-1]
        if len(ties) > 1:
            self._enter([None if tie.winner in gone else tie.winner for tie in ties])
            return True
        self.champion = ties[0].winner
        self.finalists = tuple(ties[0].players)
        if self.champion is not None:
            self._reached[self.champion] = len(self._rounds) + 1
        return False
