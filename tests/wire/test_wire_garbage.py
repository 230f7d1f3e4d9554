"""Sixty thousand pieces of garbage and damaged messages give refusals or messages, never anything else."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import pytest

from tests.wire.examples import CODES, MESSAGES
from tyrusd.wire import ERRORS, Codec, Connection, Message, Refusal, Role, encode_frame, encode_line

PIECES = 15_000
ALPHABET = b"abcdgIBCSMP0123456789 =:.,-_?/\r\t\0\x1b\x7f\xc3\xa9\xff\xef\xbb\xbf"


def damaged(chance: random.Random, data: bytes) -> bytes:
    """One to three bytes changed, put in, left out, doubled or swapped."""
    work = bytearray(data)
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(work) + 1)
        match chance.randrange(5):
            case 0:
                work.insert(at, chance.choice(ALPHABET))
            case 1:
                del work[at : at + 1]
            case 2:
                work[at : at + 1] = bytes([chance.randrange(256)])
            case 3:
                work[at:at] = work[at : at + chance.randint(1, 20)]
            case _:
                other = chance.randrange(len(work) + 1)
                work[at:other] = work[at:other][::-1]
    return bytes(work)


def noise(chance: random.Random) -> bytes:
    length = chance.randint(0, 60)
    return chance.randbytes(length) if chance.random() < 0.5 else bytes(chance.choices(ALPHABET, k=length))


def judge(role: Role, codec: Codec, data: bytes, seen: Counter[str]) -> None:
    for result in Connection(role, codec).receive(data):
        if isinstance(result, Refusal):
            assert result.code in ERRORS
            assert result.sentence.isascii() and result.sentence.isprintable() and len(result.sentence) < 400
            seen[result.code] += 1
        else:
            assert isinstance(result, Message)
            # What was accepted has one spelling, and it is safe to pass on.
            try:
                encode_line(result)
            except ValueError:
                assert result.verb in CODES, result
            seen["message"] += 1


@pytest.mark.parametrize("role", list(Role))
@pytest.mark.parametrize(("codec", "encode"), [(Codec.LINE, encode_line), (Codec.FRAME, encode_frame)])
def test_garbage_gives_only_refusals(role: Role, codec: Codec, encode: Callable[[Message], bytes]) -> None:
    chance = random.Random(f"{role} {codec}")
    good = [encode(message) for message in MESSAGES]
    seen: Counter[str] = Counter()
    for number in range(PIECES):
        data = noise(chance) if number % 5 == 0 else damaged(chance, chance.choice(good))
        if codec is Codec.LINE:
            data += b"\n"
        elif number % 3:
            # Most frames get a right length, or hardly any of them would be looked into.
            data = max(0, len(data) - 4).to_bytes(4, "big") + data[4:]
        judge(role, codec, data, seen)
    assert seen["message"] > PIECES / 100
    assert seen["syntax"] > PIECES / 10
    if codec is Codec.LINE:
        assert seen["bad-byte"] > PIECES / 100 and seen["bad-encoding"] > PIECES / 100
