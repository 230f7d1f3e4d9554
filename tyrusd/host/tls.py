"""Encrypted connections on a port of their own: handshakes in time, certificates that can be renewed."""

from __future__ import annotations

import contextlib
import logging
import socket
import ssl
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Final

import trio

from tyrusd.core.hosts import canonical_host, network_of
from tyrusd.core.requests import Transport
from tyrusd.host.engine import Engine
from tyrusd.host.liveness import attend
from tyrusd.host.met import met
from tyrusd.host.streams import StreamLink
from tyrusd.wire import Codec

HANDSHAKE: Final = 10.0  # seconds, from the connection to the end of the handshake
HANDSHAKES: Final = 1000  # at once
HANDSHAKES_PER_HOST: Final = 32
_NO_ROOM_PAUSE: Final = 1.0  # seconds without accepting when the system has no room

_TROUBLE: Final = (trio.BrokenResourceError, trio.ClosedResourceError, ssl.SSLError, OSError)

_log = logging.getLogger("tyrusd.tls")


class CertificateError(Exception):
    """Certificate and key cannot be used; the text is a sentence that names the files."""


def server_context(certificate: Path, key: Path) -> ssl.SSLContext:
    """Read a chain of certificates and its key, both PEM; raises CertificateError."""
    for file in (certificate, key):
        try:
            file.read_bytes()
        except OSError as error:
            raise CertificateError(f"{file} cannot be read: {error.strerror}") from error
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        context.load_cert_chain(certificate, key, password=_no_password)
    except (ssl.SSLError, ValueError, OSError) as error:
        why = getattr(error, "reason", None) or str(error)
        raise CertificateError(
            f"{certificate} and {key} cannot be used ({why}): they must be a certificate chain and its key "
            "in PEM, the key without a password"
        ) from error
    return context


def _no_password() -> str:
    raise ValueError("the key wants a password")


class TlsPort:
    """Works beside a server; listeners: bound sockets, ours to close.

    Raises CertificateError when the files cannot be used. `reload` reads them again for the connections
    that come from then on; if they are bad, those that were read before stay, and the log says so.
    """

    def __init__(self, listeners: Sequence[socket.socket], certificate: Path, key: Path) -> None:
        self.listeners = listeners
        self._files = (certificate, key)
        self._context = server_context(certificate, key)
        self._shaking: Counter[str] = Counter()  # unfinished handshakes by host
        self.failed = 0
        self.open_hosts: Callable[[], Collection[str]] = tuple  # without a limit of their own
        self._accepting = trio.CancelScope()
        self._engine: Engine

    def attach(self, engine: Engine) -> None:
        """Learn the engine."""
        self._engine = engine
        engine.doors.append(self._accepting.cancel)

    def reload(self) -> bool:
        """Read certificate and key again; whether they are used."""
        try:
            self._context = server_context(*self._files)
        except CertificateError as error:
            _log.error("the certificate stays as it was: %s", error, extra={"source": "reload"})
            return False
        _log.info("the certificate is read again from %s", self._files[0])
        return True

    async def run(self) -> None:
        """Serve until cancelled."""
        with contextlib.ExitStack() as open_listeners:
            for listener in self.listeners:
                open_listeners.enter_context(listener)
            async with trio.open_nursery() as connections:
                with self._accepting:
                    async with trio.open_nursery() as nursery:
                        for listener in self.listeners:
                            port = trio.socket.from_stdlib_socket(listener)
                            nursery.start_soon(self._accept, port, connections)
                for listener in self.listeners:
                    listener.close()

    async def _accept(self, listener: trio.socket.SocketType, nursery: trio.Nursery) -> None:
        while True:
            try:
                accepted, address = await listener.accept()
            except OSError as error:
                _log.warning("a connection cannot be accepted: %s", error.strerror)
                await trio.sleep(_NO_ROOM_PAUSE)
                continue
            host = canonical_host(address[0])
            if self._engine.turns_away(host):
                # No handshake only to say no: for us it costs far more than for who asks for it.
                self._failure(host, "this host may not connect now")
                accepted.close()
                continue
            limit = self._limit(host)
            if limit is not None:
                met(limit)
                self._failure(host, "too many handshakes at once")
                accepted.close()
                continue
            attend(accepted)
            nursery.start_soon(self._serve, trio.SocketStream(accepted), host)

    def _limit(self, host: str) -> str | None:
        """The limit that one more handshake of a host meets."""
        if self._shaking.total() >= HANDSHAKES:
            return "tls_handshakes"
        many = self._shaking.get(network_of(host), 0) >= HANDSHAKES_PER_HOST and host not in self.open_hosts()
        return "tls_handshakes_per_host" if many else None

    async def _serve(self, plain: trio.SocketStream, host: str) -> None:
        """One connection; nothing that goes wrong with it reaches another one."""
        stream = TlsStream(plain, self._context)
        try:
            if await self._shaken(stream, host):
                await StreamLink(self._engine, stream, Transport(host, Codec.LINE, "socket")).run()
        except Exception:
            _log.exception("a connection could not be served")
        finally:
            with trio.CancelScope(shield=True):
                await trio.aclose_forcefully(stream)

    async def _shaken(self, stream: TlsStream, host: str) -> bool:
        network = network_of(host)
        self._shaking[network] += 1
        why = f"no handshake within {HANDSHAKE:g} s"
        try:
            with trio.move_on_after(HANDSHAKE):
                await stream.shake_hands()
                return True
            met("tls_handshake")
        except _TROUBLE as error:
            cause = error.__cause__
            why = str(getattr(cause, "reason", None) or "the connection was lost")
        finally:
            self._shaking[network] -= 1
            if not self._shaking[network]:
                del self._shaking[network]
        self._failure(host, why)
        return False

    def _failure(self, host: str, why: str) -> None:
        self.failed += 1
        _log.info("a connection from %s was closed before it was encrypted: %s", host, why,
                  extra={"source": "tls"})  # fmt: skip


class TlsStream(trio.abc.HalfCloseableStream):
    """An encrypted stream whose output can end before its input does.

    Closing a socket with unread input can destroy our last line, so the end of output is told by TLS and by
    TCP while the reader goes on; the socket is closed when both are done.
    """

    def __init__(self, plain: trio.SocketStream, context: ssl.SSLContext) -> None:
        self._plain = plain
        self._stream = trio.SSLStream(_Lower(plain), context, server_side=True)

    async def shake_hands(self) -> None:
        """Do the handshake."""
        await self._stream.do_handshake()

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Send everything."""
        await self._stream.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        """Wait for room."""
        await self._stream.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """Receive what comes, b"" at the end."""
        return bytes(await self._stream.receive_some(max_bytes))

    async def send_eof(self) -> None:
        """Tell the other side that nothing more comes."""
        await self._stream.aclose()

    async def aclose(self) -> None:
        """Close the socket."""
        await self._plain.aclose()


class _Lower(trio.abc.Stream):
    """A socket whose closing ends its output only."""

    def __init__(self, plain: trio.SocketStream) -> None:
        self._plain = plain

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        await self._plain.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        await self._plain.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        return bytes(await self._plain.receive_some(max_bytes))

    async def aclose(self) -> None:
        with contextlib.suppress(OSError, trio.ClosedResourceError, trio.BrokenResourceError):
            await self._plain.send_eof()
