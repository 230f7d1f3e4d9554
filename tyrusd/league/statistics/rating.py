"""Ratings of many players from all their pairs: Bradley-Terry by maximum likelihood, with a prior.

R. Bradley and M. Terry, "Rank analysis of incomplete block designs"; H. White, "Maximum likelihood
estimation of misspecified models"; J. MacKinnon and H. White, "Some heteroskedasticity-consistent covariance
matrix estimators" (docs/statistics.md#ratings).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import exp, inf, sqrt
from statistics import NormalDist
from typing import Final, NamedTuple

from tyrusd.league.statistics.matrix import Matrix, Rows, applied, centred, inverse, product, scaled, zeros
from tyrusd.league.statistics.pairs import Pair
from tyrusd.league.statistics.scale import NATURAL
from tyrusd.league.statistics.strength import QUANTILE, Estimate

PRIOR_DEVIATION: Final = 350.0
"""Elo: how far a player is from the mean before anything was played."""

FEW_PAIRS: Final = 30
"""With fewer pairs the interval is not narrower than games that are independent would make it."""

ANCHOR_DEVIATION: Final = 0.01
_ROUNDS: Final = 100
_CLOSE: Final = 1e-10
_LONGEST_STEP: Final = 2.0
_NORMAL: Final = NormalDist()


class Difference(NamedTuple):
    """How much stronger one is than another, in Elo, its 95 % interval, and the chance of being stronger."""

    elo: float
    low: float
    high: float
    los: float


class Ratings(NamedTuple):
    """Ratings in Elo, in the order of `names`, and their covariances in square Elo.

    robust: from the spread of the pairs. naive: as if every game were independent, used for few pairs.
    """

    names: tuple[str, ...]
    values: tuple[float, ...]
    robust: Matrix
    naive: Matrix
    pairs: tuple[int, ...]

    def deviation(self, index: int) -> float:
        """The standard deviation of one rating, in Elo."""
        return self._deviation({index: 1})

    def estimate(self, index: int) -> Estimate:
        """A rating with its 95 % interval."""
        value, reach = self.values[index], QUANTILE * self.deviation(index)
        return Estimate(value, value - reach, value + reach)

    def difference(self, first: int, second: int) -> Difference:
        """How much stronger the first is: two ratings vary together, so two bars do not tell it."""
        value = self.values[first] - self.values[second]
        deviation = self._deviation({first: 1, second: -1})
        reach = QUANTILE * deviation
        return Difference(value, value - reach, value + reach, _NORMAL.cdf(value / deviation))

    def _deviation(self, weights: Mapping[int, int]) -> float:
        kinds = [self.robust]
        if min(self.pairs[index] for index in weights) < FEW_PAIRS:
            kinds.append(self.naive)
        return sqrt(max(_spread(kind, weights) for kind in kinds))


class _Meetings(NamedTuple):
    """The pairs of two players with so many games each: how many, the sum of scores and of their squares."""

    first: int
    second: int
    games: int
    pairs: int
    score: float
    squares: float


def rate(names: Sequence[str], pairs: Iterable[Pair], anchors: Mapping[str, float] | None = None) -> Ratings:
    """Rate players whose mean is 0; who did not play, or only among a few, is held by the prior.

    anchors: ratings in Elo that are given and fix the scale instead; the others' prior is about their mean.
    Raises ImportError for more than two names without numpy.
    """
    index = {name: number for number, name in enumerate(names)}
    meetings, played = _met(pairs, index)
    size = len(names)
    fixed = {index[name]: value / NATURAL for name, value in (anchors or {}).items()}
    centre = sum(fixed.values()) / len(fixed) if fixed else 0.0
    start = [fixed.get(number, centre) for number in range(size)]
    weights = [
        (NATURAL / (ANCHOR_DEVIATION if number in fixed else PRIOR_DEVIATION)) ** 2 for number in range(size)
    ]
    found, curve = _likeliest(start, weights, meetings)
    robust = product(curve, _spread_of(found, curve, weights, meetings), curve)
    if not fixed:
        robust, curve = centred(robust), centred(curve)
    return Ratings(
        tuple(names),
        tuple(NATURAL * value for value in found),
        scaled(robust, NATURAL**2),
        scaled(curve, NATURAL**2),
        tuple(played),
    )


def _met(pairs: Iterable[Pair], index: Mapping[str, int]) -> tuple[list[_Meetings], list[int]]:
    sums: dict[tuple[int, int, int], list[float]] = {}
    played = [0] * len(index)
    for pair in pairs:
        first, second = sorted((pair.first, pair.second), key=index.__getitem__)
        score = pair.score(first)
        found = sums.setdefault((index[first], index[second], len(pair.games)), [0, 0.0, 0.0])
        found[0] += 1
        found[1] += score
        found[2] += score * score
        played[index[first]] += 1
        played[index[second]] += 1
    return [_Meetings(*key, int(found[0]), found[1], found[2]) for key, found in sorted(sums.items())], played


def _likeliest(
    prior: list[float], weights: list[float], meetings: list[_Meetings]
) -> tuple[list[float], Matrix]:
    """Newton's method on the logarithm of likelihood and prior; also the inverse of its curvature there."""
    found, size = list(prior), len(prior)
    before = inf
    for _ in range(_ROUNDS):
        slope = [weight * (mean - value) for weight, mean, value in zip(weights, prior, found, strict=True)]
        curve = zeros(size)
        for number, weight in enumerate(weights):
            curve[number][number] = weight
        for met in meetings:
            i, j = met.first, met.second
            chance = 1 / (1 + exp(found[j] - found[i]))
            games = met.games * met.pairs
            surplus = met.score - games * chance
            slope[i] += surplus
            slope[j] -= surplus
            _add(curve, i, j, games * chance * (1 - chance))
        turned = inverse(curve)
        step = applied(turned, slope)
        longest = max(map(abs, step), default=0.0)
        if longest < _CLOSE or longest >= before < 1e-6:
            break
        before = longest
        # Far from the top a whole step could overshoot; near it none is as long as this.
        scale = min(1.0, _LONGEST_STEP / longest)
        found = [value + scale * change for value, change in zip(found, step, strict=True)]
    return found, turned


def _spread_of(found: list[float], curve: Matrix, weights: list[float], meetings: list[_Meetings]) -> Rows:
    """The covariance of the slope, pair by pair: what two twins have in common is in it.

    Each pair's surprise is divided by what it left to be surprised at, since it was used in the rating.
    """
    spread = zeros(len(found))
    for number, weight in enumerate(weights):
        spread[number][number] = weight
    for met in meetings:
        i, j = met.first, met.second
        chance = 1 / (1 + exp(found[j] - found[i]))
        promised = met.games * chance
        reach = curve[i][i] + curve[j][j] - 2 * curve[i][j]
        leverage = min(0.99, promised * (1 - chance) * reach)
        surprise = max(0.0, met.squares - 2 * promised * met.score + met.pairs * promised**2)
        _add(spread, i, j, surprise / (1 - leverage) ** 2)
    return spread


def _add(matrix: Rows, i: int, j: int, amount: float) -> None:
    matrix[i][i] += amount
    matrix[j][j] += amount
    matrix[i][j] -= amount
    matrix[j][i] -= amount


def _spread(matrix: Matrix, weights: Mapping[int, int]) -> float:
    return max(0.0, sum(a * b * matrix[i][j] for i, a in weights.items() for j, b in weights.items()))
