"""The one sentence for a message that cannot be written: which field, and what it should have been."""

from collections.abc import Iterator
from typing import Any

from tyrusd.wire.base import Message
from tyrusd.wire.fields import FREE_TEXT, Kind
from tyrusd.wire.reading import UNFIT, shown
from tyrusd.wire.schema import schema_of


def unfit(message: Message) -> ValueError:
    """Return the ValueError that names the first field of `message` that is not of its kind."""
    for label, kind, value in _fields(message):
        try:
            kind.write(value)
        except UNFIT:
            found = "that secret" if kind.secret else shown(value)
            return ValueError(f"cannot send {message.verb}: {label} must be {kind.what}, not {found}")
    return ValueError(f"cannot send {message.verb}: its view is not a sightline")


def _fields(message: Message) -> Iterator[tuple[str, Kind, Any]]:
    schema = schema_of(message)
    for field in schema.core:
        yield field.label, field.kind, getattr(message, field.attribute)
    for key in schema.keys:
        value = getattr(message, key.attribute)
        if not key.omits(value):
            yield f"{key.name}=", key.kind, value
    if schema.text and not (schema.textless and message.text is None):  # type: ignore[attr-defined]
        yield "text", FREE_TEXT, message.text  # type: ignore[attr-defined]
