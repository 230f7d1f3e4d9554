"""Answers GET for a few paths over HTTP/1: one small request a connection, bounded in size and time."""

from __future__ import annotations

import contextlib
import logging
import re
import socket
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import trio

from tyrusd.host.met import met

LONGEST_HEAD: Final = 8192  # bytes
PATIENCE: Final = 5.0  # seconds for the request, for the answer to be taken, and for its reader to leave
CALLERS: Final = 16  # at once
DRAINED: Final = 64 * 1024  # bytes that may follow a request before the connection is cut

_REQUEST: Final = re.compile(rb"([A-Z]{1,16}) (/[!-~]{0,1024}) HTTP/1\.([01])")
_HEADER: Final = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}):[ \t]*([ -~\x80-\xff]*)")
_REASONS: Final = {
    200: "OK",
    400: "Bad Request",
    404: "Not Found",
    405: "Method Not Allowed",
    500: "Internal Server Error",
    503: "Service Unavailable",
}

_log = logging.getLogger("tyrusd.http")


class Page(NamedTuple):
    """What is answered."""

    status: int
    kind: str
    body: bytes


Pages = Callable[[str], "Page | None"]
"""Makes the page of a path, without its query; None if there is none. It must not wait."""


def plain_page(status: int, text: str) -> Page:
    """A page of one line."""
    return Page(status, "text/plain; charset=utf-8", f"{text}\n".encode())


async def serve_http(listeners: Sequence[socket.socket], pages: Pages) -> None:
    """Answer on bound sockets, ours to close, until cancelled."""
    callers = trio.Semaphore(CALLERS)
    with contextlib.ExitStack() as open_listeners:
        for listener in listeners:
            open_listeners.enter_context(listener)
        async with trio.open_nursery() as nursery:
            for listener in listeners:
                nursery.start_soon(_accept, trio.socket.from_stdlib_socket(listener), pages, callers, nursery)


async def _accept(
    listener: trio.socket.SocketType, pages: Pages, callers: trio.Semaphore, nursery: trio.Nursery
) -> None:
    while True:
        if not callers.value:
            met("http_callers")  # the others wait outside, until one of these is answered or too slow
        await callers.acquire()
        try:
            caller, _ = await listener.accept()
        except OSError as error:
            _log.warning("a caller cannot be let in: %s", error.strerror)
            callers.release()
            await trio.sleep(1)
            continue
        nursery.start_soon(_serve, trio.SocketStream(caller), pages, callers)


async def _serve(stream: trio.SocketStream, pages: Pages, callers: trio.Semaphore) -> None:
    try:
        async with stream:
            with contextlib.suppress(trio.BrokenResourceError, trio.ClosedResourceError):
                await _converse(stream, pages)
    finally:
        callers.release()


async def _converse(stream: trio.SocketStream, pages: Pages) -> None:
    head: bytes | None = None
    with trio.move_on_after(PATIENCE) as asking:
        head = await _head(stream)
    if asking.cancelled_caught:
        met("http_time")
    if head is None:
        return  # gone, or too slow
    page, with_body = _answer(head, pages)
    with trio.move_on_after(PATIENCE) as telling:
        await stream.send_all(_encoded(page, with_body))
        await stream.send_eof()
        left = DRAINED  # closing with unread input could destroy the answer
        while left > 0 and (more := await stream.receive_some(4096)):
            left -= len(more)
        if left <= 0:
            met("http_rest")
    if telling.cancelled_caught:
        met("http_time")


async def _head(stream: trio.SocketStream) -> bytes | None:
    """The request up to its empty line, or more than its longest; None if its sender has left before."""
    data = b""
    while b"\r\n\r\n" not in data and len(data) <= LONGEST_HEAD:
        more = await stream.receive_some(LONGEST_HEAD)
        if not more:
            return None
        data += more
    return data


def _answer(data: bytes, pages: Pages) -> tuple[Page, bool]:
    """The page for a request, and whether its body is sent."""
    head, end, body = data.partition(b"\r\n\r\n")
    first, *lines = head.split(b"\r\n")
    request = _REQUEST.fullmatch(first)
    if len(head) > LONGEST_HEAD:
        met("http_head")
    headers = [_HEADER.fullmatch(line) for line in lines]
    if not end or len(head) > LONGEST_HEAD or request is None or None in headers:
        return plain_page(400, "that is no HTTP request"), True
    found = [(header[1].lower(), header[2]) for header in headers if header is not None]
    names = [name for name, _ in found]
    length = next((value for name, value in found if name == b"content-length"), b"0").strip()
    if body or length != b"0" or b"transfer-encoding" in names or names.count(b"content-length") > 1:
        return plain_page(400, "a request has no body here"), True
    if names.count(b"host") != 1 and (request[3] == b"1" or b"host" in names):
        return plain_page(400, "a request names one host"), True
    if request[1] not in (b"GET", b"HEAD"):
        return plain_page(405, "only GET and HEAD are known here"), True
    try:
        page = pages(request[2].decode("ascii").partition("?")[0])
    except Exception:
        _log.exception("a page could not be made")
        page = plain_page(500, "the page could not be made; the log says more")
    return page or plain_page(404, "there is no such page"), request[1] == b"GET"


def _encoded(page: Page, with_body: bool) -> bytes:
    lines = [
        f"HTTP/1.1 {page.status} {_REASONS[page.status]}",
        f"Content-Type: {page.kind}",
        f"Content-Length: {len(page.body)}",
        "Cache-Control: no-store",
        "Connection: close",
        *(["Allow: GET, HEAD"] if page.status == 405 else []),
    ]
    return "\r\n".join([*lines, "", ""]).encode("ascii") + (page.body if with_body else b"")
