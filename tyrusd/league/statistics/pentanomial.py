"""Counts of results by what they were worth, and what they tell at once: their mean and variance."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Final, NamedTuple, TypeAlias

EMPTY: Final = 1e-3
"""What an empty cell counts for: enough that no logarithm fails, too little to be seen in a figure."""


class Pentanomial(NamedTuple):
    """Pairs of games on one deal by their sum, seen from one player: two losses first, two wins last."""

    ll: int = 0
    ld: int = 0
    wl_dd: int = 0
    wd: int = 0
    ww: int = 0


class Trinomial(NamedTuple):
    """Games by their result, seen from one player."""

    losses: int = 0
    draws: int = 0
    wins: int = 0


Counts: TypeAlias = Pentanomial | Trinomial
"""Results in cells of equal steps from 0 to 1; what is counted is a pair of games, or one game."""

Cells: TypeAlias = Sequence[float]
"""One number for each cell: counts, or shares that add up to 1."""


class Moments(NamedTuple):
    """The mean score of what was counted, between 0 and 1, and the variance of one of them."""

    mean: float
    variance: float


def games_each(counts: Cells) -> int:
    """How many games each of the counted results is: two with five cells, one with three."""
    return (len(counts) - 1) // 2


def worth(counts: Cells) -> tuple[float, ...]:
    """The score of each cell, from 0 to 1."""
    return _WORTH[len(counts)]


_WORTH: Final = {3: (0.0, 0.5, 1.0), 5: (0.0, 0.25, 0.5, 0.75, 1.0)}


def filled(counts: Cells) -> list[float]:
    """The counts with something in each cell (`EMPTY`)."""
    return [count or EMPTY for count in counts]


def shares(counts: Cells) -> list[float]:
    """The filled counts as shares of their sum."""
    cells = filled(counts)
    total = sum(cells)
    return [count / total for count in cells]


def moments(cells: Cells) -> Moments:
    """Mean and variance of the cells as they are; (1/2, 0) where all are empty."""
    total = sum(cells)
    if not total:
        return Moments(0.5, 0.0)
    scores = worth(cells)
    mean = sum(count * score for count, score in zip(cells, scores, strict=True)) / total
    spread = sum(count * (score - mean) ** 2 for count, score in zip(cells, scores, strict=True))
    return Moments(mean, spread / total)


def deviation_of_a_game(cells: Cells) -> float:
    """The standard deviation of one game that the spread of the counted results amounts to."""
    return sqrt(moments(cells).variance * games_each(cells))


def added(first: Counts, second: Counts) -> Counts:
    """The sum of two counts of one kind."""
    return type(first)(*(one + other for one, other in zip(first, second, strict=True)))


def turned(counts: Counts) -> Counts:
    """The same results seen from the other player."""
    return type(counts)(*reversed(counts))
