"""Closed-loop load: every connection answers as soon as it is asked; counts what was answered."""

from __future__ import annotations

import itertools
import random
import selectors
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass, field

_NUMBERS = itertools.count(1)

Answer = Callable[["Line", list[bytes]], bytes]


@dataclass
class Line:
    """One connection and what its player remembers."""

    number: int
    socket: socket.socket
    buffer: bytes = b""
    hands: dict[bytes, list[bytes]] = field(default_factory=dict)
    chance: random.Random = field(default_factory=random.Random)


def connect(port: int, count: int) -> list[Line]:
    """Open that many connections to this machine."""
    lines = []
    for _ in range(count):
        number = next(_NUMBERS)  # never the same name twice, since lost seats are kept for a while
        link = socket.create_connection(("127.0.0.1", port))
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        lines.append(Line(number, link, chance=random.Random(number)))
    return lines


def drive(lines: list[Line], answer: Answer, seconds: float) -> int:
    """Answer whatever comes for that long; return how many lines were answered."""
    line: Line
    chooser = selectors.DefaultSelector()
    for line in lines:
        chooser.register(line.socket, selectors.EVENT_READ, line)
    answered, end = 0, time.monotonic() + seconds
    while time.monotonic() < end:
        for key, _ in chooser.select(0.1):
            line = key.data
            data = line.socket.recv(65536)
            if not data:
                raise ConnectionError("the server has closed a connection in the middle of a measurement")
            *whole, line.buffer = (line.buffer + data).split(b"\n")
            reply = answer(line, whole)
            if reply:
                answered += reply.count(b"\n")
                line.socket.sendall(reply)
    chooser.close()
    for line in lines:
        line.socket.close()
    return answered
