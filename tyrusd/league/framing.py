"""The bytes of a record file: a header, then frames of length, checksum and payload; and their faults."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final
from zlib import crc32

import msgpack
import msgspec

from tyrusd.league.schema import LONGEST_DETAIL, Payload, Record, canonical, check_payload

MAGIC: Final = b"\x89TYRUS\r\n"
"""No text begins so, and a transport that changes line ends or drops the eighth bit shows at once."""

VERSION: Final = 1
HEADER: Final = MAGIC + VERSION.to_bytes(4, "big")
FRAME_HEAD: Final = 8
MAX_PAYLOAD: Final = 1 << 20
"""The longest payload in bytes; the longest that is ever written is about 20 KiB."""

# Every payload is a map of fewer than 16 keys, the first of which is "kind".
_FIRST_KEY: Final = b"\xa4kind"
_SEARCH_BYTES: Final = 16 << 20
_LONGEST_WHAT: Final = 300
_EXACT: Final = msgspec.msgpack.Decoder(Record)
_PLAIN: Final = msgspec.msgpack.Decoder(Payload)

Frames = Iterator[tuple[int, Payload]]


class BadRecord(ValueError):  # noqa: N818 - the word the tools print
    """A file is damaged or foreign: `offset` is where, `what` says how, `last` that no frame follows.

    What stood before the offset is whole. Do not write to the file; save it aside and repair a copy.
    """

    def __init__(self, offset: int, what: str, last: bool = False) -> None:
        # The text may quote the file, which must not be able to send control bytes to a terminal.
        self.what = "".join(sign if sign.isprintable() else "?" for sign in what[:_LONGEST_WHAT])
        super().__init__(f"bad record at byte {offset}: {self.what}")
        self.offset = offset
        self.last = last


class TruncatedTail(BadRecord):
    """The file ends inside a frame, as after a power cut: all before `offset` is whole; cut it there."""

    def __init__(self, offset: int, what: str) -> None:
        super().__init__(offset, what, last=True)


def frame(payload: Payload) -> bytes:
    """Return the frame of a payload, the same bytes for equal payloads; ValueError for a wrong shape."""
    return _framed(canonical(payload))


def as_frame(payload: Payload) -> bytes:
    """Return the frame of a payload that a frame has held: it is not checked again."""
    return _framed(payload)


def placed_frame(game_id: str, side: str, tile: str, building: str, spent: int) -> bytes:
    """Return the frame of one placement, as `frame` would but unchecked: one is written for each."""
    return _framed(
        {"kind": "placed", "id": game_id, "side": side, "tile": tile, "building": building, "spent": spent}
    )


def read_frame(framed: bytes) -> Payload:
    """Return the payload of one whole frame that `frame` has returned: it is not checked again."""
    return _unpack(framed[FRAME_HEAD:])


def read_frames(data: bytes) -> Frames:
    """Yield each payload of a record file, checked, with the offset of its frame.

    Raises BadRecord at the first frame that is not as it should be, after all payloads before it were given;
    TruncatedTail when all that is left is an unfinished frame.
    """
    _check_header(data)
    offset, end = len(HEADER), len(data)
    while offset < end:
        start = offset + FRAME_HEAD
        size = int.from_bytes(data[offset : offset + 4], "big")
        if size > MAX_PAYLOAD and offset + 4 <= end:
            raise BadRecord(
                offset, f"a payload of {size} bytes is announced, at most {MAX_PAYLOAD} are allowed"
            )
        if start + size > end:
            raise _cut_short(data, offset)
        if size == 0:
            raise _empty(data, offset)
        payload, last = data[start : start + size], start + size == end
        if crc32(payload) != int.from_bytes(data[offset + 4 : start], "big"):
            raise BadRecord(offset, "the checksum does not match the payload", last)
        value = _as_written(payload)
        if value is None:
            try:
                value = _unpack(payload)
                check_payload(value)
            except ValueError as problem:
                raise BadRecord(offset, str(problem), last) from None
        yield offset, value
        offset = start + size


def read_pieces(pieces: Iterable[bytes]) -> Frames:
    """Yield what `read_frames` yields of all pieces together, with few of them in memory; raises the same."""
    source = iter(pieces)
    data = b""
    for piece in source:
        data += piece
        if len(data) >= len(HEADER):
            break
    _check_header(data)
    skipped, last = 0, False  # bytes of the file that `data` lacks behind its header
    while True:
        end = len(data) if last else _whole(data)
        try:
            for offset, payload in read_frames(data[:end]):
                yield skipped + offset, payload
        except BadRecord as bad:
            rest = HEADER + data[bad.offset :] + b"".join(source)
            raise _fault(skipped + bad.offset - len(HEADER), rest) from None
        if last:
            return
        skipped += end - len(HEADER)
        piece = next(source, b"")
        last = not piece
        data = HEADER + data[end:] + piece


def whole_frames(data: bytes) -> tuple[list[tuple[int, Payload]], TruncatedTail | None]:
    """Return all payloads with their offsets, and the truncated tail if there is one; BadRecord otherwise."""
    found: list[tuple[int, Payload]] = []
    try:
        found.extend(read_frames(data))
    except TruncatedTail as tail:
        return found, tail
    return found, None


def _whole(data: bytes) -> int:
    """Where the last frame ends that is in these bytes as a whole, or whose length cannot be true."""
    end = len(HEADER)
    while end + FRAME_HEAD <= len(data):
        size = int.from_bytes(data[end : end + 4], "big")
        after = end + FRAME_HEAD + size
        if size > MAX_PAYLOAD or size == 0:
            return len(data)
        if after > len(data):
            break
        end = after
    return end


def _fault(skipped: int, rest: bytes) -> BadRecord:
    """What is wrong with the first frame of the rest of a file, as one reading of the whole would tell it."""
    try:
        for _ in read_frames(rest):
            pass
    except BadRecord as bad:
        at = skipped + bad.offset
        return (
            TruncatedTail(at, bad.what)
            if isinstance(bad, TruncatedTail)
            else BadRecord(at, bad.what, bad.last)
        )
    raise AssertionError("a frame is damaged only where it is read for the first time")


def _as_written(payload: bytes) -> Payload | None:
    """Return a payload that is as `frame` writes it, else None; much quicker than to look at each part."""
    try:
        _EXACT.decode(payload)
        value = _PLAIN.decode(payload)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
    # What is packed to the same bytes again has no key twice, and nothing that msgpack may say in two ways.
    return value if msgpack.packb(value) == payload else None


def _framed(payload: Payload) -> bytes:
    packed: bytes = msgpack.packb(payload)
    return len(packed).to_bytes(4, "big") + crc32(packed).to_bytes(4, "big") + packed


def _check_header(data: bytes) -> None:
    if HEADER.startswith(data[: len(HEADER)]) and len(data) < len(HEADER):
        raise TruncatedTail(0, "the file ends inside its header; it holds no record yet")
    if not data.startswith(MAGIC):
        raise BadRecord(0, "this is not a record file of tyrusd")
    if not data.startswith(HEADER):
        version = int.from_bytes(data[len(MAGIC) : len(HEADER)], "big")
        raise BadRecord(
            len(MAGIC),
            f"the file has version {version}, this tyrusd reads {VERSION}; use the tyrusd that wrote it",
        )


def _unpack(payload: bytes) -> Payload:
    try:
        value: Payload = msgpack.unpackb(
            payload,
            object_pairs_hook=_without_duplicates,
            max_str_len=4 * LONGEST_DETAIL,
            max_bin_len=0,
            max_array_len=64,
            max_map_len=16,
            max_ext_len=0,
        )
    except ValueError as problem:
        raise ValueError(f"the payload is not allowed msgpack: {problem}") from None
    return value


def _without_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice in one map")
    return found


def _empty(data: bytes, offset: int) -> BadRecord:
    if data.count(b"\0", offset) == len(data) - offset:
        # After a power cut a file can have its new length but not its new bytes.
        return TruncatedTail(offset, "only zero bytes follow; everything before them is whole")
    return BadRecord(offset, "a frame without a payload")


def _cut_short(data: bytes, offset: int) -> BadRecord:
    """Tell an unfinished last frame from a damaged length, which would hide whole frames behind it."""
    budget = _SEARCH_BYTES
    found = data.find(_FIRST_KEY, offset + FRAME_HEAD + 2)
    while found >= 0 and budget > 0:
        start = found - 1
        size = int.from_bytes(data[start - FRAME_HEAD : start - 4], "big")
        if start + size <= len(data):
            budget -= size
            if crc32(data[start : start + size]) == int.from_bytes(data[start - 4 : start], "big"):
                return BadRecord(
                    offset, f"the length is wrong: a whole frame follows at byte {start - FRAME_HEAD}"
                )
        found = data.find(_FIRST_KEY, found + 1)
    return TruncatedTail(offset, "the file ends inside a frame; everything before it is whole")
