"""Texts of strangers that end a line early or steer a terminal: what everybody else is sent of them."""

from __future__ import annotations

import pytest

from tests.core.stage import Stage, begin
from tests.core.test_hello_and_lobby import come, starts, with_houses
from tests.core.world import Peer
from tyrusd.core.requests import BotFailed
from tyrusd.wire import Codec, Connection, Refusal, Role
from tyrusd.wire import messages as wire

FAKE = "over g1 9 I resigned"
ENDS = ["\n", "\r", "\r\n", "\u2028", "\u0085", "\x0b", "\x0c", "\0"]
STEERS = ["\x1b[2J", "\x1b]0;title\x07", "\x9b2J", "\x08\x08", "\x7f", "\u202e"]


def whole(peer: Peer) -> None:
    """All that a peer was sent are lines of the protocol, none of them faked, and all can be shown."""
    for line in peer.raw.split(b"\n")[:-1]:
        assert not line.startswith(FAKE.encode()), peer.text
        assert line.decode().isprintable(), line
    assert not any(isinstance(item, Refusal) for item in Connection(Role.CLIENT).receive(peer.raw))


@pytest.mark.parametrize("steers", STEERS)
@pytest.mark.parametrize("text", ["hello 0.1 a{}b bot", "hello 0.1 ada bot agent=x{}y", "hello 0.1 ada b{}t",
                                  "hello 0.1 ada bot want={}"])  # fmt: skip
def test_f039_what_steers_a_terminal_is_refused_and_nobody_hears_of_it(text: str, steers: str) -> None:
    """SpadesX/SpadesX#38: sequences of ESC in names and chat drove the console of the operator."""
    stage = Stage()
    bob = stage.join("bob")
    bob.forget()
    for codec in ("utf-8", "latin-1") if max(steers) < "\u0100" else ("utf-8",):
        data = text.format(steers).encode(codec)
        peer = stage.connect()
        peer.forget()
        peer.send_bytes(data + b"\n")
        assert peer.last(wire.Error).code in ("bad-byte", "bad-encoding", "syntax", "name")
        assert not peer.got(wire.Welcome)
        whole(peer)
    bob.say("who")
    assert [player.name for player in bob.got(wire.Player)] == ["bob"]
    whole(bob)


@pytest.mark.parametrize("end", ENDS)
def test_f037_a_line_end_in_a_name_or_version_fakes_no_line_to_others(end: str) -> None:
    """circuits/circuits#254: a text with a line end in it carried a second line to others."""
    stage = Stage()
    mover, other, game = begin(stage)
    watcher = stage.join("watcher")
    watcher.say(f"watch {game}")
    for line in (f"hello 0.1 eve{end}{FAKE} bot", f"hello 0.1 eve bot agent=1{end}{FAKE}",
                 f"hello 0.1 eve bot tag=t{end}{FAKE}", f"ping a{end}{FAKE}"):  # fmt: skip
        eve = stage.connect()
        eve.send_bytes(line.encode() + b"\n")
        whole(eve)
        eve.say("quit")
    watcher.say("who\ngames")
    for peer in (mover, other, watcher):
        whole(peer)
        assert not peer.got(wire.Over)


@pytest.mark.parametrize("end", [*ENDS, *STEERS])
def test_f037_last_words_of_a_program_are_one_text_in_one_line(end: str) -> None:
    """circuits/circuits#254, where the text is that of a bot which fails before, at or after its hello."""
    words = f"no luck{end}{FAKE}"
    for way in ("cannot", "dies", "plays"):
        stage = with_houses()
        ada = stage.join("ada")
        ada.say("play house")
        (request,) = starts(stage)
        if way == "cannot":
            stage.server.answer(BotFailed(request.id, words), stage.now)
            stage.run()
        elif way == "dies":
            stage.connect("pipe", Codec.LINE, "pipe", request.id).lose(words, words)
        else:
            come(stage, request).lose(words, words)
        whole(ada)
        if way == "plays":
            assert ada.last(wire.Over).reason == "crashed"
        else:
            assert "no luck" in ada.last(wire.Error).text
