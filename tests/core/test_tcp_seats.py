"""Seats of a match that peers take with a key: in time, and again after a lost connection."""

from __future__ import annotations

import pytest

from tests.core.match_world import MatchWorld, entry, first_time, schedule, well
from tests.core.world import Peer
from tyrusd.core.requests import Finished, GameOver, Halted
from tyrusd.wire import messages as wire

KEY = "k" * 43


def tcp_world(games: int = 2, wait: float = 60.0, two_tcp: bool = False) -> MatchWorld:
    two = entry("two", "tcp", KEY + "2") if two_tcp else entry("two")
    return MatchWorld(schedule(entry("one", "tcp", KEY), two, games=games, wait=wait))


def come(world: MatchWorld, key: str | None = KEY, name: str = "whoever", extra: str = "") -> Peer:
    peer = world.connect()
    peer.say(f"hello 0.1 {name} bot {extra}".strip() + (f" key={key}" if key else ""))
    return peer


def test_a_tcp_seat_is_taken_with_its_key() -> None:
    world = tcp_world()
    for key in (None, "x" + KEY[1:], KEY[:-1]):
        stranger = come(world, key)
        assert stranger.last(wire.Error).code == "auth" and not stranger.got(wire.Welcome)
    peer = come(world)
    assert peer.last(wire.Welcome).name == "one"
    world.play()
    assert len(world.results) == 2 and peer.last(wire.Bye).reason == "bye"


def test_two_tcp_seats_have_two_keys() -> None:
    world = tcp_world(two_tcp=True)
    two, one = come(world, KEY + "2"), come(world)
    assert (one.last(wire.Welcome).name, two.last(wire.Welcome).name) == ("one", "two")
    world.play()
    assert len(world.results) == 2 and world.started == []


@pytest.mark.parametrize(("seconds", "waits"), [(59.999, True), (60.001, False)])
def test_a_tcp_seat_that_nobody_takes_in_time_halts_the_match(seconds: float, waits: bool) -> None:
    world = tcp_world()
    world.wait(seconds)
    assert (world.halted is None) is waits
    if waits:
        come(world)
        world.play()
        assert len(world.results) == 2 and world.halted is None
        world.wait(100)
        assert world.halted is None
    else:
        assert world.halted == "nobody took the seat one with its key within 60 s"


def test_a_tcp_peer_may_come_back_between_its_games_too() -> None:
    world = tcp_world(two_tcp=True)
    one = come(world)
    one.lose("reset")
    world.wait(50)
    assert world.halted is None
    back = world.connect()
    back.say(f"resume {one.last(wire.Welcome).secret}")
    assert back.last(wire.Welcome).name == "one"
    come(world, KEY + "2")
    world.play()
    assert len(world.results) == 2 and world.halted is None


def test_a_tcp_peer_that_does_not_come_back_halts_the_match() -> None:
    world = tcp_world(two_tcp=True)
    one = come(world)
    world.schedule.wait = 20.0
    one.lose("reset")
    world.wait(20 - 0.001)
    assert world.halted is None
    world.wait(0.002)
    assert world.halted == "one has left the match and did not come back"
    assert [type(item).__name__ for item in world.news] == ["Halted", "Finished"]


def test_a_tcp_peer_that_stays_away_from_its_game_loses_it_and_halts_the_match() -> None:
    world = tcp_world(two_tcp=True)
    one = come(world)
    come(world, KEY + "2")
    world.play(3)
    one.lose("reset")
    world.wait(60.1)
    assert world.halted == "one has left the match and did not come back"
    assert isinstance(world.news[-1], Finished)
    assert [game["reason"] for game in world.results] == ["disconnected"]


def test_a_halted_match_aborts_what_is_running_and_then_says_it_is_done() -> None:
    world = MatchWorld(
        schedule(entry("one", "tcp", KEY), games=9, concurrency=2, wait=5.0), behave=first_time(well)
    )
    come(world, extra="games=2")
    world.play(4)
    assert len(world.server.tables) == 2
    world.store_at_once = False
    world.schedule._halt("somebody pulled the plug", world.now)
    world.schedule._halt("and again", world.now)
    world.run()
    assert [type(item).__name__ for item in world.news] == ["Halted"]
    late = come(world, "k")
    assert late.last(wire.Error).code == "auth"
    world.store_at_once = True
    world.wait(40)
    told = [type(item) for item in world.news if isinstance(item, Halted | GameOver | Finished)]
    assert told == [Halted, GameOver, GameOver, Finished]
    assert {(game["reason"], game["detail"]) for game in world.results} == {("aborted", "match-halted")}
    assert world.server.finished


@pytest.mark.parametrize("verb", ["who", "games", "seek", "play one", "cancel", "watch g1", "unwatch g1"])
def test_a_match_has_no_lobby(verb: str) -> None:
    world = tcp_world(two_tcp=True)
    peer = come(world)
    peer.say(verb)
    assert peer.last(wire.Error).code == "state" and "seat of a match" in peer.last(wire.Error).text
