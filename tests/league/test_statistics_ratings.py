"""Ratings: the likeliest of all, their covariance pair by pair, and finite where there is little to go by."""

from __future__ import annotations

import random
from math import exp, isfinite, log, sqrt
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

from tests.league.ladder_games import whole_pair
from tyrusd.league.statistics.matrix import applied, centred, inverse, product, zeros
from tyrusd.league.statistics.pairs import Pair
from tyrusd.league.statistics.rating import FEW_PAIRS, PRIOR_DEVIATION, Ratings, rate
from tyrusd.league.statistics.scale import NATURAL

NAMES = ("anna", "bert", "cora", "dora")
SPREAD = PRIOR_DEVIATION / NATURAL


def chance(one: float, other: float) -> float:
    return 1 / (1 + exp(other - one))


def some_pairs(seed: int = 3, each: int = 12, names: tuple[str, ...] = NAMES) -> list[Pair]:
    """Pairs of players each of whom is better than the next."""
    chances = random.Random(seed)
    found: list[Pair] = []
    for turn in range(each):
        for index, first in enumerate(names):
            for second in names[index + 1 :]:
                one, other = (first, second) if turn % 2 else (second, first)
                won = [chances.choices((first, second, "-"), (5, 3, 1))[0] for _ in range(2)]
                found.append(whole_pair(len(found) + 1, one, other, won))
    return found


def posterior(values: list[float], pairs: list[Pair], names: tuple[str, ...] = NAMES) -> float:
    """The logarithm of likelihood and prior, game by game: what the ratings are to be the top of."""
    at = dict(zip(names, values, strict=True))
    total = -sum(value**2 for value in values) / (2 * SPREAD**2)
    for pair in pairs:
        for game in pair.games:
            promised = chance(at[game.ivory], at[game.brown])
            score = game.score(game.ivory)
            total += score * log(promised) + (1 - score) * log(1 - promised)
    return total


def test_no_other_ratings_are_likelier() -> None:
    """R. Bradley and M. Terry (1952), with a normal prior, a draw as half a win and half a loss."""
    pairs = some_pairs()
    found = [value / NATURAL for value in rate(NAMES, pairs).values]
    best = posterior(found, pairs)
    for index in range(len(NAMES)):
        for step in (-1e-3, 1e-3):
            moved = [value + step * (index == number) for number, value in enumerate(found)]
            assert posterior(moved, pairs) < best
    assert sum(found) == pytest.approx(0, abs=1e-9)


def test_two_players_by_hand() -> None:
    """With 2 x = the difference, 15 points of 20 and the prior: 15 - 20 chance(2 x) = x / spread²."""
    pairs = [
        whole_pair(n, "anna", "bert", ("anna", "anna") if n % 2 else ("anna", "bert")) for n in range(1, 11)
    ]
    found = rate(("anna", "bert"), pairs)
    x = found.values[0] / NATURAL
    assert 15 - 20 * chance(2 * x, 0) == pytest.approx(x / SPREAD**2, abs=1e-9)
    assert found.values[1] == pytest.approx(-found.values[0])


def by_definition(ratings: Ratings, pairs: list[Pair]) -> tuple[Any, Any]:
    """Robust and naive covariance (H. White 1982; HC3 of J. MacKinnon and H. White 1985), pair by pair."""
    names, size = ratings.names, len(ratings.names)
    at = {name: value / NATURAL for name, value in zip(names, ratings.values, strict=True)}
    curve, meat = np.eye(size) / SPREAD**2, np.eye(size) / SPREAD**2
    directions, weights, surprises = [], [], []
    for pair in pairs:
        direction = np.zeros(size)
        direction[names.index(pair.first)], direction[names.index(pair.second)] = 1, -1
        promised = chance(at[pair.first], at[pair.second])
        directions.append(direction)
        weights.append(len(pair.games) * promised * (1 - promised))
        surprises.append(pair.score(pair.first) - len(pair.games) * promised)
        curve += weights[-1] * np.outer(direction, direction)
    turned = np.linalg.inv(curve)
    for direction, weight, surprise in zip(directions, weights, surprises, strict=True):
        leverage = weight * direction @ turned @ direction
        meat += (surprise / (1 - leverage)) ** 2 * np.outer(direction, direction)
    off_mean = np.eye(size) - 1 / size
    robust = off_mean @ turned @ meat @ turned @ off_mean
    return robust * NATURAL**2, off_mean @ turned @ off_mean * NATURAL**2


def test_the_covariance_is_that_of_the_definition() -> None:
    pairs = some_pairs()
    found = rate(NAMES, pairs)
    robust, naive = by_definition(found, pairs)
    assert np.allclose(found.robust, robust, rtol=1e-9)
    assert np.allclose(found.naive, naive, rtol=1e-9)
    assert found.pairs == (36,) * 4


def test_differences_are_of_the_covariance_and_not_of_two_bars() -> None:
    found = rate(NAMES, some_pairs())
    gap = found.difference(0, 3)
    variance = found.robust[0][0] + found.robust[3][3] - 2 * found.robust[0][3]
    assert gap.elo == pytest.approx(found.values[0] - found.values[3])
    assert (gap.high - gap.low) / 2 == pytest.approx(1.959964 * sqrt(variance), rel=1e-6)
    assert gap.los == pytest.approx(NormalDist().cdf(gap.elo / sqrt(variance)))
    other = found.difference(3, 0)
    assert (other.elo, other.low, other.high) == pytest.approx((-gap.elo, -gap.high, -gap.low))
    assert other.los == pytest.approx(1 - gap.los)
    # The two bars alone would tell something else, since the ratings vary together.
    bars = sqrt(found.deviation(0) ** 2 + found.deviation(3) ** 2)
    assert abs(bars / sqrt(variance) - 1) > 0.02


def test_twins_that_split_make_the_bars_narrower_than_games_that_are_independent() -> None:
    split = [whole_pair(n, "anna", "bert", ("anna", "bert")) for n in range(1, 61)]
    split += [
        whole_pair(n, "anna", "bert", ("anna", "anna") if n % 2 else ("bert", "bert")) for n in range(61, 71)
    ]
    found = rate(("anna", "bert"), split)
    assert found.deviation(0) < 0.6 * sqrt(found.naive[0][0])


def test_few_pairs_do_not_make_bars_narrower_than_independent_games_would() -> None:
    def split(pairs: int) -> Ratings:
        return rate(
            ("anna", "bert"), [whole_pair(n, "anna", "bert", ("anna", "bert")) for n in range(1, pairs + 1)]
        )

    few, more = split(FEW_PAIRS - 1), split(FEW_PAIRS)
    assert few.deviation(0) == pytest.approx(sqrt(few.naive[0][0]))
    assert more.deviation(0) == pytest.approx(sqrt(more.robust[0][0]))
    assert more.deviation(0) < few.deviation(0) / 2


@pytest.mark.parametrize("count", [1, 3, 200])
def test_who_wins_all_has_a_finite_rating(count: int) -> None:
    pairs = [whole_pair(n, "anna", "bert", ("anna", "anna")) for n in range(1, count + 1)]
    for names in (("anna", "bert"), ("anna", "bert", "cora")):
        found = rate(names, pairs)
        for index in range(len(names)):
            assert all(map(isfinite, found.estimate(index)))
            assert 0 < found.deviation(index) < 2 * PRIOR_DEVIATION
        assert 0 < found.values[0] < 1500


def test_nobody_played() -> None:
    assert rate((), []).values == ()
    alone = rate(("anna",), [])
    assert alone.values == (0,)
    assert alone.deviation(0) == 0  # the mean of all is 0, and there is nobody else
    two = rate(("anna", "bert"), [])
    assert two.values == (0, 0)
    assert two.difference(0, 1).los == 0.5
    # Two of the prior, of which the mean is taken off.
    assert two.deviation(0) == pytest.approx(PRIOR_DEVIATION / sqrt(2))


def test_two_groups_that_never_met_are_held_together_by_the_prior() -> None:
    left = [whole_pair(n, "anna", "bert", ("anna", "anna" if n % 3 else "bert")) for n in range(1, 41)]
    right = [whole_pair(n, "cora", "dora", ("dora", "dora" if n % 5 else "cora")) for n in range(41, 81)]
    found = rate(NAMES, left + right)
    assert all(map(isfinite, found.values))
    assert found.values[0] > found.values[1]
    assert found.values[3] > found.values[2]
    within, between = found.difference(0, 1), found.difference(0, 2)
    assert between.high - between.low > 4 * (within.high - within.low)
    # Nothing is known of the two groups, so each has the mean 0.
    assert found.values[0] + found.values[1] == pytest.approx(0, abs=1e-6)


def test_neither_the_order_of_pairs_nor_of_seats_matters() -> None:
    pairs = some_pairs()
    mixed = list(pairs)
    random.Random(1).shuffle(mixed)
    mixed = [pair._replace(first=pair.second, second=pair.first) for pair in mixed]
    one, other = rate(NAMES, pairs), rate(NAMES, mixed)
    assert one.values == pytest.approx(other.values, abs=1e-9)
    assert np.allclose(one.robust, other.robust)


def test_deals_that_were_played_once_count_as_they_are() -> None:
    singles = [Pair(pair.number, 1, pair.first, pair.second, pair.games[:1]) for pair in some_pairs()]
    found = rate(NAMES, singles)
    robust, _ = by_definition(found, singles)
    assert np.allclose(found.robust, robust, rtol=1e-9)


def test_anchors_fix_the_scale() -> None:
    pairs = some_pairs()
    free, fixed = rate(NAMES, pairs), rate(NAMES, pairs, {"bert": 2000.0})
    assert fixed.values[1] == pytest.approx(2000, abs=0.01)
    assert fixed.deviation(1) == pytest.approx(0, abs=0.05)
    gaps = [values[0] - values[1] for values in (free.values, fixed.values)]
    assert gaps[0] == pytest.approx(gaps[1], rel=0.1)
    both = rate(NAMES, pairs, {"anna": 100.0, "dora": -100.0})
    assert both.values[0] == pytest.approx(100, abs=0.1)
    assert both.values[3] == pytest.approx(-100, abs=0.1)
    assert all(-150 < value < 150 for value in both.values)


def test_two_are_rated_by_hand_as_numpy_would() -> None:
    matrix = [[5.0, 1.0], [1.0, 2.0]]
    assert np.allclose(inverse(matrix), np.linalg.inv(matrix))
    assert np.allclose(product(matrix, matrix, matrix), np.linalg.matrix_power(np.array(matrix), 3))
    assert inverse([]) == centred([]) == zeros(0) == []
    assert inverse([[4.0]]) == [[0.25]]
    three = np.array([[4.0, 1, 0], [1, 3, 1], [0, 1, 2]])
    assert np.allclose(inverse(three.tolist()), np.linalg.inv(three))
    assert np.allclose(product(three.tolist(), three.tolist()), three @ three)
    off_mean = np.eye(3) - 1 / 3
    assert np.allclose(centred(three.tolist()), off_mean @ three @ off_mean)
    assert applied(three.tolist(), [1.0, 1.0, 1.0]) == [5, 5, 3]
