"""Somebody who types into a program and reads what it prints, line by line, as it comes."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

PATIENCE = 100.0  # seconds for all that a person does in one test


class Typist:
    """A person at a program: reads its output and types lines."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.read: list[str] = []
        self.typed: list[str] = []

    def type(self, line: str) -> None:
        """Type a line and the enter key."""
        assert self.process.stdin is not None
        self.typed.append(line)
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()

    def end(self) -> None:
        """Press Ctrl-D: no more is typed."""
        assert self.process.stdin is not None
        self.process.stdin.close()

    def line(self) -> str:
        """The next line on the screen; fails the test when there is none any more."""
        assert self.process.stdout is not None
        data = self.process.stdout.readline()
        assert data.endswith(b"\n"), "the program ended:\n" + "\n".join(self.read[-40:])
        self.read.append(data.decode("utf-8").removesuffix("\n"))
        return self.read[-1]

    def until(self, *tests: Callable[[str], bool]) -> str:
        """Read on to the first line that passes one of the tests."""
        while True:
            line = self.line()
            if any(test(line) for test in tests):
                return line

    def rest(self) -> str:
        """Everything more, to the end of the program."""
        assert self.process.stdout is not None
        data = self.process.stdout.read().decode("utf-8")
        self.read += data.splitlines()
        return data


@contextmanager
def typing_into(command: Sequence[str]) -> Iterator[Typist]:
    """Run a program with its standard streams as pipes; it is gone when the block ends.

    A program that hangs is ended after a while, so that the test fails with what was read of it.
    """
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        impatience = threading.Timer(PATIENCE, process.kill)
        impatience.start()
        try:
            yield Typist(process)
        finally:
            impatience.cancel()
            process.kill()
