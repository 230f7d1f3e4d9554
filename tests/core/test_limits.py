"""Limits at one below, at, and one above; docs/limits.md has all of them, each with its test."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.core.stage import Stage, again, begin
from tests.core.world import Peer
from tyrusd.core.lobby import Lobby
from tyrusd.core.requests import StartBot, StopBot
from tyrusd.core.seatspec import SeatSpec
from tyrusd.core.settings import DEFAULTS
from tyrusd.wire import Codec
from tyrusd.wire import messages as wire

TICK = 1e-6


def goodbye(peer: Peer) -> str | None:
    byes = peer.got(wire.Bye)
    return byes[-1].reason if byes else None


def codes(peer: Peer) -> list[str]:
    return [error.code for error in peer.got(wire.Error)]


@pytest.mark.parametrize(("here", "room"), [(2, True), (3, False), (4, False)])
def test_limit_connections_total(here: int, room: bool) -> None:
    stage = Stage(replace(DEFAULTS, connections_total=3))
    for number in range(here):
        stage.connect(f"192.0.2.{number}")
    assert (goodbye(stage.connect("192.0.2.99")) is None) is room


@pytest.mark.parametrize(("seconds", "there"), [(10 - TICK, True), (10, False), (10 + TICK, False)])
def test_limit_hello_pipe(seconds: float, there: bool) -> None:
    stage = Stage(replace(DEFAULTS, bot_start=1000.0), lobby=Lobby({"house": SeatSpec("plugin", "house")}))
    stage.join("ada").say("play house")
    (start,) = [request for request in stage.requests if isinstance(request, StartBot)]
    pipe = stage.connect("pipe", Codec.LINE, "pipe", start.id)
    stage.wait(seconds)
    assert (goodbye(pipe) is None) is there and not pipe.got(wire.Notice)
    assert pipe.last(wire.Greeting).hello == 10_000


@pytest.mark.parametrize(("seconds", "told"), [(10 - TICK, 0), (10, 1), (10 + TICK, 1), (119, 1)])
@pytest.mark.parametrize("said", [b"", b"hello 0.1 ada"])
def test_limit_advisory(seconds: float, told: int, said: bytes) -> None:
    stage = Stage()
    peer = stage.connect()
    if said:
        peer.send_bytes(said)
    stage.wait(seconds)
    assert len(peer.got(wire.Notice)) == told


@pytest.mark.parametrize(("errors", "there"), [(2, True), (3, True), (4, False)])
def test_limit_early_errors(errors: int, there: bool) -> None:
    peer = Stage().connect()
    peer.say("\n".join(["xyzzy"] * errors))
    assert len(peer.got(wire.Error)) == errors and (goodbye(peer) is None) is there


@pytest.mark.parametrize(("lines", "reading"), [(62, True), (63, True), (64, False)])
def test_limit_lines_burst(lines: int, reading: bool) -> None:
    """60 lines and one for each declared game."""
    stage = Stage()
    peer = stage.join("ada", "bot", "games=3")
    peer.send_bytes(b"ping x\n" * lines)
    assert stage.server.reading(peer.number) is reading
    assert len(peer.got(wire.Pong)) == min(lines, 63)


@pytest.mark.parametrize(("a_second", "reading"), [(19, True), (20, True), (21, False)])
def test_limit_lines_per_second(a_second: int, reading: bool) -> None:
    stage = Stage()
    peer = stage.join("ada")
    always = True
    for _ in range(100):
        peer.send_bytes(b"ping x\n" * a_second)
        always = always and stage.server.reading(peer.number)
        stage.wait(1)
    assert always is reading and goodbye(peer) == (None if reading else "slow-down")


@pytest.mark.parametrize(("bursts", "there"), [(2, True), (3, True), (4, False)])
def test_limit_flood_strikes(bursts: int, there: bool) -> None:
    """A peer is not read for a second each time its lines are used up, and the fourth time it has to go."""
    stage = Stage()
    peer = stage.join("ada")
    peer.send_bytes(b"ping x\n" * (61 + 20 * (bursts - 1) + 1))
    for _ in range(10):
        stage.wait(1)
    assert (goodbye(peer) is None) is there
    stage.wait(15)
    if there:  # calm has made all well again
        peer.send_bytes(b"ping x\n" * (61 + 20 * 2 + 1))
        stage.wait(10)
        assert goodbye(peer) is None


@pytest.mark.parametrize(("errors", "there"), [(19, True), (20, True), (21, False)])
def test_limit_error_budget(errors: int, there: bool) -> None:
    peer = Stage().join("ada")
    peer.say("\n".join(["xyzzy"] * errors))
    assert len(peer.got(wire.Error)) == errors and (goodbye(peer) is None) is there


@pytest.mark.parametrize(("seconds", "there"), [(60 - TICK, False), (60, True), (60 + TICK, True)])
def test_limit_error_refill(seconds: float, there: bool) -> None:
    stage = Stage()
    peer = stage.join("ada")
    peer.say("\n".join(["xyzzy"] * 20))
    stage.wait(seconds)
    peer.say("xyzzy")
    assert (goodbye(peer) is None) is there


@pytest.mark.parametrize(("declared", "allowed"), [(1, 1), (255, 255), (256, 256)])
def test_limit_games_per_connection(declared: int, allowed: int) -> None:
    stage = Stage()
    peer = stage.join("ada", "bot", f"games={declared}")
    assert peer.last(wire.Welcome).games == allowed
    other = Stage(replace(DEFAULTS, games_per_connection=7))
    assert other.connect().last(wire.Greeting).games == 7
    assert other.join("ada", "bot", f"games={declared}").last(wire.Welcome).games == min(declared, 7)


def test_limit_games_per_connection_is_the_highest_there_is() -> None:
    peer = Stage().connect()
    peer.say("hello 0.1 ada bot games=257")
    assert codes(peer) == ["syntax"]


@pytest.mark.parametrize("declared", [1, 2, 5])
def test_limit_of_declared_games_is_never_exceeded(declared: int) -> None:
    stage = Stage()
    ada, bob = stage.join("ada", "bot", f"games={declared}"), stage.join("bob", "bot", "games=9")
    for number in range(1, declared + 2):
        bob.say("seek")
        ada.say("play bob")
        assert len(ada.got(wire.Start)) == min(number, declared)
    assert codes(ada) == ["too-many-games"]
    bob.say("cancel")
    ada.say("seek")
    assert codes(ada)[-1] == "too-many-games"
    ada.say(f"resign {ada.last(wire.Start).game}")
    again(ada, bob)
    assert len(ada.got(wire.Start)) == declared + 1


@pytest.mark.parametrize(("running", "room"), [(2, True), (3, False), (4, False)])
@pytest.mark.parametrize("verb", ["seek", "play bob", "challenge bob"])
def test_limit_games_total(running: int, room: bool, verb: str) -> None:
    stage = Stage()
    games = [begin(stage, names=(f"a{number}", f"b{number}")) for number in range(running)]
    ada, bob = stage.join("ada"), stage.join("bob")
    bob.say("seek")
    stage.server.settings = replace(DEFAULTS, games_total=3)
    ada.say(verb)
    assert codes(ada) == ([] if room else ["unavailable"])
    ada.forget()
    if not room:  # games that end make some
        for pair in games[: running - 2]:
            pair.mover.say(f"resign {pair.game}")
        ada.say(verb)
        assert codes(ada) == []


@pytest.mark.parametrize(("watchers", "room"), [(49, True), (50, False), (51, False)])
def test_limit_spectators_per_game(watchers: int, room: bool) -> None:
    stage = Stage()
    game = begin(stage).game
    for number in range(watchers):
        stage.join(f"w{number}").say(f"watch {game}")
    last = stage.join("last")
    last.say(f"watch {game}")
    assert bool(last.got(wire.Snapshot)) is room and codes(last) == ([] if room else ["unavailable"])
    assert len(stage.server.tables[game].watchers) == min(watchers + 1, 50)
    stage.peers[4].say(f"unwatch {game}")
    if not room:
        last.say(f"watch {game}")
        assert last.got(wire.Snapshot)


@pytest.mark.parametrize(("watched", "room"), [(1, True), (2, False), (3, False)])
def test_limit_watching_per_connection(watched: int, room: bool) -> None:
    stage = Stage(replace(DEFAULTS, watching_per_connection=2))
    games = [begin(stage, names=(f"a{number}", f"b{number}")).game for number in range(4)]
    peer = stage.join("cleo")
    for game in games[:watched]:
        peer.say(f"watch {game}")
    peer.forget()
    peer.say(f"watch {games[-1]}")
    assert bool(peer.got(wire.Snapshot)) is room and codes(peer) == ([] if room else ["unavailable"])


@pytest.mark.parametrize(("others", "lines"), [(3, 4), (4, 5), (5, 5), (50, 5)])
def test_limit_listed(others: int, lines: int) -> None:
    stage = Stage(replace(DEFAULTS, listed=5))
    peer = stage.join("ada")
    for number in range(others):
        stage.join(f"other{number}")
    peer.say("who")
    assert len(peer.got(wire.Player)) == peer.last(wire.Ok).count == lines
    for number in range(others):
        begin(stage, names=(f"a{number}", f"b{number}"))
    peer.say("games")
    assert len(peer.got(wire.Table)) == peer.last(wire.Ok).count == min(others, 5)


def test_limit_listed_keeps_the_longest_answer_within_an_empty_queue() -> None:
    stage = Stage()
    for number in range(400):
        name = f"{'n' * 28}{number:04}"
        stage.join(name, "human", f"agent={'a' * 64} games=256")
    peer = stage.join("ada")
    peer.say("who")
    assert len(peer.got(wire.Player)) == 200 and goodbye(peer) is None


@pytest.mark.parametrize(("seconds", "open_"), [(600 - TICK, True), (600, False), (600 + TICK, False)])
def test_limit_seek_expires(seconds: float, open_: bool) -> None:
    stage = Stage()
    ada, bob = stage.join("ada"), stage.join("bob")
    ada.say("seek")
    stage.wait(seconds)
    assert codes(ada) == ([] if open_ else ["expired"])
    bob.say("play ada")
    assert bool(bob.got(wire.Start)) is open_
    stage.wait(1000)
    assert codes(ada) == ([] if open_ else ["expired"])


@pytest.mark.parametrize(("seconds", "waits"), [(10 - TICK, True), (10, False), (10 + TICK, False)])
def test_limit_bot_start(seconds: float, waits: bool) -> None:
    stage = Stage(lobby=Lobby({"house": SeatSpec("plugin", "house")}))
    ada = stage.join("ada")
    ada.say("play house")
    stage.wait(seconds)
    assert codes(ada) == ([] if waits else ["unavailable"])
    assert [request for request in stage.requests if isinstance(request, StopBot)] == (
        [] if waits else [StopBot(1)]
    )


@pytest.mark.parametrize(("seconds", "beats"), [(1 - TICK, 0), (1, 1), (1 + TICK, 1), (5, 5)])
def test_limit_heartbeat(seconds: float, beats: int) -> None:
    """While anybody is here there is a deadline at least every second, and none when nobody is."""
    stage = Stage()
    pair = begin(stage, ("human", "human"), "clock=none cap=none")
    due = stage.server.deadline()
    assert due is not None and stage.now < due <= stage.now + 1
    stage.wait(seconds)
    assert stage.server.counts.heartbeats == beats
    pair.mover.say(f"resign {pair.game}")
    stage.wait(12)
    assert stage.server.deadline() is not None
    for peer in (pair.mover, pair.other):
        peer.say("quit")
    stage.wait(12)
    assert stage.server.deadline() is None
