"""A ladder's seats for bots that come by themselves, with a key that opens one of them."""

from __future__ import annotations

import pytest

from tests.core.crew_world import CrewWorld, bot, crew, task
from tests.core.world import Peer
from tyrusd.core.requests import Knocked, PairDone, Unready
from tyrusd.league.clock import TimeControl
from tyrusd.wire import messages as wire

KEY = "k" * 43
PATIENT = TimeControl.parse("none", "none")
BOTS = (bot("far", "tcp", PATIENT, KEY), bot("one", control=PATIENT), bot("two"))


def come(world: CrewWorld, key: str | None = KEY, extra: str = "") -> Peer:
    peer = world.connect()
    peer.say(f"hello 0.1 whoever bot {extra}".strip() + (f" key={key}" if key else ""))
    return peer


def back(world: CrewWorld, peer: Peer) -> Peer:
    again = world.connect()
    again.say(f"resume {peer.last(wire.Welcome).secret}")
    return again


@pytest.mark.parametrize("early", [False, True])
@pytest.mark.parametrize("games", [1, 5])
@pytest.mark.parametrize("concurrency", [1, 4])
def test_a_seat_is_taken_with_its_key_and_plays_both_games(early: bool, games: int, concurrency: int) -> None:
    world = CrewWorld(crew(BOTS, concurrency))
    for key in (None, "x" + KEY[1:], KEY[:-1]):
        stranger = come(world, key)
        assert stranger.last(wire.Error).code == "auth" and not stranger.got(wire.Welcome)
    assert "ladder" in "".join(error.text for peer in world.peers.values() for error in peer.got(wire.Error))
    assert sum(isinstance(item, Knocked) for item in world.news) == 1
    if not early:
        world.give(task(1, "far", "one"), task(2, "two", "far"))
        assert world.crew.running == 0
    peer = come(world, extra=f"games={games}")
    assert peer.last(wire.Welcome).name == "far"
    if early:
        world.give(task(1, "far", "one"), task(2, "two", "far"))
    world.finish()
    world.play_all()
    assert [start.game for start in peer.got(wire.Start)].count("p1-2") == 1
    assert sorted(world.ends) == [PairDone(1, 1), PairDone(2, 1)] and len(world.played) == 4
    assert peer.last(wire.Bye).reason == "bye" and world.server.finished
    assert world.most == (1 if concurrency == 1 or games == 1 else 4)


def test_a_seat_that_nobody_takes_voids_one_pair_after_the_other() -> None:
    world = CrewWorld(crew(BOTS, 4, wait=60.0))
    world.give(task(1, "far", "one"), task(2, "two", "far"), task(3, "one", "two"))
    world.play()
    assert [game.place.pair for game in world.played] == [3, 3]
    world.wait(59.999)
    assert world.ends == [PairDone(3, 1)]
    world.wait(0.001)
    why = "nobody took the seat far with its key within 60 s"
    assert world.ends[1:] == [Unready(1, 1, "far", why)]
    world.wait(59.999)
    assert len(world.ends) == 2
    come(world)
    world.play_all()
    assert world.ends[2:] == [PairDone(2, 1)]


def test_a_seat_is_waited_for_however_busy_the_others_are() -> None:
    """With one game at a time the pair of the missing bot is looked at between the games of others only."""
    world = CrewWorld(crew(BOTS, 1, wait=60.0))
    world.give(task(1, "far", "one"), *[task(pair, "one", "two") for pair in range(2, 20)])
    while not any(isinstance(item, Unready) for item in world.ends):
        world.play(50)
        world.wait(5)
        assert world.now <= 1000 + 66
    assert world.crew.outstanding


def test_a_pair_that_is_given_back_is_not_waited_for() -> None:
    world = CrewWorld(crew(BOTS, 1, wait=60.0))
    world.give(task(1, "far", "one"))
    world.wait(50)
    world.crew.withdraw(world.now)
    world.run()
    world.wait(1)
    assert len(world.server.timers) == 0
    world.give(task(2, "far", "one"))
    world.wait(59.9)
    assert world.ends == []
    world.wait(0.1)
    assert [type(item).__name__ for item in world.ends] == ["Unready"]


def test_a_bot_may_come_back_in_a_game_and_between_games() -> None:
    world = CrewWorld(crew(BOTS))
    peer = come(world)
    peer.lose("reset")
    world.give(task(1, "far", "one"))
    assert world.crew.running == 0 and "p1-1" not in world.server.tables
    world.wait(50)
    peer = back(world, peer)
    assert world.crew.running == 0  # its enemy's program starts only now
    world.play(5)
    peer.lose("reset")
    peer = back(world, peer)
    world.asked += [(peer, choose) for choose in peer.got(wire.Choose)]
    world.play_all()
    assert world.ends == [PairDone(1, 1)] and all(game.at_fault is None for game in world.played)


def test_a_bot_that_leaves_in_a_game_loses_it_and_may_come_again_for_the_next() -> None:
    world = CrewWorld(crew(BOTS, wait=30.0))
    peer = come(world)
    world.give(task(1, "far", "one"), task(2, "one", "two"), task(3, "two", "far"))
    world.play(5)
    peer.lose("reset")
    world.play()
    world.wait(59.9)
    assert world.played == []
    world.wait(0.1)
    assert [(game.reason, game.at_fault) for game in world.played] == [("disconnected", "far")]
    world.play_all()
    why = "nobody took the seat far with its key within 30 s"
    world.wait(30.0)
    world.wait(30.0)
    void: list[PairDone | Unready] = [Unready(1, 1, "far", why), PairDone(2, 1), Unready(3, 1, "far", why)]
    assert sorted(world.ends, key=lambda item: item.pair) == void
    world.give(task(4, "far", "two"))
    again = come(world)  # it was started anew, and has nothing but its key
    world.asked += [(again, choose) for choose in again.got(wire.Choose)]
    world.play_all()
    assert world.ends[-1] == PairDone(4, 1) and world.server.sealed == set()


def test_a_bot_that_leaves_between_games_is_waited_for_and_then_gone() -> None:
    world = CrewWorld(crew(BOTS, wait=30.0))
    peer = come(world)
    peer.say("quit")
    assert peer.closed
    world.give(task(1, "far", "one"))
    world.wait(29.9)
    assert world.ends == []
    world.wait(30.2)
    assert world.ends == [Unready(1, 1, "far", "nobody took the seat far with its key within 30 s")]
    world.finish()
    world.wait(2)
    assert world.crew.done and len(world.server.timers) == 0 and world.server.players == {}


def test_two_bots_from_afar_need_no_program() -> None:
    world = CrewWorld(crew((bot("far", "tcp", key=KEY), bot("off", "tcp", key=KEY[::-1] + "2")), 2))
    come(world), come(world, KEY[::-1] + "2", "games=2")
    world.give(task(1, "far", "off"))
    world.play_all()
    assert world.ends == [PairDone(1, 1)] and world.started == []
