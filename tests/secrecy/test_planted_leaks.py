"""The comparison of worlds finds each leak that is planted in the server, so its silence says something."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from tests.secrecy.leaks import LEAKS, ORDER_LEAKS, Plant, hands_in_drawing_order
from tests.secrecy.pairs import Pair, draws_pair, order_pair, random_face_pair
from tests.secrecy.scripts import random_script
from tyrusd.rules.pieces import Side

PAIRS = 200  # most leaks show in the first or second


def _random_order_pair(seed: int) -> Pair:
    chance = random.Random(seed)
    return order_pair(random_script(chance), Side(chance.randrange(2)), chance)


def _random_draws_pair(seed: int) -> Pair:
    chance = random.Random(seed)
    return draws_pair(random_script(chance), Side(chance.randrange(2)), chance)


def _gives_alarm(pair_of: Callable[[int], Pair], plant: Plant) -> bool:
    """Whether one of the pairs gives an alarm with this leak planted."""
    with pytest.MonkeyPatch.context() as patch:
        plant(patch)
        return any(pair_of(seed).alarms for seed in range(PAIRS))


@pytest.mark.parametrize("name", LEAKS)
def test_d1_control_a_planted_leak_is_found(name: str) -> None:
    assert _gives_alarm(random_face_pair, LEAKS[name])


@pytest.mark.parametrize("name", ORDER_LEAKS)
def test_a_planted_leak_of_the_drawing_order_is_found(name: str) -> None:
    assert _gives_alarm(_random_order_pair, ORDER_LEAKS[name])


def test_without_a_leak_the_drawing_order_cannot_be_told() -> None:
    assert [pair.alarms for pair in map(_random_order_pair, range(60)) if pair.alarms] == []


def test_the_order_within_a_draw_cannot_be_told_even_by_its_owner() -> None:
    for seed in range(40):
        pair = _random_draws_pair(seed)
        assert pair.alarms == []
        assert not pair.differs_for_the_owner


def test_hands_that_are_not_sorted_are_found() -> None:
    with pytest.MonkeyPatch.context() as patch:
        hands_in_drawing_order(patch)
        assert any(_random_draws_pair(seed).differs_for_the_owner for seed in range(PAIRS))
