"""Bytes in, messages out: finds lines or frames in a stream, within fixed limits, for either end of it."""

from collections.abc import Callable
from enum import Enum
from typing import Final

from tyrusd.wire.base import Message, Refusal
from tyrusd.wire.frame import HEADER, decode_client_frame, decode_server_frame, encode_frame
from tyrusd.wire.limits import CLIENT_LINE, FRAME, SERVER_LINE
from tyrusd.wire.line import decode_client_line, decode_server_line, encode_line


class Role(Enum):
    """What we are at this end of the connection."""

    SERVER = "server"
    CLIENT = "client"


class Codec(Enum):
    """How messages are written: text lines or msgpack frames."""

    LINE = "line"
    FRAME = "frame"


_DECODERS: Final[dict[tuple[Role, Codec], Callable[[bytes], Message | Refusal | None]]] = {
    (Role.SERVER, Codec.LINE): decode_client_line,
    (Role.CLIENT, Codec.LINE): decode_server_line,
    (Role.SERVER, Codec.FRAME): decode_client_frame,
    (Role.CLIENT, Codec.FRAME): decode_server_frame,
}
_ENCODERS: Final[dict[Codec, Callable[[Message], bytes]]] = {
    Codec.LINE: encode_line,
    Codec.FRAME: encode_frame,
}
_LIMITS: Final[dict[tuple[Role, Codec], int]] = {
    (Role.SERVER, Codec.LINE): CLIENT_LINE,
    (Role.CLIENT, Codec.LINE): SERVER_LINE,
    (Role.SERVER, Codec.FRAME): FRAME,
    (Role.CLIENT, Codec.FRAME): FRAME,
}


class Connection:
    """One end of a byte stream: feed it what arrives, get messages and refusals.

    `limit` is the longest content, in bytes, of an incoming line or frame; None takes that of the protocol
    (protocol.md#limits). Nothing beyond that and a line end (or a frame's length) is ever kept. `encode`
    turns a message into the bytes to send; it raises ValueError for a field that is not of its kind.
    `contents` are the lines or frames of the last `receive`, one for each message that a server got then.
    """

    __slots__ = ("_decode", "_kept", "_kept_frame", "_limit", "contents", "dead", "encode")

    def __init__(self, role: Role, codec: Codec = Codec.LINE, limit: int | None = None) -> None:
        self._decode = _DECODERS[role, codec]
        self._kept = b""
        self._kept_frame = bytearray() if codec is Codec.FRAME else None
        self._limit = _LIMITS[role, codec] if limit is None else limit
        self.contents: list[bytes] = []
        self.dead = False
        self.encode = _ENCODERS[codec]

    def receive(self, data: bytes) -> list[Message | Refusal]:
        """Return what `data` completes, in order; garbage gives refusals, never an exception.

        After a fatal refusal the connection is `dead`, and everything more is dropped unread.
        """
        if self.dead:
            self.contents = []
            return []
        if self._kept_frame is None:
            return self._lines(data)
        return self._frames(data, self._kept_frame)

    @property
    def partial(self) -> bool:
        """Tell whether a line or frame has begun and is not complete."""
        return bool(self._kept or self._kept_frame)

    def end(self) -> bool:
        """Take note that no more comes: what has begun is discarded; return whether there was any."""
        begun = self.partial
        self._die()
        return begun

    def _lines(self, data: bytes) -> list[Message | Refusal]:
        found: list[Message | Refusal] = []
        lines = (self._kept + data if self._kept else data).split(b"\n")
        rest = lines.pop()
        self.contents = lines
        decode = self._decode
        limit = self._limit
        for line in lines:
            content = line[:-1] if line.endswith(b"\r") else line
            if len(content) > limit:
                return self._give_up(found, self._too_long("line"))
            message = decode(content)
            if message is not None:
                found.append(message)
        # One byte more than the limit may be the CR of the line's end.
        if len(rest) > limit and not (len(rest) == limit + 1 and rest.endswith(b"\r")):
            lines.append(rest)
            return self._give_up(found, self._too_long("line"))
        self._kept = rest
        return found

    def _frames(self, data: bytes, kept: bytearray) -> list[Message | Refusal]:
        found: list[Message | Refusal] = []
        self.contents = contents = []
        kept += data
        start = 0
        while len(kept) - start >= HEADER:
            length = int.from_bytes(kept[start : start + HEADER], "big")
            if length > self._limit:
                contents.append(bytes(kept[start : start + HEADER]))
                return self._give_up(found, self._too_long("frame"))
            end = start + HEADER + length
            if len(kept) < end:
                break
            content = bytes(kept[start + HEADER : end])
            contents.append(content)
            message = self._decode(content)
            start = end
            if isinstance(message, Refusal) and message.fatal:
                return self._give_up(found, message)
            if message is not None:
                found.append(message)
        del kept[:start]
        return found

    def _too_long(self, what: str) -> Refusal:
        sentence = f"a {what} of more than {self._limit} bytes; the connection closes"
        return Refusal("line-too-long", sentence, fatal=True)

    def _give_up(self, found: list[Message | Refusal], refusal: Refusal) -> list[Message | Refusal]:
        self._die()
        found.append(refusal)
        return found

    def _die(self) -> None:
        self.dead = True
        self._kept = b""
        if self._kept_frame is not None:
            self._kept_frame = bytearray()
