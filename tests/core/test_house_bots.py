"""The bots of the server itself: started when they are wanted, excused when they do not come; their ends."""

from __future__ import annotations

import tracemalloc

import pytest

from tests.core.stage import Stage
from tests.core.world import Peer
from tyrusd.core.lobby import Lobby
from tyrusd.core.requests import BotFailed, StartBot, StopBot
from tyrusd.core.seatspec import SeatSpec
from tyrusd.wire import Codec
from tyrusd.wire import messages as wire

HOUSES = {"house": SeatSpec("plugin", "house"), "Second": SeatSpec("exec", "./second")}


def codes(peer: Peer) -> list[str]:
    return [error.code for error in peer.got(wire.Error)]


def with_houses() -> Stage:
    return Stage(lobby=Lobby(HOUSES))


def starts(stage: Stage) -> list[StartBot]:
    return [request for request in stage.requests if isinstance(request, StartBot)]


def come(stage: Stage, request: StartBot, games: int = 1, codec: Codec = Codec.LINE) -> Peer:
    """Let a house bot connect and say hello."""
    peer = stage.connect("pipe", codec, "pipe", request.id)
    peer.send(wire.Hello(version="0.1", name="whatever", kind="human", games=games))
    return peer


def test_a_house_bot_is_started_when_it_is_wanted_and_stays() -> None:
    stage = with_houses()
    ada, bob = stage.join("ada"), stage.join("bob")
    ada.say("play HOUSE side=I tag=p\nplay house")
    assert (ada.last(wire.Ok).tag, codes(ada)) == ("p", ["unavailable"])
    (request,) = starts(stage)
    assert (request.name, request.seat) == ("house", HOUSES["house"])
    house = come(stage, request, games=2, codec=Codec.FRAME)
    assert house.last(wire.Welcome).name == "house" and house.last(wire.Welcome).kind == "bot"
    start = ada.last(wire.Start)
    assert (start.side, start.enemy, house.last(wire.Start).lenient) == ("I", "house", 2)
    bob.say("play house")
    assert bob.got(wire.Start)
    stage.join("cleo").say("play house")
    assert codes(stage.peers[4]) == ["unavailable"] and len(starts(stage)) == 1
    house.send(wire.Who())
    assert house.last(wire.Error).code == "state"


def test_all_who_wait_for_a_house_bot_get_their_game_or_are_told() -> None:
    stage = with_houses()
    waiting = [stage.join(f"w{number}") for number in range(4)]
    for peer in waiting:
        peer.say("play house")
    waiting[1].lose()
    waiting[2].say("play Second")
    come(stage, starts(stage)[1])
    come(stage, starts(stage)[0])
    assert [len(peer.got(wire.Start)) for peer in waiting] == [1, 0, 1, 0]
    assert waiting[2].last(wire.Start).enemy == "Second"
    assert codes(waiting[2]) == codes(waiting[3]) == ["unavailable"]


@pytest.mark.parametrize("how", ["fails", "dies", "is slow", "is rude"])
def test_a_house_bot_that_does_not_come_is_excused(how: str) -> None:
    stage = with_houses()
    ada = stage.join("ada")
    ada.say("play house")
    (request,) = starts(stage)
    if how == "fails":
        stage.server.answer(BotFailed(request.id, "no such file\x1b[2J\n" + "x" * 5000), stage.now)
        stage.run()
    elif how == "dies":
        stage.connect("pipe", Codec.LINE, "pipe", request.id).lose("exit status 1", "\n\x1b[31mboom\u2028\n")
    elif how == "is rude":
        rude = stage.connect("pipe", Codec.LINE, "pipe", request.id)
        rude.say("hello 9.0 x bot")
        assert rude.last(wire.Bye).reason == "version"
    else:
        stage.wait(11)
    assert codes(ada) == ["unavailable"] and ada.last(wire.Error).re == "play"
    assert ada.last(wire.Error).text.startswith("house cannot play now: ")
    assert stage.server.bots == {}
    assert len([stop for stop in stage.requests if isinstance(stop, StopBot)]) == (0 if how == "fails" else 1)
    ada.say("play house")
    come(stage, starts(stage)[1])
    assert ada.got(wire.Start)


def test_a_house_bot_that_crashes_loses_and_is_started_anew() -> None:
    stage = with_houses()
    ada = stage.join("ada")
    ada.say("play house")
    house = come(stage, starts(stage)[0])
    stage.store_at_once = False
    house.lose("killed by signal 9", "out of memory")
    ada.say("cancel\nplay house")
    assert codes(ada) == ["unavailable", "too-many-games"]
    bob = stage.join("bob")
    bob.say("play house")
    assert codes(bob) == ["unavailable"]
    stage.store_at_once = True
    stage.wait(31)
    over = ada.last(wire.Over)
    assert (over.reason, over.detail) == ("crashed", "killed-by-signal-9")
    bob.say("play house")
    come(stage, starts(stage)[1])
    assert bob.got(wire.Start)


@pytest.mark.parametrize(
    ("end", "reason", "detail"),
    [("input", "crashed", "end-of-input"), ("quit", "crashed", "end-of-input"),
     ("garbage", "protocol", "error-budget"), ("long", "protocol", "line-too-long"),
     ("flood", "protocol", "slow-down"), ("deaf", "protocol", "too-slow"),
     ("hang", "protocol", "unfinished-line")],
)  # fmt: skip
def test_however_a_program_ends_its_game_has_a_reason(end: str, reason: str, detail: str) -> None:
    stage = with_houses()
    ada = stage.join("ada")
    ada.say("play house clock=1000+0")
    house = come(stage, starts(stage)[0])
    if end == "input":
        stage.server.end_of_input(house.number, stage.now)
        stage.run()
    elif end == "quit":
        house.say("quit")
    elif end == "garbage":
        house.say("xyzzy\n" * 25)
    elif end == "long":
        house.send_bytes(b"x" * 600)
    elif end == "flood":
        house.send_bytes(b"ping x\n" * 9000)
    elif end == "deaf":
        stage.deaf.add(house.number)
        house.say("ping x")
    else:
        house.send_bytes(b"plac")
    stage.wait(12)
    over = ada.last(wire.Over)
    assert (over.reason, over.detail, over.winner) == (reason, detail, ada.last(wire.Start).side)
    assert [stop for stop in stage.requests if isinstance(stop, StopBot)] == [StopBot(starts(stage)[0].id)]


@pytest.mark.parametrize("frame", [b"\x00\x00\x00\x01\xc1", b"\xff\xff\xff\xff", b"\x00\x00\x00\x00"])
def test_a_broken_frame_ends_a_program(frame: bytes) -> None:
    stage = with_houses()
    ada = stage.join("ada")
    ada.say("play house clock=1000+0")
    house = come(stage, starts(stage)[0], codec=Codec.FRAME)
    house.send_bytes(frame)
    assert ada.last(wire.Over).reason == "protocol"


@pytest.mark.parametrize("first", [0xC6, 0xDD, 0xDB, 0xDF, 0xC9])
@pytest.mark.parametrize("inside", [False, True], ids=["as its length", "as its content"])
def test_f088_a_frame_that_asks_for_gigabytes_ends_its_program_only(first: int, inside: bool) -> None:
    """msgpack/msgpack-python#55, borgbackup/borg#2139: five bytes made a reader ask for four gigabytes."""
    stage = with_houses()
    ada = stage.join("ada")
    ada.say("play house clock=1000+0")
    house = come(stage, starts(stage)[0], codec=Codec.FRAME)
    other = stage.join("cleo")
    hostile = bytes([first, 255, 255, 255, 255])
    tracemalloc.start()
    try:
        house.send_bytes((5).to_bytes(4, "big") + hostile if inside else hostile)
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()
    over = ada.last(wire.Over)
    assert (over.winner, over.reason) == (ada.last(wire.Start).side, "protocol")
    assert StopBot(starts(stage)[0].id) in stage.requests
    assert not other.got(wire.Bye) and not ada.got(wire.Bye)
