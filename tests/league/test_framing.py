"""A record file is read whole or refused at an offset: cut, flipped, hostile and foreign bytes."""

import struct
from collections.abc import Iterator
from typing import Any
from zlib import crc32

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.league.matches import STARTED, new_match
from tests.league.record_example import example
from tyrusd.league import framing
from tyrusd.league.framing import (
    HEADER,
    MAX_PAYLOAD,
    BadRecord,
    TruncatedTail,
    frame,
    placed_frame,
    read_frames,
    read_pieces,
    whole_frames,
)
from tyrusd.league.record import opened_record
from tyrusd.league.schema import Payload

FRAMES = [
    frame(opened_record(new_match(), started=STARTED)),
    placed_frame("g1", "ivory", "S10", "IC", 1234),
    placed_frame("g1", "brown", "P1", "BT", 0),
    frame(example()),
]
FILE = HEADER + b"".join(FRAMES)
STARTS = [len(HEADER) + sum(map(len, FRAMES[:count])) for count in range(len(FRAMES) + 1)]
PLACED = {"kind": "placed", "id": "g1", "side": "ivory", "tile": "S10", "building": "IC", "spent": 1234}


def framed(payload: bytes) -> bytes:
    return struct.pack(">II", len(payload), crc32(payload)) + payload


def read_until_fault(data: bytes) -> tuple[list[Payload], BadRecord | None]:
    found = []
    try:
        for _, payload in read_frames(data):
            found.append(payload)
    except BadRecord as fault:
        return found, fault
    return found, None


def in_pieces(data: bytes, sizes: list[int]) -> tuple[list[tuple[int, Payload]], BadRecord | None]:
    """What a file gives that is read in pieces of these sizes, the last size again and again."""
    pieces: list[bytes] = []
    at = 0
    while at < len(data):
        size = sizes[min(len(pieces), len(sizes) - 1)]
        pieces.append(data[at : at + size])
        at += size
    found = []
    try:
        for entry in read_pieces(pieces):
            found.append(entry)
    except BadRecord as fault:
        return found, fault
    return found, None


def fault_in(data: bytes) -> BadRecord:
    fault = read_until_fault(data)[1]
    assert fault is not None
    return fault


def test_a_whole_file_gives_its_payloads_and_their_offsets() -> None:
    found, tail = whole_frames(FILE)
    assert tail is None
    assert [offset for offset, _ in found] == STARTS[:-1]
    assert [frame(payload) for _, payload in found] == FRAMES
    assert whole_frames(HEADER) == ([], None)


def test_a_placement_written_fast_is_the_frame_written_with_care() -> None:
    assert placed_frame("g1", "ivory", "S10", "IC", 1234) == frame(PLACED)


def test_a_file_cut_at_any_byte_keeps_every_whole_record() -> None:
    for length in range(len(FILE)):
        found, tail = whole_frames(FILE[:length])
        whole = sum(start <= length for start in STARTS[1:])
        assert len(found) == whole
        if length in STARTS:
            assert tail is None
        else:
            assert isinstance(tail, TruncatedTail)
            assert tail.offset == (STARTS[whole] if length >= len(HEADER) else 0)
            assert tail.last


def test_a_flipped_bit_anywhere_is_noticed_and_costs_no_record_before_it() -> None:
    short = HEADER + FRAMES[1] + FRAMES[2] + FRAMES[1]
    starts = [len(HEADER), len(HEADER + FRAMES[1]), len(HEADER + FRAMES[1] + FRAMES[2])]
    for position in range(len(short)):
        for bit in range(8):
            data = bytearray(short)
            data[position] ^= 1 << bit
            found, fault = read_until_fault(bytes(data))
            assert fault is not None
            before = sum(start <= position for start in starts)
            assert len(found) == max(0, before - 1)
            assert fault.offset <= position < fault.offset + len(FRAMES[1])
            # Only in the last frame may damage look like the end of the file.
            assert position >= starts[-1] or not isinstance(fault, TruncatedTail)


def test_damage_in_the_last_frame_is_told_apart_from_damage_before_it() -> None:
    middle, end = bytearray(FILE), bytearray(FILE)
    middle[STARTS[1] + 20] ^= 1
    end[-1] ^= 1
    for data, offset, last in ((middle, STARTS[1], False), (end, STARTS[3], True)):
        fault = fault_in(bytes(data))
        assert (fault.offset, fault.last) == (offset, last)
        assert not isinstance(fault, TruncatedTail)
        assert str(fault).startswith(f"bad record at byte {offset}: the checksum")


def test_a_damaged_length_does_not_hide_the_frames_behind_it() -> None:
    data = bytearray(FILE)
    data[STARTS[0] + 1] = 0x0F
    fault = fault_in(bytes(data))
    assert not isinstance(fault, TruncatedTail)
    assert (fault.offset, fault.last) == (STARTS[0], False)
    assert f"a whole frame follows at byte {STARTS[1]}" in fault.what


def test_the_search_for_a_hidden_frame_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    # Many beginnings of long frames, each of which would have to be summed up.
    bait = struct.pack(">II", 4000, 0) + b"\x81\xa4kind"
    data = HEADER + struct.pack(">II", MAX_PAYLOAD, 0) + bait * 1000 + FRAMES[1]
    assert not isinstance(fault_in(data), TruncatedTail)
    sums: list[int] = []

    def counted(payload: bytes) -> int:
        sums.append(len(payload))
        return crc32(payload)

    monkeypatch.setattr(framing, "crc32", counted)
    monkeypatch.setattr(framing, "_SEARCH_BYTES", 10_000)
    assert isinstance(fault_in(data), TruncatedTail)
    assert sums == [4000] * 3


@pytest.mark.parametrize("zeros", [1, 4, 7, 8, 9, 4096])
def test_zeros_at_the_end_are_what_a_power_cut_leaves(zeros: int) -> None:
    found, tail = whole_frames(FILE + bytes(zeros))
    assert len(found) == len(FRAMES)
    assert tail is not None and tail.offset == len(FILE)


def test_an_empty_frame_in_the_middle_is_damage() -> None:
    fault = fault_in(HEADER + FRAMES[1] + bytes(8) + FRAMES[2])
    assert not isinstance(fault, TruncatedTail)
    assert fault.offset == len(HEADER) + len(FRAMES[1])


@pytest.mark.parametrize("data", [b"", b"\x89", HEADER[:8], HEADER[:-1]])
def test_a_file_without_a_whole_header_holds_nothing_yet(data: bytes) -> None:
    with pytest.raises(TruncatedTail, match="at byte 0"):
        list(read_frames(data))


@pytest.mark.parametrize(
    "data",
    [
        b"x",
        b"PK\x03\x04",
        b'{"schema":1}\n',
        HEADER[1:],
        b"\x89TYRUS\n\0\0\0\1",
        bytes(100),
        b"\x89PNG\r\n\x1a\n",
    ],
)
def test_a_foreign_file_is_refused(data: bytes) -> None:
    fault = fault_in(data)
    assert (fault.offset, fault.what) == (0, "this is not a record file of tyrusd")


@pytest.mark.parametrize("version", [0, 2, 2**32 - 1])
def test_another_version_is_refused_with_what_to_do(version: int) -> None:
    fault = fault_in(HEADER[:8] + version.to_bytes(4, "big") + FRAMES[1])
    assert f"has version {version}, this tyrusd reads 1; use the tyrusd that wrote it" in str(fault)


@pytest.mark.parametrize("size", [MAX_PAYLOAD + 1, 2**31, 2**32 - 1])
@pytest.mark.parametrize("rest", [b"", b"\0\0\0\0", bytes(100)])
def test_a_length_over_the_limit_is_refused_before_anything_is_read(size: int, rest: bytes) -> None:
    fault = fault_in(HEADER + size.to_bytes(4, "big") + rest)
    assert not isinstance(fault, TruncatedTail)
    assert f"a payload of {size} bytes is announced, at most 1048576 are allowed" in fault.what


def test_a_length_that_is_itself_cut_short_is_a_truncated_tail() -> None:
    assert isinstance(fault_in(HEADER + b"\xff\xff\xff"), TruncatedTail)
    assert not isinstance(fault_in(HEADER + b"\xff\xff\xff\xff"), TruncatedTail)


def test_a_length_at_the_limit_is_read() -> None:
    fault = fault_in(HEADER + framed(bytes(MAX_PAYLOAD)))
    assert "allowed msgpack" in fault.what


PLAIN = msgpack.packb(PLACED)


@pytest.mark.parametrize(
    "payload",
    [
        b"\xc6\xff\xff\xff\xff",  # four gigabytes of bytes
        b"\xdd\xff\xff\xff\xff",  # four billion entries
        b"\xdf\xff\xff\xff\xff",
        b"\xdb\xff\xff\xff\xff",
        b"\xc9\xff\xff\xff\xff\x01",
        b"\xc1",
        b"\xc0",
        b"\x80",
        b"\x90",
        b"\x01",
        b"\x91" * 2000 + b"\xc0",
        b"\x81\xa1a" * 2000 + b"\xc0",
        b"\x81\x01\x02",  # a key that is no text
        b"\x81\x90\x02",
        b"\x81\xc4\x00\x02",
        b"\x81\xa1\xff\x02",
        b"\xdd\x00\x00\x00\x41" + b"\xc0" * 65,
        PLAIN + b"\xc0",
        PLAIN[:-1],
        PLAIN.replace(b"\xa2id\xa2g1", b"\xa2id\xc4\x02g1"),
        PLAIN.replace(b"\xa2id\xa2g1", b"\xa2id\xd5\x01g1"),
        PLAIN.replace(b"\xa2id\xa2g1", b"\xa2id\xd6\xff\0\0\0\1"),  # a timestamp
        PLAIN.replace(b"\xa2id\xa2g1", b"\xa2id\x91\xa2g1"),
        PLAIN.replace(b"\xcd\x04\xd2", b"\xcb\x40\x93\x48\x00\x00\x00\x00\x00"),
        PLAIN.replace(b"\xcd\x04\xd2", b"\xc3"),
        PLAIN.replace(b"\xcd\x04\xd2", b"\xff"),
        PLAIN.replace(b"\xcd\x04\xd2", b"\xcf" + b"\xff" * 8),
        PLAIN.replace(b"\x86", b"\x87", 1) + b"\xa4tile\xa2S1",  # a key twice
        PLAIN.replace(b"\x86", b"\x87", 1) + b"\xa4more\xc0",
        PLAIN.replace(b"\xa4side\xa5ivory", b"").replace(b"\x86", b"\x85", 1),
        PLAIN.replace(b"placed", b"eraser"),
        PLAIN.replace(b"S10", b"S11"),
        PLAIN.replace(b"S10", b"S1\n"),
        PLAIN.replace(b"ivory", b"IVORY"),
        PLAIN.replace(b"IC", b"XC"),
        PLAIN.replace(b"g1", b".."),
        PLAIN.replace(b"g1", b"/g"),
    ],
    ids=lambda payload: payload[:24].hex(),
)
def test_a_hostile_payload_is_refused_with_its_offset(payload: bytes) -> None:
    assert payload != PLAIN
    found, fault = read_until_fault(HEADER + FRAMES[1] + framed(payload))
    assert len(found) == 1
    assert fault is not None and not isinstance(fault, TruncatedTail)
    assert fault.offset == len(HEADER) + len(FRAMES[1])


def test_what_a_fault_quotes_is_fit_for_a_terminal() -> None:
    wrong: dict[str, Any] = {**PLACED, "kind": "\x1b[2J\n\u202e" + "x" * 1000}
    fault = fault_in(HEADER + framed(msgpack.packb(wrong)))
    assert str(fault).isprintable()
    assert len(str(fault)) < 400


@settings(derandomize=True, database=None, deadline=None, max_examples=300)
@given(st.binary(max_size=200))
def test_garbage_gives_only_the_one_fault(garbage: bytes) -> None:
    for data in (garbage, HEADER + garbage, HEADER + FRAMES[1] + framed(garbage)):
        read_until_fault(data)
    if garbage:
        assert fault_in(HEADER + framed(garbage)).offset == len(HEADER)


values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@settings(derandomize=True, database=None, deadline=None, max_examples=300)
@given(st.sampled_from(sorted(PLACED)), values)
def test_a_wrong_value_anywhere_gives_only_the_one_fault(key: str, value: Any) -> None:
    payload = {**PLACED, key: value}
    found, fault = read_until_fault(HEADER + framed(msgpack.packb(payload)))
    assert (fault is None) == (found == [payload])


def damaged() -> list[bytes]:
    """The file whole, cut, flipped, with a wrong length, with zeros, foreign, and of another version."""
    files = [FILE, b"", FILE[: len(HEADER)], FILE[:5], b"x" + FILE[1:], FILE[:11] + b"\x09" + FILE[12:]]
    files += [FILE[:at] for start in STARTS for at in (start - 1, start + 1, start + 7, start + 9)]
    files += [FILE + bytes(zeros) for zeros in (1, 8, 400)]
    for start in STARTS[:-1]:
        for at in (start, start + 3, start + 5, start + 20):
            files.append(FILE[:at] + bytes([FILE[at] ^ 0x41]) + FILE[at + 1 :])
        files.append(FILE[:start] + bytes(8) + FILE[start:])
    return files


@settings(max_examples=200)
@given(st.sampled_from(damaged()), st.lists(st.integers(1, 400), min_size=1, max_size=20))
def test_a_file_in_pieces_of_any_size_gives_what_the_whole_gives(data: bytes, sizes: list[int]) -> None:
    found, fault = in_pieces(data, sizes)
    whole: list[tuple[int, Payload]] = []
    try:
        for entry in read_frames(data):
            whole.append(entry)
    except BadRecord as expected:
        assert fault is not None
        assert (type(fault), fault.offset, fault.what, fault.last) == (
            type(expected), expected.offset, expected.what, expected.last,
        )  # fmt: skip
    else:
        assert fault is None
    assert found == whole


def test_no_more_than_a_piece_and_a_record_of_a_file_in_pieces_is_taken_ahead() -> None:
    taken = 0

    def pieces() -> Iterator[bytes]:
        nonlocal taken
        yield HEADER
        for frame_ in FRAMES * 50:
            taken += 1
            yield frame_

    for given_, _ in enumerate(read_pieces(pieces()), 1):
        assert taken <= given_ + 1
    assert taken == given_ == 50 * len(FRAMES)
