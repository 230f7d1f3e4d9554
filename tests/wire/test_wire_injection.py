"""Nothing that is put into a message can end its line early, start another one, or steer a terminal."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tests.wire.examples import CODES, MESSAGES, VIEW, good
from tyrusd.wire import Error, Message, Notice, Place, Player, Resume, Start, encode_frame, encode_line
from tyrusd.wire.layout import Field, Key
from tyrusd.wire.schema import SCHEMA_OF

ATTACKS = [
    "\n",
    "\r",
    "\r\nover g1 9 I resigned",
    " over",
    "\0",
    "\x1b[2J",
    "\x1b]0;title\x07",
    "\x7f",
    "\t",
    "\x9b2J",
]
ATTACKS += ["\u2028", "\u0085"]


WRONG: list[Any] = [
    object(),
    1.5,
    True,
    -1,
    10**12,
    b"g1",
    [],
    (),
    "",
    ("a", "a"),
    ("a,b",),
    "é",
    "a=b",
    "x" * 5000,
]


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_row_61_f037_no_field_lets_a_control_character_out(message: Message) -> None:
    """circuits/circuits#254: a text with a line end in it carried a second line to others."""
    encode_line(message)
    encode_frame(message)
    for attribute in message.__struct_fields__:
        value = getattr(message, attribute)
        if attribute == "tag" and value is None:
            continue
        texts: list[Any] = [attack for attack in ATTACKS if attribute != "text" or attack != " over"]
        texts += [str(value) + attack for attack in texts]
        if attribute == "text":
            texts += ["\ud800", "x" * 1025, 7]
        bad: list[Any] = [(text,) for text in texts] if isinstance(value, tuple) else texts
        for attack in bad:
            changed = msgspec.structs.replace(message, **{attribute: attack})
            for encode in (encode_line, encode_frame):
                with pytest.raises(ValueError, match=f"cannot send {message.verb}: "):
                    encode(changed)


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_no_field_takes_a_value_of_another_kind(message: Message) -> None:
    for attribute in message.__struct_fields__:
        value = getattr(message, attribute)
        for wrong in WRONG:
            accepts_text = attribute == "text" and isinstance(wrong, str) and len(wrong) < 1000
            absent = wrong == () and attribute == "want"
            below = type(wrong) is int and attribute in {"elo", "low", "high"}
            if accepts_text or absent or below or (attribute == "tag" and value is None):
                continue
            changed = msgspec.structs.replace(message, **{attribute: wrong})
            for encode in (encode_line, encode_frame):
                with pytest.raises(ValueError, match=f"cannot send {message.verb}: "):
                    encode(changed)


@pytest.mark.parametrize(
    ("message", "says"),
    [
        (Place("g1\nquit", 7, "S10", "IC"), r"cannot send place: GAME must be a game id.*, not 'g1\\nquit'"),
        (Place("g1", 7, "S11", "IC"), "TILE must be a tile: S1 to S10"),
        (Player("anna", "bot", "asleep"), "STATE must be a player's state, not 'asleep'"),
        (Player("anna", "bot", "free", agent="a b"), "agent= must be a word"),
        (Error("oops", "retry", "x"), "CODE must be an error code"),
        (Notice("storage", "two\nlines"), "text must be text without control characters"),
    ],
)
def test_the_error_names_the_field(message: Message, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        encode_line(message)


def test_a_secret_is_not_in_the_error() -> None:
    with pytest.raises(ValueError, match="SECRET must be") as caught:
        encode_line(Resume("hunter2!"))
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    "view",
    [
        "",
        VIEW[:-1],
        VIEW + " ",
        VIEW + " more=1",
        VIEW.replace(" ", "  ", 1),
        VIEW.replace("side", "Side"),
        " ".join(sorted(VIEW.split(" "))),
        VIEW.replace("board=-", "board=-\n"),
        VIEW.replace("board=-", "board=é"),
        VIEW.replace("board=-", "board=" + "IC.1.1.I.S10," * 200),
        None,
    ],
)
def test_a_view_is_the_words_of_one_sightline(view: Any) -> None:
    for message in MESSAGES:
        if hasattr(message, "view"):
            for encode in (encode_line, encode_frame):
                with pytest.raises(ValueError, match="its view is not a sightline"):
                    encode(msgspec.structs.replace(message, view=view))


def test_only_listed_words_are_sent() -> None:
    for message in MESSAGES:
        if message.verb in CODES:
            schema = SCHEMA_OF[type(message)]
            fields: list[Field | Key] = [*schema.core, *schema.keys]
            (attribute,) = [field.attribute for field in fields if field.kind.name == "code"]
            with pytest.raises(ValueError, match="cannot send"):
                encode_line(msgspec.structs.replace(message, **{attribute: "brand-new"}))


def test_something_else_is_no_message() -> None:
    for encode in (encode_line, encode_frame):
        with pytest.raises(TypeError, match="str is no message"):
            encode("who\n")  # type: ignore[arg-type]


def test_the_example_start_is_whole() -> None:
    start = good(Start)
    assert encode_line(start) == (
        b"start g1 I anna anna variant=standard clock=none cap=none enemy-clock=none enemy-cap=none "
        b"lenient=any seed=00000000000000000000000000000000 opener=I ponder=off rated=flagged "
        b":a sentence\n"
    )
    assert encode_line(msgspec.structs.replace(start, text=None)).endswith(b" rated=flagged\n")
