"""The bot's end of a TCP connection: addresses, silence, and a peer that is gone."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

import pytest

from tyrusd.sdk.tcp import Address, Link, read_address

SHORT = 0.05  # seconds of silence, in place of three quarters of a minute


@pytest.fixture
def pair() -> Iterator[tuple[Link, socket.socket]]:
    ours, theirs = socket.socketpair()
    theirs.settimeout(30)
    link = Link(ours, SHORT)
    yield link, theirs
    link.close()
    theirs.close()


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("here:7433", Address("here", 7433)),
        ("127.0.0.1:1", Address("127.0.0.1", 1)),
        ("[::1]:65535", Address("::1", 65535)),
        ("tls://here:7434", Address("here", 7434, secure=True)),
        ("tls://[::1]:1", Address("::1", 1, secure=True)),
    ],
)
def test_an_address_is_read(text: str, address: Address) -> None:
    assert read_address(text) == address


@pytest.mark.parametrize(
    "text",
    [
        "here",
        ":7433",
        "here:",
        "here:x",
        "here:65536",
        "here:٣",
        "::1:7433",
        "[::1]",
        "tls://here",
        "tls://:1",
    ],
)
def test_what_is_no_address_is_told(text: str) -> None:
    with pytest.raises(ValueError, match=r"^'"):
        read_address(text)


def test_a_silent_server_is_asked_and_what_it_says_is_read(pair: tuple[Link, socket.socket]) -> None:
    link, server = pair
    server.sendall(b"first\n")
    assert link.read() == b"first\n"
    server.settimeout(SHORT / 2)
    with pytest.raises(TimeoutError):  # nothing is asked while it speaks
        server.recv(100)


def test_a_server_that_answers_the_question_is_alive(pair: tuple[Link, socket.socket]) -> None:
    link, server = pair

    def answer() -> None:
        assert server.recv(100) == b"ping alive\n"
        server.sendall(b"pong alive\n")

    answering = threading.Thread(target=answer)
    answering.start()
    assert link.read() == b"pong alive\n"
    answering.join()


def test_a_server_that_stays_silent_is_given_up_after_one_question(pair: tuple[Link, socket.socket]) -> None:
    link, server = pair
    assert link.read() == b""
    assert server.recv(100) == b"ping alive\n"


def test_a_server_that_is_gone_is_the_end(pair: tuple[Link, socket.socket]) -> None:
    link, server = pair
    server.close()
    assert link.read() == b""
    with pytest.raises(BrokenPipeError):
        for _ in range(100):
            link.write(b"x" * 100_000)


def test_a_server_that_does_not_read_is_not_waited_for_for_ever(pair: tuple[Link, socket.socket]) -> None:
    link, _ = pair
    with pytest.raises(BrokenPipeError):
        for _ in range(100):
            link.write(b"x" * 100_000)
