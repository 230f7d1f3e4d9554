"""The likeliest shares of results under a hypothesis: the strength is given, all else is free.

M. Van den Bergh, "Comments on Normalized Elo" and "The Generalized Maximum Likelihood Ratio for the
Expectation Value of a Distribution"; A. Owen, "Empirical Likelihood" (docs/statistics.md#likelihood).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp, log, sqrt
from typing import Final

from tyrusd.league.statistics.pentanomial import Cells, games_each, moments, worth

_ROUNDS: Final = 200
_CLOSE: Final = 1e-14
_NOUGHT: Final = 1e-14
_SAME: Final = 1e-12
_WIDEST: Final = 60.0  # of a tilt: e^60 leaves nothing of the other cells


def tilted(observed: Cells, tilt: float) -> list[float]:
    """The likeliest shares with some mean score: the larger `tilt`, the smaller that mean.

    Each share is the observed one divided by a straight line in its score, which is the solution of the
    maximum likelihood problem with a fixed mean; tilt 0 gives the observed shares.
    """
    steep = exp(tilt)
    divided = [
        share / (1 - score + steep * score) for share, score in zip(observed, worth(observed), strict=True)
    ]
    total = sum(divided)
    return [share / total for share in divided]


def with_mean(observed: Cells, mean: float) -> list[float]:
    """The likeliest shares with this mean score (above 0, below 1); no observed share may be 0."""

    def excess(tilt: float) -> float:
        return moments(tilted(observed, tilt)).mean - mean

    return tilted(observed, falling_root(excess, -_WIDEST, _WIDEST))


def with_strength(observed: Cells, strength: float) -> list[float]:
    """The likeliest shares whose mean stands `strength` standard deviations of a game above a half.

    No observed share may be 0. The condition is made linear about the shares found so far, and solved again
    until they stay.
    """
    scores = worth(observed)
    # The spread of a pair's score is that of a game's divided by the root of two.
    wanted = strength * sqrt(games_each(observed))
    # Shares that meet the condition: from there on each line has both signs, so that it can have the mean 0.
    found = _tilted_to(observed, wanted)
    for _ in range(_ROUNDS):
        mean, variance = moments(found)
        deviation = sqrt(variance)
        line = [
            score - 0.5 - wanted * deviation * (1 + (score - mean) ** 2 / variance) / 2 for score in scores
        ]
        before, found = found, _orthogonal(observed, line)
        if max(abs(one - other) for one, other in zip(before, found, strict=True)) < _SAME:
            break
    return found


def _tilted_to(observed: Cells, wanted: float) -> list[float]:
    def excess(tilt: float) -> float:
        mean, variance = moments(tilted(observed, tilt))
        return mean - 0.5 - wanted * sqrt(variance)

    return tilted(observed, falling_root(excess, -_WIDEST, _WIDEST))


def log_ratio(counts: Cells, first: Cells, second: Cells) -> float:
    """The logarithm of how much likelier the second shares make the counts than the first."""
    return sum(count * log(b / a) for count, a, b in zip(counts, first, second, strict=True))


def falling_root(
    function: Callable[[float], float], low: float, high: float, close: float = _NOUGHT
) -> float:
    """Where a falling function is 0; an end where it has no zero between them.

    close: a value that counts as 0. The method is false position with halved weights (the Illinois method).
    """
    at_low, at_high = function(low), function(high)
    if at_low <= 0:
        return low
    if at_high >= 0:
        return high
    kept = 0
    for turn in range(_ROUNDS):
        # Every fourth step halves, so that a steep end cannot hold the method up.
        middle = (low + high) / 2 if turn % 4 == 3 else low + (high - low) * at_low / (at_low - at_high)
        value = function(middle)
        if abs(value) <= close or high - low < _CLOSE * (1 + abs(low)):
            return middle
        if value > 0:
            low, at_low = middle, value
            at_high, kept = (at_high / 2 if kept > 0 else at_high), 1
        else:
            high, at_high = middle, value
            at_low, kept = (at_low / 2 if kept < 0 else at_low), -1
    return (low + high) / 2


def _orthogonal(observed: Cells, line: Sequence[float]) -> list[float]:
    """The likeliest shares under which the line has the mean 0."""
    least, most = min(line), max(line)
    low, high = -1 / most, -1 / least

    def slack(multiplier: float) -> float:
        return sum(s * value / (1 + multiplier * value) for s, value in zip(observed, line, strict=True))

    edge = (high - low) * 1e-15
    multiplier = falling_root(slack, low + edge, high - edge, _NOUGHT * (most - least))
    found = [s / (1 + multiplier * value) for s, value in zip(observed, line, strict=True)]
    total = sum(found)
    return [share / total for share in found]
