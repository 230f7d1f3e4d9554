"""Runs the sample bots and plays the server for them, with the protocol and the rules themselves."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from threading import Timer
from typing import IO

from tests.clients.recipes import command
from tyrusd.rules.game import Game
from tyrusd.rules.notation import write_view
from tyrusd.rules.pieces import BUILDING_NAMED, TILE_NAMED, Building, Side, Tile
from tyrusd.rules.view import view
from tyrusd.wire import messages as wire
from tyrusd.wire.line import decode_client_line, encode_line

GREETING = wire.Greeting("0.1", "tyrusd/0.1.0", ("events", "full"), 512, 4096, 256, 10_000)
PATIENCE = 60.0  # seconds for a whole test with a bot


class Talk:
    """A sample bot at work, with both ends of what is said."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        reading: IO[bytes],
        writing: IO[bytes],
        close: Callable[[], None],
    ) -> None:
        self.process = process
        self._reading = reading
        self._writing = writing
        self.close = close  # ends what the bot reads

    def send(self, *messages: wire.ServerMessage) -> None:
        """Send messages in one write."""
        self.send_bytes(b"".join(encode_line(message) for message in messages))

    def send_bytes(self, data: bytes) -> None:
        """Send bytes as they are."""
        self._writing.write(data)
        self._writing.flush()

    def hear(self) -> wire.ClientMessage:
        """The next message of the bot, which must be one by the protocol."""
        line = self._reading.readline()
        assert line.endswith(b"\n"), f"an unfinished line, or the end: {line!r}"
        message = decode_client_line(line.removesuffix(b"\n"))
        assert isinstance(message, wire.ClientMessage), f"{line!r} is refused: {message}"
        return message

    def rest(self) -> bytes:
        """What more the bot says, to its end."""
        return self._reading.read()

    def ask(self, name: str, game: Game) -> None:
        """Ask for the next placement of a game."""
        self.send(choose(name, game))

    def placed(self) -> tuple[str, int, Tile, Building]:
        """The bot's next placement: game, request, tile, building."""
        message = self.hear()
        assert isinstance(message, wire.Place)
        return message.game, message.request, TILE_NAMED[message.tile], BUILDING_NAMED[message.building]


def choose(name: str, game: Game) -> wire.Choose:
    """The complete request to the side to move."""
    side = game.to_move
    assert side is not None
    return wire.Choose(name, game.placed_count + 1, 60_000, 60_000, 60_000, write_view(view(game, side)))


def start(name: str, game: Game, side: Side) -> wire.Start:
    """The beginning of a game for a seat."""
    return wire.Start(
        name, side.letter, "bot", "enemy", game.variant.name, "60+0", "none", "60+0", "none", 0,
        "0" * 32, game.deal.opener.letter,
    )  # fmt: skip


@contextmanager
def _at_work(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """End a bot and all it started at last, or when it takes too long: then whoever waits for it goes on."""

    def end() -> None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)

    watchman = Timer(PATIENCE, end)
    watchman.start()
    try:
        yield
    finally:
        watchman.cancel()
        end()


@contextmanager
def program(language: str, errors: int | None = None) -> Iterator[Talk]:
    """The sample as a program on stdin and stdout, greeted and let in; errors as for Popen's stderr."""
    pipe = subprocess.PIPE
    with (
        subprocess.Popen(
            command(language), stdin=pipe, stdout=pipe, stderr=errors, start_new_session=True
        ) as process,
        _at_work(process),
    ):
        assert process.stdin is not None
        assert process.stdout is not None
        talk = Talk(process, process.stdout, process.stdin, process.stdin.close)
        talk.send(GREETING)
        hello = talk.hear()
        assert isinstance(hello, wire.Hello)
        assert (hello.version, hello.kind) == ("0.1", "bot")
        talk.send(wire.Welcome(hello.name, "bot", "secret", hello.games))
        yield talk


def listening(host: str) -> socket.socket:
    """A listener that a client finds under that host: an address, or `localhost` for 127.0.0.1."""
    if ":" in host:
        return socket.create_server((host, 0), family=socket.AF_INET6)
    return socket.create_server(("127.0.0.1", 0))


@contextmanager
def network(language: str, *arguments: str, host: str = "127.0.0.1") -> Iterator[Talk]:
    """The sample as a client over TCP, with `arguments` after host and port, greeted."""
    with listening(host) as listener:
        listener.settimeout(PATIENCE)
        port = str(listener.getsockname()[1])
        words = [*command(language), host, port, *arguments]
        # A group of its own: the shell's bot is three processes.
        with subprocess.Popen(words, start_new_session=True) as process, _at_work(process):
            connection, _ = listener.accept()
            with connection, connection.makefile("rb") as reading, connection.makefile("wb") as writing:
                talk = Talk(process, reading, writing, partial(connection.shutdown, socket.SHUT_RDWR))
                talk.send(GREETING)
                yield talk


@contextmanager
def seat(language: str) -> Iterator[Talk]:
    """The sample as a client over TCP in the seat of a match, greeted and let in."""
    with network(language, "deep", "k3y") as talk:
        hello = talk.hear()
        assert isinstance(hello, wire.Hello)
        assert (hello.name, hello.kind, hello.key) == ("deep", "bot", "k3y")
        talk.send(wire.Welcome("deep", "bot", "secret", hello.games))
        yield talk
