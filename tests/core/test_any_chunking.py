"""However a peer's bytes are cut, at one moment of time the answers are the same to the last byte."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.stage import Stage, begin
from tests.wire.strategies import CLIENT_MESSAGES
from tyrusd.core.lobby import Lobby
from tyrusd.core.requests import StartBot, Stored
from tyrusd.core.seatspec import SeatSpec
from tyrusd.wire import Codec, encode_frame, encode_line

_BUILDINGS = ("IC", "IM", "IT", "BC", "BM", "BT")
_TILES = [f"{letter}{number}" for letter in "SMP" for number in range(1, 11)]

TAGS = st.sampled_from(["", " tag=a", " tag=b.1", " tag=", " tag=a tag=b"])
PLACES = st.builds(
    lambda game, request, tile, building: f"place {game} {request} {tile} {building}",
    st.sampled_from(["g1", "g1", "g1", "g2", "g0"]),
    st.integers(1, 8),
    st.sampled_from(_TILES),
    st.sampled_from(_BUILDINGS),
)
WORDS = st.sampled_from(
    ["who", "games", "help", "ping x", "pong x", "seek", "seek cap=5 side=I", "cancel", "play bob", "look g1",
     "watch g1", "unwatch g1", "resign g1", "quit", "xyzzy", "", "hello 0.1 ada bot", "hello 0.1 cleo human",
     "hello 9.0 x bot", "resume 0123456789abcdef", "place", "place g1 01 S1 IC", "GET / HTTP/1.1", " who",
     "who ", "SSH-2.0-x"],
)  # fmt: skip
ENDS = st.sampled_from([b"\n", b"\n", b"\n", b"\r\n", b"\r\r\n"])
GOOD_LINES = st.builds(
    lambda line, tag, end: (line + tag).encode() + end, st.one_of(WORDS, PLACES), TAGS, ENDS
)
ANY_LINES = st.one_of(CLIENT_MESSAGES.map(encode_line), st.binary(max_size=40).map(lambda data: data + b"\n"))
LONG = st.integers(505, 520).map(lambda length: b"ping w pad=" + b"x" * (length - 11) + b"\n")
BURSTS = st.integers(1, 130).map(lambda count: b"ping x\n" * count)
SCRIPTS = st.lists(st.one_of(GOOD_LINES, GOOD_LINES, ANY_LINES, LONG, BURSTS), max_size=12).map(b"".join)
FRAMES = st.lists(
    st.one_of(
        CLIENT_MESSAGES.map(encode_frame),
        st.binary(max_size=20).map(lambda data: len(data).to_bytes(4, "big") + data),
        st.binary(min_size=1, max_size=8),
    ),
    max_size=12,
).map(b"".join)


def pieces(data: bytes, cuts: Sequence[int]) -> list[bytes]:
    """The data cut at some places (taken modulo its length)."""
    places = sorted({cut % len(data) for cut in cuts} - {0}) if data else []
    return [data[start:end] for start, end in zip([0, *places], [*places, len(data)], strict=True)]


def told(script: Sequence[bytes], state: str, codec: Codec = Codec.LINE) -> list[bytes]:
    """What everybody is told, at once and after a while, when one peer sends a script in these pieces."""
    stage = Stage(lobby=Lobby({"house": SeatSpec("plugin", "house")}))
    if state == "new":
        peer = stage.connect()
    elif state == "program":
        stage.join("ada").say("play house")
        (start,) = [request for request in stage.requests if isinstance(request, StartBot)]
        peer = stage.connect("pipe", codec, "pipe", start.id)
    else:
        peer = begin(stage, terms="clock=none cap=none").mover
    stage.store_at_once = False  # or a result could be told between two pieces
    for piece in script:
        if piece and not peer.closed:
            peer.send_bytes(piece)
    at_once = [other.raw for other in stage.peers.values()]
    for request in stage.stored:
        stage.server.answer(Stored(request.id), stage.now)
    stage.wait(8)
    return at_once + [other.raw for other in stage.peers.values()]


CUTS = st.lists(st.integers(0, 10**6), max_size=40)


@settings(max_examples=250, derandomize=True, deadline=None, database=None)
@given(SCRIPTS, CUTS, st.sampled_from(["new", "playing"]))
def test_lines_may_be_cut_anywhere(script: bytes, cuts: list[int], state: str) -> None:
    whole = told([script], state)
    assert told(pieces(script, cuts), state) == whole
    assert told([script[at : at + 1] for at in range(len(script))], state) == whole


@settings(max_examples=100, derandomize=True, deadline=None, database=None)
@given(FRAMES, CUTS)
def test_frames_may_be_cut_anywhere(script: bytes, cuts: list[int]) -> None:
    whole = told([script], "program", Codec.FRAME)
    assert told(pieces(script, cuts), "program", Codec.FRAME) == whole
    assert told([script[at : at + 1] for at in range(len(script))], "program", Codec.FRAME) == whole
