"""The measured cases: each drives one server and returns how many answers it gave."""

from __future__ import annotations

from tests.bench.load import Line, connect, drive

_ECHO_LINE = b"place g1234 27 S10 IC                                      .\n"
_BUILDINGS = (b"IC", b"IM", b"IT", b"BC", b"BM", b"BT")
_SEEK = b"seek clock=none cap=60\n"


def echo(port: int, seconds: float, connections: int) -> int:
    """Sixty-byte lines, one under way on each connection."""
    lines = connect(port, connections)
    for line in lines:
        line.socket.sendall(_ECHO_LINE)
    return drive(lines, lambda line, whole: _ECHO_LINE * len(whole), seconds)


def lockstep(port: int, seconds: float, connections: int) -> int:
    """Games of the short event stream, one a connection pair; a new game follows each that ends."""
    lines = connect(port, connections)
    for line in lines:
        line.socket.sendall(b"hello 0.1 bench-%d bot want=events\n%s" % (line.number, _SEEK))
    return drive(lines, _play, seconds)


def _play(line: Line, whole: list[bytes]) -> bytes:
    reply = b""
    for text in whole:
        words = text.split(b" ")
        if words[0] == b"turn":
            tile = line.hands[words[1]].pop()
            reply += b"place %s %s %s %s\n" % (words[1], words[2], tile, line.chance.choice(_BUILDINGS))
        elif words[0] == b"drew" and words[4] != b"?,?,?":
            line.hands[words[1]] += words[4].split(b",")
        elif words[0] == b"snapshot":
            hand = next(word for word in words if word.startswith(b"hand="))
            line.hands[words[1]] = hand[5:].split(b",")
        elif words[0] == b"over":
            line.hands.pop(words[1], None)
            if not any(word.startswith(b"next=") for word in words):
                line.socket.sendall(_SEEK)
        elif words[0] in (b"error", b"bye"):
            raise ConnectionError(f"the server said: {text.decode()}")
    return reply
