"""Each tagged line gets exactly one answer, each other one where protocol.md says so, in every situation."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.core.world import Peer, World
from tests.transcripts.seats import match_world
from tyrusd.core.lobby import Lobby
from tyrusd.core.seatspec import SeatSpec
from tyrusd.wire import ALLOWED, Answer, Phase
from tyrusd.wire import messages as wire
from tyrusd.wire.schema import CLIENT_SCHEMAS

# Every verb, well and badly used; what it gets depends on the situation, but it is always one answer.
LINES = {
    "hello": ("hello 0.1 zed bot", "hello 1.0 zed bot", "hello 0.1 a!b bot", "hello 0.1 zed bot games=300",
              "hello 0.1 server bot", "hello 0.1 zed bot key=abc"),
    "resume": ("resume 00000000", "resume"),
    "place": ("place g1 1 S1 IC", "place g1 2 S1 IC", "place g1 1 S1 XX", "place g9 1 S1 IC"),
    "resign": ("resign g1", "resign g9"),
    "ping": ("ping here",),
    "pong": ("pong here",),
    "who": ("who", "who is"),
    "games": ("games",),
    "play": ("play random", "play bob", "play ada", "play nobody", "play random clock=0+0",
             "play random variant=x", "play random deal=g9"),
    "seek": ("seek", "seek cap=0.01", "seek deal=g1"),
    "cancel": ("cancel", "cancel challenge=c-1"),
    "challenge": ("challenge bob", "challenge nobody", "challenge random rounds=2", "challenge bob rounds=0"),
    "accept": ("accept c-1", "accept"),
    "decline": ("decline c-1 why=busy", "decline c-1 why=never"),
    "rematch": ("rematch g1", "rematch g9"),
    "events": ("events",),
    "join": ("join evening", "join"),
    "withdraw": ("withdraw evening",),
    "bracket": ("bracket evening", "bracket evening round=0"),
    "ladder": ("ladder off", "ladder up"),
    "ratings": ("ratings name=bob", "ratings name=b.b"),
    "merge": ("merge bob - bob/2", "merge bob - :"),
    "watch": ("watch g1", "watch g9"),
    "unwatch": ("unwatch g1",),
    "look": ("look g1", "look g9"),
    "results": ("results", "results max=0"),
    "record": ("record g1", "record g9"),
    "log": ("log g1", "log g9 from=3", "log g1 from=x"),
    "why": ("why g1", "why g9"),
    "check": ("check", "check g1"),
    "help": ("help",),
    "quit": ("quit",),
    "what": ("what", "WHAT", "what :is this"),
}  # fmt: skip
EVERY_LINE = [(verb, line) for verb, lines in LINES.items() for line in lines]


def _lobby() -> World:
    return World(Lobby({"random": SeatSpec("plugin", "random")}))


def _newcomer() -> Peer:
    return _lobby().connect()


def _idler() -> Peer:
    return _lobby().join("ada", "bot")


def _game(extra: str = "games=2") -> tuple[Peer, Peer]:
    """The peer that is asked, and the other one."""
    world = _lobby()
    ada, bob = world.join("ada", "bot", extra), world.join("bob", "bot")
    ada.say("seek")
    bob.say("seek")
    return (ada, bob) if ada.got(wire.Choose) else (bob, ada)


def _after_a_game() -> Peer:
    asked, _ = _game()
    asked.say("resign g1")
    return asked


def _while_the_end_waits() -> Peer:
    asked, _ = _game()
    asked.world.store_at_once = False
    asked.say("resign g1")
    return asked


def _while_the_server_closes() -> Peer:
    asked, _ = _game()
    asked.world.server.drain(asked.world.now, 30.0)
    asked.world.run()
    return asked


SITUATIONS: dict[str, tuple[Phase, Callable[[], Peer]]] = {
    "new": (Phase.NEW, _newcomer),
    "idle": (Phase.LOBBY, _idler),
    "asked": (Phase.LOBBY, lambda: _game()[0]),
    "waiting": (Phase.LOBBY, lambda: _game()[1]),
    "after a game": (Phase.LOBBY, _after_a_game),
    "while the end waits": (Phase.LOBBY, _while_the_end_waits),
    "while the server closes": (Phase.LOBBY, _while_the_server_closes),
    "in a match": (Phase.SEAT, lambda: match_world()[1]),
}


def _answers(peer: Peer) -> list[wire.Ok | wire.Error]:
    return [message for message in peer.inbox if isinstance(message, wire.Ok | wire.Error)]


def _tagged(line: str) -> str:
    head, colon, text = line.partition(" :")
    return f"{head} tag=me{colon}{text}"


def test_the_lines_are_of_every_verb() -> None:
    assert set(CLIENT_SCHEMAS) == set(LINES) - {"what"}


@pytest.mark.parametrize("situation", SITUATIONS)
def test_a_tagged_line_gets_exactly_one_answer_with_its_tag(situation: str) -> None:
    for _, line in EVERY_LINE:
        peer = SITUATIONS[situation][1]()
        peer.forget()
        peer.say(_tagged(line))
        peer.world.wait(3.0)
        assert [answer.tag for answer in _answers(peer)].count("me") == 1, (line, peer.text)


@pytest.mark.parametrize("situation", SITUATIONS)
def test_a_line_without_a_tag_is_answered_when_it_is_refused_or_asks(situation: str) -> None:
    phase, make = SITUATIONS[situation]
    for verb, line in EVERY_LINE:
        tagged, plain = make(), make()
        for peer, text in ((tagged, _tagged(line)), (plain, line)):
            peer.forget()
            peer.say(text)
            peer.world.wait(3.0)
        (with_tag,) = [answer for answer in _answers(tagged) if answer.tag == "me"]
        expected = isinstance(with_tag, wire.Error) or ALLOWED[phase, verb] is Answer.OK
        assert [answer.re for answer in _answers(plain)] == ([with_tag.re] if expected else []), line
