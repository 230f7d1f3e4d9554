"""Pairs of games as a crew plays them: each game once, at any concurrency, and an end to everything."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.core.crew_world import CrewWorld, crew, task
from tyrusd.core.requests import Finished, PairDone


@pytest.mark.parametrize("concurrency", [1, 2, 3, 8])
@pytest.mark.parametrize("games", [1, 3])
def test_each_game_of_each_pair_is_played_once(concurrency: int, games: int) -> None:
    world = CrewWorld(crew(concurrency=concurrency), games)
    world.give(*[task(pair) for pair in range(1, 6)])
    world.finish()
    world.play_all()
    assert Counter(game.place.game_id for game in world.played) == Counter(
        f"p{pair}-{game}" for pair in range(1, 6) for game in (1, 2)
    )
    assert sorted(world.ends) == [PairDone(pair, 1) for pair in range(1, 6)]
    assert isinstance(world.news[-1], Finished)
    assert world.most == min(concurrency, 10)
    assert world.server.finished and world.crew.done
