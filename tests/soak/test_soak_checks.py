"""What the checks of the soak find, with everything planted that they are for."""

from __future__ import annotations

import json
import math
import random

import pytest

from tests.soak.size import Size
from tests.soak.trend import growth, slope
from tests.soak.verdict import EXPECTED_BYES, Kept, Told, journal_games, lost_games, sent_away, wrong_results

GAMES = {
    "g1": Kept("I", "majority", ("ada", "bob")),
    "g2": Kept("-", "drawn", ("bob", "ada")),
    "g3": Kept("B", "resigned", ("eve", "dan")),
}
TOLD = [
    Told(client, game, kept.winner, kept.reason) for game, kept in GAMES.items() for client in kept.players
]
STARTED = [(client, game) for game, kept in GAMES.items() for client in kept.players]


def test_what_is_right_is_not_found_wrong() -> None:
    assert wrong_results(TOLD, GAMES) == [] and lost_games(STARTED, GAMES) == []
    assert sent_away(dict.fromkeys(EXPECTED_BYES, 3), {"unavailable seek": 2, "auth resume": 1}) == []


@pytest.mark.parametrize(
    ("planted", "word"),
    [
        (Told("eve", "g1", "B", "majority"), "the journal has"),
        (Told("eve", "g1", "-", "majority"), "the journal has"),
        (Told("eve", "g1", "I", "remaining-tiles"), "the journal has"),
        (Told("eve", "g4", "I", "majority"), "does not have"),
        (Told("ada", "g1", "I", "majority"), "2 times"),
    ],
)
def test_a_wrong_result_is_found(planted: Told, word: str) -> None:
    (found,) = wrong_results([*TOLD, planted], GAMES)
    assert planted.client in found and planted.game in found and word in found


def test_a_lost_game_is_found() -> None:
    (found,) = lost_games([*STARTED, ("ada", "g4")], GAMES)
    assert "g4" in found
    (found,) = lost_games([*STARTED, ("ada", "g3")], GAMES)
    assert "g3" in found and "ada" in found
    (found,) = lost_games(STARTED, GAMES | {"g5": Kept("I", "timeout", ("ada", "bob"))})
    assert "g5" in found and "timeout" in found


@pytest.mark.parametrize("why", ["slow-down", "too-slow", "protocol", "timeout", "busy"])
def test_whoever_is_sent_away_is_found(why: str) -> None:
    assert len(sent_away({why: 1}, {})) == 1


@pytest.mark.parametrize("what", ["syntax", "illegal place", "not-your-turn place", "slow-down"])
def test_an_error_that_was_not_earned_is_found(what: str) -> None:
    assert len(sent_away({}, {what: 1})) == 1


def test_a_game_that_is_in_the_journal_twice_is_found() -> None:
    line = {"game": 1, "winner": "ivory", "reason": "majority", "seats": {"ivory": "ada", "brown": "bob"}}
    games, wrong = journal_games([json.dumps(line)])
    assert games == {"g1": GAMES["g1"]} and wrong == []
    assert journal_games([json.dumps(line)] * 2)[1] == ["g1 is in the journal twice"]


def _series(value: float, per_second: float, noise: float, filling: float = 0.0) -> list[tuple[float, float]]:
    """Ten minutes, a sample a second; `filling` is reached in the first third, as caches are filled."""
    chance = random.Random(7)
    return [
        (at, value + filling * min(1.0, at / 180) + per_second * at + chance.gauss(0, noise))
        for at in range(600)
    ]


@pytest.mark.parametrize(
    ("samples", "flat"),
    [
        (_series(300, 0.0, 0.0), True),
        (_series(300, 0.0, 20.0), True),
        (_series(300, 0.0, 2.0, filling=80), True),
        (_series(300, 0.02, 2.0), True),  # 8 MiB in the time that counts
        (_series(300, 0.06, 2.0), False),  # 24 MiB
        (_series(300, 0.06, 20.0, filling=80), False),
        (_series(300, 1.0, 0.0), False),
        ([(at, 300 + 30 * (at % 60) / 60) for at in range(600)], True),  # a sawtooth
        ([(at, 300 + 30 * (at % 60) / 60 + at / 10) for at in range(600)], False),
        ([(at, 300 + (5000 if at in (250, 590) else 0)) for at in range(600)], True),  # outliers
        ([(at, 20.0 * (at // 60)) for at in range(600)], False),  # steps
        ([(at, 600.0 - at) for at in range(600)], True),  # it shrinks
    ],
)
def test_growth_is_seen_through_noise_and_only_growth(samples: list[tuple[float, float]], flat: bool) -> None:
    assert growth("memory", samples, 0.05, 16.0).flat is flat


@pytest.mark.parametrize(("children", "flat"), [(lambda at: 1, True), (lambda at: 1 + at // 200, False)])
def test_a_child_that_is_left_now_and_then_is_seen(children: object, flat: bool) -> None:
    assert callable(children)
    assert growth("children", [(at, children(at)) for at in range(600)], 0.0, 0.5).flat is flat


def test_the_slope_is_the_median_of_all_pairs() -> None:
    assert slope([(0, 1), (1, 2), (2, 3), (3, 100)]) == pytest.approx(1.0, abs=32.0)
    assert slope([(0, 5)]) == 0.0
    assert math.isclose(slope([(at, 3 * at) for at in range(1000)]), 3.0)
    with pytest.raises(ValueError, match="no sample"):
        growth("memory", [], 0.05, 16.0)


def test_the_load_is_what_is_asked_for() -> None:
    size = Size()
    assert (size.players, size.seats, size.think) == (2000, 1, 0.5)
    assert (Size(bots=100, games=20).players, Size(bots=10, games=40).seats) == (40, 8)
