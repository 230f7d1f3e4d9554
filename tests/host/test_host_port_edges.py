"""Limits of the other ports at one below, at, and one above, and what counts them: TLS, HTTP, the console."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
import trio
import trio.testing
from trio.testing import MockClock

from tests.core.stage import Stage, begin
from tests.host.certificates import issue
from tests.host.fakecore import FakeCore
from tests.host.limits_moved import AROUND, moved
from tests.host.test_http import pages
from tyrusd.core.lobby import Lobby
from tyrusd.core.onlooker import Onlooker
from tyrusd.host import console, http, local_socket, tls
from tyrusd.host.ban_file import BanFile
from tyrusd.host.engine import Engine
from tyrusd.host.journal import MemoryJournal
from tyrusd.host.liveness import GONE, attend
from tyrusd.host.local_socket import Door

MOMENT = 0.001  # seconds
REQUEST = b"GET /hello HTTP/1.0\r\n\r\n"
DOOR = Door("test.sock", "tyrusd.test", "whoever is on {}", "nobody is on {}")


@pytest.fixture
async def opened() -> AsyncIterator[list[trio.SocketStream]]:
    """Connections that are closed in the end."""
    found: list[trio.SocketStream] = []
    yield found
    for stream in found:
        await trio.aclose_forcefully(stream)


def pair() -> tuple[Any, Any]:
    """Two ends of a connection in memory; they do all that the ends of a socket do here."""
    return trio.testing.memory_stream_pair()


async def until_blocked() -> None:
    """Let everybody go as far as they come, also where the system has to pass something on."""
    for _ in range(3):
        await trio.testing.wait_all_tasks_blocked(0.02)


# -- encryption --------------------------------------------------------------------------------------------


@pytest.fixture
async def port(tmp_path: Path, nursery: trio.Nursery) -> AsyncIterator[tls.TlsPort]:
    files = issue(tmp_path / "files")
    listener = socket.create_server(("127.0.0.1", 0), backlog=100)
    listener.setblocking(False)
    found = tls.TlsPort([listener], files.certificate, files.key)
    found.attach(Engine(FakeCore(), MemoryJournal(), trio.current_time))
    nursery.start_soon(found.run)
    yield found


async def silent(
    port: tls.TlsPort, opened: list[trio.SocketStream], count: int, host: str = "127.0.0.1"
) -> None:
    """So many connections that say nothing."""
    address = port.listeners[0].getsockname()
    for _ in range(count):
        opened.append(await trio.open_tcp_stream(*address, local_address=host))
    await until_blocked()


@pytest.mark.parametrize("more", AROUND)
async def test_limit_tls_handshakes_host(
    port: tls.TlsPort, opened: list[trio.SocketStream], more: int
) -> None:
    with moved(*["tls_handshakes_per_host"] * (more > 0)):
        await silent(port, opened, tls.HANDSHAKES_PER_HOST + more)
    assert port._shaking.total() == tls.HANDSHAKES_PER_HOST + min(more, 0)
    assert port.failed == (more > 0)
    with moved():
        await silent(port, opened, 1, "127.0.0.2")  # another host has handshakes of its own
        port.open_hosts = lambda: {"127.0.0.1"}  # and this one may have more from now on
        await silent(port, opened, 1)


@pytest.mark.parametrize("more", AROUND)
async def test_limit_tls_handshakes(
    port: tls.TlsPort, opened: list[trio.SocketStream], more: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tls, "HANDSHAKES", 4)
    with moved(*["tls_handshakes"] * (more > 0)):
        for number in range(4 + more):
            await silent(port, opened, 1, f"127.0.0.{number + 1}")
    assert (port._shaking.total(), port.failed) == (4 + min(more, 0), more > 0)


class _Slow:
    """A handshake that takes so long."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    async def shake_hands(self) -> None:
        await trio.sleep(self.seconds)


@pytest.mark.parametrize("more", AROUND)
async def test_limit_tls_handshake(tmp_path: Path, more: int, autojump_clock: MockClock) -> None:
    files = issue(tmp_path / "files")
    port = tls.TlsPort([], files.certificate, files.key)
    slow: Any = _Slow(tls.HANDSHAKE + more * MOMENT)
    with moved(*["tls_handshake"] * (more >= 0)):
        assert await port._shaken(slow, "192.0.2.7") is (more < 0)
    assert (port.failed, port._shaking.total()) == (more >= 0, 0)


def test_limit_vanished() -> None:
    """The system is told after what silence of another system a connection is lost."""
    with socket.socket() as one:
        attend(one)
        level = socket.IPPROTO_TCP
        idle, between, questions, unheard = (
            one.getsockopt(level, getattr(socket, name))
            for name in ("TCP_KEEPIDLE", "TCP_KEEPINTVL", "TCP_KEEPCNT", "TCP_USER_TIMEOUT")
        )
        assert one.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
    assert idle + between * questions == GONE == unheard / 1000 == 120


# -- metrics and health ------------------------------------------------------------------------------------


@pytest.mark.parametrize("more", AROUND)
async def test_limit_http_head(more: int) -> None:
    ours, theirs = pair()
    start = b"GET /hello HTTP/1.0\r\nA: "
    await ours.send_all(start + b"a" * (http.LONGEST_HEAD - len(start) + more) + b"\r\n\r\n")
    await ours.send_eof()
    with moved(*["http_head"] * (more > 0)):
        await http._converse(theirs, pages)
    status = b"400" if more > 0 else b"200"
    assert (await ours.receive_some()).startswith(b"HTTP/1.1 " + status)


@pytest.mark.parametrize("more", AROUND)
async def test_limit_http_time(more: int, autojump_clock: MockClock) -> None:
    """For the request."""
    ours, theirs = pair()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(http._converse, theirs, pages)
        with moved(*["http_time"] * (more >= 0)):
            await trio.sleep(http.PATIENCE + more * MOMENT)
            await ours.send_all(REQUEST)
            await ours.send_eof()
            await until_blocked()


@pytest.mark.parametrize("more", AROUND)
async def test_limit_http_time_for_the_answer(more: int, autojump_clock: MockClock) -> None:
    """A reader who stays, and says nothing more, has as long again."""
    ours, theirs = pair()
    await ours.send_all(REQUEST)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(http._converse, theirs, pages)
        with moved(*["http_time"] * (more >= 0)):
            await trio.sleep(http.PATIENCE + more * MOMENT)
            await ours.send_eof()
            await until_blocked()
    assert (await ours.receive_some()).endswith(b"hello\n")


@pytest.mark.parametrize("more", AROUND)
async def test_limit_http_rest(more: int) -> None:
    ours, theirs = pair()
    await ours.send_all(REQUEST)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(http._converse, theirs, pages)
        await until_blocked()
        with moved(*["http_rest"] * (more >= 0)):
            await ours.send_all(b"x" * (http.DRAINED + more))
            await ours.send_eof()
            await until_blocked()


@pytest.mark.parametrize("more", AROUND)
async def test_limit_http_callers(more: int, opened: list[trio.SocketStream], nursery: trio.Nursery) -> None:
    """When all places are taken the next one waits, and comes when somebody leaves."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=100)
    listener.setblocking(False)
    address = listener.getsockname()
    nursery.start_soon(http.serve_http, [listener], pages)
    await until_blocked()
    with moved(*["http_callers"] * (more >= 0)):
        for _ in range(http.CALLERS + more):
            opened.append(await trio.open_tcp_stream(*address))
        await until_blocked()
    with trio.fail_after(10):
        await opened[-1].send_all(REQUEST)
        if more > 0:
            await until_blocked()
            await opened[0].aclose()
        assert (await opened[-1].receive_some()).startswith(b"HTTP/1.1 200")


# -- the console -------------------------------------------------------------------------------------------


async def _echo(line: bytes, stream: trio.SocketStream) -> None:
    await local_socket.send_line(stream, {"ok": len(line)})


@pytest.mark.parametrize("more", AROUND)
async def test_limit_console_request(
    more: int, tmp_path: Path, opened: list[trio.SocketStream], nursery: trio.Nursery
) -> None:
    """A longer one is not read on; whoever answers is given more than is allowed, and refuses it."""
    await nursery.start(partial(local_socket.serve_door, tmp_path, DOOR, _echo))
    stream = await trio.open_unix_socket(tmp_path / DOOR.file)
    opened.append(stream)
    with moved(*["console_request"] * (more > 0)):
        await stream.send_all(b"x" * (local_socket.LONGEST + more) + b"\n")
        told = msgspec.json.decode(await stream.receive_some())
    assert told == {"ok": local_socket.LONGEST + more}


@pytest.mark.parametrize("more", AROUND)
async def test_limit_console_time(more: int, autojump_clock: MockClock) -> None:
    ours, theirs = pair()
    callers = trio.Semaphore(0)
    async with trio.open_nursery() as nursery:
        with moved(*["console_time"] * (more >= 0)):
            nursery.start_soon(local_socket._serve, theirs, _echo, callers)
            await trio.sleep(local_socket.PATIENCE + more * MOMENT)
            try:
                await ours.send_all(b"hello\n")
            except trio.BrokenResourceError:
                assert more >= 0
            await until_blocked()
    assert callers.value == 1


@pytest.mark.parametrize("more", AROUND)
async def test_limit_console_time_for_a_line(more: int, autojump_clock: MockClock) -> None:
    taken, stream = trio.testing.lockstep_stream_pair()

    async def take() -> None:
        await trio.sleep(local_socket.PATIENCE + more * MOMENT)
        await taken.receive_some()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(take)
        with moved(*["console_time"] * (more >= 0)):
            assert await local_socket.send_line(stream, {"ok": 1}) is (more < 0)  # type: ignore[arg-type]
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("more", AROUND)
async def test_limit_console_callers(
    more: int, tmp_path: Path, opened: list[trio.SocketStream], nursery: trio.Nursery
) -> None:
    await nursery.start(partial(local_socket.serve_door, tmp_path, DOOR, _echo))
    path = tmp_path / DOOR.file
    with moved(*["console_callers"] * (more >= 0)):
        for _ in range(local_socket.CALLERS + more):
            opened.append(await trio.open_unix_socket(path))
        await until_blocked()
    with trio.fail_after(10):
        await opened[-1].send_all(b"hello\n")
        if more > 0:
            await until_blocked()
            await opened[0].aclose()
        assert await opened[-1].receive_some() == b'{"ok":5}\n'


class _Watched:
    """A console on a server in memory, and what it would be told of a game."""

    def __init__(self, tmp_path: Path) -> None:
        self.stage = Stage()
        self.game = begin(self.stage).game
        lobby = self.stage.server.director
        assert isinstance(lobby, Lobby)
        self.takes: list[Callable[[bytes], None]] = []
        real = lobby.operator.watch

        def watch(game: str, take: Callable[[bytes], None]) -> Onlooker:
            self.takes.append(take)
            return real(game, take)

        lobby.operator.watch = watch  # type: ignore[method-assign]
        self.console = console.Console(tmp_path, lobby.operator, BanFile(tmp_path))
        self.console._engine = Engine(FakeCore(), MemoryJournal(), trio.current_time)

    def watch(self, nursery: trio.Nursery) -> Any:
        """What one caller is told."""
        ours, theirs = pair()
        request = msgspec.json.encode({"do": "watch", "game": self.game})
        nursery.start_soon(self.console._converse, request, theirs)
        return ours


@pytest.mark.parametrize("more", AROUND)
async def test_limit_console_watches(more: int, tmp_path: Path, nursery: trio.Nursery) -> None:
    watched = _Watched(tmp_path)
    with moved(*["console_watches"] * (more > 0)):
        streams = [watched.watch(nursery) for _ in range(console.WATCHES + more)]
        await until_blocked()
    told = [(await stream.receive_some()).splitlines()[0] for stream in streams]
    refused = [line for line in told if b"8 games are watched here already" in line]
    assert len(refused) == (more > 0)


@pytest.mark.parametrize("more", AROUND)
async def test_limit_console_behind(more: int, tmp_path: Path, nursery: trio.Nursery) -> None:
    watched = _Watched(tmp_path)
    stream = watched.watch(nursery)
    await until_blocked()
    (take,) = watched.takes
    with moved(*["console_behind"] * (more > 0)):
        for number in range(1 + console.BEHIND + more):  # the first one is being handed on
            take(b"line %d\n" % number)
    await until_blocked()
    told = await stream.receive_some()
    assert (b"went on faster than it was read" in told) is (more > 0)
