"""Decides what a host is called, which addresses are loopback, and how listeners are bound."""

from __future__ import annotations

import errno
import ipaddress
import os
import socket
from collections.abc import Sequence
from typing import Final, NamedTuple

from tyrusd.core.hosts import canonical_host as canonical_host

DEFAULT_HOSTS: Final = ("127.0.0.1", "::1")
DEFAULT_PORT: Final = 7433
BACKLOG: Final = 1024  # waiting connections the kernel keeps for us; it cuts this to its own limit
_SAME_PORT_ATTEMPTS: Final = 16

# What the command that listens calls its host and its port, for sentences that say what to change.
HOST_AND_PORT: Final = ("--host", "--port")

_NOT_HERE: Final = frozenset({errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT, errno.EPROTONOSUPPORT})


class BindError(Exception):
    """A listener cannot be opened; the text is a sentence that names host and port and says what to do."""

    def __init__(self, sentence: str, number: int = 0) -> None:
        self.errno = number
        super().__init__(sentence)


class Address(NamedTuple):
    """A host (name or number) and a port; port 0 lets the system choose."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def parse_address(text: str) -> Address:
    """Read `HOST:PORT` or `[HOST]:PORT`; raises ValueError with a sentence that says what is allowed."""
    host, colon, port = text.rpartition(":")
    if host.startswith("[") and host.endswith("]"):
        host = host[1:-1]
    elif ":" in host:
        raise ValueError(f"{text!r} is not HOST:PORT: write an IPv6 address in brackets, as in [::1]:7433")
    if not colon or not host:
        raise ValueError(f"{text!r} is not HOST:PORT, as in 127.0.0.1:7433 (port 0 picks a free one)")
    if not (port.isascii() and port.isdigit() and int(port) < 65536):
        raise ValueError(f"{text!r} is not HOST:PORT: a port is a number from 0 to 65535")
    return Address(host, int(port))


def is_loopback(text: str) -> bool:
    """Tell whether a numeric address can be reached from this machine only."""
    try:
        return ipaddress.ip_address(canonical_host(text)).is_loopback
    except ValueError:
        return False


def numeric_hosts(host: str) -> list[str]:
    """Resolve a host name or number to numeric addresses, best first; raises BindError if there is none."""
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as error:
        raise BindError(
            f"the host {host!r} is unknown: {error}; give a name or address of this machine"
        ) from error
    return list(dict.fromkeys(canonical_host(str(address[0])) for *_, address in found))


def open_listeners(
    hosts: Sequence[str],
    port: int,
    *,
    tolerate: str | None = None,
    options: tuple[str, str] = HOST_AND_PORT,
) -> list[socket.socket]:
    """Bind and listen on each numeric host; with port 0 all get the same free port if that is possible.

    tolerate: a host that this machine may lack; it is then left out. options: see HOST_AND_PORT. Raises
    BindError, nothing stays open.
    """
    for attempt in range(_SAME_PORT_ATTEMPTS):
        try:
            return _open_all(hosts, port, tolerate, options, same=True)
        except BindError as error:
            if port or error.errno != errno.EADDRINUSE or attempt == _SAME_PORT_ATTEMPTS - 1:
                break
    return _open_all(hosts, port, tolerate, options, same=False)


def bound_addresses(listeners: Sequence[socket.socket]) -> list[Address]:
    """The host and port of each listener."""
    return [Address(*listener.getsockname()[:2]) for listener in listeners]


def _open_all(
    hosts: Sequence[str], port: int, tolerate: str | None, options: tuple[str, str], *, same: bool
) -> list[socket.socket]:
    listeners: list[socket.socket] = []
    try:
        for host in hosts:
            wanted = listeners[0].getsockname()[1] if same and listeners and not port else port
            try:
                listeners.append(_open_one(host, wanted, options))
            except BindError as error:
                if host != tolerate or error.errno not in _NOT_HERE:
                    raise
        if not listeners:
            raise BindError(
                f"none of {', '.join(hosts)} exists on this machine; choose another address with {options[0]}"
            )
    except BaseException:
        for listener in listeners:
            listener.close()
        raise
    return listeners


def _open_one(host: str, port: int, options: tuple[str, str]) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener: socket.socket | None = None
    try:
        listener = socket.socket(family, socket.SOCK_STREAM)
        if os.name == "posix":
            # A restart must not wait for old connections in TIME_WAIT; elsewhere the option means "share".
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            # One listener a family: otherwise `::` would take IPv4 as well, under other names.
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listener.bind((host, port))
        listener.listen(BACKLOG)
        listener.setblocking(False)
    except OSError as error:
        if listener is not None:
            listener.close()
        raise BindError(_sentence(Address(host, port), error, options), error.errno or 0) from error
    return listener


def _sentence(address: Address, error: OSError, options: tuple[str, str]) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"port {address.port} on {address.host} is in use, perhaps by another tyrusd: "
            f"stop that one, or choose another port with {options[1]} (0 picks a free one)"
        )
    if error.errno == errno.EACCES:
        return (
            f"port {address.port} on {address.host} needs privileges: choose one above 1023 with {options[1]}"
        )
    if error.errno in _NOT_HERE:
        return f"this machine has no address {address.host}: choose another with {options[0]}"
    return f"cannot listen on {address}: {os.strerror(error.errno or 0)}"
