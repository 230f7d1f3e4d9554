"""A bot's own way to a server: an address as it is typed, and a TCP connection that blocks."""

from __future__ import annotations

import contextlib
import socket
import threading
from typing import Final, NamedTuple

from tyrusd.sdk.streams import READ_SIZE, READS_A_ROUND, readable

SECURE: Final = "tls://"


class Address(NamedTuple):
    """A host (a name or an IP address) and a TCP port; secure: what is said there is encrypted."""

    host: str
    port: int
    secure: bool = False


def read_address(text: str) -> Address:
    """Return the address in HOST:PORT or [IPV6]:PORT, perhaps with tls:// before it.

    ValueError says what is wrong with it.
    """
    host, _, port = text.removeprefix(SECURE).rpartition(":")
    if host.startswith("[") and host.endswith("]"):
        host = host[1:-1]
    elif ":" in host:
        raise ValueError(f"{text!r}: an IPv6 address is written like [::1]:7433")
    if not host:
        raise ValueError(f"{text!r} is not HOST:PORT")
    if not (port.isascii() and port.isdigit() and len(port) <= 5 and 1 <= int(port) <= 65535):
        raise ValueError(f"{text!r}: the port must be a number from 1 to 65535")
    return Address(host, int(port), text.startswith(SECURE))


SILENCE: Final = 45.0  # seconds: a server pings a silent bot sooner, unless it waits for the bot's decision
_PROBE: Final = b"ping alive\n"


class Link:
    """A TCP connection; a server that is silent for so many seconds is asked for a sign of life."""

    def __init__(self, connected: socket.socket, silence: float = SILENCE) -> None:
        self._socket = connected
        self._silence = silence
        self._socket.settimeout(silence)
        self._sending = threading.Lock()  # a thread may read, and ask, while another one answers
        with contextlib.suppress(OSError):
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # answers leave at once

    def read(self) -> bytes:
        """Wait for bytes and return all that are there; none when the connection has ended or broken."""
        chunks = [self._receive()]
        while chunks[-1] and len(chunks) < READS_A_ROUND and readable(self._socket.fileno()):
            chunks.append(self._receive())
        return b"".join(chunks)

    def _receive(self) -> bytes:
        try:
            try:
                return self._receive_some()
            except TimeoutError:
                self.write(_PROBE)
                return self._receive_some()
        except (ConnectionError, TimeoutError):
            return b""

    def write(self, data: bytes) -> None:
        """Write everything; BrokenPipeError when the server is gone."""
        try:
            with self._sending:
                self._send_some(data)
        except (ConnectionError, TimeoutError) as error:
            raise BrokenPipeError(str(error)) from error

    def _receive_some(self) -> bytes:
        return self._socket.recv(READ_SIZE)

    def _send_some(self, data: bytes) -> None:
        self._socket.sendall(data)

    def close(self) -> None:
        """End the connection, also for a thread that still reads from it."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


def connect(address: Address, patience: float) -> Link:
    """Connect within `patience` seconds; OSError says why not, also why a certificate is not trusted."""
    connected = socket.create_connection((address.host, address.port), timeout=patience)
    if not address.secure:
        return Link(connected)
    from tyrusd.sdk.tls import encrypted

    try:
        return encrypted(connected, address.host)
    except BaseException:
        connected.close()
        raise
