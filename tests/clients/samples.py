"""Runs the sample bots and plays the server for them, with the protocol and the rules themselves."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import IO

from tests.tools import require_tool
from tyrusd.rules.game import Game
from tyrusd.rules.notation import write_view
from tyrusd.rules.pieces import BUILDING_NAMED, TILE_NAMED, Building, Side, Tile
from tyrusd.rules.view import view
from tyrusd.wire import messages as wire
from tyrusd.wire.line import decode_client_line, encode_line

SAMPLES = Path(__file__).resolve().parents[2] / "clients" / "samples"
LANGUAGES = ("python", "c", "javascript")
GREETING = wire.Greeting("0.1", "tyrusd/0.1.0", ("events", "full"), 512, 4096, 256, 10_000)


@cache
def command(language: str) -> tuple[str, ...]:
    """The command line that runs a sample, compiled first if need be."""
    if language == "python":
        return (sys.executable, str(SAMPLES / "python" / "bot.py"))
    if language == "javascript":
        return (require_tool("node"), str(SAMPLES / "javascript" / "bot.js"))
    binary = Path(mkdtemp(prefix="tyrusd-sample-")) / "bot"
    source = SAMPLES / "c" / "bot.c"
    compiler = [require_tool("gcc"), "-O2", "-Wall", "-Wextra", "-Werror", "-o", str(binary), str(source)]
    subprocess.run(compiler, check=True)
    return (str(binary),)


class Talk:
    """A sample bot at work, with both ends of what is said."""

    def __init__(self, process: subprocess.Popen[bytes], reading: IO[bytes], writing: IO[bytes]) -> None:
        self.process = process
        self._reading = reading
        self._writing = writing

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

    def close(self) -> None:
        """End what the bot reads."""
        self._writing.close()

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
def program(language: str) -> Iterator[Talk]:
    """The sample as a program on stdin and stdout, greeted and let in."""
    with subprocess.Popen(command(language), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        talk = Talk(process, process.stdout, process.stdin)
        try:
            talk.send(GREETING)
            hello = talk.hear()
            assert isinstance(hello, wire.Hello)
            assert (hello.version, hello.kind) == ("0.1", "bot")
            talk.send(wire.Welcome(hello.name, "bot", "secret", hello.games))
            yield talk
        finally:
            process.kill()


@contextmanager
def network(language: str, *arguments: str) -> Iterator[Talk]:
    """The sample as a client over TCP, with `arguments` after host and port, greeted."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(60)
        port = str(listener.getsockname()[1])
        with subprocess.Popen([*command(language), "127.0.0.1", port, *arguments]) as process:
            try:
                connection, _ = listener.accept()
                with connection, connection.makefile("rb") as reading, connection.makefile("wb") as writing:
                    talk = Talk(process, reading, writing)
                    talk.send(GREETING)
                    yield talk
            finally:
                process.kill()
