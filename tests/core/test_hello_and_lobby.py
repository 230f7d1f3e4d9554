"""Coming in, asking for games, and what the lobby tells about itself."""

from __future__ import annotations

import pytest

from tests.core.stage import Stage, again, answer_line, begin, play_on
from tests.core.world import Peer
from tyrusd.core.lobby import Lobby
from tyrusd.core.requests import BotFailed, StartBot
from tyrusd.core.seatspec import SeatSpec
from tyrusd.core.verbs import RESERVED
from tyrusd.wire import ALLOWED, Codec
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


# -- hello ------------------------------------------------------------------------------------------------


def test_the_greeting_tells_the_limits() -> None:
    greeting = Stage().connect().last(wire.Greeting)
    assert greeting == wire.Greeting("0.1", "tyrusd/0.1.0", ("events", "full"), 512, 4096, 256, 120_000)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("hello 0.1 ada human", None), ("hello 0.9 ada human", None),
        ("hello 1.0 ada human", "version"), ("hello 2.1 ada human tag=x", "version"),
        ("hello 0.1 who human", "name"), ("hello 0.1 ADMIN human", "name"), ("hello 0.1 ivory human", "name"),
        ("hello 0.1 a.b human", "name"), (f"hello 0.1 {'a' * 33} human", "name"),
        ("hello 0.1 Bob human", "taken"), ("hello 0.1 BOB human", "taken"),
        ("hello 0.1 house human", "taken"), ("hello 0.1 SECOND human", "taken"),
        ("hello 0.1 ada human key=secret", "auth"), ("hello 0.1 ada robot", "syntax"),
        ("hello 0.1 ada human games=0", "syntax"), ("who", "state"), ("seek", "state"),
    ],
)  # fmt: skip
def test_hello(line: str, code: str | None) -> None:
    stage = with_houses()
    stage.join("Bob")
    peer = stage.connect()
    peer.say(line)
    stage.wait(1)  # a wrong key is answered late
    assert codes(peer) == ([] if code is None else [code])
    assert bool(peer.got(wire.Welcome)) is (code is None)
    assert peer.closed is (code == "version")
    if code not in (None, "version"):
        peer.say("hello 0.1 ada human tag=t")
        assert peer.last(wire.Welcome).name == "ada" and peer.last(wire.Ok).tag == "t"
        peer.say("hello 0.1 again human")
        assert codes(peer)[-1] == "state"


def test_every_verb_is_a_reserved_name() -> None:
    assert {verb for _, verb in ALLOWED} <= RESERVED


@pytest.mark.parametrize(
    ("want", "told"), [("", ()), ("want=events", ("events",)), ("want=full,events", ("events", "full"))]
)
def test_what_a_peer_wants_is_what_it_is_welcomed_with(want: str, told: tuple[str, ...]) -> None:
    stage = Stage()
    mover, _, game = begin(stage, extra=want)
    assert mover.last(wire.Welcome).want == told
    assert bool(mover.got(wire.Snapshot)) is bool(told)
    assert (len(mover.got(wire.Choose)), len(mover.got(wire.Turn))) == ((0, 1) if len(told) == 1 else (1, 0))
    mover.say(f"look {game}")
    assert len(mover.got(wire.Snapshot)) == (2 if told else 1)
    assert len(mover.got(wire.Choose)) + len(mover.got(wire.Turn)) == 2


def test_leaving_frees_the_name_unless_a_game_keeps_it() -> None:
    stage = Stage()
    ada, bob = stage.join("ada"), stage.join("bob")
    ada.say("quit tag=q")
    assert (ada.last(wire.Ok).tag, ada.last(wire.Bye).reason) == ("q", "bye") and ada.closed
    pair = again(stage.join("ada"), bob)
    pair.mover.say("quit")
    assert pair.other.last(wire.Away).game == pair.game
    name = pair.mover.last(wire.Welcome).name
    late = stage.connect()
    late.say(f"hello 0.1 {name} human")
    assert codes(late) == ["taken"]


def test_simple_answers() -> None:
    peer = Stage().join("ada")
    peer.say("ping a tag=1\npong b\npong c tag=2\nhelp\nhelp tag=3")
    assert [pong.word for pong in peer.got(wire.Pong)] == ["a"]
    assert [(ok.tag, ok.re) for ok in peer.got(wire.Ok)] == [
        ("1", "ping"), ("2", "pong"), (None, "help"), ("3", "help"),
    ]  # fmt: skip
    count = peer.last(wire.Ok).count
    assert count is not None and len(peer.got(wire.HelpText)) == 2 * count


# -- the lobby --------------------------------------------------------------------------------------------


def test_who_tells_everyones_state() -> None:
    stage = with_houses()
    one = stage.join("one", "bot", "games=2 agent=x/1")
    stage.join("two", "human").say("play house")
    stage.join("three").say("seek")
    stage.join("four", "human")
    stage.peers[2].say("play Second")
    come(stage, starts(stage)[0])
    come(stage, starts(stage)[1])
    one.say("seek side=I cap=9")
    stage.join("five", "bot").say("seek side=B cap=9")
    one.say("who")
    found = {line.name: (line.kind, line.state, line.games) for line in one.got(wire.Player)}
    assert found == {
        "one": ("bot", "playing", 1), "two": ("human", "full", 1), "three": ("human", "seeking", 0),
        "four": ("human", "free", 0), "five": ("bot", "full", 1), "house": ("bot", "house", 1),
        "Second": ("bot", "house", 0),
    }  # fmt: skip
    assert one.got(wire.Player)[0].agent == "x/1"


@pytest.mark.parametrize(
    ("seek", "shown"),
    [
        ("seek", (None, "standard", None, None, None)),
        ("seek side=B variant=replay-ties", ("B", "replay-ties", None, None, None)),
        ("seek clock=300+2", (None, "standard", "300+2", "none", None)),
        ("seek side=I cap=2.5", ("I", "standard", "none", "2.5", None)),
    ],
)
def test_who_tells_the_terms_of_an_open_seek(
    seek: str, shown: tuple[str | None, str | None, str | None, str | None, str | None]
) -> None:
    stage = Stage()
    ada, bob = stage.join("ada"), stage.join("bob")
    ada.say(seek)
    bob.say("who")
    one, two = bob.got(wire.Player)
    assert (one.side, one.variant, one.clock, one.cap, one.deal) == shown
    assert (two.state, two.side, two.variant, two.clock, two.cap, two.deal) == ("free", *[None] * 5)
    ada.say("cancel")
    bob.forget()
    bob.say("who")
    assert bob.got(wire.Player)[0].variant is None


def test_who_tells_on_which_deal_somebody_seeks() -> None:
    stage = Stage()
    mover, other, game = begin(stage)
    mover.say(f"resign {game}")
    mover.say(f"seek deal={game}")
    other.forget()
    other.say("who")
    (seeking,) = [line for line in other.got(wire.Player) if line.state == "seeking"]
    assert (seeking.deal, seeking.side) == (game, mover.last(wire.Start).side)


def test_games_lists_what_runs() -> None:
    stage = Stage()
    pair = begin(stage, terms="variant=replay-ties")
    play_on(*pair, 12)
    other = begin(stage, names=("cleo", "dan"))
    pair.mover.say("games")
    one, two = pair.mover.got(wire.Table)
    assert (one.game, one.variant, one.election, len(one.won)) == (pair.game, "replay-ties", 3, 2)
    assert (two.game, two.election, two.won) == (other.game, 1, "-")
    stage.store_at_once = False
    other.mover.say(f"resign {other.game}")
    pair.mover.forget()
    pair.mover.say("games")
    assert [table.game for table in pair.mover.got(wire.Table)] == [pair.game]


def test_colours_are_as_both_want_or_by_a_toss() -> None:
    sides = set()
    for seed in range(20):
        sides.add(begin(Stage(seed=seed)).mover.last(wire.Start).own)
    assert sides == {"ada", "bob"}
    for wish, side in (("side=I", "I"), ("side=B", "B")):
        stage = Stage()
        ada, bob, cleo = (stage.join(name) for name in ("ada", "bob", "cleo"))
        ada.say(f"seek {wish}")
        bob.say(f"seek {wish}")
        assert not ada.got(wire.Start) and not bob.got(wire.Start)
        cleo.say("seek")
        assert ada.last(wire.Start).side == side and cleo.last(wire.Start).enemy == "ada"
        cleo.say("quit")


def test_the_oldest_fitting_seek_is_taken() -> None:
    stage = Stage()
    ada, bob, cleo, dan = (stage.join(name) for name in ("ada", "bob", "cleo", "dan"))
    ada.say("seek cap=5")
    bob.say("seek cap=9")
    cleo.say("seek cap=9 variant=replay-ties")
    dan.say("seek cap=9")
    assert dan.last(wire.Start).enemy == "bob" and not ada.got(wire.Start) and not cleo.got(wire.Start)


@pytest.mark.parametrize(
    ("line", "code"),
    [("play nobody", "no-player"), ("play ada", "unavailable"), ("play cleo", "unavailable"),
     ("play bob", "unavailable"), ("play bob cap=5 side=I", "unavailable"), ("play bob cap=0", "config"),
     ("seek variant=chess", "config"), ("cancel", "unavailable"), ("watch g9", "no-game"),
     ("unwatch g9", "no-game"), ("look g9", "no-game"), ("resign g9", "no-game")],
)  # fmt: skip
def test_what_cannot_be_has_a_code(line: str, code: str) -> None:
    stage = Stage()
    ada, bob = stage.join("ada"), stage.join("bob")
    stage.join("cleo")
    bob.say("seek cap=5 side=I")
    ada.say(line)
    assert codes(ada) == [code] and not ada.got(wire.Start)
    ada.say("play bob cap=5")
    assert ada.last(wire.Start).side == "B"


def test_seeks_are_taken_back_in_every_way() -> None:
    stage = Stage()
    ada, bob = stage.join("ada", extra="games=2"), stage.join("bob", extra="games=2")
    ada.say("seek\nseek")
    assert codes(ada) == ["unavailable"]
    ada.say("cancel\ncancel")
    assert codes(ada) == ["unavailable"] * 2
    ada.say("seek")
    ada.say("quit")
    bob.say("seek")
    assert not bob.got(wire.Start)
    bob.say("cancel")
    pair = begin(stage, names=("cleo", "dan"), extra="games=2", kinds=("human", "human"))
    pair.mover.say("seek cap=7")
    pair.mover.lose()
    name = pair.mover.last(wire.Welcome).name
    bob.say(f"play {name} cap=7\nseek cap=7")
    assert codes(bob)[-1:] == ["unavailable"] and not bob.got(wire.Start)
    back = stage.connect()
    back.say(f"resume {pair.mover.last(wire.Welcome).secret}")
    bob.say(f"cancel\nplay {name} cap=7")
    assert bob.last(wire.Start).enemy == name


def test_watching_is_for_games_of_others_and_once() -> None:
    stage = Stage()
    pair = begin(stage)
    cleo = stage.join("cleo")
    cleo.say(f"watch {pair.game} tag=w\nwatch {pair.game}\nlook {pair.game}\nunwatch {pair.game}")
    assert codes(cleo) == ["unavailable"] and len(cleo.got(wire.Snapshot)) == 2
    cleo.say(f"unwatch {pair.game}")
    assert codes(cleo) == ["unavailable", "no-game"]
    cleo.forget()
    pair.mover.say(answer_line(pair.mover, pair.game))
    pair.mover.say(f"watch {pair.game}")
    assert cleo.raw == b"" and codes(pair.mover) == ["unavailable"]
    pair.mover.say(f"resign {pair.game}")
    cleo.say(f"watch {pair.game}\nunwatch {pair.game}")
    assert codes(cleo) == ["stale", "stale"]
    session = stage.server.sessions[cleo.number]
    assert session.errors.left(stage.now) == 19  # only the game it did not watch cost something


def test_unknown_peers_are_ignored() -> None:
    stage = Stage()
    server = stage.server
    server.receive(99, b"who\n", stage.now)
    server.end_of_input(99, stage.now)
    server.lost(99, stage.now)
    server.polled(99, stage.now)
    server.sent(99, 5, stage.now)
    server.answer(BotFailed(99, "gone"), stage.now)
    assert server.output(99) == b"" and server.closing(99) and not server.reading(99)
    stage.run()
    assert server.deadline() is None


def test_objects_with_full_state_do_not_show_it() -> None:
    stage = Stage()
    pair = begin(stage)
    table = stage.server.tables[pair.game]
    shown = repr([table, stage.server.sessions, stage.server.players, *stage.server.players.values()])
    held = [str(tile) for side in (0, 1) for tile in table.match.game.hand(table.match.game.deal.opener)]
    assert not any(f"{tile}," in shown or f" {tile}" in shown for tile in held)
    assert pair.mover.last(wire.Welcome).secret not in shown
