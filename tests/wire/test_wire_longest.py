"""The longest line of every verb is built, and it fits."""

from __future__ import annotations

import pytest

from tests.wire.examples import good
from tyrusd.wire import (
    Choose,
    Role,
    Snapshot,
    decode_client_line,
    decode_server_line,
    encode_frame,
    encode_line,
)
from tyrusd.wire.connection import Codec, Connection
from tyrusd.wire.fields import BUILDINGS, FREE_TEXT, TILES
from tyrusd.wire.layout import Schema
from tyrusd.wire.limits import CLIENT_LINE, FRAME, SERVER_LINE, TEXT
from tyrusd.wire.messages import ClientMessage
from tyrusd.wire.schema import CLIENT_SCHEMAS, SCHEMA_OF, SERVER_SCHEMAS
from tyrusd.wire.sightline import LONGEST_VIEW

NAME = "N" * 32
NUMBER = 999_999_999_999


def longest_view() -> str:
    """All 54 tiles placed, every one still shown with its face, and every other word at its longest."""
    longest = sorted(TILES, key=len, reverse=True)
    entries = [
        f"{BUILDINGS[number % 6]}.{number // 6 + 1}.{number % 6 + 1}.{'IB'[number % 2]}.S10"
        for number in range(54)
    ]
    past = "/".join(",".join(entries[start : start + 5]) for start in range(0, 40, 5))
    return (
        f"side=B variant={'v' * 32} opener=B election=9 turn=6 move=B kind=T cards=TMCTMCTMC won=IBNIBNIBN "
        f"hand={','.join(longest[:9])} reserve=21 board={','.join(entries[40:])} past={past}/-"
    )


def room(schema: Schema) -> int:
    """The most bytes that any message of a schema can take, summed from its fields."""
    total = len(schema.type.verb)
    total += sum(1 + field.kind.longest for field in schema.core)
    total += sum(2 + len(key.name) + key.kind.longest for key in schema.keys)
    return total + schema.view * (1 + LONGEST_VIEW) + schema.text * (2 + TEXT)


@pytest.mark.parametrize("verb", CLIENT_SCHEMAS)
def test_no_client_line_can_be_too_long(verb: str) -> None:
    assert room(CLIENT_SCHEMAS[verb]) <= CLIENT_LINE


@pytest.mark.parametrize("verb", SERVER_SCHEMAS)
def test_no_server_line_can_be_too_long(verb: str) -> None:
    assert room(SERVER_SCHEMAS[verb]) <= SERVER_LINE


@pytest.mark.parametrize("message", [Choose("G" * 32, 54, NUMBER, NUMBER, NUMBER, longest_view())])
def test_the_longest_request_is_built_and_read(message: Choose) -> None:
    line = encode_line(message)
    assert 900 < len(line) < SERVER_LINE
    assert Connection(Role.CLIENT).receive(line) == [message]
    frame = encode_frame(message)
    assert len(frame) < FRAME
    assert Connection(Role.CLIENT, Codec.FRAME).receive(frame) == [message]


def test_the_longest_snapshot_is_built_and_read() -> None:
    message = Snapshot("G" * 32, NUMBER, NAME, NAME, NUMBER, NUMBER, longest_view())
    line = encode_line(message)
    assert len(line) < SERVER_LINE
    assert decode_server_line(line[:-1]) == message


def test_the_longest_hello_is_built_and_read() -> None:
    want = ",".join(letter * 16 for letter in "abcdefgh")
    keys = f"agent={'a' * 64} games=256 want={want} key={'k' * 128} tag={'t' * 32}"
    line = f"hello 9999.9999 {NAME} human {keys}".encode()
    message = decode_client_line(line)
    assert isinstance(message, ClientMessage)
    assert len(line) == room(CLIENT_SCHEMAS["hello"]) <= CLIENT_LINE
    assert encode_line(message) == line + b"\n"


def test_a_text_is_at_most_its_limit() -> None:
    for text in ("é" * (TEXT // 2 - 1) + "x", "é" * (TEXT // 2)):
        assert FREE_TEXT.write(text) == text
    with pytest.raises(ValueError, match="text"):
        FREE_TEXT.write("é" * (TEXT // 2) + "x")


def test_every_type_has_an_example() -> None:
    for kind in SCHEMA_OF:
        assert len(encode_line(good(kind))) <= 1 + room(SCHEMA_OF[kind])
