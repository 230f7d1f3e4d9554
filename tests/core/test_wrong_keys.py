"""Who comes to the seat of a match without its key: what he is told, and what the operator is told."""

from __future__ import annotations

from tests.core.match_world import MatchWorld, entry, schedule
from tests.core.world import Peer
from tyrusd.core.requests import Knocked
from tyrusd.wire import messages as wire

KEY = "k" * 43


def seats(wait: float = 60.0) -> MatchWorld:
    return MatchWorld(schedule(entry("one", "tcp", KEY), entry("two", "tcp", KEY + "2"), games=2, wait=wait))


def come(world: MatchWorld, line: str) -> Peer:
    peer = world.connect()
    peer.say(line)
    return peer


def knocks(world: MatchWorld) -> list[str]:
    return [item.sentence for item in world.news if isinstance(item, Knocked)]


def test_a_missing_and_a_wrong_key_get_sentences_of_their_own() -> None:
    world = seats()
    assert "wants key=" in come(world, "hello 0.1 x bot").last(wire.Error).text
    for key in ("x" + KEY[1:], KEY[:-1]):
        error = come(world, f"hello 0.1 x bot key={key}").last(wire.Error)
        assert error.code == "auth" and "This key opens no seat" in error.text


def test_the_operator_is_told_at_most_once_a_minute() -> None:
    world = seats(wait=1000.0)
    come(world, "hello 0.1 x bot")
    come(world, "hello 0.1 x bot key=wrong")
    world.wait(59.9)
    come(world, "hello 0.1 x bot key=wrong")
    without = "somebody came from 127.0.0.1 without a key for a seat"
    assert knocks(world) == [without]
    world.wait(0.2)
    assert come(world, f"hello 0.1 x bot key={KEY}").got(wire.Welcome)
    assert knocks(world) == [without]
    come(world, f"hello 0.1 x bot key={KEY[1:]}")
    assert knocks(world) == [without, "somebody came from 127.0.0.1 with a wrong key for a seat"]


def test_the_key_decides_the_seat_and_name_and_kind_only_have_their_form() -> None:
    world = seats()
    peer = come(world, f"hello 0.1 two human key={KEY}")
    assert (peer.last(wire.Welcome).name, peer.last(wire.Welcome).kind) == ("one", "human")
    other = come(world, f"hello 0.1 a/b bot key={KEY}2\nhello 0.1 one robot key={KEY}2")
    assert [error.code for error in other.got(wire.Error)] == ["name", "syntax"]
    other.say(f"hello 0.1 one bot key={KEY}2")
    assert other.last(wire.Welcome).name == "two"


def test_a_key_takes_its_seat_back_also_from_a_connection_that_stands_still() -> None:
    world = seats()
    first = come(world, f"hello 0.1 one bot key={KEY}")
    come(world, f"hello 0.1 two bot key={KEY}2")
    game = first.last(wire.Start)
    again = come(world, f"hello 0.1 one bot key={KEY} want=events tag=k")
    assert first.last(wire.Bye).reason == "replaced"
    assert again.last(wire.Start) == game and again.last(wire.Ok).tag == "k"
    assert again.last(wire.Welcome).want == ("events",) and again.got(wire.Snapshot)
    assert knocks(world) == []
    again.lose("reset")
    third = come(world, f"hello 0.1 one bot key={KEY}")
    assert third.last(wire.Start) == game and world.halted is None


def test_a_seat_may_have_a_name_that_a_guest_of_a_lobby_may_not() -> None:
    world = MatchWorld(schedule(entry("B", "tcp", KEY), entry("I", "tcp", KEY + "2"), games=1))
    assert come(world, f"hello 0.1 me bot key={KEY}").last(wire.Welcome).name == "B"
    assert come(world, f"hello 0.1 me bot key={KEY}2").last(wire.Start).enemy == "B"
