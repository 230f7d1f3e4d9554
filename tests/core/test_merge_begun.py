"""What a merge is told of: versions whose first rated games are not over, or not in the index yet."""

from __future__ import annotations

from tests.core.rated_world import come, door, two
from tests.core.standing_world import LadderWorld
from tyrusd.core.requests import KeepMerge


def test_a_version_has_begun_when_its_first_rated_game_has() -> None:
    place = door()
    bob, echo = two(place, extras=("agent=b/1", "agent=-"))
    bob.say("quit")
    bob = come(place, "bob", "agent=b/2 games=2")
    bob.say("seek")
    come(place, "foxy").say("seek")  # not rated
    bob.say("merge BOB b/1 b/2")
    echo.say("merge echo x y")
    asked = [request for request in place.requests if isinstance(request, KeepMerge)]
    assert [merge.begun for merge in asked] == [(("b/1", 1),), ((None, 1),)]


def test_games_that_outlive_a_restart_have_begun_as_well() -> None:
    world = LadderWorld(["ada", "bob"])
    ada = world.join("ada", agent="one")
    world.join("bob")
    world.play(2)
    world.kill()
    world.log_in(ada)
    world.say(ada, "merge ada one two")
    assert [merge.begun for merge in world.merges] == [(("one", 1),)]
