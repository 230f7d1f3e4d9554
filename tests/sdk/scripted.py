"""A server that says what a test wants, for `tyrus-bot` over TCP: real sockets, the real process."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from tests.sdk.peer import GREETING, PATIENCE, ROOT, environment
from tyrusd.wire import Codec, Connection, Hello, Message, Role, Seek, ServerMessage, Welcome

BOT = [sys.executable, "-P", "-m", "tyrusd.sdk.runner"]


class Accepted:
    """One connection of the bot, greeted."""

    def __init__(self, listener: socket.socket) -> None:
        self._socket, _ = listener.accept()
        self._socket.settimeout(PATIENCE)
        self._connection = Connection(Role.SERVER, Codec.LINE)
        self._heard: list[Message] = []
        self.say(GREETING)

    def say(self, *messages: ServerMessage) -> None:
        """Send messages in one write."""
        self._socket.sendall(b"".join([self._connection.encode(message) for message in messages]))

    def hear(self) -> Message | None:
        """The next message of the bot; None when it has closed the connection."""
        while not self._heard:
            data = self._socket.recv(65_536)
            if not data:
                return None
            for message in self._connection.receive(data):
                assert isinstance(message, Message), message
                self._heard.append(message)
        return self._heard.pop(0)

    def welcome(self, secret: str = "s" * 32) -> Hello:
        """Hear the hello and welcome it."""
        hello = self.hear()
        assert isinstance(hello, Hello), hello
        self.say(Welcome(hello.name, "bot", secret, hello.games, hello.want))
        return hello

    def seeks(self) -> None:
        """Hear that it seeks."""
        assert self.hear() == Seek()

    def close(self) -> None:
        self._socket.close()


class Place:
    """A listener, and the bot that connects to it."""

    def __init__(self, *words: str, folder: Path, extra: Mapping[str, str] | None = None) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.listener.settimeout(PATIENCE)
        host, port = self.listener.getsockname()
        self.process = subprocess.Popen(
            [*BOT, "--connect", f"{host}:{port}", *words],
            cwd=folder, env=environment(ROOT) | dict(extra or {}), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def __enter__(self) -> Place:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.listener.close()
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()

    @contextmanager
    def accepted(self) -> Iterator[Accepted]:
        link = Accepted(self.listener)
        try:
            yield link
        finally:
            link.close()

    def end(self) -> tuple[int, str, str]:
        """Wait for the bot's end; exit status, what it printed, and its standard error."""
        output, log = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, output, log


def run(*words: str, folder: Path, data: bytes = b"") -> tuple[int, bytes, str]:
    """Run `tyrus-bot` as a program on that input; exit status, output, standard error."""
    done = subprocess.run(
        [*BOT, *words], cwd=folder, env=environment(ROOT) | {"COLUMNS": "120"}, input=data,
        capture_output=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr.decode()
