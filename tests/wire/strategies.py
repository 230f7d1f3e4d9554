"""Hypothesis strategies for every kind of field and, through the schema, for every message."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tyrusd.wire import Message
from tyrusd.wire.errors import ERRORS
from tyrusd.wire.fields import BUILDINGS, TILES, Kind
from tyrusd.wire.layout import Schema
from tyrusd.wire.schema import CLIENT_SCHEMAS, SERVER_SCHEMAS
from tyrusd.wire.sightline import SIGHT
from tyrusd.wire.words import (
    DECLINED,
    ENCOUNTER_STATES,
    ENTRANT_STATES,
    EVENT_STATES,
    GOODBYES,
    NOTICES,
    REASONS,
    STATES,
)

LETTERS = "ABCXYZabcxyz"
DIGITS = "0123456789"
WORD_REST = "".join(chr(code) for code in range(0x21, 0x7F) if chr(code) != "=")

NUMBERS = st.one_of(st.integers(0, 60), st.integers(0, 10**12 - 1))
FACES = st.sampled_from([*TILES, "?"])
RESULTS = st.text("IBN", min_size=1, max_size=9)
SECONDS = st.builds(
    lambda whole, rest: f"{whole}{rest}",
    st.integers(0, 9_999_999),
    st.one_of(st.just(""), st.text(DIGITS, min_size=1, max_size=3).map(lambda text: f".{text}")),
)
ENTRY = st.builds(
    lambda building, election, turn, side, face: f"{building}.{election}.{turn}.{side}.{face}",
    st.sampled_from(BUILDINGS),
    st.integers(1, 9),
    st.integers(1, 6),
    st.sampled_from("IB"),
    FACES,
)


def joined(
    items: st.SearchStrategy[str], least: int, most: int, between: str = ","
) -> st.SearchStrategy[str]:
    return st.lists(items, min_size=least, max_size=most).map(between.join)


GROUP = st.one_of(st.just("-"), joined(ENTRY, 1, 12))
UNPRINTABLE = [chr(code) for code in [*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029]]
TEXT = st.text(
    st.characters(codec="utf-8", exclude_characters=UNPRINTABLE), max_size=200
)  # at most 800 bytes of UTF-8, within the limit

BY_RULE: dict[str, st.SearchStrategy[Any]] = {
    "number": NUMBERS,
    "time": st.one_of(st.none(), NUMBERS),
    "switch": st.sampled_from(["on", "off"]),
    "lenient": st.one_of(st.none(), NUMBERS),
    "yes-no": st.sampled_from(["yes", "no"]),
    "counted": st.sampled_from(["yes", "no", "flagged"]),
    "elo": st.one_of(st.none(), st.integers(-999_999, 999_999)),
    "count": st.integers(1, 256),
    "nine": st.integers(1, 9),
    "six": st.integers(1, 6),
    "tile": st.sampled_from(TILES),
    "face": FACES,
    "building": st.sampled_from(BUILDINGS),
    "side": st.sampled_from("IB"),
    "viewer": st.sampled_from("IB-"),
    "result": st.sampled_from("IBN"),
    "kind": st.sampled_from("CMT"),
    "player-kind": st.sampled_from(["bot", "human"]),
    "cost": st.sampled_from(["fatal", "retry", "ignored"]),
    "code": st.sampled_from([*ERRORS, *GOODBYES, *NOTICES, *REASONS, *STATES]),
    "name": st.text(LETTERS + DIGITS + "_-", min_size=1, max_size=32),
    "game": st.builds(
        lambda first, rest: first + rest,
        st.sampled_from(LETTERS + DIGITS),
        st.text(LETTERS + DIGITS + "-", max_size=31),
    ),
    "word": st.builds(
        lambda first, rest: first + rest,
        st.sampled_from(WORD_REST.replace(":", "")),
        st.text(WORD_REST, max_size=63),
    ),
    "tag": st.text(LETTERS + DIGITS + "_.-", min_size=1, max_size=32),
    "secret": st.text(LETTERS + DIGITS + "_-", min_size=1, max_size=128),
    "version": st.builds(lambda major, minor: f"{major}.{minor}", st.integers(0, 9999), st.integers(0, 9999)),
    "verb": st.builds(lambda first, rest: first + rest, st.sampled_from("abc"), st.text("xyz-", max_size=15)),
    "variant-name": st.builds(
        lambda first, rest: first + rest, st.sampled_from("abc"), st.text("xyz0189-", max_size=31)
    ),
    "seed": st.text("0123456789abcdef", min_size=32, max_size=32),
    "clock": st.one_of(st.just("none"), st.builds(lambda base, more: f"{base}+{more}", SECONDS, SECONDS)),
    "cap": st.one_of(st.just("none"), SECONDS),
    "won": st.one_of(st.just("-"), RESULTS),
    "three-faces": joined(FACES, 3, 3),
    "group": GROUP,
    "list": st.lists(st.text("abcxyz", min_size=1, max_size=16), min_size=1, max_size=8, unique=True).map(
        tuple
    ),
    "outcome": st.sampled_from(["won", "lost", "drawn", "none"]),
    "finding": st.sampled_from(["passed", "failed", "skipped"]),
    "direction": st.sampled_from("SC+-"),
    "decline-word": st.sampled_from(["no", "busy", "terms", "later"]),
    "part": st.sampled_from(["deal", "seat", "placed", "tallied", "over"]),
    "nine-kinds": st.text("CMT", min_size=9, max_size=9),
    "thirty-tiles": joined(st.sampled_from(TILES), 30, 30),
    "four-sums": joined(st.integers(0, 999).map(str), 4, 4),
    "event-kind": st.sampled_from(["knockout", "swiss", "roundrobin"]),
    "points": st.builds(
        lambda whole, half: f"{whole}{half}", st.integers(0, 999_999), st.sampled_from(["", ".5"])
    ),
    "text": TEXT,
    "cards": st.text("CMT", min_size=1, max_size=9),
    "hand": st.one_of(st.just("-"), joined(st.sampled_from(TILES), 1, 9)),
    "reserve": st.sampled_from([str(number) for number in range(0, 22, 3)]),
    "past": joined(GROUP, 1, 9, "/"),
}

# The closed lists are open for reading, but the encoder only writes what is listed for the field.
LISTED: dict[str, list[str]] = {
    "error": list(ERRORS),
    "bye": list(GOODBYES),
    "notice": list(NOTICES),
    "over": list(REASONS),
    "player": list(STATES),
    "result": list(REASONS),
    "recorded": list(REASONS),
    "verdict": list(REASONS),
    "declined": list(DECLINED),
    "event": list(EVENT_STATES),
    "standing": list(ENTRANT_STATES),
    "encounter": list(ENCOUNTER_STATES),
}


def values(kind: Kind, verb: str) -> st.SearchStrategy[Any]:
    """Values of a kind that may be sent with this verb."""
    return st.sampled_from(LISTED[verb]) if kind.name == "code" else BY_RULE[kind.name]


def views() -> st.SearchStrategy[str]:
    """Any well-spelled sightline; it need not be possible in the game."""

    def word(key: str, kind: Kind) -> st.SearchStrategy[str]:
        return BY_RULE[kind.name].map(lambda value: f"{key}={value}")

    words = [word(key, kind) for key, kind in SIGHT.items()]
    return st.tuples(*words).map(" ".join)


def messages_of(schema: Schema) -> st.SearchStrategy[Message]:
    """Any message of one schema, its optional keys there or not."""
    verb = schema.type.verb
    parts: dict[str, st.SearchStrategy[Any]] = {
        field.attribute: values(field.kind, verb) for field in schema.core
    }
    for key in schema.keys:
        some = values(key.kind, verb)
        parts[key.attribute] = some if key.required else st.one_of(st.just(key.default), some)
    if schema.view:
        parts["view"] = views()
    if schema.text:
        parts["text"] = st.one_of(st.none(), TEXT) if schema.textless else TEXT
    return st.builds(schema.type, **parts)


CLIENT_MESSAGES = st.one_of([messages_of(schema) for schema in CLIENT_SCHEMAS.values()])
SERVER_MESSAGES = st.one_of([messages_of(schema) for schema in SERVER_SCHEMAS.values()])
