"""Over real TCP: however a stream is cut, the answers are the same; a bad peer leaves the others alone."""

from __future__ import annotations

import random
import re
import socket
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.serving import serving

SCRIPT = (
    b"hello 0.2 cut bot games=2 unknown=key tag=a\r\n"
    b"who tag=1\n\nplace g1 1 S10 IC\nplace g1 1 S1_0 IC tag=b\ngames\nwatch g77 tag=c\r\nTAB\there\n"
    b"ping x tag=d\npong\n\xc3\x28\nresign g5\nseek clock=1+\nlook g1\nseek tag=e\ncancel\nquit tag=f\n"
)
SECRET = re.compile(rb"secret=[0-9a-f]+")


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with serving(tmp_path_factory.mktemp("chunks") / "data") as port:
        yield port


def answers(port: int, pieces: list[bytes]) -> bytes:
    """Everything the server sends to who sends these pieces, each in a packet of its own."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as link:
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for piece in pieces:
            link.sendall(piece)
        received = b""
        while data := link.recv(65536):
            received += data
    return SECRET.sub(b"secret=", received)


def cut(data: bytes, chance: random.Random) -> list[bytes]:
    places = sorted(chance.sample(range(1, len(data)), chance.randrange(1, 60)))
    return [data[start:end] for start, end in zip([0, *places], [*places, len(data)], strict=True)]


def test_any_cut_gives_the_same_answers(port: int) -> None:
    whole = answers(port, [SCRIPT])
    assert whole.count(b"\n") > 15
    assert whole.endswith(b"bye bye :Good-bye.\n")
    assert answers(port, [bytes([byte]) for byte in SCRIPT]) == whole
    chance = random.Random(20)
    for _ in range(25):
        assert answers(port, cut(SCRIPT, chance)) == whole


def test_a_reset_a_deaf_and_a_babbling_peer_leave_a_running_game_alone(port: int) -> None:
    chance = random.Random(4)
    deaf = socket.create_connection(("127.0.0.1", port))
    deaf.sendall(b"hello 0.1 deaf bot\n")
    with socket.create_connection(("127.0.0.1", port), timeout=30) as link, link.makefile("rb") as lines:
        link.sendall(b"hello 0.1 runner bot\nplay random\n")
        for line in lines:
            words = line.split()
            if words[0] == b"over":
                assert words[4] in (b"three-in-a-row", b"majority", b"remaining-tiles", b"drawn")
                break
            assert words[0] not in (b"bye", b"away"), line
            if words[0] != b"choose":
                continue
            with socket.create_connection(("127.0.0.1", port)) as babbling:
                babbling.sendall(chance.randbytes(400))
            with socket.create_connection(("127.0.0.1", port)) as reset:
                reset.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                reset.sendall(b"hello 0.1 half a li")
            deaf.sendall(b"help\n" * 5)
            hand = next(word for word in words if word.startswith(b"hand="))
            tile = hand.removeprefix(b"hand=").split(b",")[0]
            link.sendall(b"place %s %s %s IC\n" % (words[1], words[2], tile))
        else:
            pytest.fail("the connection ended before the game")
    deaf.close()


def test_garbage_over_tcp_gets_only_documented_errors(port: int) -> None:
    page = (Path(__file__).resolve().parents[2] / "protocol.md").read_text("utf-8")
    chance, errors = random.Random(9), 0
    for _ in range(60):
        junk = b"".join(
            chance.choice((chance.randbytes(20), SCRIPT[: chance.randrange(80)])) + b"\n" for _ in range(6)
        )
        link = socket.create_connection(("127.0.0.1", port), timeout=30)
        with link:
            link.sendall(junk)
            link.shutdown(socket.SHUT_WR)
            received = b""
            try:
                while data := link.recv(65536):
                    received += data
            except ConnectionResetError:
                pass  # it was closed with our last bytes unread
        for line in received.splitlines():
            words = line.decode().split()
            if words[0] in ("error", "bye"):
                assert f"| `{words[1]}` |" in page, line
                errors += words[0] == "error"
    assert errors > 60
