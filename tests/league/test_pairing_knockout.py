"""Brackets: the strongest have the byes and meet last; the lot is drawn from the seed alone."""

from __future__ import annotations

from hashlib import sha256

import pytest

from tyrusd.league.pairing.knockout import bracket, drawn


def test_the_bracket_of_eight_is_the_usual_one() -> None:
    assert [place + 1 for place in bracket(8)] == [1, 8, 4, 5, 2, 7, 3, 6]


@pytest.mark.parametrize("count", range(2, 40))
def test_byes_are_for_the_strongest_and_the_best_two_meet_last(count: int) -> None:
    places = bracket(count)
    assert sorted(places) == list(range(len(places)))
    assert count <= len(places) < 2 * count
    couples = list(zip(places[::2], places[1::2], strict=True))
    with_byes = {min(couple) for couple in couples if max(couple) >= count}
    assert with_byes == set(range(len(places) - count))
    while len(places) > 2:
        places = [min(couple) for couple in zip(places[::2], places[1::2], strict=True)]
    assert sorted(places) == [0, 1]


def test_the_seeded_stay_and_the_lot_is_as_documented() -> None:
    names = [f"n{number}" for number in range(20)]
    order = drawn(names, 3, "one seed")
    assert order[:3] == names[:3]
    assert order[3:] == sorted(
        names[3:], key=lambda name: sha256(f"tyrusd draw 1\0one seed\0{name}".encode()).hexdigest()
    )
    assert order[3:] != names[3:]
    assert drawn(names, 3, "another") != order
    assert drawn(names, 20, "one seed") == names
