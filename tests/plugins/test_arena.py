"""The arena's own figures: the bound, the balance of the sides, the same games from the same seed."""

from __future__ import annotations

import pytest

from tests.plugins.arena import bot, play, wilson_lower_bound
from tyrusd.sdk import Placement, Request, Side, own_side


# Worked by hand from the formula of the score interval with z = 1.96.
@pytest.mark.parametrize(
    ("won", "games", "bound"), [(0, 10, 0.0), (10, 10, 0.7225), (50, 100, 0.4038), (1140, 2000, 0.5482)]
)
def test_the_lower_bound(won: int, games: int, bound: float) -> None:
    assert wilson_lower_bound(won, games) == pytest.approx(bound, abs=0.0001)


def test_both_play_each_deal_from_both_sides() -> None:
    sides: list[Side] = []
    hands = []
    greedy = bot("greedy")

    def watched(request: Request) -> Placement:
        if request.number < 3:
            sides.append(own_side(request.view))
            hands.append(request.view.hand)
        return greedy(request)

    standing = play(watched, greedy, 10)
    assert sorted(sides) == [Side.IVORY] * 5 + [Side.BROWN] * 5
    assert len(set(hands)) == 10
    # One bot against itself, each deal both ways: every win on one side is a loss on the other.
    assert standing.won == standing.lost


def test_the_same_seed_plays_the_same_games() -> None:
    def results(seed: str) -> tuple[int, int, dict[str, int]]:
        standing = play(bot("greedy"), bot("random"), 40, seed)
        return standing.decisions, standing.won, standing.reasons

    assert results("one") == results("one") != results("two")
