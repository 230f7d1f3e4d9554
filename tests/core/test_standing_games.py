"""Games of the standing ladder: who gets one and when, what takes its room, and who is taken off."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.core.standing_world import Bot, LadderWorld, token
from tests.core.world import Peer
from tyrusd.core.settings import DEFAULTS
from tyrusd.league.club import ClubTerms
from tyrusd.wire import messages as wire


def never(game: int) -> int:
    """Give no game up."""
    return 99


def pair(**traits: Any) -> tuple[LadderWorld, Bot, Bot]:
    """Two bots on the ladder whose game has begun."""
    world = LadderWorld(["ada", "bob"])
    ada, bob = (world.join(name, **traits) for name in world.names)
    world.play(1.5)
    return world, ada, bob


def errors(heard: list[wire.Message | wire.Refusal]) -> list[str]:
    return [message.code for message in heard if isinstance(message, wire.Error)]


def notices(bot: Bot) -> list[str]:
    return [item.text for item in bot.heard if isinstance(item, wire.Notice) and item.code == "ladder"]


def person(world: LadderWorld, line: str) -> Peer:
    peer = world.stage.connect()
    peer.say("hello 0.1 someone human")
    peer.say(line)
    return peer


# -- a game ------------------------------------------------------------------------------------------------


def test_two_on_the_ladder_play_a_rated_game_on_its_clock() -> None:
    world, ada, bob = pair()
    (one,), (other,) = ada.starts, bob.starts
    assert one.game == other.game and {one.side, other.side} == {"I", "B"}
    assert (one.rated, one.clock, one.cap, one.variant) == ("yes", "60+0.5", "none", "standard")
    world.play(60)
    record = world.finished()[0]
    assert record["game"]["deal"]["opener"][0].upper() == one.opener == other.opener
    assert record["rated"] == {"ivory": None, "brown": None, "by": "ladder", "flags": []}


def test_without_a_clock_of_its_own_bots_get_theirs() -> None:
    world = LadderWorld(["ada", "bob"], control=None)
    bots = [world.join(name) for name in world.names]
    world.play(1.5)
    assert bots[0].starts[0].clock == "none" and bots[0].starts[0].cap == "60"


def test_nobody_plays_who_is_not_on_it() -> None:
    world = LadderWorld(["ada", "bob", "cy"])
    for name in world.names:
        world.join(name, on=name != "cy")
    world.play(60)
    assert not world.bots["cy"].starts and world.bots["ada"].starts


def test_who_leaves_the_ladder_plays_its_game_to_the_end_and_no_other() -> None:
    world, ada, bob = pair()
    assert not errors(world.say(ada, "ladder off"))
    world.play(60)
    assert len(ada.starts) == len(ada.overs) == len(bob.starts) == 1
    assert world.say(ada, "ladder off tag=9") == [wire.Ok("9", "ladder")]  # said again
    world.say(ada, "ladder on")
    world.play(20)
    assert len(ada.starts) >= 2


def test_versions_are_those_of_the_hello() -> None:
    world = LadderWorld(["ada", "bob"])
    world.join("ada", agent="deep/2.1")
    world.join("bob", agent="-")
    world.play(30)
    rated = world.finished()[0]["rated"]
    assert {rated["ivory"], rated["brown"]} == {"deep/2.1", None}


def test_one_owner_behind_both_plays_others_only() -> None:
    world = LadderWorld(["ada", "bob", "cy"], owners={"ada": "olga", "bob": "olga"})
    ada, bob = world.join("ada"), world.join("bob")
    world.play(60)
    assert not ada.starts and not bob.starts
    world.join("cy")
    world.play(200)
    assert set(world.audit()) == {"ada-cy", "bob-cy"}


@pytest.mark.parametrize(
    ("hosts", "flags"), [(("192.0.2.7", "192.0.2.7"), ["host"]), (("192.0.2.7", "192.0.2.8"), [])]
)
def test_two_from_one_host_play_and_that_is_recorded(hosts: tuple[str, str], flags: list[str]) -> None:
    world = LadderWorld(["ada", "bob"])
    for name, host in zip(world.names, hosts, strict=True):
        world.join(name, host=host)
    world.play(30)
    assert world.finished()[0]["rated"]["flags"] == flags


# -- room --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("most", [1, 2, 3])
def test_no_more_games_than_wanted(most: int) -> None:
    world = LadderWorld(["ada", "bob", "cy", "dee", "eve"])
    world.join("ada", on=most, games=3)
    for name in world.names[1:]:
        world.join(name)
    world.play(120)
    assert world.bots["ada"].most == most


def test_two_play_one_game_with_each_other_at_a_time() -> None:
    world, ada, bob = pair(games=5)
    world.play(60)
    assert ada.most == bob.most == 1 and len(ada.starts) > 2


def test_coming_back_with_fewer_games_is_kept_to() -> None:
    world = LadderWorld(["ada", "bob", "cy", "dee"])
    ada = world.join("ada", games=3)
    world.lose(ada)
    ada.games = 1
    world.log_in(ada)
    for name in world.names[1:]:
        world.join(name)
    world.play(100)
    assert ada.most == 1 and len(ada.starts) > 3


def seek(world: LadderWorld, ada: Bot) -> None:
    assert not errors(world.say(ada, "seek variant=replay-ties"))


def offer(world: LadderWorld, ada: Bot) -> None:
    guest = world.stage.connect()
    guest.say("hello 0.1 guest human")
    assert not errors(world.say(ada, "challenge guest"))


def called(world: LadderWorld, ada: Bot) -> None:
    """To a game of an event whose other player is away."""
    club = world.lobby.club
    world.stage.server.step(
        lambda now: club.open("cup", ClubTerms("knockout", "standard"), now), world.stage.now
    )
    world.say(ada, "join cup")
    other = person(world, "join cup")
    other.lose()
    world.stage.server.step(lambda now: club.do("start", "cup", None, now), world.stage.now)
    world.stage.run()
    world.look()


def playing(world: LadderWorld, ada: Bot) -> None:
    person(world, "seek clock=none cap=none")
    assert not errors(world.say(ada, "play someone clock=none cap=none"))


@pytest.mark.parametrize("waits", [seek, offer, called, playing])
@pytest.mark.parametrize("games", [1, 2])
def test_what_is_waited_for_elsewhere_takes_its_room(
    waits: Callable[[LadderWorld, Bot], None], games: int
) -> None:
    world = LadderWorld(["ada", "bob", "cy"])
    ada = world.join("ada", games=games, gives_up=never, thinks=50.0)
    waits(world, ada)
    world.play(0.2)  # ada waits longest
    world.join("bob", gives_up=never, thinks=50.0)
    world.join("cy", gives_up=never, thinks=50.0)
    world.play(20)
    assert len([start for start in ada.starts if start.rated == "yes"]) == games - 1


def test_seeks_and_challenges_work_beside_the_ladder() -> None:
    world = LadderWorld(["ada", "bob", "cy"])
    for name in world.names:
        world.join(name, games=2, on=1)
    world.play(30)
    assert not errors(world.say(world.bots["ada"], "seek"))
    assert not errors(world.say(world.bots["bob"], "play ada"))
    assert world.bots["ada"].starts[-1].rated == "no"
    world.play(100)
    rated = [start.rated for start in world.bots["ada"].starts]
    assert rated.count("no") == 1 and rated.count("yes") > 2
    assert all(bot.most <= 2 for bot in world.bots.values())
    world.audit()


def test_a_rated_game_of_the_lobby_changes_no_balance_of_the_ladder() -> None:
    world = LadderWorld(["ada", "bob"])
    ada, bob = world.join("ada", on=False), world.join("bob", on=False)
    world.say(ada, "seek rated=yes side=I")
    world.say(bob, "play ada rated=yes side=B")
    world.play(60)
    assert ada.overs and not world.finished()
    assert world.standing.book.balances("ada") == (0, 0)


def test_a_check_and_the_ladder_exclude_each_other() -> None:
    world = LadderWorld(["ada"])
    ada = world.join("ada")
    assert errors(world.say(ada, "check")) == ["unavailable"]
    world.say(ada, "ladder off")
    world.say(ada, "check")
    assert errors(world.say(ada, "ladder on")) == ["unavailable"]


def test_a_full_server_pairs_nobody() -> None:
    world = LadderWorld([f"bot{number}" for number in range(8)], settings=replace(DEFAULTS, games_total=2))
    for name in world.names:
        world.join(name, gives_up=never, thinks=100.0)
    world.play(50)
    assert len(world.stage.server.tables) == 2


# -- no game may begin -------------------------------------------------------------------------------------


def test_no_game_begins_while_the_operator_pauses_and_at_once_when_he_goes_on() -> None:
    world = LadderWorld(["ada", "bob"])
    world.lobby.paused = True
    ada, _ = world.join("ada"), world.join("bob")
    world.play(100)
    assert not ada.starts
    world.lobby.paused = False
    world.play(1.0)
    assert len(ada.starts) == 1


def test_no_game_begins_while_results_cannot_be_stored() -> None:
    world = LadderWorld(["ada", "bob", "cy", "dee"])
    ada, bob = world.join("ada"), world.join("bob")
    world.play(1.5)
    world.stage.failing = 30
    world.play(15)
    assert not ada.overs and world.stage.server.storing.troubled
    cy, dee = world.join("cy"), world.join("dee")
    world.play(5)
    assert not cy.starts and not dee.starts
    world.play(60)
    assert cy.starts and dee.starts and ada.overs and bob.overs
    world.audit()


def test_no_game_begins_while_the_server_closes() -> None:
    world = LadderWorld(["ada", "bob", "cy"])
    for name in world.names:
        world.join(name, gives_up=never, thinks=0.01)
    world.play(1.5)
    world.stage.server.drain(world.stage.now, 20.0)
    world.stage.run()
    world.look()
    assert errors(world.say(world.bots["ada"], "ladder on")) in (["shutdown"], [])
    world.play(19)
    assert sum(len(bot.starts) for bot in world.bots.values()) == 2


def test_a_key_is_told_to_nobody() -> None:
    world, ada, bob = pair()
    world.play(60)
    told = " ".join(map(repr, [*ada.heard, *bob.heard])) + repr(world.records())
    assert token("ada") not in told
