"""Every message comes back from both codecs as it was, and has one spelling in each."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.wire.strategies import BY_RULE, messages_of
from tyrusd.wire import (
    Choose,
    Message,
    Ping,
    Place,
    Placed,
    Refusal,
    Snapshot,
    Turn,
    decode_client_frame,
    decode_client_line,
    decode_server_frame,
    decode_server_line,
    encode_frame,
    encode_line,
)
from tyrusd.wire.schema import CLIENT_SCHEMAS, SCHEMA_OF, SERVER_SCHEMAS
from tyrusd.wire.sightline import SIGHT

VIEW = (
    "side=I variant=standard opener=B election=2 turn=3 move=I kind=M cards=CM won=N hand=S1,M10,P2 "
    "reserve=18 board=IC.1.2.I.S10,BT.2.1.B.?,IM.2.2.I.P3 past=-"
)


@pytest.mark.parametrize("verb", CLIENT_SCHEMAS)
@settings(max_examples=60)
@given(data=st.data())
def test_client_messages_round_trip(verb: str, data: st.DataObject) -> None:
    message = data.draw(messages_of(CLIENT_SCHEMAS[verb]))
    line = encode_line(message)
    assert line.endswith(b"\n") and line.count(b"\n") == 1
    assert decode_client_line(line[:-1]) == message
    assert decode_client_frame(encode_frame(message)[4:]) == message


@pytest.mark.parametrize("verb", SERVER_SCHEMAS)
@settings(max_examples=60)
@given(data=st.data())
def test_server_messages_round_trip(verb: str, data: st.DataObject) -> None:
    message = data.draw(messages_of(SERVER_SCHEMAS[verb]))
    line = encode_line(message)
    assert line.endswith(b"\n") and line.count(b"\n") == 1
    assert decode_server_line(line[:-1]) == message
    assert decode_server_frame(encode_frame(message)[4:]) == message


@pytest.mark.parametrize(
    ("message", "line"),
    [
        (Place("g1", 7, "S10", "IC"), b"place g1 7 S10 IC\n"),
        (Place("g1", 7, "S10", "IC", tag="a1"), b"place g1 7 S10 IC tag=a1\n"),
        (Placed("g1", 17, "I", 2, 3, "IC", "?"), b"placed g1 17 I 2 3 IC ?\n"),
        (Turn("g1", 7, 30000, 295000, None), b"turn g1 7 30000 295000 none\n"),
        (
            Choose("g1", 7, None, 1, 2, VIEW),
            b"choose g1 7 left=none time=1 enemy-time=2 " + VIEW.encode() + b"\n",
        ),
    ],
)
def test_the_frequent_lines_look_like_this(message: Message, line: bytes) -> None:
    assert encode_line(message) == line


def test_a_frame_spreads_the_sightline_and_keeps_its_words_as_text() -> None:
    payload = encode_frame(Snapshot("g1", 8, "anna", "bob", None, 5, VIEW))[4:]
    for word in VIEW.split(" "):
        key, _, value = word.partition("=")
        packed = bytes([0xA0 + len(key)]) + key.encode()
        assert packed in payload, key
        assert payload.split(packed)[1][:60].find(value[:20].encode()) in (1, 2), key


def test_sightline_words_in_any_order_are_gathered_in_one_order() -> None:
    words = VIEW.split(" ")
    shuffled = " ".join(words[5:] + words[:5])
    line = f"choose g1 7 left=3 {shuffled} new-key=1 time=4 enemy-time=5".encode()
    assert decode_server_line(line) == Choose("g1", 7, 3, 4, 5, VIEW)


def test_the_tag_of_a_ping_is_for_both_directions_the_same_type() -> None:
    assert decode_server_line(b"ping abc") == decode_client_line(b"ping abc") == Ping("abc")


def test_core_fields_are_the_first_attributes() -> None:
    """The encoder takes the core fields from the front of a message's attributes."""
    for kind, schema in SCHEMA_OF.items():
        names = kind.__struct_fields__
        assert names[: len(schema.core)] == tuple(field.attribute for field in schema.core)
        rest = {key.attribute for key in schema.keys}
        rest |= {"view"} if schema.view else set()
        rest |= {"text"} if schema.text else set()
        assert set(names[len(schema.core) :]) - {"tag"} == rest - {"tag"}


def test_every_kind_of_field_has_a_strategy() -> None:
    kinds = {field.kind.name for schema in SCHEMA_OF.values() for field in schema.core}
    kinds |= {key.kind.name for schema in SCHEMA_OF.values() for key in schema.keys}
    kinds |= {kind.name for kind in SIGHT.values()} | {"text"}
    assert kinds == set(BY_RULE)


def test_an_unknown_word_of_an_open_list_is_read() -> None:
    """A later minor version may add an error code or an ending; a client must live with it."""
    for line in (
        b"error brand-new retry :x",
        b"bye brand-new :x",
        b"over g1 9 I brand-new",
        b"notice brand-new :x",
    ):
        assert not isinstance(decode_server_line(line), Refusal)
