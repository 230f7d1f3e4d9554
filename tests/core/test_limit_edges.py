"""The edges of more limits, each at one below, at, and one above: waiting, output, what is kept, storing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.core import owners
from tests.core.stage import Stage, answer_line, begin
from tests.core.test_limits import TICK, codes, goodbye
from tyrusd.core import archive, bans
from tyrusd.core import operator_words as words
from tyrusd.core.lobby import Lobby
from tyrusd.core.operator import OperatorError
from tyrusd.core.settings import DEFAULTS
from tyrusd.wire import Codec, encode_line
from tyrusd.wire import messages as wire

AROUND = (-TICK, 0.0, TICK)


@pytest.mark.parametrize("more", AROUND)
def test_limit_hello_socket(more: float) -> None:
    stage = Stage()
    peer = stage.connect("192.0.2.7")
    stage.wait(120 + more)
    assert goodbye(peer) == (None if more < 0 else "timeout")


@pytest.mark.parametrize("more", AROUND)
@pytest.mark.parametrize(("kind", "patience"), [("bot", 10.0), ("human", 120.0)])
def test_limit_line_bot_and_line_person(kind: str, patience: float, more: float) -> None:
    stage = Stage()
    peer = stage.join("ada", kind)
    stage.wait(1)
    peer.send_bytes(b"p")
    stage.wait(patience + more)
    assert goodbye(peer) == (None if more < 0 else "timeout")


@pytest.mark.parametrize("more", AROUND)
def test_limit_ping_after(more: float) -> None:
    stage = Stage()
    peer = stage.join("ada", "bot")
    stage.wait(30 + more)
    assert len(peer.got(wire.Ping)) == (0 if more < 0 else 1)


@pytest.mark.parametrize("more", AROUND)
def test_limit_ping_grace(more: float) -> None:
    stage = Stage()
    peer = stage.join("ada", "bot")
    stage.wait(30)
    assert peer.got(wire.Ping)
    stage.wait(15 + more)
    assert goodbye(peer) == (None if more < 0 else "timeout")


@pytest.mark.parametrize("more", [-1, 0, 1])
@pytest.mark.parametrize("games", [1, 256])
def test_limit_output_base_and_output_per_game(games: int, more: int) -> None:
    stage = Stage()
    peer = stage.join("ada", "bot", f"games={games}")
    stage.deaf.add(peer.number)
    session = stage.server.sessions[peer.number]
    session.write(b"x" * (65536 + games * 4096 - len(b"pong w\n") + more))
    peer.say("ping w")
    assert stage.server.closing(peer.number) is (more > 0)


@pytest.mark.parametrize("more", AROUND)
def test_limit_output_stall(more: float) -> None:
    stage = Stage()
    peer = stage.join("ada")
    stage.deaf.add(peer.number)
    peer.say("ping w")
    stage.wait(10 + more)
    assert stage.server.closing(peer.number) is (more >= 0)


@pytest.mark.parametrize("more", AROUND)
def test_limit_reconnect_window(more: float) -> None:
    stage = Stage()
    _, other, game = begin(stage, ("human", "human"), "clock=none cap=none")
    secret = other.last(wire.Welcome).secret
    other.lose()
    stage.wait(60 + more)
    assert (game in stage.server.tables) is (more < 0)
    back = stage.connect()
    back.say(f"resume {secret}")
    stage.wait(1)
    assert bool(back.got(wire.Welcome)) is (more < 0)


@pytest.mark.parametrize(("here", "room"), [(31, True), (32, False), (33, False)])
def test_limit_connections_per_host(here: int, room: bool) -> None:
    stage = Stage()
    for _ in range(here):
        stage.connect("192.0.2.7")
    assert goodbye(stage.connect("192.0.2.7")) == (None if room else "busy")
    assert goodbye(stage.connect("192.0.2.8")) is None


@pytest.mark.parametrize("host", ["192.0.2.7", "192.0.2.6", "192.0.2.8"])
def test_limit_open_hosts(host: str) -> None:
    """A host is open or it is not; its neighbours are not."""
    stage = Stage(replace(DEFAULTS, open_hosts=frozenset({"192.0.2.7"}), connections_per_host=1))
    stage.connect(host)
    assert goodbye(stage.connect(host)) == (None if host == "192.0.2.7" else "busy")


@pytest.mark.parametrize(("illegal", "lost"), [(1, False), (2, False), (3, True)])
def test_limit_lenient_bot(illegal: int, lost: bool) -> None:
    stage = Stage()
    mover, _, game = begin(stage)
    assert mover.last(wire.Start).lenient == 2
    own = mover.last(wire.Choose).view
    missing = next(tile for tile in ("S10", "M10", "P10", "S1", "M1") if tile not in own)
    for _ in range(illegal):
        mover.say(answer_line(mover, game, missing))
    assert bool(mover.got(wire.Over)) is lost


@pytest.mark.parametrize("more", AROUND)
def test_limit_resume_delay(more: float) -> None:
    stage = Stage()
    peer = stage.connect("192.0.2.7")
    peer.say("resume nobody-has-this-secret-at-all-0000000000000")
    stage.wait(1 + more)
    assert codes(peer) == ([] if more < 0 else ["auth"])


@pytest.mark.parametrize("more", AROUND)
def test_limit_store_deadline(more: float) -> None:
    stage = Stage()
    mover, other, game = begin(stage)
    stage.store_at_once = False
    mover.say(f"resign {game}")
    stage.wait(30 + more)
    assert len(other.got(wire.Notice)) == (0 if more < 0 else 1)


@pytest.mark.parametrize("more", AROUND)
def test_limit_store_retry(more: float) -> None:
    stage = Stage()
    mover, _, game = begin(stage)
    stage.failing = 1
    mover.say(f"resign {game}")
    stage.wait(1 + more)
    assert len(stage.stored) == (1 if more < 0 else 2)
    assert bool(mover.got(wire.Over)) is (more >= 0)


@pytest.mark.parametrize(("games", "kept"), [(2, 2), (3, 3), (4, 3)])
def test_limit_own_results(games: int, kept: int) -> None:
    stage = Stage(replace(DEFAULTS, own_results=3))
    anna, bob = owners.pair(stage)
    for _ in range(games):
        anna.say(f"resign {owners.begin(anna, bob)}")
    *results, end = owners.asked(anna, "results")
    assert isinstance(end, wire.Ok) and len(results) == kept


@pytest.mark.parametrize("more", [-1, 0, 1])
def test_limit_kept_bytes(more: int) -> None:
    """Two games of the same size are kept as long as both fit, to the byte."""
    stage = Stage()
    anna, bob = owners.pair(stage)
    sizes = []
    for _ in range(2):
        before = stage.server.archive._size
        anna.say(f"resign {owners.begin(anna, bob)}")
        sizes.append(stage.server.archive._size - before)
    stage = Stage(replace(DEFAULTS, kept_bytes=sum(sizes) - more))
    anna, bob = owners.pair(stage)
    for _ in range(2):
        anna.say(f"resign {owners.begin(anna, bob)}")
    assert len(stage.server.archive) == (1 if more > 0 else 2)


@pytest.mark.parametrize("more", [-1, 0, 1])
def test_limit_log_page(more: int) -> None:
    """A page ends before the line that would not fit any more, to the byte."""
    stage = Stage()
    anna, bob = owners.pair(stage)
    game = owners.begin(anna, bob)
    anna.say(f"resign {game}")
    anna.forget()
    *lines, _ = owners.asked(anna, f"log {game}")
    size = sum(len(encode_line(line)) for line in lines)
    stage.server.settings = replace(DEFAULTS, log_page=size + more)
    *page, _ = owners.asked(anna, f"log {game}")
    assert len(page) == len(lines) - (1 if more < 0 else 0)


@pytest.mark.parametrize("more", [-1, 0, 1])
@pytest.mark.parametrize("codec", [Codec.LINE, Codec.FRAME])
def test_limit_client_line_and_frame(codec: Codec, more: int) -> None:
    stage = Stage(lobby=Lobby({}))
    peer = stage.connect(codec=codec)
    if codec is Codec.LINE:
        peer.send_bytes(b"x" * (512 + more) + b"\n")
    else:
        peer.send_bytes((65536 + more).to_bytes(4, "big") + b"\xc0" * (65536 + more))
    assert (goodbye(peer) == "line-too-long") is (more > 0)


@pytest.mark.parametrize("more", AROUND)
def test_limit_drain(more: float) -> None:
    stage = Stage()
    mover, _, _ = begin(stage, ("human", "human"), "clock=none cap=none")
    stage.server.drain(stage.now, 30.0)
    stage.run()
    stage.wait(30 + more)
    assert bool(mover.got(wire.Over)) is (more >= 0)


@pytest.mark.parametrize(("games", "known"), [(1, 2), (2, 4), (3, 4)])
def test_limit_names(games: int, known: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """When there are more names than that, who has not played for longest has no results any more."""
    monkeypatch.setattr(archive, "NAMES", 4)
    stage = Stage()
    for number in range(games):
        pair = begin(stage, names=(f"a{number}", f"b{number}"))
        pair.mover.say(f"resign {pair.game}")
    names = [f"{letter}{number}" for letter in "ab" for number in range(games)]
    remembered = [name for name in names if stage.server.archive.games_of(name)]
    assert len(remembered) == known and ("a0" in remembered) is (games < 3)


@pytest.mark.parametrize("more", [-1, 0, 1])
def test_limit_bans_kept(more: int) -> None:
    lobby = Lobby({})
    stage = Stage(lobby=lobby)
    for number in range(bans.MOST + more - 1):
        stage.server.presence.bans.add(bans.Ban(f"n{number}"))
    if more > 0:
        with pytest.raises(OperatorError, match="4096 bans already"):
            lobby.operator.do(words.Ban("ada"), stage.now)
        assert lobby.operator.do(words.Ban("n7", 5), stage.now)  # one that is there can be changed
    else:
        lobby.operator.do(words.Ban("ada"), stage.now)
    assert len(stage.server.presence.bans) == bans.MOST + min(more, 0)
