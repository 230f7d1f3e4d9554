"""Messages as lines of text: `encode_line`, `decode_client_line` and `decode_server_line`.

A line of only core fields, which all frequent ones are, is split and looked up; everything else, and
every fault, takes the slower path that can explain itself.
"""

import re
from collections.abc import Callable
from operator import call
from typing import Any, Final, NamedTuple, cast

from msgspec.structs import astuple

from tyrusd.wire.base import ClientMessage, Message, Refusal
from tyrusd.wire.fields import FREE_TEXT, Kind
from tyrusd.wire.layout import Schema
from tyrusd.wire.reading import UNFIT, UnreadableError, build_message, read_tag, shown
from tyrusd.wire.schema import CLIENT_SCHEMAS, SCHEMA_OF, SERVER_SCHEMAS
from tyrusd.wire.sightline import split_view
from tyrusd.wire.writing import unfit


class _Plain(NamedTuple):
    """How to read a message that is only core fields: the number of words, its type, its readers."""

    words: int
    build: Callable[..., Message]
    readers: tuple[Callable[[str], Any], ...]


def _plain_layouts(schemas: dict[str, Schema]) -> dict[str, _Plain]:
    return {
        verb: _Plain(len(row.core) + 1, row.type, tuple(field.kind.read for field in row.core))
        for verb, row in schemas.items()
        if not (row.text or row.view or any(key.required for key in row.keys))
    }


_PLAIN_CLIENT: Final = _plain_layouts(CLIENT_SCHEMAS)
_PLAIN_SERVER: Final = _plain_layouts(SERVER_SCHEMAS)


def decode_client_line(line: bytes) -> ClientMessage | Refusal:
    """Return the message that a client's line (without its end) is, or its refusal (protocol.md#grammar)."""
    try:
        words = str(line, "ascii").split(" ")
        plain = _PLAIN_CLIENT[words[0]]
        if len(words) == plain.words:
            return cast(ClientMessage, plain.build(*map(call, plain.readers, words[1:])))
    except UNFIT:
        pass
    return cast("ClientMessage | Refusal", _decode(line, CLIENT_SCHEMAS) or _unknown_verb(line))


def decode_server_line(line: bytes) -> Message | Refusal | None:
    """Return the message that a server's line is, its refusal, or None for a type that is not known."""
    try:
        words = str(line, "ascii").split(" ")
        plain = _PLAIN_SERVER[words[0]]
        if len(words) == plain.words:
            return plain.build(*map(call, plain.readers, words[1:]))
    except UNFIT:
        pass
    return _decode(line, SERVER_SCHEMAS)


_VERB: Final = re.compile("[a-z][a-z-]{0,15}").fullmatch
_KEY_NAME: Final = re.compile("[a-z][a-z0-9-]{0,31}").fullmatch
# F5 to FF occur in no UTF-8 text; telnet's option sequences all begin with FF.
_BAD_BYTE: Final = re.compile(rb"[\x00-\x1f\x7f\xf5-\xff]").search


def _decode(line: bytes, schemas: dict[str, Schema]) -> Message | Refusal | None:
    text = ""
    verb = None
    try:
        text = _printable(line)
        first = text.partition(" ")[0]
        if _VERB(first) is None:
            raise UnreadableError("syntax", _no_verb(text, first))
        schema = schemas.get(first)
        if schema is None:
            return None
        verb = first
        return _read(schema, text)
    except UnreadableError as fault:
        return Refusal(fault.code, fault.sentence, _tag_of(text), verb=verb)


def _unknown_verb(line: bytes) -> Refusal:
    text = line.decode()
    verb = shown(text.partition(" ")[0])
    return Refusal("syntax", f"unknown verb {verb}; send help for the list", _tag_of(text))


def _printable(line: bytes) -> str:
    bad = _BAD_BYTE(line)
    if bad is not None:
        where = f"byte 0x{line[bad.start()]:02X} at position {bad.start() + 1}"
        raise UnreadableError(
            "bad-byte", f"{where}: no control characters, tabs or telnet options; lines end in LF or CR LF"
        )
    try:
        return line.decode()
    except UnicodeDecodeError as fault:
        raise UnreadableError("bad-encoding", f"not valid UTF-8 at position {fault.start + 1}") from None


def _no_verb(text: str, first: str) -> str:
    if not text:
        return "an empty line; send help for the list of verbs"
    if text.startswith("\ufeff"):
        return "the line begins with a byte-order mark; send plain ASCII without one"
    if not first:
        return "the line begins with a space; it must begin with a verb"
    return f"{shown(first)} is no verb; verbs are lower-case words, send help for the list"


def _tag_of(text: str) -> str | None:
    """Return the tag of a refused line, so that even a syntax error is answered with it."""
    tags = [word[4:] for word in text.split(" ") if word.startswith("tag=")]
    return read_tag(tags[0]) if len(tags) == 1 else None


def _read(schema: Schema, text: str) -> Message:
    sentence = None
    if schema.text:
        text, colon, sentence = text.partition(" :")
        if not colon and schema.textless:
            sentence = None
        elif not colon:
            raise UnreadableError("syntax", f"the text is missing; usage: {schema.usage}")
    if not text.isascii():
        raise UnreadableError("syntax", "only a free text at the end of a line may hold other than ASCII")
    words = text.split(" ")
    if "" in words:
        raise UnreadableError("syntax", "words are separated by exactly one space, and none ends the line")
    core = words[1 : len(schema.core) + 1]
    if len(core) < len(schema.core) or any("=" in word for word in core):
        raise UnreadableError("syntax", f"too few words; usage: {schema.usage}")
    return build_message(schema, core, _pairs(schema, words[len(core) + 1 :]), sentence, _read_text)


def _pairs(schema: Schema, words: list[str]) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise UnreadableError("syntax", f"{shown(word)} is one word too many; usage: {schema.usage}")
        if _KEY_NAME(name) is None or not value:
            raise UnreadableError("syntax", f"{shown(word)} is not of the form key=value")
        if name in pairs:
            raise UnreadableError("syntax", f"{name}= is there twice")
        pairs[name] = value
    return pairs


def _read_text(kind: Kind, raw: str) -> Any:
    return kind.read(raw)


class _Layout(NamedTuple):
    """How to write a message: its verb, the writers of its core fields, its schema if it has more."""

    verb: str
    writers: tuple[Callable[[Any], str], ...]
    more: Schema | None


def _layout(schema: Schema) -> _Layout:
    writers = tuple(field.kind.write for field in schema.core)
    plain = not (schema.keys or schema.text or schema.view)
    return _Layout(schema.type.verb, writers, None if plain else schema)


_LAYOUTS: Final[dict[type[Message], _Layout]] = {kind: _layout(schema) for kind, schema in SCHEMA_OF.items()}


def encode_line(message: Message) -> bytes:
    """Return the line of a message, LF included.

    Raises ValueError if a field is not of its kind (a line end in a name, say): a fault of the caller.
    """
    layout = _LAYOUTS.get(type(message))
    if layout is None:
        raise TypeError(f"{type(message).__name__} is no message")
    verb, writers, more = layout
    try:
        # The core fields are the first attributes, so the shorter tuple of writers ends the map.
        words = [verb, *map(call, writers, astuple(message))]
        if more is not None:
            _write_rest(message, more, words)
    except UNFIT:
        raise unfit(message) from None
    return (" ".join(words) + "\n").encode()


def _write_rest(message: Message, schema: Schema, words: list[str]) -> None:
    for key in schema.keys:
        value = getattr(message, key.attribute)
        if not key.omits(value):
            words.append(f"{key.name}={key.kind.write(value)}")
    if schema.view:
        words += split_view(message.view)  # type: ignore[attr-defined]
    if schema.text and (told := message.text) is not None:  # type: ignore[attr-defined]
        words.append(":" + FREE_TEXT.write(told))
