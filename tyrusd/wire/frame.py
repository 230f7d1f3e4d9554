"""Messages as msgpack frames: a 4-byte big-endian length, then [type, [core fields], {keys}].

Integers travel as integers, all else as strings; the words of a sightline are keys, a free text is the key
`text` (protocol.md#frames).
"""

from typing import Any, Final, NoReturn, cast

import msgpack
from msgspec.structs import astuple

from tyrusd.wire.base import ClientMessage, Message, Refusal
from tyrusd.wire.fields import FREE_TEXT, Kind
from tyrusd.wire.layout import Schema
from tyrusd.wire.reading import UNFIT, UnreadableError, build_message, read_tag, shown
from tyrusd.wire.schema import CLIENT_SCHEMAS, SERVER_SCHEMAS, schema_of
from tyrusd.wire.sightline import split_view
from tyrusd.wire.writing import unfit

HEADER: Final = 4
_SCALARS: Final = frozenset({str, int})


def encode_frame(message: Message) -> bytes:
    """Return the frame of a message, length included; ValueError as from encode_line."""
    schema = schema_of(message)
    try:
        core = [_pack(field.kind, value) for field, value in zip(schema.core, astuple(message), strict=False)]
        pairs = _pack_pairs(message, schema)
    except UNFIT:
        raise unfit(message) from None
    payload = msgpack.packb([message.verb, core, pairs])
    return len(payload).to_bytes(HEADER, "big") + payload


def _pack_pairs(message: Message, schema: Schema) -> dict[str, str | int]:
    pairs: dict[str, str | int] = {}
    for key in schema.keys:
        value = getattr(message, key.attribute)
        if not key.omits(value):
            pairs[key.name] = _pack(key.kind, value)
    if schema.view:
        for word in split_view(message.view):  # type: ignore[attr-defined]
            name, _, text = word.partition("=")
            pairs[name] = text
    if schema.text and (told := message.text) is not None:  # type: ignore[attr-defined]
        pairs["text"] = FREE_TEXT.write(told)
    return pairs


def _pack(kind: Kind, value: Any) -> str | int:
    text = kind.write(value)
    return value if type(value) is int else text


def decode_client_frame(payload: bytes) -> ClientMessage | Refusal:
    """Return the message that a client's frame (without its length) is, or its refusal.

    A payload that is not of a frame's form at all gets a fatal refusal.
    """
    return cast("ClientMessage | Refusal", _decode(payload, CLIENT_SCHEMAS, server=False))


def decode_server_frame(payload: bytes) -> Message | Refusal | None:
    """Return the message that a server's frame is, its refusal, or None for a type that is not known."""
    return _decode(payload, SERVER_SCHEMAS, server=True)


def _decode(payload: bytes, schemas: dict[str, Schema], server: bool) -> Message | Refusal | None:
    try:
        verb, core, pairs = _unpack_frame(payload)
    except UnreadableError as fault:
        return Refusal(fault.code, fault.sentence, fatal=True)
    schema = schemas.get(verb)
    tag = read_tag(pairs.get("tag"))
    if schema is None:
        return None if server else Refusal("syntax", f"unknown type {shown(verb)}", tag)
    try:
        if len(core) != len(schema.core):
            raise UnreadableError("syntax", f"{len(core)} core fields; usage: {schema.usage}")
        return build_message(schema, core, pairs, pairs.get("text"), _read_packed)
    except UnreadableError as fault:
        return Refusal(fault.code, fault.sentence, tag, verb=verb)


def _unpack_frame(payload: bytes) -> tuple[str, list[str | int], dict[str, str | int]]:
    try:
        frame = msgpack.unpackb(
            payload,
            object_pairs_hook=_unique,
            ext_hook=_no_extension,
            strict_map_key=True,
            max_str_len=len(payload),
            max_bin_len=0,
            max_ext_len=0,
        )
    except (ValueError, TypeError, msgpack.UnpackException, msgpack.BufferFull):
        sentence = "the frame is not one msgpack value without bytes, extensions and repeated keys"
        raise UnreadableError("syntax", sentence) from None
    if type(frame) is list and len(frame) == 3:
        verb, core, pairs = frame
        shaped = type(verb) is str and type(core) is list and type(pairs) is dict
        if shaped and _SCALARS.issuperset(map(type, core)) and _SCALARS.issuperset(map(type, pairs.values())):
            return verb, core, pairs
    raise UnreadableError(
        "syntax", "a frame is [type, [core fields], {keys}], with only integers and strings"
    )


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key is there twice")
    return found


def _no_extension(code: int, data: bytes) -> NoReturn:
    raise ValueError("extension types are not allowed")


def _read_packed(kind: Kind, raw: str | int) -> Any:
    if type(raw) is int:
        if not kind.integer:
            raise TypeError(kind.name)
        kind.write(raw)
        return raw
    if kind.integer and raw != kind.none:
        raise TypeError(kind.name)
    return kind.read(cast(str, raw))
