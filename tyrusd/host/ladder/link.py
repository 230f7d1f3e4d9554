"""What coordinator and worker say to each other: strict msgpack frames with a length, none longer than 4 MiB.

Nothing is read that was not written by this file's types: unknown words, missing or further fields, numbers
out of range and frames that are too long raise LinkError, and then the other side is not to be trusted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from tyrusd.host.ladder.terms import BotWords, ConfinementWords, Name, Number, Seconds, Sentence, TaskWords
from tyrusd.league.schema import GameId, Machine, Milliseconds, VariantName

HEAD: Final = 4  # bytes of a frame's length, big-endian
LONGEST: Final = 4 << 20  # bytes of one frame
LONGEST_LOG: Final = 2 << 20  # bytes of one game's log
LONGEST_NOTE: Final = 64 * 1024  # characters of a program's last words

Attempt: TypeAlias = Annotated[int, Meta(ge=1, le=10**9)]
Identity: TypeAlias = Annotated[int, Meta(ge=1, le=2**53)]
Games: TypeAlias = Annotated[int, Meta(ge=0, le=1024)]
RecordBytes: TypeAlias = Annotated[bytes, Meta(min_length=9, max_length=(1 << 20) + 8)]


class LinkError(Exception):
    """The other side said what this side does not know; the text is a clause that says what."""


class _Message(Struct, frozen=True, forbid_unknown_fields=True, tag_field="say"):
    pass


# -- to the worker -------------------------------------------------------------------------------------------


class Setup(_Message, frozen=True, tag="setup"):
    """Always first: whom the worker is to serve, and how.

    concurrency: games at a time. wait: seconds for a tcp bot to come or to come back; start: seconds for a
    program to say hello. listeners: descriptors that the worker inherits. processor: the core that the worker
    and its bots keep to, None for all. directory: where relative commands of bots start.
    """

    bots: Annotated[tuple[BotWords, ...], Meta(max_length=4096)]
    variant: VariantName
    concurrency: Games
    confinement: ConfinementWords
    directory: str
    wait: Seconds = 60.0
    start: Seconds = 10.0
    ponder: bool = True
    listeners: Annotated[tuple[Number, ...], Meta(max_length=64)] = ()
    processor: Number | None = None


class Play(_Message, frozen=True, tag="play"):
    """One pair to play."""

    task: TaskWords


class Kept(_Message, frozen=True, tag="kept"):
    """That result is durable: tell it."""

    id: Identity


class Limit(_Message, frozen=True, tag="limit"):
    """So many games at a time from now on; 0: begin none."""

    games: Games


class Withdraw(_Message, frozen=True, tag="withdraw"):
    """Give back all games that have not begun; the answer is `Returned`."""


class Finish(_Message, frozen=True, tag="finish"):
    """No more pairs will come: end when all are played."""


class Abort(_Message, frozen=True, tag="abort"):
    """Stop what is running, report nothing of it, and end."""


class Ask(_Message, frozen=True, tag="ask"):
    """Answer `Alive` with the same number, to show that you still work."""

    number: Number


# -- to the coordinator --------------------------------------------------------------------------------------


class Ready(_Message, frozen=True, tag="ready"):
    """The worker serves; host and cpu are what its records say of its machine."""

    pid: Identity
    host: Machine
    cpu: Machine


class Result(_Message, frozen=True, tag="result"):
    """A game is over: its framed record, to be kept; note: last words of a program that crashed."""

    id: Identity
    game: GameId
    record: RecordBytes
    note: Annotated[str, Meta(max_length=LONGEST_NOTE)] = ""


class Log(_Message, frozen=True, tag="log"):
    """The log of a game that the board did not decide."""

    game: GameId
    text: Annotated[bytes, Meta(max_length=LONGEST_LOG)]


class Pondered(_Message, frozen=True, tag="pondered"):
    """What Ivory's and Brown's programs used while they owed no decision."""

    game: GameId
    ivory: Milliseconds | None
    brown: Milliseconds | None


class Unready(_Message, frozen=True, tag="unready"):
    """A pair cannot be played as it was dealt: that bot never became ready."""

    pair: Number
    attempt: Attempt
    bot: Name
    why: Sentence


class PairDone(_Message, frozen=True, tag="done"):
    """All games of a task are over, kept and told."""

    pair: Number
    attempt: Attempt


class Returned(_Message, frozen=True, tag="returned"):
    """The answer to `Withdraw`: games that have not begun, each as its pair, attempt, and 1 or 2."""

    games: Annotated[tuple[tuple[Number, Attempt, Literal[1, 2]], ...], Meta(max_length=131072)]


class Told(_Message, frozen=True, tag="told"):
    """A sentence for the operator."""

    sentence: Sentence


class Alive(_Message, frozen=True, tag="alive"):
    """The answer to `Ask`."""

    number: Number


class Bye(_Message, frozen=True, tag="bye"):
    """The worker ends as it was asked to; nothing follows."""


ToWorker: TypeAlias = Setup | Play | Kept | Limit | Withdraw | Finish | Abort | Ask
ToCoordinator: TypeAlias = (
    Ready | Result | Log | Pondered | Unready | PairDone | Returned | Told | Alive | Bye
)

_encoder = msgspec.msgpack.Encoder()
_to_worker = msgspec.msgpack.Decoder(ToWorker)
_to_coordinator = msgspec.msgpack.Decoder(ToCoordinator)


def framed(message: ToWorker | ToCoordinator) -> bytes:
    """Return a message as it travels."""
    body = _encoder.encode(message)
    assert len(body) <= LONGEST, type(message).__name__
    return len(body).to_bytes(HEAD, "big") + body


def read_by_worker(body: bytes) -> ToWorker:
    """Read a frame that the coordinator sent; raises LinkError."""
    try:
        return _to_worker.decode(body)
    except (msgspec.MsgspecError, RecursionError) as problem:
        raise LinkError(f"a frame cannot be read: {problem}") from None


def read_by_coordinator(body: bytes) -> ToCoordinator:
    """Read a frame that a worker sent; raises LinkError."""
    try:
        return _to_coordinator.decode(body)
    except (msgspec.MsgspecError, RecursionError) as problem:
        raise LinkError(f"a frame cannot be read: {problem}") from None


class Frames:
    """Cuts a stream into the bodies of its frames, however it arrives."""

    def __init__(self) -> None:
        self._data = bytearray()

    @property
    def partial(self) -> bool:
        """Whether a frame has begun and not ended."""
        return bool(self._data)

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield the bodies that are whole now; raises LinkError for a length that none has."""
        self._data += data
        start = 0
        try:
            while len(self._data) - start >= HEAD:
                size = int.from_bytes(self._data[start : start + HEAD], "big")
                if not 0 < size <= LONGEST:
                    raise LinkError(f"a frame of {size} bytes is announced, at most {LONGEST} are allowed")
                end = start + HEAD + size
                if len(self._data) < end:
                    return
                body = bytes(self._data[start + HEAD : end])
                start = end
                yield body
        finally:
            del self._data[:start]
