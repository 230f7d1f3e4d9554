"""The standing ladder after a restart: games go on and count once, and who was on it still is."""

from __future__ import annotations

import pytest

from tests.core.stage import Stage
from tests.core.standing_world import ROCK, LadderWorld
from tyrusd.core.lobby import Lobby
from tyrusd.core.restoring import Recovered
from tyrusd.league.club import ClubTerms
from tyrusd.league.fold import fold
from tyrusd.league.framing import HEADER, read_frames
from tyrusd.wire import messages as wire

ANCHORS = {ROCK: 1000}


def never(game: int) -> int:
    return 99


@pytest.mark.parametrize("anchors", [{}, ANCHORS], ids=["alone", "anchored"])
def test_games_go_on_and_count_once(anchors: dict[str, int]) -> None:
    world = LadderWorld(["ada", "bob", "cy", "dee", "eve"], anchors)
    for number, name in enumerate(world.names):
        world.join(name, thinks=0.3 * (1 + number), games=1 + number % 3)
    met = 0
    for kill in range(6):
        world.play(40 + kill)
        met = sum(world.audit().values())
        running = set(world.stage.server.tables)
        assert running
        world.kill()
        assert set(world.stage.server.tables) == running
        for name in world.names:
            world.resume(world.bots[name])
        world.play(60)
        assert sum(world.audit().values()) > met
        ended = {record["id"] for record in world.finished()}
        assert running <= ended | set(world.stage.server.tables)
    assert all(bot.most <= bot.games for bot in world.bots.values())
    assert {over.reason for bot in world.bots.values() for over in bot.overs} == {"resigned"}


def test_who_was_on_it_without_a_game_still_is() -> None:
    world = LadderWorld(["ada", "bob", "cy"])
    ada = world.join("ada")
    world.join("bob", on=False)
    world.kill()
    assert set(world.stage.server.players) == {"ada"}
    world.play(100)  # longer than a lost connection is waited for
    world.resume(ada)
    world.join("cy")
    world.play(2)
    assert len(ada.starts) == 1


@pytest.mark.parametrize(("seconds", "there"), [(299.0, True), (301.0, False)])
def test_it_is_waited_for_as_long_as_for_running_games(seconds: float, there: bool) -> None:
    world = LadderWorld(["ada"])
    ada = world.join("ada")
    world.kill()
    world.play(seconds)
    assert ("ada" in world.stage.server.players) is there
    if not there:
        world.kill()  # that it was given up is known to the next server
        assert "ada" not in world.stage.server.players
        world.log_in(ada)
        assert not world.stage.server.players["ada"].ladder


@pytest.mark.parametrize("way", ["off", "quit", "lost", "suspended"])
def test_who_was_taken_off_stays_off(way: str) -> None:
    world = LadderWorld(["ada", "bob"])
    ada = world.join("ada", mute=lambda nth: True)
    if way == "off":
        world.say(ada, "ladder off")
    elif way == "quit":
        world.say(ada, "quit")
        world.play(61)
    elif way == "lost":
        world.lose(ada)
        world.play(61)
    else:
        world.join("bob")
        world.play(400)
        assert not world.stage.server.players["ada"].ladder
    world.kill()
    found = world.stage.server.players.get("ada")
    assert found is None or not found.ladder


def test_a_server_that_closes_in_peace_leaves_them_on_it() -> None:
    world = LadderWorld(["ada", "bob", "cy"])
    for name in world.names:
        world.join(name)
    world.play(10)
    world.stage.server.drain(world.stage.now, 0.0)
    world.play(1)
    assert all(bot.peer is None for bot in world.bots.values())
    world.kill()
    assert {player.name for player in world.stage.server.players.values() if player.ladder} == set(
        world.names
    )
    for name in world.names:
        world.log_in(world.bots[name])
    before = len(world.bots["ada"].starts) + len(world.bots["bob"].starts)
    world.play(10)
    assert len(world.bots["ada"].starts) + len(world.bots["bob"].starts) > before
    world.audit()


def test_how_many_games_it_wanted_is_remembered() -> None:
    world = LadderWorld(["ada", "bob", "cy", "dee"])
    ada = world.join("ada", games=3, on=2)
    world.kill()
    world.resume(ada)
    for name in world.names[1:]:
        world.join(name, gives_up=never)
    world.play(5)
    assert ada.most == 2


def test_a_server_without_a_ladder_lets_the_games_end_and_waits_for_nobody_else() -> None:
    world = LadderWorld(["ada", "bob", "cy"])
    for name in world.names:
        world.join(name, thinks=5.0)
    world.play(2)
    (game,) = world.stage.server.tables
    names = {name.lower() for name in world.stage.server.tables[game].match.names}
    world.frames += world.stage.kept
    folded = fold(read_frames(HEADER + b"".join(world.frames)))
    lobby = Lobby({}, world.accounts)
    stage = Stage(
        world.settings, 9, lobby, None, Recovered(tuple(folded.running.values()), folded.players, {}, 9)
    )
    assert set(stage.server.players) == names
    world.stage, world._seen = stage, 0
    world._events.clear()
    for name in names:
        world.resume(world.bots[name])
    world.play(120)
    assert not stage.server.tables
    (record,) = world.finished()
    assert record["game"]["reason"] == "resigned" and record["rated"]["by"] == "ladder"
    heard = world.say(world.bots[min(names)], "ladder off")
    assert isinstance(heard[-1], wire.Error) and heard[-1].code == "unavailable"


def test_who_is_in_an_event_as_well_is_waited_for_as_long_as_for_that() -> None:
    world = LadderWorld(["ada"])
    ada = world.join("ada")
    club = world.lobby.club
    world.stage.server.step(
        lambda now: club.open("cup", ClubTerms("knockout", "standard"), now), world.stage.now
    )
    world.say(ada, "join cup")
    world.lose(ada)
    world.play(899)
    assert "ada" in world.stage.server.players
    world.play(2)
    assert "ada" not in world.stage.server.players
    limits = world.stage.server.counts.limits
    assert (limits["event_hold"], limits["reconnect_window"]) == (1, 0)
