"""The terms of a sequential test."""

from __future__ import annotations

from typing import Literal, NamedTuple


class SprtPlan(NamedTuple):
    """A sequential probability ratio test of two strengths (docs/statistics.md#sprt).

    elo0, elo1: the two hypotheses, in Elo of the model. alpha: how often elo1 may be accepted though elo0
    holds; beta: how often elo0 though elo1 holds. model: normalized (Elo of the standard deviation of one
    game) or logistic (the usual Elo).
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Literal["normalized", "logistic"] = "normalized"
