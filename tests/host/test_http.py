"""The small HTTP responder: hostile callers get a 400 or nothing, and stop nobody."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator

import pytest
import trio

from tyrusd.host import http
from tyrusd.host.http import Page, plain_page, serve_http

Address = tuple[str, int]


def pages(path: str) -> Page | None:
    if path == "/broken":
        raise RuntimeError("no")
    return plain_page(200, "hello") if path == "/hello" else None


@pytest.fixture
async def address(nursery: trio.Nursery) -> AsyncIterator[Address]:
    listener = socket.create_server(("127.0.0.1", 0))
    listener.setblocking(False)
    nursery.start_soon(serve_http, [listener], pages)
    yield listener.getsockname()


async def answer(address: Address, *sent: bytes) -> bytes:
    with trio.fail_after(10):
        async with await trio.open_tcp_stream(*address) as stream:
            for data in sent:
                await stream.send_all(data)
                await trio.lowlevel.checkpoint()
            return b"".join([part async for part in stream])


def status(answered: bytes) -> int:
    head, _, body = answered.partition(b"\r\n\r\n")
    assert b"Connection: close" in head
    length = int(head.split(b"Content-Length: ")[1].split(b"\r\n")[0])
    assert len(body) in (0, length)
    return int(head.split(b" ")[1])


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        (b"GET /hello HTTP/1.1\r\nHost: x\r\n\r\n", 200),
        (b"GET /hello?a=b HTTP/1.1\r\nHost: x\r\nAccept: */*\r\nX-Y:\r\n\r\n", 200),
        (b"GET /hello HTTP/1.0\r\n\r\n", 200),
        (b"GET /hello HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", 200),
        (b"GET /other HTTP/1.1\r\nHost: x\r\n\r\n", 404),
        (b"POST /hello HTTP/1.1\r\nHost: x\r\n\r\n", 405),
        (b"GET /broken HTTP/1.1\r\nHost: x\r\n\r\n", 500),
        # What is hostile, or not HTTP at all.
        (b"GET /hello HTTP/1.1\r\n\r\n", 400),
        (b"GET /hello HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", 400),
        (b"GET /hello HTTP/2.0\r\nHost: x\r\n\r\n", 400),
        (b"GET hello HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        (b"GET  /hello HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        (b"GET http://other/hello HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        (b"GET /hello HTTP/1.1\nHost: x\n\r\n\r\n", 400),
        (b"GET /hello HTTP/1.1\r\nHost: x\r\n folded\r\n\r\n", 400),
        (b"GET /hello HTTP/1.1\r\nHost : x\r\n\r\n", 400),
        (b"GET /hello HTTP/1.1\r\nHost: x\r\nA: \x00\r\n\r\n", 400),
        (b"GET /hello HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n", 400),
        (b"GET /hello HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        (b"GET /hello HTTP/1.1\r\nHost: x\r\n\r\nGET /hello HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        (b"GET /\xff HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        (b"hello 0.1 ada bot\r\n\r\n", 400),
        (b"\r\n\r\n", 400),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400),
        (b"GET /" + b"a" * 2000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        (b"GET /hello HTTP/1.1\r\nHost: x\r\n" + b"A: b\r\n" * 2000 + b"\r\n", 400),
        (b"x" * 100_000, 400),
    ],
)
async def test_each_request_gets_its_status(address: Address, request_: bytes, expected: int) -> None:
    assert status(await answer(address, request_)) == expected


@pytest.mark.parametrize(("more", "expected"), [(-1, 200), (0, 200), (1, 400)])
async def test_limit_of_a_request(address: Address, more: int, expected: int) -> None:
    start = b"GET /hello HTTP/1.1\r\nHost: x\r\nA: "
    head = start + b"a" * (http.LONGEST_HEAD - len(start) + more)
    assert status(await answer(address, head, b"\r\n\r\n")) == expected


async def test_head_has_no_body_and_405_tells_what_is_known(address: Address) -> None:
    head = await answer(address, b"HEAD /hello HTTP/1.1\r\nHost: x\r\n\r\n")
    assert head.endswith(b"\r\n\r\n") and b"Content-Length: 6" in head
    assert b"Allow: GET, HEAD" in await answer(address, b"PUT /hello HTTP/1.1\r\nHost: x\r\n\r\n")


async def test_a_request_may_come_in_pieces(address: Address) -> None:
    pieces = [bytes([byte]) for byte in b"GET /hello HTTP/1.1\r\nHost: x\r\n\r\n"]
    assert status(await answer(address, *pieces)) == 200


async def test_who_leaves_early_gets_nothing(address: Address) -> None:
    async with await trio.open_tcp_stream(*address) as stream:
        await stream.send_all(b"GET /hello HT")
        await stream.send_eof()
        with trio.fail_after(5):
            assert await stream.receive_some() == b""


async def test_who_says_nothing_is_cut_and_stops_nobody(
    address: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http, "PATIENCE", 0.2)
    silent = [await trio.open_tcp_stream(*address) for _ in range(3 * http.CALLERS)]
    assert status(await answer(address, b"GET /hello HTTP/1.1\r\nHost: x\r\n\r\n")) == 200
    for stream in silent:
        with trio.fail_after(5):
            assert await stream.receive_some() == b""
        await stream.aclose()


async def test_who_does_not_read_is_cut(address: Address, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "PATIENCE", 0.2)
    async with await trio.open_tcp_stream(*address) as stream:
        await stream.send_all(b"GET /hello HTTP/1.1\r\nHost: x\r\n\r\n")
        with trio.fail_after(5):
            data = b"".join([part async for part in stream])
            assert status(data) == 200
            with pytest.raises(trio.BrokenResourceError):  # our side is open, and yet it is over
                while True:
                    await stream.send_all(b"x" * 4096)
                    await trio.sleep(0.01)
