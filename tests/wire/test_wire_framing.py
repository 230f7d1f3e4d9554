"""A byte stream gives the same results however it is cut, within fixed memory; line ends follow one rule."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.wire.strategies import CLIENT_MESSAGES, SERVER_MESSAGES
from tyrusd.wire import Codec, Connection, Help, Message, Ping, Place, Quit, Refusal, Role, Who, encode_line

LIMITS = {Role.SERVER: 512, Role.CLIENT: 4096}
GARBAGE = st.one_of(
    st.binary(max_size=40),
    st.sampled_from(
        [b"", b"who", b"who\r", b"who ", b"\xef\xbb\xbfwho", b"w\x00ho", b"x" * 600, b"\xff\xfb\x01"]
    ),
)


def cut(data: bytes, points: list[int]) -> Iterator[bytes]:
    edges = [0, *sorted(point % (len(data) + 1) for point in points), len(data)]
    return (data[start:end] for start, end in pairwise(edges))


def all_at_once(role: Role, codec: Codec, data: bytes) -> tuple[list[Message | Refusal], bool, bool]:
    connection = Connection(role, codec)
    return connection.receive(data), connection.partial, connection.dead


def in_pieces(
    role: Role, codec: Codec, pieces: Iterator[bytes]
) -> tuple[list[Message | Refusal], bool, bool]:
    connection = Connection(role, codec)
    found = [result for piece in pieces for result in connection.receive(piece)]
    return found, connection.partial, connection.dead


def check_every_cut(role: Role, codec: Codec, data: bytes, points: list[int]) -> None:
    whole = all_at_once(role, codec, data)
    assert in_pieces(role, codec, cut(data, points)) == whole
    assert in_pieces(role, codec, (bytes([byte]) for byte in data)) == whole


@settings(max_examples=150)
@given(
    st.lists(st.one_of(CLIENT_MESSAGES.map(lambda m: encode_line(m)[:-1]), GARBAGE), max_size=5),
    st.sampled_from([b"\n", b"\r\n"]),
    GARBAGE,
    st.lists(st.integers(0, 9999), max_size=6),
)
def test_client_lines_however_they_are_cut(
    lines: list[bytes], end: bytes, rest: bytes, points: list[int]
) -> None:
    check_every_cut(Role.SERVER, Codec.LINE, b"".join(line + end for line in lines) + rest, points)


@settings(max_examples=100)
@given(
    st.lists(st.one_of(SERVER_MESSAGES.map(encode_line), GARBAGE.map(lambda line: line + b"\n")), max_size=4),
    GARBAGE,
    st.lists(st.integers(0, 9999), max_size=6),
)
def test_server_lines_however_they_are_cut(lines: list[bytes], rest: bytes, points: list[int]) -> None:
    check_every_cut(Role.CLIENT, Codec.LINE, b"".join(lines) + rest, points)


@settings(max_examples=100)
@given(
    st.lists(
        st.one_of(CLIENT_MESSAGES.map(Connection(Role.CLIENT, Codec.FRAME).encode), GARBAGE), max_size=4
    ),
    GARBAGE,
    st.lists(st.integers(0, 9999), max_size=6),
)
def test_frames_however_they_are_cut(frames: list[bytes], rest: bytes, points: list[int]) -> None:
    check_every_cut(Role.SERVER, Codec.FRAME, b"".join(frames) + rest, points)


@given(st.lists(CLIENT_MESSAGES, max_size=4))
def test_messages_arrive_in_order_and_the_rest_is_kept(messages: list[Message]) -> None:
    data = b"".join(map(encode_line, messages)) + b"place g1 1 "
    connection = Connection(Role.SERVER)
    assert connection.receive(data) == messages
    assert connection.partial
    assert connection.receive(b"S1 IC\n") == [Place("g1", 1, "S1", "IC")]
    assert not connection.partial


@pytest.mark.parametrize("role", list(Role))
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("beyond", [-1, 0, 1])
def test_one_below_at_and_above_the_limit(role: Role, end: bytes, beyond: int) -> None:
    limit = LIMITS[role]
    start = b"ping " + b"a" * 60 + b" key="
    line = start + b"v" * (limit + beyond - len(start))
    connection = Connection(role)
    results = connection.receive(line + end)
    if beyond <= 0:
        assert results == [Ping("a" * 60)]
        assert not connection.dead
    else:
        assert [(result.code, result.fatal) for result in results if isinstance(result, Refusal)] == [
            ("line-too-long", True)
        ]
        assert connection.dead
    check_every_cut(role, Codec.LINE, line + end, [limit - 1, limit, limit + 1])


def test_a_line_of_more_than_the_limit_is_told_once_and_nothing_after_it_is_read() -> None:
    connection = Connection(Role.SERVER)
    assert connection.receive(b"who\n" + b"A" * 511) == [Who()]
    assert connection.receive(b"A") == []
    (refusal,) = connection.receive(b"A" * 100)
    assert isinstance(refusal, Refusal) and refusal.code == "line-too-long" and refusal.fatal
    assert connection.dead and not connection.partial
    assert connection.receive(b"\nwho\n") == []
    assert connection.receive(b"A" * 100_000) == []


def test_valid_lines_before_a_too_long_one_still_count() -> None:
    results = Connection(Role.SERVER).receive(b"who\n" + b"A" * 513 + b"\nhelp\n")
    assert results[0] == Who()
    assert [type(result) for result in results] == [Who, Refusal]


def test_a_carriage_return_at_the_limit_waits_for_its_line_feed() -> None:
    line = b"ping a key=" + b"v" * (512 - len(b"ping a key="))
    connection = Connection(Role.SERVER)
    assert connection.receive(line + b"\r") == []
    assert connection.partial and not connection.dead
    assert connection.receive(b"\n") == [Ping("a")]
    connection = Connection(Role.SERVER)
    connection.receive(line + b"\r")
    (refusal,) = connection.receive(b"x")
    assert isinstance(refusal, Refusal) and refusal.code == "line-too-long"


@pytest.mark.parametrize(
    ("data", "codes"),
    [
        (b"who\nhelp\nquit\n", [Who(), Help(), Quit()]),
        (b"who\r\nhelp\n", [Who(), Help()]),
        (b"who\r\r\n", ["bad-byte"]),
        (b"who\rhelp\n", ["bad-byte"]),
        (b"\rwho\n", ["bad-byte"]),
        (b"who\n\rhelp\n", [Who(), "bad-byte"]),
        (b"who\r\0\n", ["bad-byte"]),
        (b"\n", ["syntax"]),
        (b"\r\n", ["syntax"]),
        (b"who\x0bhelp\x0chelp\x1chelp\n", ["bad-byte"]),
        ("who\x85help\n".encode(), ["syntax"]),
        ("who\u2028help\n".encode(), ["syntax"]),
    ],
)
def test_line_ends(data: bytes, codes: list[object]) -> None:
    results = Connection(Role.SERVER).receive(data)
    assert [result.code if isinstance(result, Refusal) else result for result in results] == codes


@pytest.mark.parametrize("data", [b"quit", b"place g1 1 S1 IC", b"quit\r"])
def test_a_line_that_its_sender_never_ended_is_never_obeyed(data: bytes) -> None:
    connection = Connection(Role.SERVER)
    assert connection.receive(data) == []
    assert connection.end() is True
    assert not connection.partial
    assert connection.receive(b"\n") == []


def test_an_end_between_lines_discards_nothing() -> None:
    connection = Connection(Role.SERVER)
    connection.receive(b"who\n")
    assert connection.end() is False


def test_a_limit_of_ones_own() -> None:
    connection = Connection(Role.SERVER, limit=5)
    assert connection.receive(b"who\nquit\n") == [Who(), Quit()]
    assert connection.receive(b"cancel\n")[0] == Refusal(
        "line-too-long", "a line of more than 5 bytes; the connection closes", fatal=True
    )


@pytest.mark.parametrize("codec", list(Codec))
def test_what_is_kept_never_exceeds_the_limit(codec: Codec) -> None:
    limit = 512 if codec is Codec.LINE else 65536
    head = b"" if codec is Codec.LINE else limit.to_bytes(4, "big")
    connection = Connection(Role.SERVER, codec)
    most = 0
    for piece in [head, *[b"A" * 100] * 800]:
        connection.receive(piece)
        kept = connection._kept_frame if codec is Codec.FRAME else connection._kept
        most = max(most, len(kept or b""))
    assert connection.dead
    assert limit - 100 <= most <= limit + 4


def test_a_connection_that_waits_keeps_next_to_nothing() -> None:
    connection = Connection(Role.SERVER)
    connection.receive(b"place g1 1 S1 IC\n" * 1000)
    assert connection._kept == b""
    assert not hasattr(connection, "__dict__")
