"""What one seat of a game was sent and has said: raw bytes with their times, within bounds, told later."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Final, TypeAlias

from tyrusd.wire import decode_client_frame, decode_server_frame, encode_line
from tyrusd.wire import messages as wire

# What a step of a log is. Sent bytes may hold several lines or frames, received ones are one without its end.
SENT, RECEIVED, SENT_FRAMES, RECEIVED_FRAME, NOTE = range(5)

Step: TypeAlias = tuple[float, int, bytes]
"""When (seconds), what it is, and the bytes."""

HIDDEN: Final = b"(hidden)"  # stands for a secret in a refused line
TEXT: Final = 1000  # signs in one line of a told log; all of them are ASCII
_CONTENT: Final = 4096  # bytes of one step that does not fit: no line is longer
_UNSEEN: Final = 64  # steps that may come before it is looked whether all of them fit
_FIRST: Final = 12  # steps at the beginning that are always kept: the start, the seed, the first request
_FRAME_HEAD: Final = 4

_SECRET: Final = re.compile(r"(?<![A-Za-z0-9-])((?:key|secret)=|resume +)[^ ]+", re.IGNORECASE)
_ODD: Final = re.compile(rb"[^\x20-\x7e]")


class SeatLog:
    """The log of one seat while its game runs.

    Adding costs a list's growth: bytes are neither copied nor read, and only now and then it is looked
    whether they are more than most_bytes or most_steps. Then the older part of the middle is left out, and
    how many lines that was is counted.
    """

    __slots__ = ("_look_at", "_most_bytes", "_most_steps", "errors", "left_out", "met", "steps")

    def __init__(self, most_bytes: int, most_steps: int) -> None:
        self._most_bytes = most_bytes
        self._most_steps = most_steps
        self._look_at = min(_UNSEEN, most_steps)
        self.steps: list[Step] = []
        self.errors = 0  # error lines that this seat was sent in this game
        self.left_out = 0  # lines
        self.met: frozenset[str] = frozenset()  # for which of its two limits

    def __repr__(self) -> str:
        return f"<SeatLog of {len(self.steps)} steps>"

    def add(self, now: float, what: int, data: bytes) -> None:
        """Keep one step."""
        steps = self.steps
        steps.append((now, what, data))
        if len(steps) > self._look_at:
            self.shorten()

    def note(self, now: float, text: str) -> None:
        """Keep what happened to the connection."""
        self.add(now, NOTE, text.encode())

    def shorten(self) -> None:
        """If there is too much, leave out the oldest after the first steps, until a quarter is free."""
        steps, most_bytes, most_steps = self.steps, self._most_bytes, self._most_steps
        size = sum([len(data) for _, _, data in steps])
        if size > most_bytes or len(steps) > most_steps:
            self.met |= {"log_bytes"} if size > most_bytes else {"log_steps"}
            for at, (now, what, data) in enumerate(steps):
                if len(data) > _CONTENT:
                    steps[at] = (now, what, data[:_CONTENT])
                    size -= len(data) - _CONTENT
            begin = end = _FIRST
            while end + 1 < len(steps) and (
                size > most_bytes * 3 // 4 or len(steps) - end + begin > most_steps * 3 // 4
            ):
                _, what, data = steps[end]
                size -= len(data)
                self.left_out += max(1, data.count(b"\n")) if what == SENT else 1
                end += 1
            del steps[begin:end]
        self._look_at = min(len(steps) + _UNSEEN, most_steps)


class Packed:
    """The steps of a finished log in four values, so that hundreds of logs take little room."""

    __slots__ = ("_blob", "_ends", "_times", "_whats")

    def __init__(self, steps: Sequence[Step]) -> None:
        datas = [data for _, _, data in steps]
        self._blob = b"".join(datas)
        self._ends = array("l", accumulate(map(len, datas)))
        self._times = array("d", [now for now, _, _ in steps])
        self._whats = bytes([what for _, what, _ in steps])

    def __repr__(self) -> str:
        return f"<Packed log of {len(self)} steps>"

    def __len__(self) -> int:
        return len(self._whats)

    def __iter__(self) -> Iterator[Step]:
        start = 0
        for now, what, end in zip(self._times, self._whats, self._ends, strict=True):
            yield now, what, self._blob[start:end]
            start = end

    @property
    def size(self) -> int:
        """About how many bytes of memory it takes."""
        return len(self._blob) + 17 * len(self) + 300


def redacted(data: bytes, is_secret: Callable[[str], bool]) -> bytes:
    """Return a line that was refused without what may be a secret; is_secret tells it of a word."""
    words = legible(data).split(" ")
    shown = ["(hidden)" if len(word) >= 16 and is_secret(word) else word for word in words]
    return " ".join(shown).encode()


def legible(data: bytes) -> str:
    r"""Return bytes as ASCII text that can stand on a line: any other byte is written as \xHH."""
    text = _ODD.sub(lambda found: b"\\x%02x" % found[0][0], data)
    return text.decode("ascii")


def told(steps: Iterable[Step], began: float, left_out: int = 0) -> Iterator[wire.Logged]:
    """Yield the lines of a log as they are told; began is the first request of the game, in seconds."""
    for at, (now, what, data) in enumerate(steps):
        ms = max(0, int((now - began) * 1000 + 0.001))
        if left_out and at == _FIRST:
            yield wire.Logged(ms, "-", f"{left_out} lines are left out here")
        for line in _LINES[what](data):
            # The word after resume, and the values of such keys, are secrets wherever they stand.
            shown = legible(line) if what == SENT else _SECRET.sub(r"\1(hidden)", legible(line))
            yield wire.Logged(ms, _DIRECTION[what], shown[:TEXT])
            for start in range(TEXT, len(shown), TEXT):
                yield wire.Logged(ms, "+", shown[start : start + TEXT])


def _sent(data: bytes) -> Iterable[bytes]:
    return data.split(b"\n")[:-1]


def _frames(data: bytes) -> Iterable[bytes]:
    """The lines of the messages in frames: a frame is told as the same message in text."""
    start = 0
    while start + _FRAME_HEAD <= len(data):
        end = start + _FRAME_HEAD + int.from_bytes(data[start : start + _FRAME_HEAD], "big")
        message = decode_server_frame(data[start + _FRAME_HEAD : end])
        if isinstance(message, wire.Message):
            yield encode_line(message)[:-1]
        start = end


def _frame(data: bytes) -> Iterable[bytes]:
    message = decode_client_frame(data)
    if isinstance(message, wire.Message):
        return [encode_line(message)[:-1]]
    return [b"a frame that is no message: " + data[:64].hex(" ").encode()]


def _one(data: bytes) -> Iterable[bytes]:
    return [data.removesuffix(b"\r")]


_LINES: Final = (_sent, _one, _frames, _frame, _one)
_DIRECTION: Final = ("S", "C", "S", "C", "-")


def joined(lines: Iterable[wire.Logged]) -> list[wire.Logged]:
    """Return told lines with those that go on put together again; only for reading, they may be too long."""
    found: list[wire.Logged] = []
    for line in lines:
        if line.direction == "+" and found:
            last = found[-1]
            found[-1] = wire.Logged(last.ms, last.direction, last.text + line.text)
        else:
            found.append(line)
    return found
