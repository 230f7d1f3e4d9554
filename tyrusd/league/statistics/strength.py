"""What counts of results tell of a player's strength: Elo, normalized Elo and the chance of being better.

The intervals hold every strength under which the results would not be too unlikely (the likelihood ratio
of S. Wilks; for a mean: A. Owen, "Empirical Likelihood"), so they stay inside what is possible and are
finite however one-sided the results are (docs/statistics.md#intervals).
"""

from __future__ import annotations

from math import copysign, sqrt
from statistics import NormalDist
from typing import Final, NamedTuple

from tyrusd.league.statistics.likelihood import falling_root, log_ratio, tilted, with_mean, with_strength
from tyrusd.league.statistics.pentanomial import (
    Cells,
    Counts,
    deviation_of_a_game,
    filled,
    games_each,
    moments,
    shares,
)
from tyrusd.league.statistics.scale import elo_of, normalized_of

CONFIDENCE: Final = 0.95
_NORMAL: Final = NormalDist()
QUANTILE: Final = _NORMAL.inv_cdf((1 + CONFIDENCE) / 2)
_STEEPEST: Final = 40.0
_CLOSE: Final = 1e-9


class Estimate(NamedTuple):
    """A figure and the ends of its 95 % interval."""

    value: float
    low: float
    high: float


def quantile(results: int) -> float:
    """How many standard deviations an interval of so many results reaches to either side.

    It is that of Student's distribution with one degree of freedom more than there are results, by the
    expansion of M. Abramowitz and I. Stegun, Handbook of Mathematical Functions, 26.7.5.
    """
    z, freedom = QUANTILE, max(1, results) + 1
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )


def elo(counts: Counts) -> Estimate:
    """The difference of Elo that the mean score amounts to; without results 0, with the widest interval."""
    furthest = elo_of(moments(_one_sided(counts)).mean)
    low, high = score_interval(counts)
    # Only where the score has no finite Elo, empty cells must count for something.
    mean = moments(counts).mean
    return _around(
        elo_of(mean if 0 < mean < 1 else moments(shares(counts)).mean),
        max(-furthest, elo_of(low)) if low > 0 else -furthest,
        min(furthest, elo_of(high)) if high < 1 else furthest,
    )


def score_interval(counts: Counts) -> tuple[float, float]:
    """The mean scores, 0 to 1, between which the true one lies with 95 %."""
    observed = shares(counts)
    mean = moments(observed).mean

    def root(tilt: float) -> float:
        found = tilted(observed, tilt)
        return copysign(_root(counts, found), moments(found).mean - mean)

    bound = quantile(sum(counts))
    low = falling_root(lambda tilt: root(tilt) + bound, 0, _STEEPEST, _CLOSE)
    high = falling_root(lambda tilt: root(tilt) - bound, -_STEEPEST, 0, _CLOSE)
    return moments(tilted(observed, low)).mean, moments(tilted(observed, high)).mean


def normalized_elo(counts: Counts) -> Estimate:
    """The mean score's distance from a half in standard deviations of a game, as normalized Elo."""
    observed = shares(counts)
    value = strength(observed)
    furthest = strength(_one_sided(counts))

    def root(wanted: float) -> float:
        return copysign(_root(counts, with_strength(observed, wanted)), value - wanted)

    # With many results the ends are about here; the search goes further where they are not.
    bound = quantile(sum(counts))
    reach = 1.2 * bound / sqrt(max(1, sum(counts)) * games_each(counts))
    low, high = value - reach, value + reach
    while low > -furthest and root(low) < bound:
        low -= value - low
    while high < furthest and root(high) > -bound:
        high += high - value
    low = falling_root(lambda wanted: root(wanted) - bound, max(low, -furthest), value, _CLOSE)
    high = falling_root(lambda wanted: root(wanted) + bound, value, min(high, furthest), _CLOSE)
    exact = strength(counts) if moments(counts).variance else value
    return _around(normalized_of(exact), normalized_of(low), normalized_of(high))


def likelihood_of_superiority(counts: Counts) -> float:
    """How sure the results make it that the mean score is above a half: 1/2 without any."""
    lead = moments(counts).mean - 0.5
    if not lead:
        return 0.5
    return _NORMAL.cdf(copysign(_root(counts, with_mean(shares(counts), 0.5)), lead))


def strength(cells: Cells) -> float:
    """The mean score's distance from a half in standard deviations of a game."""
    return (moments(cells).mean - 0.5) / deviation_of_a_game(cells)


def _around(value: float, low: float, high: float) -> Estimate:
    """An estimate whose ends stand on their sides of it, also where they differ in the last digit only."""
    return Estimate(value, min(low, value), max(high, value))


def _root(counts: Cells, found: Cells) -> float:
    """How far the counts are from what these shares promise, in standard deviations."""
    return sqrt(max(0.0, 2 * log_ratio(filled(counts), found, shares(counts))))


def _one_sided(counts: Counts) -> list[float]:
    """As many results (at least one), all won: what no interval reaches beyond."""
    return filled([0] * (len(counts) - 1) + [max(1, sum(counts))])
