"""A way between a client and a server that a test can cut, like a network that fails."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress


class Way:
    """Passes bytes both ways between those who connect to `port` and a server, until it is cut."""

    def __init__(self, server: int) -> None:
        self._server = server
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._open: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self._start(self._accept)

    def _start(self, work: Callable[..., None], *arguments: socket.socket) -> None:
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        with suppress(OSError):  # the listener is closed
            while True:
                near, _ = self._listener.accept()
                far = socket.create_connection(("127.0.0.1", self._server))
                self._open += [near, far]
                self._start(self._pass, near, far)
                self._start(self._pass, far, near)

    def _pass(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):  # one of them is cut
            while data := source.recv(65536):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)

    def cut(self) -> None:
        """Break all connections that stand now; new ones are possible."""
        broken, self._open = self._open, []
        for end in broken:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def close(self) -> None:
        """Break everything, for good."""
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.cut()
        for thread in self._threads:
            thread.join(60)


@contextmanager
def way_to(server: int) -> Iterator[Way]:
    """Open a way to the server on that port."""
    way = Way(server)
    try:
        yield way
    finally:
        way.close()
