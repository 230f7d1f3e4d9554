"""The limits of the standing ladder at one below, at, and one above."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.core.standing_world import LadderWorld
from tests.core.test_limits import TICK
from tyrusd.core.settings import DEFAULTS
from tyrusd.wire import messages as wire


@pytest.mark.parametrize("more", [-TICK, 0.0, TICK])
def test_limit_ladder_gather(more: float) -> None:
    world = LadderWorld(["ada", "bob"])
    ada = world.join("ada")
    world.play(0.25)
    world.join("bob")
    world.play(0.75 + more)
    assert bool(ada.starts) is (more >= 0)


@pytest.mark.parametrize("more", [-TICK, 0.0, TICK])
def test_limit_ladder_rematch(more: float) -> None:
    world = LadderWorld(["ada", "bob"], settings=replace(DEFAULTS, ladder_gather=0.125))
    ada, bob = (world.join(name, thinks=0.125, gives_up=lambda game: 0) for name in world.names)
    world.play(0.25)
    assert ada.overs and bob.overs  # at 0.25 s
    world.play(5 + more)
    assert len(ada.starts) == (1 if more < 0 else 2)


@pytest.mark.parametrize(("lost", "on"), [(2, True), (3, False), (4, False)])
def test_limit_ladder_forfeits(lost: int, on: bool) -> None:
    world = LadderWorld(["ada", "bob"], settings=replace(DEFAULTS, ladder_gather=0.125))
    ada = world.join("ada", mute=lambda nth: nth < lost)
    world.join("bob")
    world.play(400)
    assert [over.reason for over in ada.overs[:lost]] == ["timeout"] * min(lost, 3)
    assert bool(world.stage.server.players["ada"].ladder) is on
    assert len([item for item in ada.heard if isinstance(item, wire.Notice)]) == (0 if on else 1)
    assert world.stage.server.counts.limits["ladder_forfeits"] == (0 if on else 1)


@pytest.mark.parametrize(("games", "provisional"), [(19, "yes"), (20, "no"), (21, "no")])
def test_limit_ladder_provisional(games: int, provisional: str) -> None:
    world = LadderWorld(["ada", "bob"])
    ada = world.join("ada", thinks=0.125, gives_up=lambda game: 0)
    world.join("bob", thinks=0.125, gives_up=lambda game: 0)
    while len(ada.overs) < games:
        world.play(0.25)
    world.rate()
    lines = [line for line in world.say(ada, "ratings") if isinstance(line, wire.Rating)]
    assert [(line.games, line.provisional, line.rank > 0) for line in lines] == [
        (games, provisional, provisional == "no")
    ] * 2
