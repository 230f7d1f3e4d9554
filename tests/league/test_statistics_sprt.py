"""The sequential test: its bounds, its ratio against other derivations, and how it looks at results."""

from __future__ import annotations

from math import log, sqrt

import pytest

from tyrusd.league.statistics.likelihood import with_mean, with_strength
from tyrusd.league.statistics.pentanomial import (
    Counts,
    Pentanomial,
    Trinomial,
    games_each,
    moments,
    shares,
    worth,
)
from tyrusd.league.statistics.plan import SprtPlan
from tyrusd.league.statistics.scale import score_of, strength_of
from tyrusd.league.statistics.sprt import Sequential, bounds, log_likelihood_ratio, sprt

NORMALIZED = SprtPlan(0, 5)
LOGISTIC = SprtPlan(0, 5, model="logistic")


def test_the_bounds_are_those_of_wald() -> None:
    """A. Wald, Sequential Analysis, 3.2: ln(beta / (1 - alpha)) and ln((1 - beta) / alpha)."""
    assert bounds(NORMALIZED) == pytest.approx((-log(19), log(19)))
    assert bounds(SprtPlan(0, 5, 0.1, 0.02)) == pytest.approx((log(0.02 / 0.9), log(0.98 / 0.1)))


@pytest.mark.parametrize(
    ("counts", "plan", "llr"),
    [
        (Trinomial(36027, 68692, 36433), SprtPlan(0, 2), 0.92),
        (Trinomial(10650, 20431, 10871), SprtPlan(-1.75, 0.25), 2.30),
        (Trinomial(21184, 40708, 21404), SprtPlan(0.5, 2.5, model="logistic"), -1.57),
        (Trinomial(57030, 106593, 57433), SprtPlan(0, 2, model="logistic"), -2.59),
        (Pentanomial(365, 16618, 36229, 16974, 390), SprtPlan(0, 2), 2.25),
        (Pentanomial(127, 4883, 10712, 5150, 104), SprtPlan(-1.75, 0.25), 3.01),
        (Pentanomial(223, 9863, 21279, 10037, 246), SprtPlan(0.5, 2.5, model="logistic"), -3.07),
        (Pentanomial(871, 26175, 55983, 26678, 821), SprtPlan(0, 2, model="logistic"), -4.98),
    ],
)
def test_ratios_are_those_that_fastchess_tests_itself_with(
    counts: Counts, plan: SprtPlan, llr: float
) -> None:
    """app/tests/sprt_test.cpp of Disservin/fastchess, which takes them from tests of Stockfish."""
    assert sprt(counts, plan).llr == pytest.approx(llr, abs=0.005)


def best_of(function: object, low: float, high: float) -> float:
    """The largest value of a function with one top, by the golden section."""
    assert callable(function)
    ratio = (sqrt(5) - 1) / 2
    for _ in range(200):
        left, right = high - ratio * (high - low), low + ratio * (high - low)
        low, high = (low, right) if function(left) > function(right) else (left, high)
    return float(function((low + high) / 2))


def likelihood(counts: Counts, chances: tuple[float, float, float]) -> float:
    if min(chances) <= 0:
        return -1e9
    return sum(count * log(chance) for count, chance in zip(counts, chances, strict=True))


@pytest.mark.parametrize(
    "counts", [Trinomial(30, 40, 50), Trinomial(80, 4, 70), Trinomial(5, 90, 6)], ids=str
)
def test_the_logistic_ratio_is_the_best_of_all_chances_with_that_score(counts: Trinomial) -> None:
    """With three results and a given mean one chance is free, so it can be searched through."""

    def top(elo: float) -> float:
        score = score_of(elo)
        return best_of(
            lambda drawn: likelihood(counts, (1 - score - drawn / 2, drawn, score - drawn / 2)), 0, 1
        )

    plan = SprtPlan(-10, 40, model="logistic")
    assert log_likelihood_ratio(counts, plan) == pytest.approx(top(40) - top(-10), abs=1e-6)


@pytest.mark.parametrize(
    "counts", [Trinomial(30, 40, 50), Trinomial(80, 4, 70), Trinomial(20, 90, 26)], ids=str
)
def test_the_normalized_ratio_is_the_best_of_all_chances_with_that_distance(counts: Trinomial) -> None:
    """With three results a mean and its deviation settle all chances, so means are searched through."""

    def top(normalized: float) -> float:
        strength = strength_of(normalized)

        def at(mean: float) -> float:
            deviation = (mean - 0.5) / strength
            drawn = 4 * (mean - mean**2 - deviation**2)
            return likelihood(counts, (1 - mean - drawn / 2, drawn, mean - drawn / 2))

        edge = 0.5 + strength / 2 / sqrt(1 + strength**2)  # no draws at all: the widest deviation
        return max(best_of(at, 0.5 + 1e-9, edge), at(edge - 1e-12))

    plan = SprtPlan(15, 60)
    assert log_likelihood_ratio(counts, plan) == pytest.approx(top(60) - top(15), abs=1e-5)


def test_near_a_half_the_ratio_is_that_of_the_normal_distribution() -> None:
    """Van den Bergh, A practical introduction to the GSPRT: n (s1 - s0) (2 m - s0 - s1) / (2 v)."""
    counts = Pentanomial(2000, 1000, 5000, 1100, 2050)
    mean, variance = moments(counts)
    low, high = score_of(0), score_of(5)
    expected = sum(counts) * (high - low) * (2 * mean - low - high) / (2 * variance)
    assert sprt(counts, LOGISTIC).llr == pytest.approx(expected, rel=0.01)


@pytest.mark.parametrize(
    "counts",
    [
        Pentanomial(10, 20, 50, 25, 15),
        Pentanomial(0, 0, 0, 0, 10),
        Pentanomial(0, 0, 7, 0, 0),
        Trinomial(0, 3, 1),
    ],
    ids=str,
)
def test_the_likeliest_shares_meet_their_condition_and_add_up(counts: Counts) -> None:
    observed = shares(counts)
    for elo in (-300, -5, 0, 40, 300):
        found = with_mean(observed, score_of(elo))
        assert sum(found) == pytest.approx(1)
        assert moments(found).mean == pytest.approx(score_of(elo), abs=1e-9)
        found = with_strength(observed, strength_of(elo))
        assert sum(found) == pytest.approx(1)
        mean, variance = moments(found)
        assert (mean - 0.5) / sqrt(variance * games_each(counts)) == pytest.approx(strength_of(elo), abs=1e-6)
        assert min(found) > 0


def test_no_other_shares_that_meet_the_condition_are_likelier() -> None:
    """Steps along the condition, in every direction that five cells leave free, make it less likely."""
    counts = Pentanomial(10, 20, 50, 25, 15)
    found = with_mean(shares(counts), score_of(30))
    best = sum(count * log(share) for count, share in zip(counts, found, strict=True))
    for step in ((1, -2, 1, 0, 0), (0, 1, -2, 1, 0), (0, 0, 1, -2, 1)):
        for size in (-1e-4, 1e-4):
            moved = [share + size * part for share, part in zip(found, step, strict=True)]
            assert moments(moved).mean == pytest.approx(score_of(30))
            assert sum(count * log(share) for count, share in zip(counts, moved, strict=True)) < best


@pytest.mark.parametrize("plan", [NORMALIZED, LOGISTIC], ids=lambda plan: plan.model)
def test_nothing_and_all_alike_decide_nothing_wrong(plan: SprtPlan) -> None:
    assert sprt(Pentanomial(), plan).llr == 0
    assert sprt(Pentanomial(0, 0, 500, 0, 0), plan).llr < 0
    assert sprt(Pentanomial(0, 0, 0, 0, 500), plan).decision == "H1"
    assert sprt(Pentanomial(500, 0, 0, 0, 0), plan).decision == "H0"
    assert sprt(Trinomial(0, 0, 500), plan).decision == "H1"


@pytest.mark.parametrize("plan", [NORMALIZED, LOGISTIC], ids=lambda plan: plan.model)
def test_turned_round_with_turned_hypotheses_the_ratio_changes_its_sign(plan: SprtPlan) -> None:
    mine = sprt(Pentanomial(10, 20, 50, 25, 15), plan._replace(elo0=-3, elo1=9)).llr
    assert sprt(Pentanomial(15, 25, 50, 20, 10), plan._replace(elo0=-9, elo1=3)).llr == pytest.approx(-mine)


def test_a_run_of_results_stops_at_its_first_decision() -> None:
    plan = SprtPlan(0, 100)
    test = Sequential(plan)
    assert test.state.pairs == 0
    cells = [4, 3, 4, 4, 2, 4] * 20
    states = [test.add(cell) for cell in cells]
    end = next(number for number, state in enumerate(states, 1) if state.decision)
    assert states[end - 1].decision == "H1"
    assert states[end - 1].pairs == end < len(cells)
    assert states[end - 2].llr < states[end - 1].upper <= states[end - 1].llr
    assert set(states[end:]) == {states[end - 1]}
    assert sum(test.counts) == end
    assert sprt(test.counts, plan) == test.state


def test_a_test_of_single_games_counts_in_three_cells() -> None:
    test = Sequential(SprtPlan(0, 100, model="logistic"), 3)
    state = test.extend([2, 0, 1, 2])
    assert test.counts == Trinomial(1, 1, 2)
    assert state.pairs == 4
    assert worth(test.counts) == (0, 0.5, 1)
