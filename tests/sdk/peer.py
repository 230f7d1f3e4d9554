"""The server's end of a plugin's process: starts the real thing over pipes and speaks frames with it."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from tyrusd.rules.game import Game
from tyrusd.rules.notation import write_view
from tyrusd.rules.pieces import Side
from tyrusd.rules.view import view
from tyrusd.wire import Choose, Codec, Connection, Greeting, Hello, Message, Place, Role, Start

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 30.0  # seconds: only a hung child ever waits that long

GREETING = Greeting("0.1", "tyrusd/test", ("events", "full"), 512, 4096, 256, 10_000)

# A bot that answers properly; faults are put in by replacing one of its lines.
GOOD_BOT = """
from tyrusd.sdk import Building, Placement, hookimpl

def choose(request):
    return Placement(request.view.hand[0], Building.IC)

@hookimpl
def tyrusd_choose(requests):
    return [choose(request) for request in requests]

@hookimpl
def tyrusd_about():
    return "the first tile into one building"
"""


def write_bot(folder: Path, source: str = GOOD_BOT, name: str = "tried_bot") -> str:
    """Put a bot's module into the folder and return its name."""
    (folder / f"{name}.py").write_text(textwrap.dedent(source), "utf-8")
    return name


def environment(*folders: Path) -> dict[str, str]:
    """The environment in which a child finds modules in these folders."""
    found = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    return found | {"PYTHONPATH": os.pathsep.join(map(str, folders)), "PYTHONDONTWRITEBYTECODE": "1"}


def command(module: str, *options: str) -> list[str]:
    return [sys.executable, "-P", "-m", "tyrusd.sdk.child", "--module", module, *options]


def start(game: str, side: Side = Side.IVORY, seed: str = "00ff" * 8) -> Start:
    """The message with which a game begins for the child."""
    return Start(
        game, side.letter, "tried", "enemy", "standard", "none", "none", "none", "none", 0, seed, "I"
    )


def ask(game_id: str, game: Game, side: Side) -> Choose:
    """The request that is due in a game."""
    return Choose(game_id, game.placed_count + 1, 5000, 60_000, None, write_view(view(game, side)))


class Peer:
    """A running child; every wait is bounded, and leaving the block ends it."""

    def __init__(self, module: str, *folders: Path, options: Sequence[str] = ("--name", "tried")) -> None:
        their_read, self.write_fd = os.pipe()
        self.read_fd, their_write = os.pipe()
        descriptors = ("--read-fd", str(their_read), "--write-fd", str(their_write))
        self.process = subprocess.Popen(
            command(module, *descriptors, *options),
            cwd="/",
            env=environment(ROOT, ROOT / "plugins", *folders),
            pass_fds=(their_read, their_write),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        os.close(their_read)
        os.close(their_write)
        self.connection = Connection(Role.SERVER, Codec.FRAME)
        self.messages: list[Message] = []
        self.reads = 0
        self.ended = False

    def __enter__(self) -> Peer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()
        os.close(self.read_fd)
        if self.write_fd >= 0:
            os.close(self.write_fd)

    def send(self, *messages: Message) -> None:
        """Send all messages in one write."""
        self.send_bytes(b"".join([self.connection.encode(message) for message in messages]))

    def send_bytes(self, data: bytes) -> None:
        assert os.write(self.write_fd, data) == len(data)

    def receive(self, count: int) -> list[Message]:
        """Wait for that many messages and return them; fewer if the child closed its end."""
        while len(self.messages) < count:
            ready, _, _ = select.select([self.read_fd], [], [], PATIENCE)
            assert ready, f"the child sent nothing for {PATIENCE} s"
            data = os.read(self.read_fd, 65_536)
            if not data:
                self.ended = True
                break
            self.reads += 1
            for message in self.connection.receive(data):
                assert isinstance(message, Message), message
                self.messages.append(message)
        taken, self.messages = self.messages[:count], self.messages[count:]
        return taken

    def greet(self) -> Hello:
        """Greet, and return the hello that comes back."""
        self.send(GREETING)
        (hello,) = self.receive(1)
        assert isinstance(hello, Hello)
        return hello

    def places(self, count: int) -> list[Place]:
        found = self.receive(count)
        assert len(found) == count, f"the child ended: {self.end()}"
        return [message for message in found if isinstance(message, Place)]

    def close(self) -> None:
        """Send the end of the stream."""
        os.close(self.write_fd)
        self.write_fd = -1

    def end(self) -> tuple[int, str, str]:
        """Wait for the child's end; exit status, what went to its standard output, and to its log."""
        output, log = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, output.decode(), log.decode()


def check(module: str, *folders: Path) -> tuple[int, str, str]:
    """Run the child with --check; exit status, standard output, log."""
    done = subprocess.run(
        command(module, "--check"),
        cwd="/",
        env=environment(ROOT, ROOT / "plugins", *folders),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()
