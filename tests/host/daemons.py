"""Starts the real `tyrusd` as a process and talks to it over real sockets."""

from __future__ import annotations

import os
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
TYRUSD = (sys.executable, "-c", "from tyrusd.commands import main; main()")
PATIENCE = 10.0  # seconds; only a broken program ever needs them


def command(*words: str) -> list[str]:
    return [*TYRUSD, *words]


def run(*words: str, cwd: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command of tyrusd to its end."""
    return subprocess.run(
        command(*words),
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


class Daemon:
    """A running tyrusd."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.printed: list[str] = []

    def line(self) -> str:
        """The next line of its output."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline().rstrip("\n")
        self.printed.append(line)
        return line

    def addresses(self) -> list[tuple[str, int]]:
        """Read up to the line that tells how to join; the addresses before it."""
        found = []
        while (line := self.line()).startswith("listening "):
            _, host, port = line.split()
            found.append((host, int(port)))
        return found

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def end(self) -> tuple[int, str, str]:
        """Wait for its end; its exit code, the rest of its output, its error output."""
        out, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, out, err


@contextmanager
def running(*words: str, cwd: Path = ROOT, files: int | None = None, **environment: str) -> Iterator[Daemon]:
    """Start a command of tyrusd, with at most so many open files; it is killed when the block is left."""

    def limit() -> None:
        resource.setrlimit(
            resource.RLIMIT_NOFILE, (files or 0, resource.getrlimit(resource.RLIMIT_NOFILE)[1])
        )

    process = subprocess.Popen(
        command(*words),
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        bufsize=1,
        preexec_fn=None if files is None else limit,  # noqa: PLW1509 -- there are no threads here
    )
    try:
        yield Daemon(process)
    finally:
        process.kill()
        process.communicate()


class Peer:
    """One connection, line by line."""

    def __init__(self, address: tuple[str, int]) -> None:
        self.socket = socket.create_connection(address, timeout=PATIENCE)
        self._file = self.socket.makefile("rb")

    def say(self, *lines: str) -> None:
        self.socket.sendall("".join(f"{line}\n" for line in lines).encode())

    def line(self) -> str:
        return self._file.readline().decode().rstrip("\n")

    def until(self, *firsts: str) -> str:
        """Read up to a line whose first word is one of these."""
        while line := self.line():
            if line.split(" ", 1)[0] in firsts:
                return line
        raise AssertionError(f"the connection ended before {firsts} came")

    def rest(self) -> list[str]:
        return self._file.read().decode().splitlines()

    def close(self) -> None:
        self._file.close()
        self.socket.close()

    def __enter__(self) -> Peer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def login(address: tuple[str, int], name: str, kind: str = "bot", *more: str) -> Peer:
    """Connect and say hello."""
    peer = Peer(address)
    peer.until("greeting")
    peer.say(" ".join(("hello", "0.1", name, kind, *more)))
    assert peer.until("welcome", "error").startswith("welcome")
    return peer


def lines_with(text: str, word: str) -> Sequence[str]:
    return [line for line in text.splitlines() if word in line]


def wait_until(condition: object, within: float = PATIENCE) -> None:
    assert callable(condition)
    until = time.monotonic() + within
    while not condition():
        assert time.monotonic() < until, "it did not happen in time"
        time.sleep(0.01)
