"""Peers that say nothing, vanish or come too often: rows 23 to 27 and 34."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from tests.core.stage import Stage, answer_line, begin, play_on
from tests.core.world import Peer
from tyrusd.core.bans import Ban
from tyrusd.core.settings import DEFAULTS
from tyrusd.wire import Codec
from tyrusd.wire import messages as wire

TICK = 1e-6


def goodbye(peer: Peer) -> str | None:
    byes = peer.got(wire.Bye)
    return byes[-1].reason if byes else None


@pytest.mark.parametrize("trickle", [False, True])
def test_row_23_saying_no_hello_has_one_deadline_that_bytes_do_not_move(trickle: bool) -> None:
    stage = Stage()
    mover, other, game = begin(stage)
    peer = stage.connect()
    for _ in range(13):
        stage.wait(9)
        if trickle:
            peer.send_bytes(b"h")
        play_on(mover, other, game, 1)
    stage.wait(3 - TICK)
    assert goodbye(peer) is None
    stage.wait(2 * TICK)
    assert goodbye(peer) == "timeout" and peer.last(wire.Error).code == "timeout" and peer.closed
    assert game in stage.server.tables and not mover.closed


def test_row_23_five_hundred_slow_peers_hurt_nobody() -> None:
    stage = Stage()
    mover, other, game = begin(stage)
    slow = [stage.connect() for _ in range(500)]
    for _ in range(14):
        for peer in slow:
            if not peer.closed:
                peer.send_bytes(b"h")
        stage.wait(9)
        assert play_on(mover, other, game, 1) == 1
    assert all(goodbye(peer) == "timeout" for peer in slow)
    assert len(stage.server.sessions) == 2


def test_row_23_somebody_who_forgets_the_line_end_is_told_once() -> None:
    stage = Stage()
    peer = stage.connect()
    peer.send_bytes(b"hello 0.1 ada human")
    stage.wait(10 - TICK)
    assert not peer.got(wire.Notice)
    stage.wait(100)
    assert [notice.code for notice in peer.got(wire.Notice)] == ["end-lines-with-lf"]
    peer.send_bytes(b"\n")
    assert peer.got(wire.Welcome)


@pytest.mark.parametrize(("kind", "patience"), [("bot", 10.0), ("human", 120.0)])
def test_row_23_a_begun_line_has_a_deadline_that_its_bytes_do_not_move(kind: str, patience: float) -> None:
    stage = Stage()
    mover, other, game = begin(stage, (kind, kind), "clock=none cap=none")
    line = answer_line(mover, game).encode() + b"\n"
    mover.send_bytes(line[:1])
    stage.wait(patience / 2)
    mover.send_bytes(line[1:5])
    stage.wait(patience / 2 - TICK)
    assert goodbye(mover) is None
    stage.wait(2 * TICK)
    assert goodbye(mover) == "timeout"
    assert other.last(wire.Away).game == game


def test_row_23_each_line_has_a_deadline_of_its_own() -> None:
    """Somebody whose packets always end in the middle of a line is not too slow."""
    stage = Stage()
    peer = stage.join("ada", "bot")
    for _ in range(10):
        peer.send_bytes(b"ping x\npi")
        stage.wait(6)
        peer.send_bytes(b"ng x\npi")
        stage.wait(6)
        peer.send_bytes(b"ng y\n")
    assert len(peer.got(wire.Pong)) == 30 and goodbye(peer) is None
    stage.wait(29)
    assert not peer.got(wire.Ping)


def test_row_24_a_full_server_says_so_and_games_go_on() -> None:
    stage = Stage(replace(DEFAULTS, connections_total=3))
    mover, other, game = begin(stage)
    stage.connect()
    refused = stage.connect()
    assert goodbye(refused) == "busy" and refused.closed and len(refused.inbox) == 1
    assert play_on(mover, other, game, 12) == 12


def test_row_25_a_silent_bot_is_asked_and_then_taken_for_gone() -> None:
    stage = Stage()
    idle = stage.join("ada", "bot")
    stage.wait(30 - TICK)
    assert not idle.got(wire.Ping)
    stage.wait(2 * TICK)
    assert len(idle.got(wire.Ping)) == 1
    stage.wait(15 - 3 * TICK)
    assert goodbye(idle) is None
    stage.wait(4 * TICK)
    assert goodbye(idle) == "timeout" and stage.server.players == {}


@pytest.mark.parametrize("line", [b"pong alive\n", b"xyzzy\n", b"\n", b"p", b"who\n"])
@pytest.mark.parametrize("when", [0.001, 29.9, 30.0, 44.9])
def test_row_25_whatever_comes_counts_as_life(line: bytes, when: float) -> None:
    stage = Stage(replace(DEFAULTS, line_bot=1e6))
    peer = stage.join("ada", "bot")
    stage.wait(when)
    peer.send_bytes(line)
    peer.forget()
    stage.wait(30 - 0.01)
    assert not peer.got(wire.Ping) and goodbye(peer) is None
    stage.wait(0.02)
    assert len(peer.got(wire.Ping)) == 1
    stage.wait(15)
    assert goodbye(peer) == "timeout"


def test_row_25_people_and_debtors_are_never_asked() -> None:
    stage = Stage()
    stage.join("person", "human")
    mover, other, _ = begin(stage, terms="clock=3000+0 cap=none")
    stage.wait(44)
    assert len(other.got(wire.Ping)) == 1
    stage.wait(50)
    assert goodbye(other) == "timeout"
    for peer in stage.peers.values():
        assert peer is other or (not peer.got(wire.Ping) and goodbye(peer) is None)
    assert not mover.got(wire.Ping)


def test_row_25_a_debt_that_comes_after_the_question_cancels_it() -> None:
    stage = Stage()
    mover, other, game = begin(stage, terms="clock=3000+0 cap=none")
    stage.wait(40)
    assert len(other.got(wire.Ping)) == 1
    mover.say(answer_line(mover, game))
    stage.wait(100)
    assert goodbye(other) is None and len(other.got(wire.Ping)) == 1


@pytest.mark.parametrize("whose", ["own", "enemy"])
def test_f040_a_frozen_bot_loses_its_seat_in_either_turn(whose: str) -> None:
    """thelounge/thelounge#255: who vanished without a word stayed connected for ever."""
    stage = Stage()
    mover, other, game = begin(stage, terms="clock=300+0")
    frozen, awake = (mover, other) if whose == "own" else (other, mover)
    request = stage.server.tables[game].match.open_request
    for _ in range(10):  # the one who is awake does as it should, the other one nothing at all
        stage.wait(5)
        awake.say("pong alive")
    assert bool(frozen.got(wire.Ping)) is bool(awake.got(wire.Away)) is (whose == "enemy")
    match = stage.server.tables[game].match
    assert match.open_request == request and match.left_ms(stage.now) == 250_000
    for _ in range(60):
        stage.wait(5)
        awake.say("pong alive")
    over = awake.last(wire.Over)
    # In its own turn its clock is the limit, in the other's the window: it is the one that loses.
    assert (over.reason, over.detail) == (
        ("timeout", "clock") if whose == "own" else ("disconnected", "abandoned")
    )
    assert over.winner == awake.last(wire.Start).side and not awake.closed
    assert frozen.closed and len(stage.server.players) == 1


def test_f040_control_without_pings_a_frozen_bot_is_here_for_ever() -> None:
    """thelounge/thelounge#255: who vanished without a word stayed connected for ever."""
    stage = Stage(replace(DEFAULTS, ping_after=1e9))
    _, other, game = begin(stage, terms="clock=none cap=none")
    stage.wait(100_000)
    assert not other.closed and game in stage.server.tables


def test_row_25_moments_that_no_number_can_hold_do_not_stop_the_server() -> None:
    """Sums of times are rounded; a deadline that is met by a hair must not come up for ever."""
    chance = random.Random(25)
    for _ in range(300):
        stage = Stage()
        stage.now += chance.random() * 10**5
        peer = stage.join("ada", "bot")
        for _ in range(3):
            stage.wait(chance.random() * 30)
            peer.say("ping x")
        stage.wait(50)
        assert goodbye(peer) == "timeout"


def test_row_26_a_lost_player_has_a_window_and_everybody_is_told() -> None:
    stage = Stage()
    mover, other, game = begin(stage, ("human", "human"), "clock=1000+0")
    watcher = stage.join("cleo")
    watcher.say(f"watch {game}")
    other.lose("reset by peer")
    for peer in (mover, watcher):
        away = peer.last(wire.Away)
        assert (away.game, away.side, away.ms) == (game, other.last(wire.Start).side, 60_000)
    stage.wait(60 - TICK)
    assert game in stage.server.tables
    stage.wait(2 * TICK)
    over = mover.last(wire.Over)
    assert (over.reason, over.detail, over.winner) == (
        "disconnected", "abandoned", mover.last(wire.Start).side,
    )  # fmt: skip
    assert watcher.last(wire.Over) == over


def test_row_26_the_own_clock_runs_on_in_the_window() -> None:
    stage = Stage()
    mover, other, _ = begin(stage, terms="cap=5")
    mover.lose("reset")
    stage.wait(5.05 - TICK)
    assert not other.got(wire.Over)
    stage.wait(2 * TICK)
    assert other.last(wire.Over).reason == "timeout"
    assert stage.reads == []  # there is nothing to read any more


@pytest.mark.parametrize("first", ["mover", "other"])
@pytest.mark.parametrize("second_after", [0.0, 20.0, 59.9])
def test_row_27_when_both_have_left_at_the_first_deadline_nobody_has_won(
    first: str, second_after: float
) -> None:
    stage = Stage()
    pair = begin(stage, ("human", "human"), "clock=1000+0")
    watcher = stage.join("cleo")
    watcher.say(f"watch {pair.game}")
    one, two = (pair.mover, pair.other) if first == "mover" else (pair.other, pair.mover)
    one.lose()
    stage.wait(second_after)
    two.lose()
    stage.wait(60 - second_after - TICK)
    assert not watcher.got(wire.Over)
    stage.wait(2 * TICK)
    over = watcher.last(wire.Over)
    assert (over.reason, over.detail, over.winner) == ("void", "abandoned-both", "-")
    stage.wait(100)
    assert stage.server.players.keys() == {"cleo"}


def test_row_27_a_clock_can_be_the_first_deadline_too() -> None:
    stage = Stage()
    pair = begin(stage, terms="cap=5")
    watcher = stage.join("cleo")
    watcher.say(f"watch {pair.game}")
    pair.other.lose()
    pair.mover.lose()
    stage.wait(5.1)
    assert watcher.last(wire.Over).reason == "void"


def test_row_27_one_who_comes_back_before_the_deadline_wins() -> None:
    stage = Stage()
    pair = begin(stage, ("human", "human"), "clock=1000+0")
    secret = pair.other.last(wire.Welcome).secret
    pair.mover.lose()
    pair.other.lose()
    stage.wait(59)
    back = stage.connect()
    back.say(f"resume {secret}")
    stage.wait(2)
    assert back.last(wire.Over).reason == "disconnected"


@pytest.mark.parametrize("host", ["192.0.2.7", "2001:db8::7"])
def test_row_34_connections_are_counted_by_host(host: str) -> None:
    stage = Stage()
    peers = [stage.connect(host) for _ in range(33)]
    assert [goodbye(peer) for peer in peers] == [None] * 32 + ["busy"]
    assert goodbye(stage.connect("192.0.2.8")) is None
    peers[0].lose()
    assert goodbye(stage.connect(host)) is None
    assert goodbye(stage.connect(host)) == "busy"


def test_row_34_loopback_and_the_servers_own_programs_are_not_counted() -> None:
    stage = Stage(replace(DEFAULTS, connections_per_host=1))
    for host in ("127.0.0.1", "::1"):
        assert all(goodbye(stage.connect(host)) is None for _ in range(40))
    assert goodbye(stage.connect("pipe", Codec.FRAME, "pipe")) is None


def test_row_34_refused_connections_take_nobodys_place_while_they_close() -> None:
    stage = Stage(replace(DEFAULTS, connections_per_host=1, connections_total=3))
    stage.connect("192.0.2.7")
    stage.deaf.update(range(2, 52))
    for _ in range(50):
        assert stage.server.closing(stage.connect("192.0.2.7").number)
    assert len(stage.server.sessions) == 51
    assert goodbye(stage.connect("192.0.2.8")) is None
    assert goodbye(stage.connect("192.0.2.9")) is None
    assert goodbye(stage.connect("192.0.2.10")) == "busy"


@pytest.mark.parametrize("why", ["bans", "connections_per_host", "connections_total", "closing"])
def test_row_33_a_port_can_ask_before_it_spends_anything_whether_a_host_may_connect(why: str) -> None:
    stage = Stage(replace(DEFAULTS, connections_per_host=2, connections_total=4))
    stranger, server = "192.0.2.7", stage.server
    assert not server.turns_away(stranger, stage.now)
    if why == "bans":
        server.presence.bans.add(Ban(stranger, None))
    elif why == "closing":
        server.drain(stage.now, 30.0)
    else:
        for number in range(2 if why == "connections_per_host" else 4):
            stage.connect(stranger if why == "connections_per_host" else f"198.51.100.{number}")
    assert server.turns_away(stranger, stage.now)
    assert server.counts.limits[why] == (0 if why == "closing" else 1)
    assert stage.connect(stranger).last(wire.Bye).reason == ("kicked" if why == "bans" else "busy")


def test_row_54_a_port_is_open_while_there_are_games_to_come_back_to() -> None:
    stage = Stage()
    pair = begin(stage)
    stage.server.drain(stage.now, 30.0)
    assert not stage.server.turns_away("192.0.2.7", stage.now)
    pair.mover.say(f"resign {pair.game}")
    assert stage.server.turns_away("192.0.2.7", stage.now)
