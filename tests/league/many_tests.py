"""Thousands of sequential tests side by side: the same ratio as the shipped one, for arrays of counts."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tyrusd.league.statistics.likelihood import with_strength
from tyrusd.league.statistics.pentanomial import EMPTY
from tyrusd.league.statistics.plan import SprtPlan
from tyrusd.league.statistics.scale import score_of, strength_of

Array = Any
SCORES = np.array([0.0, 0.25, 0.5, 0.75, 1.0])


class Outcome(NamedTuple):
    """How many tests accepted H0 and H1, how many are open, and the mean of the pairs they took."""

    h0: int
    h1: int
    undecided: int
    pairs: float


class Ratios:
    """The log-likelihood ratios of many tests, each step beginning where the one before ended."""

    def __init__(self, plan: SprtPlan, tests: int) -> None:
        self.plan = plan
        # Shares that meet the condition, whatever is observed: from such Newton's method cannot leave.
        equal = [0.2] * 5
        self.found = [np.tile(with_strength(equal, strength_of(elo)), (tests, 1)) for elo in plan[:2]]
        self.roots = [np.zeros(tests), np.zeros(tests)]

    def of(self, counts: Array) -> Array:
        """One ratio for each row of counts."""
        filled = np.where(counts == 0, EMPTY, counts)
        observed = filled / filled.sum(axis=1, keepdims=True)
        shares = [self._shares(which, observed, elo) for which, elo in enumerate(self.plan[:2])]
        return (filled * np.log(shares[1] / shares[0])).sum(axis=1)

    def keep(self, rows: Array) -> None:
        """Forget the tests that are over."""
        self.found = [found[rows] for found in self.found]
        self.roots = [roots[rows] for roots in self.roots]

    def _shares(self, which: int, observed: Array, elo: float) -> Array:
        if self.plan.model == "logistic":
            line = np.broadcast_to(SCORES - score_of(elo), observed.shape)
            return self._orthogonal(which, observed, line)
        wanted = strength_of(elo) * np.sqrt(2)
        found = self.found[which]
        for _ in range(200):
            mean = found @ SCORES
            off = SCORES - mean[:, None]
            variance = (found * off**2).sum(axis=1)
            deviation = np.sqrt(variance)[:, None]
            line = SCORES - 0.5 - wanted * deviation * (1 + off**2 / variance[:, None]) / 2
            before, found = found, self._orthogonal(which, observed, line)
            if np.abs(found - before).max() < 1e-8:
                break
        self.found[which] = found
        return found

    def _orthogonal(self, which: int, observed: Array, line: Array) -> Array:
        """Newton's method for the multiplier, kept inside what is known to hold it."""
        low, high = -1 / line.max(axis=1), -1 / line.min(axis=1)
        edge = (high - low) * 1e-14
        low, high = low + edge, high - edge
        root = np.clip(self.roots[which], low, high)
        close = 1e-11 * np.abs(line).max(axis=1)
        for turn in range(200):
            below = 1 + root[:, None] * line
            part = line / below
            value = (observed * part).sum(axis=1)
            slope = -(observed * part**2).sum(axis=1)
            low, high = np.where(value > 0, root, low), np.where(value > 0, high, root)
            step = root - value / slope
            if (np.abs(value) < close).all():
                break
            # Near a pole Newton's steps are short; every fourth step halves instead.
            inside = (step > low) & (step < high) & (turn % 4 < 3)
            root = np.where(np.abs(value) < close, root, np.where(inside, step, (low + high) / 2))
        self.roots[which] = root
        found = observed / (1 + root[:, None] * line)
        return found / found.sum(axis=1, keepdims=True)


def run_tests(
    plan: SprtPlan, chances: Array, tests: int, seed: int, bounds: tuple[float, float], longest: int
) -> Outcome:
    """Play many tests, each of pairs with these chances, looking after each pair, until a bound is met."""
    lower, upper = bounds
    generator = np.random.default_rng(seed)
    counts = np.zeros((tests, 5))
    ratios = Ratios(plan, tests)
    edges = np.cumsum(chances)[:-1]
    decided = [0, 0]
    pairs = 0
    for looked in range(1, longest + 1):
        cells = np.searchsorted(edges, generator.random(len(counts)), side="right")
        counts[np.arange(len(counts)), cells] += 1
        llr = ratios.of(counts)
        rows = (llr > lower) & (llr < upper)
        decided[0] += int((llr <= lower).sum())
        decided[1] += int((llr >= upper).sum())
        pairs += looked * int((~rows).sum())
        counts = counts[rows]
        ratios.keep(rows)
        if not len(counts):
            break
    over = sum(decided)
    return Outcome(decided[0], decided[1], len(counts), pairs / over if over else 0.0)
