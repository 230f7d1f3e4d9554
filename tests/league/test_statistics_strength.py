"""Elo, normalized Elo, their intervals and the likelihood of superiority follow the published formulas."""

from __future__ import annotations

from math import erf, exp, isfinite, log, log10, sqrt

import pytest

from tyrusd.league.statistics.likelihood import falling_root, log_ratio, tilted, with_mean, with_strength
from tyrusd.league.statistics.pentanomial import (
    Counts,
    Pentanomial,
    Trinomial,
    added,
    deviation_of_a_game,
    games_each,
    moments,
    shares,
    turned,
)
from tyrusd.league.statistics.scale import NATURAL, NORMALIZED, elo_of, normalized_of, score_of, strength_of
from tyrusd.league.statistics.strength import (
    QUANTILE,
    elo,
    likelihood_of_superiority,
    normalized_elo,
    quantile,
    score_interval,
)


def alone(at: int, count: int, cells: int) -> list[int]:
    """All results in one cell."""
    return [count if cell == at else 0 for cell in range(cells)]


SOME = Pentanomial(10, 20, 50, 25, 15)
ONE_SIDED: list[Counts] = [
    Pentanomial(),
    Trinomial(),
    *(Pentanomial(*alone(at, count, 5)) for at in range(5) for count in (1, 10, 10**6)),
    *(Trinomial(*alone(at, count, 3)) for at in range(3) for count in (1, 5)),
    Pentanomial(0, 0, 1, 0, 999),
    Pentanomial(1, 0, 0, 0, 1),
]  # fmt: skip


def test_mean_and_variance_by_hand() -> None:
    # 10 * 0 + 20 / 4 + 50 / 2 + 25 * 3 / 4 + 15 = 63.75 of 120 pairs
    # squares: 20 / 16 + 50 / 4 + 25 * 9 / 16 + 15 = 42.8125
    found = moments(SOME)
    assert found.mean == pytest.approx(63.75 / 120)
    assert found.variance == pytest.approx(42.8125 / 120 - (63.75 / 120) ** 2)
    assert games_each(SOME) == 2
    assert deviation_of_a_game(SOME) == pytest.approx(sqrt(2 * found.variance))
    assert moments(Pentanomial()) == (0.5, 0)


def test_elo_is_the_logistic_curve_with_400() -> None:
    """A. Elo, The Rating of Chessplayers, 8.4: ten to one is 400 points."""
    assert elo_of(10 / 11) == pytest.approx(400)
    assert score_of(400) == pytest.approx(10 / 11)
    assert score_of(-400) == pytest.approx(1 / 11)
    assert elo(SOME).value == pytest.approx(400 * log10((63.75 / 120) / (56.25 / 120)), abs=1e-9)


def test_normalized_elo_is_the_distance_in_deviations_of_a_game() -> None:
    """Van den Bergh, Comments on Normalized Elo: 800 / ln 10 times (mean - 1/2) / deviation of a game."""
    deviation = sqrt(2 * (42.8125 / 120 - (63.75 / 120) ** 2))
    assert normalized_elo(SOME).value == pytest.approx(800 / log(10) * 0.03125 / deviation, abs=1e-9)
    assert strength_of(normalized_of(0.3)) == pytest.approx(0.3)


def test_near_a_half_and_without_draws_both_kinds_of_elo_are_the_same() -> None:
    counts = Trinomial(4990, 0, 5010)
    assert normalized_elo(counts).value == pytest.approx(elo(counts).value, rel=1e-3)
    assert pytest.approx(2 * NATURAL) == NORMALIZED


@pytest.mark.parametrize(
    ("counts", "figure", "error", "normalized", "normalized_error", "los"),
    [
        (Trinomial(89, 123, 76), None, None, -20.76, 40.13, 0.1553),
        (Trinomial(96, 111, 136), 40.70, 30.43, 49.77, 36.77, 0.9960),
        (Pentanomial(34, 54, 63, 64, 75), 55.58, 27.65, 57.94, 28.28, 1.0),
        (Pentanomial(332, 433, 498, 333, 334), -8.64, 10.33, -9.17, 10.96, 0.0505),
        (Pentanomial(7895, 8757, 5685, 568, 9999), -21.04, 2.95, -19.01, 2.65, 0.0),
    ],
)
def test_figures_are_those_that_fastchess_tests_itself_with(
    counts: Counts,
    figure: float | None,
    error: float | None,
    normalized: float,
    normalized_error: float,
    los: float,
) -> None:
    """app/tests/elo_test.cpp of Disservin/fastchess.

    It takes the normal distribution for the interval, which with so many games is the same to a few percent.
    """
    if figure is not None and error is not None:
        found = elo(counts)
        assert found.value == pytest.approx(figure, abs=0.01)
        assert (found.high - found.low) / 2 == pytest.approx(error, rel=0.01)
    found = normalized_elo(counts)
    assert found.value == pytest.approx(normalized, abs=0.01)
    assert (found.high - found.low) / 2 == pytest.approx(normalized_error, rel=0.05)
    assert likelihood_of_superiority(counts) == pytest.approx(los, abs=5e-4)


def test_a_winners_interval_is_the_likelihood_ratio_by_hand() -> None:
    """Owen, Empirical Likelihood: among n pairs all won, a share q of lost ones has the ratio (1 - q)^n."""
    for pairs in (1, 10, 100):
        lost = 1 - exp(-(quantile(pairs) ** 2) / 2 / pairs)
        low, high = score_interval(Pentanomial(0, 0, 0, 0, pairs))
        assert low == pytest.approx(1 - lost, abs=2e-3)
        assert high > 0.999
        root = sqrt(2 * pairs * log(2))  # the ratio at a mean of one half is one half to the n
        expected = 0.5 * (1 + erf(root / sqrt(2)))
        assert likelihood_of_superiority(Pentanomial(0, 0, 0, 0, pairs)) == pytest.approx(expected, abs=2e-3)


@pytest.mark.parametrize(
    ("results", "published"),
    [(1, 4.303), (2, 3.182), (5, 2.447), (10, 2.201), (50, 2.008), (10**9, QUANTILE)],
)
def test_the_bound_is_that_of_students_distribution(results: int, published: float) -> None:
    """The tables of Student's distribution for 2, 3, 6, 11 and 51 degrees of freedom, at 97.5 %."""
    assert quantile(results) == pytest.approx(published, rel=0.035 if results < 3 else 2e-3)
    assert quantile(0) == quantile(1)


def test_the_interval_ends_where_the_ratio_is_its_bound() -> None:
    for mean in score_interval(SOME):
        ratio = log_ratio(SOME, with_mean(shares(SOME), mean), shares(SOME))
        assert 2 * ratio == pytest.approx(quantile(120) ** 2, rel=1e-6)
    found = normalized_elo(SOME)
    for end in (found.low, found.high):
        ratio = log_ratio(SOME, with_strength(shares(SOME), strength_of(end)), shares(SOME))
        assert 2 * ratio == pytest.approx(quantile(120) ** 2, rel=1e-6)


@pytest.mark.parametrize("counts", ONE_SIDED, ids=str)
def test_one_sided_samples_have_finite_figures_in_order(counts: Counts) -> None:
    for found in (elo(counts), normalized_elo(counts)):
        assert all(map(isfinite, found))
        assert found.low <= found.value <= found.high
        assert found.low < found.high
    assert 0 <= likelihood_of_superiority(counts) <= 1


def test_nothing_played_tells_nothing() -> None:
    found = elo(Pentanomial())
    assert found.value == pytest.approx(0)
    assert found.low == pytest.approx(-found.high)
    assert found.high > 1000
    assert likelihood_of_superiority(Pentanomial()) == 0.5


def test_who_has_exactly_half_is_equal() -> None:
    for counts in (Pentanomial(3, 0, 1, 2, 2), Trinomial(7, 2, 7), Pentanomial(0, 0, 9, 0, 0)):
        assert elo(counts).value == pytest.approx(0, abs=1e-12)
        assert likelihood_of_superiority(counts) == 0.5


@pytest.mark.parametrize("counts", [SOME, Pentanomial(0, 0, 3, 1, 9), Trinomial(3, 1, 9)], ids=str)
def test_the_other_side_sees_the_same_turned_round(counts: Counts) -> None:
    other = turned(counts)
    assert type(other) is type(counts)
    for mine, theirs in ((elo(counts), elo(other)), (normalized_elo(counts), normalized_elo(other))):
        assert mine.value == pytest.approx(-theirs.value, abs=1e-6)
        assert (mine.low, mine.high) == pytest.approx((-theirs.high, -theirs.low), abs=1e-4)
    assert likelihood_of_superiority(counts) == pytest.approx(1 - likelihood_of_superiority(other), abs=1e-9)


def test_more_of_the_same_makes_the_interval_narrower() -> None:
    once, four = elo(SOME), elo(Pentanomial(*(4 * count for count in SOME)))
    assert (four.high - four.low) / (once.high - once.low) == pytest.approx(0.5, rel=0.02)
    assert added(SOME, Pentanomial(1, 0, 0, 0, 2)) == (11, 20, 50, 25, 17)


def test_pairs_that_always_split_are_worth_more_than_their_games() -> None:
    """What seat swapping is for: the luck of a deal cancels in the pair."""
    pairs, games = elo(Pentanomial(10, 0, 80, 0, 10)), elo(Trinomial(100, 0, 100))
    assert pairs.high - pairs.low < 0.67 * (games.high - games.low)


def test_the_root_of_a_falling_function_and_its_ends() -> None:
    assert falling_root(lambda x: 2 - x**3, 0, 100) == pytest.approx(2 ** (1 / 3))
    assert falling_root(lambda x: -1 - x, 0, 1) == 0
    assert falling_root(lambda x: 9 - x, 0, 1) == 1
    assert falling_root(lambda x: 1.0 if x < 0.25 else -1e-9, 0, 1) == pytest.approx(0.25)


def test_a_tilt_moves_the_mean() -> None:
    observed = shares(SOME)
    assert tilted(observed, 0) == pytest.approx(observed)
    means = [moments(tilted(observed, tilt)).mean for tilt in (-60, -1, 0, 1, 60)]
    assert means == sorted(means, reverse=True)
    assert means[0] == pytest.approx(1)
    assert means[-1] == pytest.approx(0)
