"""Steps about bytes: line ends, lines in pieces or together, long lines, keys in any order."""

from __future__ import annotations

from collections.abc import Generator

from tyrusd.core.conformance.arrival import GAP, in_pieces
from tyrusd.core.conformance.games import exam
from tyrusd.core.conformance.talk import Talk
from tyrusd.rules.pieces import Side
from tyrusd.wire import LIMITS
from tyrusd.wire import messages as wire

_EVERY = 40  # bytes after which a request in single bytes takes a breath


def carriage_returns(talk: Talk) -> Generator[float, None, None]:
    """Lines that end in CR LF."""
    one = exam(talk, request=6)
    talk.ledger.exams[one.game] = one
    messages = [*one.beginning(talk.events, talk.now), talk.request(one), wire.Ping("crlf")]
    talk.write(b"".join([talk.encoded(message) for message in messages]).replace(b"\n", b"\r\n"))
    yield from talk.answer(one)
    yield from talk.pong("crlf")


def split(talk: Talk) -> Generator[float, None, None]:
    """A ping byte by byte, and a request in many small pieces."""
    data = talk.encoded(wire.Ping("byte-by-byte"))
    yield from in_pieces(talk, data, range(1, len(data)))
    yield from talk.pong("byte-by-byte")
    one = exam(talk, Side.BROWN, 11)
    talk.begin(one)
    data = talk.encoded(talk.request(one))
    talk.transcript.sent(data, talk.codec)
    for start in range(0, len(data), _EVERY):
        for byte in data[start : start + _EVERY]:
            talk.write_piece(bytes([byte]))
        yield from talk.pause(GAP)
    yield from talk.answer(one)


def together(talk: Talk) -> Generator[float, None, None]:
    """Several lines in one write, the second half of one with the first half of the next."""
    one = exam(talk, request=14)
    talk.ledger.exams[one.game] = one
    messages = [*one.beginning(talk.events, talk.now), talk.request(one), wire.Ping("together")]
    data = b"".join([talk.encoded(message) for message in messages])
    yield from in_pieces(talk, data, (len(data) - 25,))
    yield from talk.answer(one)
    yield from talk.pong("together")


def any_order(talk: Talk) -> Generator[float, None, None]:
    """The keys of a request in another order."""
    one = exam(talk, request=19)
    talk.begin(one)
    parts = talk.parts(talk.request(one))
    talk.send_parts(parts._replace(keys=parts.keys[5:] + parts.keys[:5][::-1]))
    yield from talk.answer(one)


def longest(talk: Talk) -> Generator[float, None, None]:
    """A request as long as a line may be; what fills it is a key that nobody knows."""
    one = exam(talk, request=30)
    talk.begin(one)
    parts = talk.parts(talk.request(one))
    limit = LIMITS["server-line"].value
    bare = len(talk.together(parts.with_keys(("padding", ""))).rstrip(b"\n"))
    filler = "x" * (limit - bare)
    talk.send_parts(parts.with_keys(("padding", filler)))
    yield from talk.answer(one)
