"""House bots with a fixed rating on the standing ladder: when they play, and when nobody waits for them."""

from __future__ import annotations

from itertools import pairwise

from tests.core.standing_world import ROCK, Bot, LadderWorld
from tyrusd.core.requests import StartBot
from tyrusd.wire import messages as wire

ANCHORS = {ROCK: 1000}


def enemies(bot: Bot) -> list[str]:
    return [start.enemy for start in bot.starts]


def test_an_anchor_is_started_for_the_first_who_comes() -> None:
    world = LadderWorld(["ada"], ANCHORS)
    world.play(100)
    assert world.starts == 0
    ada = world.join("ada")
    world.play(3)
    assert world.starts == 1 and enemies(ada) == [ROCK]
    assert world.stage.server.tables[ada.starts[0].game].match.rated is not None


def test_at_least_one_game_in_ten_is_against_an_anchor() -> None:
    world = LadderWorld(["ada", "bob", "cy", "dee"], ANCHORS)
    for name in world.names:
        world.join(name, thinks=0.3)
    world.play(600)
    for name in world.names:
        anchored = [number for number, enemy in enumerate(enemies(world.bots[name])) if enemy == ROCK]
        assert anchored[0] == 0 and all(later - earlier <= 10 for earlier, later in pairwise(anchored))
    assert world.starts == 1
    assert all(record["rated"]["by"] == "ladder" for record in world.finished())


def test_another_version_begins_with_an_anchor() -> None:
    world = LadderWorld(["ada", "bob"], ANCHORS)
    ada = world.join("ada", agent="one")
    world.join("bob")
    world.play(40)
    before = len(ada.starts)
    world.say(ada, "ladder off")
    world.play(40)
    world.lose(ada)
    ada.agent = "two"
    world.log_in(ada)
    world.say(ada, "ladder on")
    world.play(10)
    assert enemies(ada)[before] == ROCK


def test_an_anchor_that_cannot_be_started_holds_nobody_up() -> None:
    world = LadderWorld(["ada", "bob"], ANCHORS)
    world.house_starts = False
    ada = world.join("ada")
    world.join("bob")
    world.play(50)
    assert world.starts == 1 and len(ada.starts) > 3
    world.house_starts = True
    world.play(60)
    assert world.starts == 2 and ROCK in enemies(ada)
    assert not [item for item in ada.heard if isinstance(item, wire.Error)]


def test_an_anchor_that_is_slow_to_start_is_waited_for() -> None:
    world = LadderWorld(["ada", "bob"], ANCHORS)
    ada, _ = world.join("ada"), world.join("bob")
    world._start = lambda request: None  # type: ignore[method-assign]
    world.play(9)
    assert not ada.starts
    world.play(5)  # it has not said hello in time
    assert enemies(ada) == ["bob"]


def test_no_anchor_is_started_while_no_game_may_begin() -> None:
    world = LadderWorld(["ada"], ANCHORS)
    world.lobby.paused = True
    ada = world.join("ada")
    world.play(30)
    assert world.starts == 0
    world.lobby.paused = False
    world.play(5)
    assert world.starts == 1 and enemies(ada) == [ROCK]


def test_no_house_bot_but_an_anchor_is_on_the_ladder() -> None:
    world = LadderWorld(["ada"], {})
    ada = world.join("ada")
    world.play(60)
    assert not ada.starts and not [item for item in world.stage.requests if isinstance(item, StartBot)]
