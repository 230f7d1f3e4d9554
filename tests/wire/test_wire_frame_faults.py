"""Frames: length before content, one strict shape; what is broken is fatal, what is only wrong is not."""

from __future__ import annotations

from typing import Any

import msgpack
import pytest

from tests.wire.examples import VIEW
from tyrusd.wire import (
    Choose,
    Codec,
    Connection,
    Message,
    Place,
    Refusal,
    Role,
    Turn,
    Who,
    decode_client_frame,
    decode_server_frame,
    encode_frame,
)
from tyrusd.wire.schema import CLIENT_SCHEMAS

PLACE = ["place", ["g1", 7, "S10", "IC"], {}]


def frame(value: Any) -> bytes:
    payload = msgpack.packb(value)
    return len(payload).to_bytes(4, "big") + payload


def one(value: Any) -> Message | Refusal:
    return decode_client_frame(frame(value)[4:])


def test_a_frame_as_bytes() -> None:
    assert encode_frame(Place("g1", 7, "S10", "IC", tag="a")).hex(" ") == (
        "00 00 00 1a 93 a5 70 6c 61 63 65 94 a2 67 31 07 a3 53 31 30 a2 49 43 81 a3 74 61 67 a1 61"
    )


def test_time_without_limit_is_a_word_and_numbers_are_numbers() -> None:
    assert msgpack.unpackb(encode_frame(Turn("g1", 7, 1, None, 0))[4:]) == [
        "turn",
        ["g1", 7, 1, "none", 0],
        {},
    ]


@pytest.mark.parametrize(
    "length",
    [
        65537,
        65536 + 256,
        2**24,
        2**31,
        2**32 - 1,
        int.from_bytes(b"who\n", "big"),
        int.from_bytes(b"hell", "big"),
    ],
)
def test_a_length_over_the_limit_is_fatal_before_anything_is_read(length: int) -> None:
    connection = Connection(Role.SERVER, Codec.FRAME)
    header = length.to_bytes(4, "big")
    assert connection.receive(header[:3]) == []
    assert connection.receive(header[3:]) == [
        Refusal("line-too-long", "a frame of more than 65536 bytes; the connection closes", fatal=True)
    ]
    assert connection.dead and not connection.partial
    assert connection.receive(frame(PLACE)) == []


def test_a_frame_of_exactly_the_limit_is_read() -> None:
    filler = ["who", [], {"x": "y" * 65000}]
    missing = 65536 - len(msgpack.packb(filler))
    filler = ["who", [], {"x": "y" * (65000 + missing)}]
    assert len(frame(filler)) == 65540
    assert Connection(Role.SERVER, Codec.FRAME).receive(frame(filler)) == [Who()]
    filler = ["who", [], {"x": "y" * (65001 + missing)}]
    (refusal,) = Connection(Role.SERVER, Codec.FRAME).receive(frame(filler))
    assert isinstance(refusal, Refusal) and refusal.code == "line-too-long"


BROKEN: dict[str, bytes] = {
    "nothing": b"",
    "a number": b"\x01",
    "a map": msgpack.packb({"type": "who"}),
    "two parts": msgpack.packb(["who", []]),
    "four parts": msgpack.packb(["who", [], {}, 1]),
    "keys as a list": msgpack.packb(["who", [], []]),
    "core as a map": msgpack.packb(["who", {}, {}]),
    "type as a number": msgpack.packb([1, [], {}]),
    "type as bytes": msgpack.packb([b"who", [], {}]),
    "a list in the core": msgpack.packb(["place", ["g1", [7], "S10", "IC"], {}]),
    "a map in a key": msgpack.packb(["who", [], {"tag": {}}]),
    "none": msgpack.packb(["resign", [None], {}]),
    "a float": msgpack.packb(["place", ["g1", 7.0, "S10", "IC"], {}]),
    "a truth value": msgpack.packb(["place", ["g1", True, "S10", "IC"], {}]),
    "bytes": msgpack.packb(["resign", [b"g1"], {}]),
    "an extension": msgpack.packb(["resign", [msgpack.ExtType(5, b"g1")], {}]),
    "an empty extension": b"\x93\xa3who\x90\x81\xa1x\xc7\x00\x05",
    "a timestamp": msgpack.packb(["resign", [msgpack.Timestamp(0, 0)], {}]),
    "a number as key": msgpack.packb(["who", [], {1: "a"}]),
    "bytes as key": msgpack.packb(["who", [], {b"tag": "a"}]),
    "a key twice": b"\x93\xa3who\x90\x82\xa3tag\xa1a\xa3tag\xa1b",
    "an unknown key twice": b"\x93\xa3who\x90\x82\xa1x\xa1a\xa1x\xa1a",
    "bad UTF-8": b"\x93\xa6resign\x91\xa2\xc3\x28\x80",
    "a surrogate": b"\x93\xa6resign\x91\xa3\xed\xa0\x80\x80",
    "cut short": msgpack.packb(PLACE)[:-1],
    "something after it": msgpack.packb(PLACE) + b"\x00",
    "two messages": msgpack.packb(PLACE) * 2,
    "a huge array": b"\xdd\xff\xff\xff\xff",
    "a huge text": b"\xdb\xff\xff\xff\xff",
    "huge bytes": b"\xc6\xff\xff\xff\xff",
    "a huge map": b"\xdf\xff\xff\xff\xff",
    "nesting": b"\x91" * 60_000,
    "nesting of maps": b"\x81\xa1a" * 20_000,
    "the unused byte": b"\xc1",
    "text": b"place g1 7 S10 IC\n",
}


@pytest.mark.parametrize("payload", BROKEN.values(), ids=BROKEN)
@pytest.mark.parametrize("role", list(Role))
def test_what_is_no_frame_is_fatal(role: Role, payload: bytes) -> None:
    connection = Connection(role, Codec.FRAME)
    results = connection.receive(len(payload).to_bytes(4, "big") + payload + frame(["who", [], {}]))
    assert len(results) == 1
    (refusal,) = results
    assert isinstance(refusal, Refusal) and refusal.fatal and refusal.code == "syntax"
    assert connection.dead


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (["frob", [], {"tag": "t"}], "syntax"),
        (["", [], {"tag": "t"}], "syntax"),
        (["place g1 7 S10 IC", [], {"tag": "t"}], "syntax"),
        (["place\n", [], {"tag": "t"}], "syntax"),
        (["place", ["g1", 7, "S10"], {"tag": "t"}], "syntax"),
        (["place", ["g1", 7, "S10", "IC", "IC"], {"tag": "t"}], "syntax"),
        (["place", ["g1", "7", "S10", "IC"], {"tag": "t"}], "syntax"),
        (["place", ["g1", -1, "S10", "IC"], {"tag": "t"}], "syntax"),
        (["place", ["g1", 10**12, "S10", "IC"], {"tag": "t"}], "syntax"),
        (["place", ["g1", 2**64 - 1, "S10", "IC"], {"tag": "t"}], "syntax"),
        (["place", ["g1", 7, "S11", "IC"], {"tag": "t"}], "syntax"),
        (["place", ["g1", 7, 10, "IC"], {"tag": "t"}], "syntax"),
        (["resign", ["g1\n"], {"tag": "t"}], "syntax"),
        (["resign", ["g1\r\nquit"], {"tag": "t"}], "syntax"),
        (["resign", ["gé"], {"tag": "t"}], "syntax"),
        (["ping", ["a b"], {"tag": "t"}], "syntax"),
        (["ping", ["\u0663"], {"tag": "t"}], "syntax"),
        (["hello", ["0.1", "a b", "bot"], {"tag": "t"}], "name"),
        (["hello", ["0.1", "a", "bot"], {"games": 257, "tag": "t"}], "syntax"),
        (["hello", ["0.1", "a", "bot"], {"games": "2", "tag": "t"}], "syntax"),
        (["hello", ["0.1", "a", "bot"], {"want": "events\n", "tag": "t"}], "syntax"),
    ],
)
def test_a_wrong_message_in_a_good_frame_is_refused_and_the_next_is_read(value: Any, code: str) -> None:
    connection = Connection(Role.SERVER, Codec.FRAME)
    results = connection.receive(frame(value) + frame(PLACE))
    refusal = results[0]
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.tag, refusal.fatal) == (code, "t", False)
    assert refusal.sentence.isascii() and refusal.sentence.isprintable()
    assert results[1:] == [Place("g1", 7, "S10", "IC")]


@pytest.mark.parametrize("tag", [5, "a b", "", "t" * 33, "t\n"])
def test_a_bad_tag_is_a_fault_of_its_own(tag: Any) -> None:
    result = one(["who", [], {"tag": tag}])
    assert isinstance(result, Refusal) and result.tag is None and not result.fatal


def test_keys_not_known_are_ignored_and_so_are_types_by_a_client() -> None:
    assert one(["place", ["g1", 7, "S10", "IC"], {"x": 1, "Y Z": "\n"}]) == Place("g1", 7, "S10", "IC")
    connection = Connection(Role.CLIENT, Codec.FRAME)
    assert connection.receive(
        frame(["brand-new", [1], {"x": 2}]) + frame(["turn", ["g1", 1, 2, 3, 4], {}])
    ) == [Turn("g1", 1, 2, 3, 4)]


def test_a_sightline_in_a_frame_needs_all_its_words_as_text() -> None:
    good = msgpack.unpackb(encode_frame(Choose("g1", 1, 5, 5, None, VIEW))[4:])
    assert decode_server_frame(msgpack.packb(good)) == Choose("g1", 1, 5, 5, None, VIEW)
    for key, value in [("election", 1), ("hand", "S1\n"), ("board", ""), ("past", "é"), ("cards", 3)]:
        bad = [*good[:2], good[2] | {key: value}]
        result = decode_server_frame(msgpack.packb(bad))
        assert isinstance(result, Refusal) and f"{key}=" in result.sentence
    for key in good[2]:
        bad = [*good[:2], {name: value for name, value in good[2].items() if name != key}]
        result = decode_server_frame(msgpack.packb(bad))
        assert isinstance(result, Refusal) and f"{key}= is missing" in result.sentence


@pytest.mark.parametrize("verb", CLIENT_SCHEMAS)
def test_every_verb_with_any_number_of_fields(verb: str) -> None:
    for count in range(13):
        for value in ("x", 1, "", "g1"):
            result = one([verb, [value] * count, {}])
            if isinstance(result, Refusal):
                assert not result.fatal and result.verb == verb
            else:
                assert count == len(CLIENT_SCHEMAS[verb].core)
