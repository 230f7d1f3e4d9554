"""The ports that a server has beside its own: encrypted connections, metrics."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from typing import Final, NamedTuple

from tyrusd.host.addresses import bound_addresses
from tyrusd.host.tls import TlsPort


class Ports(NamedTuple):
    """metrics: bound sockets for HTTP, none without metrics; tls: the encrypted port, if there is one."""

    metrics: Sequence[socket.socket] = ()
    tls: TlsPort | None = None

    def lines(self) -> list[str]:
        """What is printed about them when the server is ready."""
        encrypted = [] if self.tls is None else bound_addresses(self.tls.listeners)
        return [
            *(f"tls {address.host} {address.port}" for address in encrypted),
            *(f"metrics http://{address}/metrics" for address in bound_addresses(self.metrics)),
        ]

    def close(self) -> None:
        """Close all sockets, also those that never were served."""
        for listener in [*self.metrics, *([] if self.tls is None else self.tls.listeners)]:
            listener.close()


NO_PORTS: Final = Ports()
