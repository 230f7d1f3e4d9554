"""Writes what a later minor version may send: more keys, other types and words, keys in any order.

The encoder for real messages refuses all that; a check of a bot needs it, because a bot must live with it
(protocol.md#ignoring).
"""

from __future__ import annotations

from typing import Final, NamedTuple

import msgpack

from tyrusd.wire.base import Message
from tyrusd.wire.connection import Codec
from tyrusd.wire.frame import HEADER, encode_frame
from tyrusd.wire.line import encode_line
from tyrusd.wire.schema import schema_of

_TEXT: Final = "text"


class Parts(NamedTuple):
    """A message taken apart: its first word, its core fields, its keys in their order (a text is `text`)."""

    verb: str
    core: tuple[str | int, ...] = ()
    keys: tuple[tuple[str, str | int], ...] = ()

    def with_keys(self, *more: tuple[str, str | int]) -> Parts:
        """The same with more keys before its own ones and the last of them after these."""
        text = [pair for pair in self.keys if pair[0] == _TEXT]
        own = [pair for pair in self.keys if pair[0] != _TEXT]
        return self._replace(keys=(*more[:-1], *own, *more[-1:], *text))


def take_apart(message: Message, codec: Codec) -> Parts:
    """Return the parts of a message as the codec has them: numbers are numbers in frames only."""
    if codec is Codec.FRAME:
        verb, core, pairs = msgpack.unpackb(encode_frame(message)[HEADER:])
        return Parts(verb, tuple(core), tuple(pairs.items()))
    schema = schema_of(message)
    line = encode_line(message).decode("utf-8").removesuffix("\n")
    text: tuple[tuple[str, str | int], ...] = ()
    if schema.text:
        line, colon, sentence = line.partition(" :")
        text = ((_TEXT, sentence),) if colon else ()
    verb, *words = line.split(" ")
    size = len(schema.core)
    pairs = [(name, value) for name, _, value in (word.partition("=") for word in words[size:])]
    return Parts(verb, tuple(words[:size]), (*pairs, *text))


def put_together(parts: Parts, codec: Codec) -> bytes:
    """Return the line (LF included) or frame (length included) of these parts; nothing is checked."""
    if codec is Codec.FRAME:
        payload = msgpack.packb([parts.verb, list(parts.core), dict(parts.keys)])
        return len(payload).to_bytes(HEADER, "big") + payload
    words = [parts.verb, *map(str, parts.core)]
    words += [f"{name}={value}" for name, value in parts.keys if name != _TEXT]
    words += [f":{value}" for name, value in parts.keys if name == _TEXT]
    return (" ".join(words) + "\n").encode("utf-8")
