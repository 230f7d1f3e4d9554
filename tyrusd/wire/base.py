"""What all messages share: they are frozen values that know their verb."""

from typing import ClassVar

import msgspec


class Message(msgspec.Struct, frozen=True, gc=False):
    """A message of either direction; `verb` is its first word on the wire."""

    verb: ClassVar[str]


class ClientMessage(Message, frozen=True, gc=False, kw_only=True):
    """A message that a client sends; one with a `tag` is answered by exactly one `ok` or `error` with it."""

    tag: str | None = None


class ServerMessage(Message, frozen=True, gc=False):
    """A message that the server sends."""


class Refusal(msgspec.Struct, frozen=True, gc=False):
    """A line or frame that is no message: the `error` code and sentence that its sender should get.

    `tag` and `verb` are what could still be read of the line. After a `fatal` one nothing more is read
    from the peer.
    """

    code: str
    sentence: str
    tag: str | None = None
    fatal: bool = False
    verb: str | None = None
