"""What is whole in a damaged record file, and which games it leaves without records that they need."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple
from zlib import crc32

from tyrusd.league.fold import fold
from tyrusd.league.framing import FRAME_HEAD, HEADER, MAX_PAYLOAD, BadRecord, read_frames
from tyrusd.league.replay import resumed
from tyrusd.league.schema import Payload

_FIRST_KEY: Final = b"\xa4kind"
_EFFORT: Final = 16  # bytes of which a checksum is tried, for each byte of a file

_OF_GAMES: Final = frozenset({"opened", "placed", "refused", "again", "game"})

_Frame = tuple[int, Payload]


class Gap(NamedTuple):
    """Bytes of a file that are in no whole record, and what is wrong with the first of them."""

    offset: int
    size: int
    what: str


class Salvaged(NamedTuple):
    """What can be kept of a file.

    frames: the offset of each record that is kept, with its payload; gaps: what stands between whole records;
    left_out: how many whole records of a game are not kept, since they contradict each other without the
    lost ones.
    """

    frames: list[_Frame]
    gaps: list[Gap]
    left_out: dict[str, int]


def salvage(data: bytes) -> Salvaged:
    """Return what is whole in a record file; raises BadRecord for a file that does not begin as one."""
    next(read_frames(data[: len(HEADER)]), None)  # another program's file, or of another version
    frames: list[_Frame] = []
    gaps: list[Gap] = []
    offset = len(HEADER)
    effort = _EFFORT * len(data)
    while offset < len(data):
        end = offset + FRAME_HEAD + int.from_bytes(data[offset : offset + 4], "big")
        what = "no whole record begins here"
        try:
            if end <= min(len(data), offset + FRAME_HEAD + MAX_PAYLOAD):
                frames += [(offset, payload) for _, payload in read_frames(HEADER + data[offset:end])]
                offset = end
                continue
        except BadRecord as bad:
            what = bad.what
        following, effort = _next_whole(data, offset + 1, effort)
        gaps.append(Gap(offset, following - offset, what))
        offset = following
    kept = {at for at, _ in _consistent(frames)}
    left_out: dict[str, int] = {}
    for at, payload in frames:
        if at not in kept:
            left_out[payload["id"]] = left_out.get(payload["id"], 0) + 1
    return Salvaged([frame for frame in frames if frame[0] in kept], gaps, left_out)


def framed(data: bytes, offset: int) -> bytes:
    """Return the bytes of the whole frame that stands at this offset."""
    size = int.from_bytes(data[offset : offset + 4], "big")
    return data[offset : offset + FRAME_HEAD + size]


def _next_whole(data: bytes, start: int, effort: int) -> tuple[int, int]:
    """Return where the next frame with a true checksum begins, or the end; and what effort is left.

    A file that is made to look as if a frame began everywhere is given up, and not searched for hours.
    """
    found = data.find(_FIRST_KEY, start + FRAME_HEAD + 1)
    while found >= 0 and effort > 0:
        payload = found - 1
        size = int.from_bytes(data[payload - FRAME_HEAD : payload - 4], "big")
        told = int.from_bytes(data[payload - 4 : payload], "big")
        if 0 < size <= MAX_PAYLOAD and payload + size <= len(data):
            effort -= size
            if crc32(data[payload : payload + size]) == told:
                return payload - FRAME_HEAD, effort
        found = data.find(_FIRST_KEY, found + 1)
    return len(data), effort


def _consistent(frames: list[_Frame]) -> Iterator[_Frame]:
    """Yield the records that are of no game, and of each game those that add up."""
    games: dict[str, list[_Frame]] = {}
    for frame in frames:
        if frame[1]["kind"] in _OF_GAMES:
            games.setdefault(frame[1]["id"], []).append(frame)
        else:
            yield frame
    for records in games.values():
        if _adds_up(records):
            yield from records
        else:  # a result stands for itself; without one nobody knows how the game went
            yield from [frame for frame in records if frame[1]["kind"] == "game"][:1]


def _adds_up(records: list[_Frame]) -> bool:
    try:
        for running in fold(records).running.values():
            resumed(running)
    except ValueError:  # BadRecord is one
        return False
    return True
