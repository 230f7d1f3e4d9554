"""Whether a series of samples is flat: its growth, by a slope that single outliers do not move."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import NamedTuple

SETTLED = 1 / 3  # of the time, at the beginning, in which a server still fills what it may keep
MOST = 240  # samples of a slope; more are thinned out


class Growth(NamedTuple):
    """How much a series has grown over the part that counts, and how much it may."""

    what: str
    median: float
    most: float
    grown: float
    allowed: float

    @property
    def flat(self) -> bool:
        return self.grown <= self.allowed


def slope(samples: Sequence[tuple[float, float]]) -> float:
    """The median of the slopes of all pairs (H. Theil 1950, P. K. Sen 1968), per second."""
    thinned = samples[:: max(1, len(samples) // MOST)]
    slopes = [
        (later - value) / (when - at)
        for number, (at, value) in enumerate(thinned)
        for when, later in thinned[number + 1 :]
        if when > at
    ]
    return statistics.median(slopes) if slopes else 0.0


def growth(what: str, samples: Sequence[tuple[float, float]], share: float, floor: float) -> Growth:
    """Tell how much a series grows over the last two thirds of its time.

    samples: (seconds, value). Flat: it grows by at most `share` of the median, or `floor` if that is more.
    """
    if not samples:
        raise ValueError(f"there is no sample of {what}")
    begin, end = samples[0][0], samples[-1][0]
    counted = [sample for sample in samples if sample[0] >= begin + (end - begin) * SETTLED]
    values = [value for _, value in counted]
    median = statistics.median(values)
    grown = slope(counted) * (counted[-1][0] - counted[0][0])
    return Growth(what, median, max(values), grown, max(share * median, floor))
