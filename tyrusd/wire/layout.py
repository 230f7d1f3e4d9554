"""What the layout of a message is made of: core fields in order, keys, free text; and how it is written."""

from typing import Any, NamedTuple

from tyrusd.wire.base import Message
from tyrusd.wire.fields import Kind


class Field(NamedTuple):
    """A core field: its name in protocol.md, its attribute, its kind."""

    label: str
    attribute: str
    kind: Kind


class Key(NamedTuple):
    """A `name=value` of a message; without it the attribute is `default`, unless it is `required`."""

    name: str
    attribute: str
    kind: Kind
    required: bool = False
    default: Any = None

    def omits(self, value: object) -> bool:
        """Tell whether a message with this value is written without the key."""
        return not self.required and value == self.default and type(value) is type(self.default)


class Schema(NamedTuple):
    """The layout of one message; `view` means that the words of a sightline follow the keys.

    textless: the text may be missing.
    """

    type: type[Message]
    core: tuple[Field, ...]
    keys: tuple[Key, ...]
    text: bool
    view: bool
    usage: str
    textless: bool


def core(layout: str, *core_kinds: Kind) -> tuple[Field, ...]:
    """Return core fields by their labels, joined by blanks, and their kinds, in order."""
    labels = layout.split()
    return tuple(
        Field(label, label.lower().replace("-", "_"), kind)
        for label, kind in zip(labels, core_kinds, strict=True)
    )


def need(name: str, kind: Kind) -> Key:
    """Return a key that is always there."""
    return Key(name, name.replace("-", "_"), kind, required=True)


def may(name: str, kind: Kind, default: Any = None, attribute: str | None = None) -> Key:
    """Return a key that may be missing; attribute: where that is called otherwise."""
    return Key(name, attribute or name, kind, default=default)


def schema(
    message: type[Message],
    fields: tuple[Field, ...] = (),
    *keys: Key,
    text: bool = False,
    view: bool = False,
    textless: bool = False,
) -> Schema:
    """Return the layout of a message, with its usage for error sentences."""
    parts = [message.verb, *(field.label for field in fields)]
    for key in keys:
        pair = f"{key.name}={key.kind.name.upper()}"
        parts.append(pair if key.required else f"[{pair}]")
    parts += ["<sightline>"] * view + ["[:text]" if textless else ":text"] * text
    return Schema(message, fields, keys, text, view, " ".join(parts), textless)
