"""From raw fields to a message, for both codecs: every fault is told as a code and a sentence."""

from collections.abc import Callable, Sequence
from typing import Any, Final, NoReturn, cast

from tyrusd.wire.base import Message
from tyrusd.wire.fields import FREE_TEXT, TAG, Kind
from tyrusd.wire.layout import Schema
from tyrusd.wire.sightline import SIGHT

# What a kind's read and write raise for a value outside its rule.
UNFIT: Final = (KeyError, ValueError, TypeError, AttributeError)

Reader = Callable[[Kind, Any], Any]


class UnreadableError(Exception):
    """Why a line or frame is no message: the error code and sentence its sender should get."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(code, sentence)
        self.code = code
        self.sentence = sentence


def shown(value: object) -> str:
    """Return a short quotation, printable ASCII only, of something a peer sent."""
    return ascii(value[:24] if isinstance(value, str) else value)[:64]


def read_tag(raw: object) -> str | None:
    """Return the tag that `raw` spells, or None if it is none."""
    try:
        return cast(str, TAG.read(cast(str, raw)))
    except UNFIT:
        return None


def build_message(
    schema: Schema, core: Sequence[Any], pairs: dict[str, Any], text: object, read: Reader
) -> Message:
    """Return the message made of raw fields; raise UnreadableError if one is missing or not of its kind.

    `read` turns one raw field into its value. Keys that the schema does not know are ignored, as
    protocol.md#lines promises.
    """
    values: dict[str, Any] = {}

    def value(label: str, kind: Kind, raw: object) -> Any:
        try:
            return read(kind, raw)
        except UNFIT:
            _refuse(f"{schema.type.verb}: {label}", kind, raw)

    for field, raw in zip(schema.core, core, strict=True):
        values[field.attribute] = value(field.label, field.kind, raw)
    for key in schema.keys:
        if key.name in pairs:
            values[key.attribute] = value(f"{key.name}=", key.kind, pairs[key.name])
        elif key.required:
            raise UnreadableError("syntax", f"{key.name}= is missing; usage: {schema.usage}")
    if schema.view:
        missing = [name for name in SIGHT if name not in pairs]
        if missing:
            raise UnreadableError("syntax", f"{missing[0]}= is missing; usage: {schema.usage}")
        values["view"] = " ".join(
            [f"{name}={_sight(schema, name, kind, pairs[name])}" for name, kind in SIGHT.items()]
        )
    if schema.text and not (schema.textless and text is None):
        values["text"] = value("text", FREE_TEXT, text)
    return schema.type(**values)


def _sight(schema: Schema, name: str, kind: Kind, raw: str) -> str:
    """Return a word of a sightline; its numbers are text in frames, too."""
    try:
        kind.read(raw)
    except UNFIT:
        _refuse(f"{schema.type.verb}: {name}=", kind, raw)
    return raw


def _refuse(where: str, kind: Kind, raw: object) -> NoReturn:
    found = "" if kind.secret else f" {shown(raw)}"
    raise UnreadableError(kind.code, f"{where}{found} is not {kind.what}")
