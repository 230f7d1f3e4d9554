"""Carries a conversation to a real `tyrusd serve`, a process of its own, over TCP."""

from __future__ import annotations

import contextlib
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DAEMON = Path(__file__).with_name("loaded_daemon.py")
PATIENCE = 20.0  # seconds for a line that must come; a house bot may have to be started first
GAMES_RUN = 0.5  # seconds after which a daemon that has not ended has running games
SETTLED = "settled"
HIDDEN = re.compile(r"(?<![A-Za-z])[SMP](?:10|[1-9])(?![0-9])|[0-9a-f]{32}")


@contextmanager
def daemon(data: Path, *options: str) -> Iterator[int]:
    """Run `tyrusd serve` on a data directory, give its port, and have it end well."""
    command = [
        sys.executable,
        str(DAEMON),
        "serve",
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "--data",
        str(data),
        *options,
    ]
    errors = data.with_name("stderr")
    with errors.open("wb") as stderr:
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=stderr)
    assert process.stdout is not None
    with process.stdout:
        try:
            ready = process.stdout.readline().decode().split()
            assert ready[:2] == ["listening", "127.0.0.1"], f"{ready}: {errors.read_text('utf-8')}"
            yield int(ready[2])
        finally:
            status = _end(process)
    log = errors.read_text("utf-8")
    assert status == 0, log
    assert HIDDEN.findall(log) == [], "the log of the daemon tells no tile and no secret"


def _end(process: subprocess.Popen[bytes]) -> int:
    """Have the daemon end; running games, which it would wait for, are ended by a second signal."""
    process.send_signal(signal.SIGTERM)
    try:
        return process.wait(GAMES_RUN)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGTERM)
        return process.wait(PATIENCE)


class OverTcp:
    """Plain blocking sockets to a daemon."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._sockets: dict[str, socket.socket] = {}
        self._unread: dict[str, bytes] = {}

    def connect(self, peer: str) -> None:
        """Open a new connection for a peer."""
        self._sockets[peer] = socket.create_connection(("127.0.0.1", self._port), PATIENCE)
        self._unread[peer] = b""

    def send(self, peer: str, line: str) -> None:
        """Send one line."""
        self._sockets[peer].sendall(f"{line}\n".encode())

    def cut(self, peer: str) -> None:
        """Close a peer's connection without a word."""
        self._sockets.pop(peer).close()

    def next_line(self, peer: str) -> str | None:
        """The next line that the peer is sent; None at the end of the stream or of all patience."""
        try:
            while b"\n" not in self._unread[peer]:
                data = self._sockets[peer].recv(65536)
                if not data:
                    return None
                self._unread[peer] += data
        except TimeoutError:
            return None
        line, _, self._unread[peer] = self._unread[peer].partition(b"\n")
        return line.decode()

    def rest(self, peer: str) -> list[str]:
        """What comes before the answer to a ping, or before the end of the stream."""
        left = []
        # After a goodbye of the server the stream is closed or reset; what came before it can still be read.
        with contextlib.suppress(OSError):
            self.send(peer, f"ping {SETTLED}")
        with contextlib.suppress(ConnectionError):
            while (line := self.next_line(peer)) is not None and line != f"pong {SETTLED}":
                left.append(line)
        return left

    def close(self) -> None:
        """Close all connections that are left."""
        for stream in self._sockets.values():
            stream.close()
