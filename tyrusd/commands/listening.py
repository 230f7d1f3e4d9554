"""Opens the port where bots on sockets connect to a command that waits for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import socket


def open_port(listen: str, allow_plaintext: bool, option: str = "--listen") -> list[socket.socket]:
    """Bind HOST:PORT of an option; an address that others can reach only if plain text is accepted."""
    from tyrusd.commands.running import Failure, usage
    from tyrusd.host.addresses import (
        BindError,
        is_loopback,
        numeric_hosts,
        open_listeners,
        parse_address,
    )
    from tyrusd.host.configuration.checking import PLAINTEXT

    try:
        address = parse_address(listen)
    except ValueError as error:
        usage(f"{option} {error}")
    try:
        hosts = numeric_hosts(address.host)
        outside = [host for host in hosts if not is_loopback(host)]
        if outside and not allow_plaintext:
            usage(f"{option} {outside[0]} can be reached from other machines, and {PLAINTEXT}")
        return open_listeners(hosts, address.port, options=(option, option))
    except BindError as error:
        raise Failure(str(error)) from error
