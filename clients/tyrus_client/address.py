"""Reads the address of a server as a person types it."""

from typing import Final, NamedTuple

DEFAULT_HOST: Final = "127.0.0.1"
DEFAULT_PORT: Final = 7433
SECURE: Final = "tls://"


class Address(NamedTuple):
    """A host (a name or an IP address) and a TCP port; secure: what is said there is encrypted."""

    host: str
    port: int
    secure: bool = False

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{SECURE if self.secure else ''}{host}:{self.port}"


def read_address(text: str) -> Address:
    """Return the address in HOST, HOST:PORT, [IPV6] or [IPV6]:PORT, perhaps with tls:// before it.

    ValueError says what is wrong with it.
    """
    rest = text.removeprefix(SECURE)
    host, port = rest, ""
    if rest.startswith("["):
        host, bracket, port = rest[1:].partition("]")
        if not bracket or (port and not port.startswith(":")):
            raise ValueError(f"{text!r}: an IPv6 address is written like [::1] or [::1]:{DEFAULT_PORT}")
        port = port[1:] if port else str(DEFAULT_PORT)
    elif rest.count(":") == 1:
        host, _, port = rest.partition(":")
    else:
        # Several colons without brackets: an IPv6 address by itself, for which the port is the usual one.
        port = str(DEFAULT_PORT)
    if not host:
        raise ValueError(f"{text!r}: the host is missing; write HOST or HOST:PORT")
    if not (port.isascii() and port.isdigit() and len(port) <= 5 and 1 <= int(port) <= 65535):
        raise ValueError(f"{text!r}: the port must be a number from 1 to 65535")
    return Address(host, int(port), text.startswith(SECURE))
