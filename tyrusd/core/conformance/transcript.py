"""What was said in a step, as lines that can be shown: the last ones, without secrets."""

from __future__ import annotations

import re
from collections import deque
from typing import Final

import msgspec

from tyrusd.wire import Codec, Connection, Message, Role, encode_line
from tyrusd.wire import messages as wire

KEPT: Final = 12  # lines of each direction
LONGEST: Final = 1200  # characters of a line that is shown; a true request is never longer
_SECRET: Final = re.compile(r"\b(secret|key)=[^ ]+")


class Transcript:
    """The last lines of both directions; `clear` begins a new step."""

    __slots__ = ("_came", "_sent")

    def __init__(self) -> None:
        self._sent: deque[str] = deque(maxlen=KEPT)
        self._came: deque[str] = deque(maxlen=KEPT)

    def clear(self) -> None:
        """Forget all."""
        self._sent.clear()
        self._came.clear()

    def sent(self, data: bytes, codec: Codec) -> None:
        """Note bytes that were sent; of frames, the lines that say the same."""
        if codec is Codec.LINE:
            lines = data.decode("utf-8", "replace").split("\n")
            self._sent.extend(_shown(line.replace("\r", "\\r")) for line in lines if line)
            return
        messages = Connection(Role.CLIENT, codec).receive(data)
        self._sent.extend(_shown(_line(message)) for message in messages if isinstance(message, Message))
        if not messages:
            self._sent.append("(a frame of a type that is not known)")

    def came(self, item: wire.Message | wire.Refusal, line: bytes = b"") -> str:
        """Note what the bot said, and the line if it is no message; returns how it is shown."""
        if isinstance(item, wire.Refusal):
            text = f"{shown_bytes(line)} (no line of the protocol: {item.sentence})".lstrip()
        elif isinstance(item, wire.Resume):
            text = "resume …"
        else:
            text = _shown(_line(item))
        self._came.append(text)
        return text

    def note(self, text: str) -> None:
        """Note something that came and is no message."""
        self._came.append(text)

    def both(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What was sent and what came, oldest first."""
        return tuple(self._sent), tuple(self._came)


def _line(message: Message) -> str:
    try:
        return encode_line(message).decode("utf-8").rstrip("\n")
    except ValueError:  # words of a later version, which our own encoder does not write
        return f"{message.verb} {msgspec.json.encode(message).decode('utf-8')}"


def shown_bytes(line: bytes) -> str:
    """A line as it came, whatever is in it."""
    return _shown(line.removesuffix(b"\n").decode("utf-8", "backslashreplace"))


def _shown(line: str) -> str:
    line = _SECRET.sub(r"\1=…", line)
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}… ({len(line)} characters)"
