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
from tyrusd.league.statistics.pentanomial import Cells, Counts, deviation_of_a_game, filled, moments, shares
from tyrusd.league.statistics.scale import elo_of, normalized_of

CONFIDENCE: Final = 0.95
_NORMAL: Final = NormalDist()
QUANTILE: Final = _NORMAL.inv_cdf((1 + CONFIDENCE) / 2)
_STEEPEST: Final = 40.0


class Estimate(NamedTuple):
    """A figure and the ends of its 95 % interval."""

    value: float
    low: float
    high: float


def elo(counts: Counts) -> Estimate:
    """The difference of Elo that the mean score amounts to; without results 0, with the widest interval."""
    furthest = elo_of(moments(_one_sided(counts)).mean)
    low, high = score_interval(counts)
    return _around(
        elo_of(moments(shares(counts)).mean),
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

    low = falling_root(lambda tilt: root(tilt) + QUANTILE, 0, _STEEPEST)
    high = falling_root(lambda tilt: root(tilt) - QUANTILE, -_STEEPEST, 0)
    return moments(tilted(observed, low)).mean, moments(tilted(observed, high)).mean


def normalized_elo(counts: Counts) -> Estimate:
    """The mean score's distance from a half in standard deviations of a game, as normalized Elo."""
    observed = shares(counts)
    value = strength(observed)
    furthest = strength(_one_sided(counts))

    def root(wanted: float) -> float:
        return copysign(_root(counts, with_strength(observed, wanted)), value - wanted)

    low = falling_root(lambda wanted: root(wanted) - QUANTILE, -furthest, value)
    high = falling_root(lambda wanted: root(wanted) + QUANTILE, value, furthest)
    return _around(normalized_of(value), normalized_of(low), normalized_of(high))


def likelihood_of_superiority(counts: Counts) -> float:
    """How sure the results make it that the mean score is above a half: 1/2 without any."""
    observed = shares(counts)
    root = _root(counts, with_mean(observed, 0.5))
    return _NORMAL.cdf(copysign(root, moments(observed).mean - 0.5))


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
