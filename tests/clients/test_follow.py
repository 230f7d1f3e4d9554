"""A view that follows the events of a game is always the view that the rules would give."""

from __future__ import annotations

from random import Random

import pytest

from tests.screen.games import VIEWERS, place_one, played
from tyrus_client.follow import Following
from tyrusd.rules.events import Over
from tyrusd.rules.game import Game
from tyrusd.rules.pieces import Side
from tyrusd.rules.variants import VARIANTS
from tyrusd.rules.view import see, view


@pytest.mark.parametrize("variant", sorted(VARIANTS))
@pytest.mark.parametrize("number", range(12))
def test_following_agrees_with_the_rules_after_every_placement(number: int, variant: str) -> None:
    chance = Random(number)
    game = played(number, chance.randrange(10), VARIANTS[variant])
    followings = {viewer: Following(view(game, viewer)) for viewer in VIEWERS}
    while game.outcome is None:
        told = game.event_count
        place_one(game, chance)
        _follow(game, told, followings)


def _follow(game: Game, told: int, followings: dict[Side | None, Following]) -> None:
    for viewer, following in followings.items():
        for event in game.events[told:]:
            following.apply(see(event, viewer))
        assert following.view == view(game, viewer)


def test_a_game_that_is_broken_off_is_over_for_the_view_too() -> None:
    game = played(1, 9)
    following = Following(view(game, Side.IVORY))
    assert game.to_move is not None
    (over,) = game.resign(game.to_move)
    assert isinstance(over, Over)
    following.apply(over)
    assert following.view == view(game, Side.IVORY)
    assert following.view.to_move is None
