"""How often sequential tests are wrong: 3,000 of them for each hypothesis, model and sort of game.

The full size (TYRUSD_FULL_SIZE=1) has hypotheses close together, so that each test takes thousands of pairs.
"""

from __future__ import annotations

import os
from math import log, sqrt

import numpy as np
import pytest

from tests.league.many_tests import Outcome, Ratios, run_tests
from tyrusd.league.statistics.likelihood import with_mean, with_strength
from tyrusd.league.statistics.pentanomial import Pentanomial
from tyrusd.league.statistics.plan import SprtPlan
from tyrusd.league.statistics.scale import score_of, strength_of
from tyrusd.league.statistics.sprt import bounds, sprt

TESTS = 3000
QUANTILE = 2.5758293035489  # of the normal distribution, for 99 % on both sides
FULL_SIZE = bool(os.environ.get("TYRUSD_FULL_SIZE"))
ELO1 = 20.0 if FULL_SIZE else 100.0
LONGEST = 100_000

# Chances of pairs between equals: few draws and luck of the deal, as here; many draws, as in chess.
SORTS = {
    "tyrus": (0.20, 0.02, 0.56, 0.02, 0.20),
    "lucky": (0.05, 0.01, 0.88, 0.01, 0.05),
    "chess": (0.01, 0.20, 0.58, 0.20, 0.01),
}
PLANS = {
    "normalized": SprtPlan(0, ELO1),
    "logistic": SprtPlan(0, ELO1, model="logistic"),
    "uneven": SprtPlan(-ELO1 / 2, ELO1 / 2, 0.02, 0.1),
}


def lower_end(wrong: int, of_all: int) -> float:
    """The lower end of Wilson's 99 % interval of a rate (E. Wilson, Probable inference, 1927)."""
    share, square = wrong / of_all, QUANTILE**2
    middle = share + square / (2 * of_all)
    reach = QUANTILE * sqrt(share * (1 - share) / of_all + square / (4 * of_all**2))
    return (middle - reach) / (1 + square / of_all)


def chances(sort: str, plan: SprtPlan, elo: float) -> list[float]:
    """Chances of that sort under which a hypothesis holds exactly."""
    base = [float(chance) for chance in SORTS[sort]]
    found = (
        with_mean(base, score_of(elo)) if plan.model == "logistic" else with_strength(base, strength_of(elo))
    )
    mean = sum(chance * cell / 4 for cell, chance in enumerate(found))
    spread = sqrt(2 * sum(chance * (cell / 4 - mean) ** 2 for cell, chance in enumerate(found)))
    # By the definitions, not by the code that is tested.
    holds = 400 / log(10) * log(mean / (1 - mean)), 800 / log(10) * (mean - 0.5) / spread
    assert holds[plan.model == "normalized"] == pytest.approx(elo, abs=1e-6)
    return found


def outcome(sort: str, plan: SprtPlan, elo: float, ends: tuple[float, float] | None = None) -> Outcome:
    seed = 1927 + round(abs(elo))
    return run_tests(plan, chances(sort, plan, elo), TESTS, seed, ends or bounds(plan), LONGEST)


@pytest.mark.parametrize(
    ("name", "sort"),
    [*((model, sort) for model in ("normalized", "logistic") for sort in SORTS), ("uneven", "tyrus")],
)
@pytest.mark.timeout(1800)
def test_wrong_decisions_are_no_more_frequent_than_promised(name: str, sort: str) -> None:
    plan = PLANS[name]
    under0, under1 = outcome(sort, plan, plan.elo0), outcome(sort, plan, plan.elo1)
    assert under0.undecided == under1.undecided == 0
    print(f"{name} {sort}: H0 {under0}, H1 {under1}")
    assert lower_end(under0.h1, TESTS) <= plan.alpha
    assert lower_end(under1.h0, TESTS) <= plan.beta
    # And the tests tell the two apart: they are no coins that happen to land well.
    assert under0.h0 > 0.85 * TESTS
    assert under1.h1 > 0.85 * TESTS


def test_control_a_bound_that_is_too_near_is_found() -> None:
    plan = PLANS["normalized"]
    lower, upper = bounds(plan)
    found = outcome("tyrus", plan, plan.elo0, (lower, upper / 2))
    assert lower_end(found.h1, TESTS) > plan.alpha
    found = outcome("tyrus", plan, plan.elo1, (lower / 2, upper))
    assert lower_end(found.h0, TESTS) > plan.beta


def test_wilsons_interval_is_that_of_his_formula() -> None:
    """10 of 100: (0.1 + 6.635/200 - 2.576 sqrt(0.09/100 + 6.635/40000)) / 1.06635 = 0.0460, by hand."""
    assert lower_end(10, 100) == pytest.approx(0.0460, abs=1e-4)
    assert lower_end(0, 100) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("name", PLANS)
def test_the_ratios_of_the_simulation_are_those_of_the_program(name: str) -> None:
    plan = PLANS[name]
    generator = np.random.default_rng(7)
    rows = [
        generator.multinomial(size, SORTS[sort])
        for size in (1, 2, 5, 40, 900)
        for sort in SORTS
        for _ in range(8)
    ]
    counts = np.array([*rows, [0, 0, 0, 0, 9], [4, 0, 0, 0, 0], [0, 0, 6, 0, 0]])
    ratios = Ratios(plan, len(counts))
    # Once from nothing, and once from where a neighbour ended.
    for shift in (0, 1):
        turned = np.roll(counts, shift, axis=0)
        expected = [sprt(Pentanomial(*map(int, row)), plan).llr for row in turned]
        # Where all pairs are in one cell, two ways to meet the condition are about equally likely.
        close = np.where((turned > 0).sum(axis=1) > 1, 1e-5, 0.01)
        assert (np.abs(ratios.of(turned.astype(float)) - expected) < close).all()
