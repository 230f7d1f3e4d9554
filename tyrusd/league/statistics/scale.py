"""Elo, score and strength: the three scales of the same thing (docs/statistics.md#scales)."""

from __future__ import annotations

from math import log, log10
from typing import Final

NATURAL: Final = 400 / log(10)
"""Elo in one unit of the logistic curve."""

NORMALIZED: Final = 800 / log(10)
"""Normalized Elo in one standard deviation of a game: near a half, and without draws, it is the usual Elo."""


def score_of(elo: float) -> float:
    """The score that a difference of Elo promises (A. Elo's logistic curve, 400 for a factor of ten)."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(score: float) -> float:
    """The difference of Elo that promises a score above 0 and below 1."""
    return 400 * log10(score / (1 - score))


def strength_of(normalized: float) -> float:
    """The distance of the mean score from a half, in standard deviations of a game, of a normalized Elo."""
    return normalized / NORMALIZED


def normalized_of(strength: float) -> float:
    """The normalized Elo of a distance from a half, in standard deviations of a game."""
    return strength * NORMALIZED
