"""The order of a round: the journal first, then what may be sent, then what is asked of the world."""

from __future__ import annotations

import random

import pytest

from tests.core.stage import Stage, answer_line, begin
from tyrusd.core.lobby import Lobby
from tyrusd.core.requests import Store, Transport
from tyrusd.core.server import Server
from tyrusd.league.framing import HEADER, read_frames
from tyrusd.wire import Codec, encode_line
from tyrusd.wire import messages as wire

NOW = 1000.0


class Bare:
    """A server of which nothing is collected unless it is said."""

    def __init__(self) -> None:
        self.server = Server(Lobby({}), random.Random(1).randbytes, NOW)

    def join(self, name: str) -> int:
        peer = self.server.connect(Transport("127.0.0.1", Codec.LINE, "socket"), NOW)
        self.say(peer, f"hello 0.1 {name} bot")
        return peer

    def say(self, peer: int, line: str) -> None:
        self.server.receive(peer, line.encode() + b"\n", NOW)

    def take(self, peer: int) -> bytes:
        data = self.server.output(peer)
        self.server.sent(peer, len(data), NOW)
        return data


def kinds(journal: list[bytes]) -> list[str]:
    return [payload["kind"] for _, payload in read_frames(HEADER + b"".join(journal))]


def test_nothing_leaves_before_its_round_is_collected() -> None:
    bare = Bare()
    ada, bob = bare.join("ada"), bare.join("bob")
    server = bare.server
    assert server.output(ada) == b"" and server.output(bob) == b""
    found = server.collect()
    assert found.journal == [] and found.dirty == [ada, bob] and found.requests == [] and found.news == []
    assert bare.take(ada).startswith(b"greeting ") and bare.take(bob)
    bare.say(ada, "seek side=I")
    bare.say(bob, "seek side=B")
    assert server.output(ada) == b"" == server.output(bob)
    found = server.collect()
    assert kinds(found.journal) == ["opened"] and set(found.dirty) == {ada, bob}
    told = {ada: bare.take(ada), bob: bare.take(bob)}
    mover, other = (ada, bob) if b"\nchoose " in told[ada] else (bob, ada)
    tile = told[mover].split(b"hand=")[1].split(b",")[0].decode()
    bare.say(mover, f"place g1 1 {tile} IC")
    assert server.output(other) == b""
    bare.say(other, "ping x")
    assert server.output(other) == b""
    found = server.collect()
    assert kinds(found.journal) == ["placed"] and found.dirty == [other]
    assert bare.take(other).split(b" ")[0] == b"choose"
    assert server.collect() == ([], [], [], [])


def test_a_result_is_asked_to_be_kept_in_the_round_that_journals_its_last_placement() -> None:
    bare = Bare()
    ada, bob = bare.join("ada"), bare.join("bob")
    bare.say(ada, "seek side=I")
    bare.say(bob, "seek side=B")
    bare.say(bob, "resign g1")
    found = bare.server.collect()
    assert kinds(found.journal) == ["opened"] and [type(request) for request in found.requests] == [Store]
    assert b"over" not in bare.take(ada)


def test_a_stream_is_closed_only_after_its_goodbye_may_be_sent() -> None:
    bare = Bare()
    ada = bare.join("ada")
    bare.server.collect()
    bare.take(ada)
    bare.say(ada, "quit")
    assert not bare.server.closing(ada) and bare.server.output(ada) == b""
    assert bare.server.collect().dirty == [ada]
    assert bare.server.closing(ada) and bare.take(ada).startswith(b"bye bye :")
    assert bare.server.closing(ada) and bare.take(ada) == b""


@pytest.mark.parametrize("size", [7, 1000, 64 * 1024])
def test_output_comes_in_bounded_chunks_and_in_order(size: int) -> None:
    bare = Bare()
    ada = bare.join("ada")
    bare.server.collect()
    bare.take(ada)
    session = bare.server.sessions[ada]
    words = b"".join(encode_line(wire.Pong(word=f"w{number}")) for number in range(8000))[: session.room]
    session.write(words)
    bare.server.collect()
    session.write(b"")
    taken = b""
    while data := bare.server.output(ada):
        assert len(data) <= 64 * 1024
        taken += data[:size]
        bare.server.sent(ada, len(data[:size]), NOW)
    assert taken == words


def test_what_becomes_due_in_one_wake_up_is_one_write() -> None:
    stage = Stage()
    ada, bob = stage.join("ada", "bot", "games=5"), stage.join("bob", "bot", "games=5")
    server = stage.server
    for _ in range(5):
        server.receive(ada.number, b"seek side=I\n", stage.now)
        server.receive(bob.number, b"seek side=B\n", stage.now)
    found = server.collect()
    assert found.dirty == [ada.number, bob.number]
    assert server.output(bob.number).count(b"start ") == 5
    stage.run()


def test_a_peer_without_output_is_not_dirty() -> None:
    stage = Stage()
    mover, other, game = begin(stage)
    stage.server.receive(mover.number, answer_line(mover, game).encode() + b"\n", stage.now)
    assert stage.server.collect().dirty == [other.number]
    stage.server.receive(other.number, b"pong x\n", stage.now)
    assert stage.server.collect().dirty == []


def test_a_stream_that_is_lost_in_the_middle_of_a_round_is_forgotten() -> None:
    stage = Stage()
    mover, other, _ = begin(stage)
    stage.server.receive(mover.number, b"xyzzy\n" * 25, stage.now)
    stage.server.lost(mover.number, stage.now)
    assert mover.number not in stage.server.collect().dirty
    assert stage.server.output(mover.number) == b"" and other.number in stage.server.sessions


def test_time_never_runs_backwards() -> None:
    stage = Stage()
    mover, other, game = begin(stage, terms="clock=9+0")
    stage.wait(2)
    stage.server.tick(stage.now - 1.5)
    assert stage.server.now == 1002.0
    stage.run()
    mover.say(answer_line(mover, game))
    assert stage.server.tables[game].match.spent == [2000]
    assert not other.got(wire.Over)
