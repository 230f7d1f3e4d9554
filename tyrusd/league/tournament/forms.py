"""What a kind of tournament is: a source of batches of meetings, and where everybody has come to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Sequence
from typing import Any, NamedTuple, Protocol

from tyrusd.league.pairing.meeting import Meeting
from tyrusd.league.pairing.ranking import Score
from tyrusd.league.tournament.happenings import Happening
from tyrusd.league.tournament.pair import Pair


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


def scores_of(pairs: Iterable[Pair], games: int) -> list[Score]:
    """Return what the complete pairs gave to both sides.

    games: how often deals are played, as a rule. Each deal is worth that many points, so one that is played
    once, because a bot could remember it, is worth as many as those that are played twice.
    """
    found = []
    for pair in pairs:
        results = pair.results()
        if results:
            one, two = pair.first, pair.second
            worth = games / len(pair.games)
            wins = sum(played.winner == one for played in results), sum(p.winner == two for p in results)
            points = worth * pair.score(one), worth * pair.score(two)
            found.append(Score(one, two, points, wins, len(results)))
    return found


def blames(pairs: Iterable[Pair]) -> dict[frozenset[str], str | None]:
    """Return the pairings that were halted among settled pairs, each with the bot for which it was.

    That is None where nobody can say. Only the first halt of a pairing is one: others were played ahead.
    """
    found: dict[frozenset[str], str | None] = {}
    for pair in pairs:
        if pair.halted and pair.cut == "halted":
            found.setdefault(pair.names, pair.current.unready[0] if pair.current.unready else None)
    return found
