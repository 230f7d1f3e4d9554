"""A match whose bot loses its connection again and again is played to its end: nobody forfeits."""

from __future__ import annotations

import contextlib
import shlex
import socket
import threading

import pytest

from tests.e2e.matches import play
from tests.sdk.peer import PATIENCE
from tests.sdk.scripted import BOT
from tyrusd.rules.game import PLAYED_OUT

CUTS = (3_000, 8_000, 2_501)  # bytes of the server on each connection but the last


class CuttingProxy:
    """Passes bytes on in both directions, and breaks the first connections after so many of the server's."""

    def __init__(self, port: int) -> None:
        self._server = ("127.0.0.1", port)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.accepted = 0

    def serve(self) -> None:
        """Serve one connection after another, until the listener is closed."""
        with contextlib.suppress(OSError):
            while True:
                ours, _ = self.listener.accept()
                cut = CUTS[self.accepted] if self.accepted < len(CUTS) else None
                self.accepted += 1
                theirs = socket.create_connection(self._server, timeout=PATIENCE)
                with ours, theirs:
                    back = threading.Thread(target=self._pass_on, args=(ours, theirs, None))
                    back.start()
                    self._pass_on(theirs, ours, cut)
                    back.join()

    @staticmethod
    def _pass_on(reading: socket.socket, writing: socket.socket, left: int | None) -> None:
        with contextlib.suppress(OSError):
            while data := reading.recv(4096):
                # The last piece may end in the middle of a line.
                writing.sendall(data if left is None else data[:left])
                if left is not None:
                    left -= len(data)
                    if left <= 0:
                        break
        for end in (reading, writing):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize("kind", ["by_view", "Following", "Watching", "awaited"])
def test_games_go_on_after_each_break(kind: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    proxy = CuttingProxy(port)
    bot = shlex.join([*BOT, f"tests.sdk.bots:{kind}", "--connect", f"127.0.0.1:{proxy.port}"])
    command = ["/bin/sh", "-c", f'exec {bot} --name "$3" --key "$4"', "sh"]
    serving = threading.Thread(target=proxy.serve)
    serving.start()
    options = ("--games", "12", "--concurrency", "4", "--seed", "2", "--listen", f"127.0.0.1:{port}")
    try:
        found = play(("tcp:broken", "plugin:greedy"), {"broken": command}, *options)
    finally:
        proxy.listener.shutdown(socket.SHUT_RDWR)
        serving.join()
        proxy.listener.close()
    assert proxy.accepted == len(CUTS) + 1
    assert set(found["endings"]) <= PLAYED_OUT, found["endings"]
