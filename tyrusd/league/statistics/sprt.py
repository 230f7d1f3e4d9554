"""A sequential test of two strengths: the log-likelihood ratio of the results so far against its bounds.

A. Wald, "Sequential Analysis"; M. Van den Bergh, "Comments on Normalized Elo" (docs/statistics.md#sprt).
"""

from __future__ import annotations

from collections.abc import Iterable
from math import log
from typing import Final, Literal, NamedTuple, TypeAlias

from tyrusd.league.statistics.likelihood import log_ratio, with_mean, with_strength
from tyrusd.league.statistics.pentanomial import Cells, Counts, Pentanomial, Trinomial, filled, shares
from tyrusd.league.statistics.plan import SprtPlan
from tyrusd.league.statistics.scale import score_of, strength_of

Decision: TypeAlias = Literal["H0", "H1"]


class SprtState(NamedTuple):
    """How a test stands: `decision` is H1 (elo1 is accepted), H0 (elo0 is), or None while it goes on."""

    llr: float
    lower: float
    upper: float
    decision: Decision | None
    pairs: int


def bounds(plan: SprtPlan) -> tuple[float, float]:
    """The log-likelihood ratios at which H0 and H1 are accepted (Wald)."""
    return log(plan.beta / (1 - plan.alpha)), log((1 - plan.beta) / plan.alpha)


def log_likelihood_ratio(counts: Cells, plan: SprtPlan) -> float:
    """How much likelier elo1 makes the counts than elo0, as a logarithm; all else is as likely as can be."""
    if not any(counts):
        return 0.0
    observed = shares(counts)
    likeliest = _LIKELIEST[plan.model]
    return log_ratio(filled(counts), likeliest(observed, plan.elo0), likeliest(observed, plan.elo1))


def _logistic(observed: Cells, elo: float) -> list[float]:
    return with_mean(observed, score_of(elo))


def _normalized(observed: Cells, elo: float) -> list[float]:
    return with_strength(observed, strength_of(elo))


_LIKELIEST: Final = {"logistic": _logistic, "normalized": _normalized}
"""For each model: the likeliest shares of results under a hypothesis."""


def sprt(counts: Counts, plan: SprtPlan) -> SprtState:
    """How the test stands after these results, whatever it was before: see `Sequential` for a run of them.

    counts: a Pentanomial of pairs, or a Trinomial of games on deals that are played once.
    """
    lower, upper = bounds(plan)
    llr = log_likelihood_ratio(counts, plan)
    decision: Decision | None = "H1" if llr >= upper else "H0" if llr <= lower else None
    return SprtState(llr, lower, upper, decision, sum(counts))


class Sequential:
    """A test that looks after each result, in the order of the schedule, and stops at its first decision."""

    def __init__(self, plan: SprtPlan, cells: Literal[3, 5] = 5) -> None:
        self.plan = plan
        self._counts = [0] * cells
        self._type = Pentanomial if cells == 5 else Trinomial
        self.state = sprt(self._type(), plan)

    @property
    def counts(self) -> Counts:
        """The results that were looked at."""
        return self._type(*self._counts)

    def add(self, cell: int) -> SprtState:
        """Take the next result by its cell (0: all lost); after a decision nothing changes."""
        if self.state.decision is None:
            self._counts[cell] += 1
            self.state = sprt(self.counts, self.plan)
        return self.state

    def extend(self, cells: Iterable[int]) -> SprtState:
        """Take results in their order."""
        for cell in cells:
            self.add(cell)
        return self.state
