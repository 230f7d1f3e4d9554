"""The limits of the standing ladder at one below, at, and one above."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.core.standing_world import LadderWorld
from tests.core.test_limits import TICK
from tyrusd.core.settings import DEFAULTS
from tyrusd.core.standing_versions import DAY
from tyrusd.league.standing_rows import RatingTable
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


def took_part(world: LadderWorld, ages: dict[str, float]) -> None:
    """The index knows versions of ada, whose first rated games are so many seconds past."""
    wall = world.stage.now - world.stage.server.monotonic(0.0)
    world.standing.take(
        RatingTable(begun={"ada": {agent: wall - age for agent, age in ages.items()}}), world.stage.now
    )


@pytest.mark.parametrize(("begun", "may"), [(9, True), (10, False), (11, False)])
def test_limit_ladder_versions_per_day(begun: int, may: bool) -> None:
    """A further version plays no rated game, neither on the ladder nor off it; known ones and unrated do."""
    world = LadderWorld(["ada", "bob"], settings=replace(DEFAULTS, ladder_gather=0.125))
    took_part(world, {f"v{number}": 3600.0 * (1 + number) for number in range(begun)})
    bob = world.join("bob", on=False, games=4)
    world.say(bob, "seek rated=yes")
    ada = world.join("ada", on=False, games=4, agent="new")
    for line in ("ladder on", "seek rated=yes", "challenge bob rated=yes", "play bob rated=yes"):
        [answer] = [heard for heard in world.say(ada, line) if isinstance(heard, (wire.Ok, wire.Error))][:1]
        if may:
            assert isinstance(answer, wire.Ok), line
            world.say(ada, "ladder off")
            break
        assert isinstance(answer, wire.Error) and answer.code == "unavailable", line
        assert f"{begun} versions of ada have begun" in answer.text and "ada/new may in 14.0 h" in answer.text
    assert bool(world.stage.server.counts.limits["ladder_versions_per_day"]) is not may
    world.say(bob, "cancel")
    world.say(bob, "seek")
    world.say(ada, "play bob")
    assert [start.rated for start in ada.starts] == ["no"]
    world.lose(ada)
    known = world.join("ada", on=False, games=4, agent="v0")
    assert isinstance(world.say(known, "ladder on")[-1], wire.Ok)


@pytest.mark.parametrize(("more", "may"), [(-TICK, False), (0.0, True), (TICK, True)])
def test_a_version_counts_for_a_day(more: float, may: bool) -> None:
    world = LadderWorld(["ada"], settings=replace(DEFAULTS, ladder_versions_per_day=1))
    took_part(world, {"old": DAY + more})
    answer = world.say(world.join("ada", on=False, agent="new"), "ladder on")[-1]
    assert isinstance(answer, wire.Ok if may else wire.Error)


def test_a_version_counts_from_its_first_rated_game_and_who_accepts_or_comes_back_is_held_to_it() -> None:
    world = LadderWorld(["ada", "bob"], settings=replace(DEFAULTS, ladder_versions_per_day=1))
    ada = world.join("ada", on=False, games=4, agent="one")
    bob = world.join("bob", on=False, games=4)
    for word in ("two", "one"):  # saying hello and seeking is no game
        ada = world.join("ada", on=False, games=4, agent=word)
        world.say(ada, "seek rated=yes")
        world.say(ada, "cancel")
    world.say(bob, "seek rated=yes")
    assert isinstance(world.say(ada, "ladder on")[-1], wire.Ok)
    world.say(ada, "seek rated=yes")
    assert [start.rated for start in ada.starts] == ["yes"]
    changed = world.join("ada", on=False, games=4, agent="two")  # while it is on the ladder
    notices = [heard for heard in changed.heard if isinstance(heard, wire.Notice)]
    assert [notice.code for notice in notices] == ["ladder"] and "ada/two may in 24.0 h" in notices[0].text
    assert not world.stage.server.players["ada"].ladder
    offers = [heard for heard in world.say(bob, "challenge ada rated=yes") if isinstance(heard, wire.Offer)]
    refused = world.say(changed, f"accept {offers[0].challenge}")[-1]
    assert isinstance(refused, wire.Error) and "1 versions of ada" in refused.text
    world.kill()  # the game runs on, so that a restart knows the version, too
    again = world.join("ada", on=False, games=4, agent="three")
    assert isinstance(world.say(again, "ladder on")[-1], wire.Error)
    same = world.join("ada", on=False, games=4, agent="one")
    assert isinstance(world.say(same, "ladder on")[-1], wire.Ok)


def test_a_seek_for_a_rated_game_is_not_taken_along_to_a_further_version() -> None:
    world = LadderWorld(["ada", "bob"], settings=replace(DEFAULTS, ladder_versions_per_day=1))
    took_part(world, {"one": 60.0})
    world.say(world.join("ada", on=False, games=4, agent="one"), "seek rated=yes")
    ada = world.join("ada", on=False, games=4, agent="two")
    world.say(world.join("bob", on=False), "play ada rated=yes")
    assert [start.rated for start in ada.starts] in ([], ["no"])
