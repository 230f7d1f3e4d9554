"""Who met whom: a cell of results for each two players, and circles in which each beats the next."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from tyrusd.league.statistics.pairs import Pair, Results, results
from tyrusd.league.statistics.pentanomial import Pentanomial, Trinomial, moments, turned
from tyrusd.league.statistics.strength import Estimate, elo, likelihood_of_superiority

MOST_CIRCLES: Final = 20
_SURE: Final = 0.95


class Encounter(NamedTuple):
    """All pairs of two players, seen from the first."""

    results: Results
    elo: Estimate
    los: float

    def turned(self) -> Encounter:
        """The same, seen from the other player."""
        pairs, singles, games = self.results
        return Encounter(
            Results(Pentanomial(*turned(pairs)), Trinomial(*turned(singles)), Trinomial(*turned(games))),
            Estimate(-self.elo.value, -self.elo.high, -self.elo.low),
            1 - self.los,
        )


class Circle(NamedTuple):
    """Three players each of whom scored more than half against the next, the last against the first.

    los: the least chance of being stronger among the three. significant: it stays convincing (95 %) though
    it was looked for among all that could have been found.
    """

    names: tuple[str, str, str]
    edges: tuple[Encounter, Encounter, Encounter]
    los: float
    significant: bool


def encounters(pairs: Iterable[Pair]) -> dict[tuple[str, str], Encounter]:
    """The encounter of each two players who met, both ways round."""
    met: dict[tuple[str, str], list[Pair]] = defaultdict(list)
    for pair in pairs:
        first, second = sorted((pair.first, pair.second))
        met[first, second].append(pair)
    found = {}
    for (first, second), theirs in sorted(met.items()):
        counted = results(theirs, first, second)
        there = Encounter(counted, elo(counted.counts), likelihood_of_superiority(counted.counts))
        found[first, second] = there
        found[second, first] = there.turned()
    return found


def circles(names: Sequence[str], met: Mapping[tuple[str, str], Encounter]) -> tuple[int, list[Circle]]:
    """How many circles of three there are, and those whose weakest step is the most convincing.

    Each step is tested alone, all three must hold (an intersection-union test), and the level is shared by
    all circles that these players could make (Bonferroni).
    """
    number = {name: index for index, name in enumerate(sorted(names))}
    beaten: dict[str, set[str]] = {name: set() for name in names}
    for (first, second), encounter in met.items():
        if moments(encounter.results.counts).mean > 0.5:
            beaten[first].add(second)
    size = len(names)
    possible = max(1, size * (size - 1) * (size - 2) // 3)
    found = []
    for first in names:
        for second in beaten[first]:
            for third in beaten[second]:
                # Each circle is met three times; the one that begins with the first name is kept.
                if first in beaten[third] and number[first] < min(number[second], number[third]):
                    found.append((first, second, third))
    made = []
    for names_of in found:
        first, second, third = names_of
        edges = (met[first, second], met[second, third], met[third, first])
        los = min(edge.los for edge in edges)
        made.append(Circle(names_of, edges, los, 1 - los <= (1 - _SURE) / possible))
    made.sort(key=lambda circle: (-circle.los, circle.names))
    return len(made), made[:MOST_CIRCLES]
