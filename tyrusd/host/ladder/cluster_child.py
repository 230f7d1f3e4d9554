"""Drives one playing process from a thread that may wait: pairs go in, a report of each comes out."""

from __future__ import annotations

import contextlib
import select
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import Final

from tyrusd.host.ladder.cluster_report import LONGEST_REPORT, Report
from tyrusd.host.ladder.link import (
    HEAD,
    Alive,
    Ask,
    Bye,
    Finish,
    Frames,
    Kept,
    LinkError,
    Log,
    PairDone,
    Play,
    Pondered,
    Result,
    Setup,
    Told,
    ToWorker,
    Unready,
    Withdraw,
    framed,
    read_by_coordinator,
)
from tyrusd.host.ladder.terms import TaskWords

COMMAND: Final = (sys.executable, "-P", "-m", "tyrusd.host.ladder.worker")
SILENCE: Final = 20.0  # seconds without a word until the process is asked whether it still works
PATIENCE: Final = 60.0  # seconds for the answer; then it is killed
_CHUNK: Final = 65536


class PlayingProcess:
    """One `tyrusd.host.ladder.worker` with its bots; it ends when it is closed, or with this process.

    `play` belongs to one thread at a time; `withdraw` and `end` may be called from any.
    """

    def __init__(self, setup: Setup, command: tuple[str, ...] = COMMAND) -> None:
        # Its error output is that of the cluster's worker, whose operator reads it.
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, start_new_session=True
        )
        self._writing = threading.Lock()
        self._frames = Frames()
        self._waiting: list[bytes] = []
        self._wanted = True
        self._asked = 0
        self.say(setup)

    def say(self, message: ToWorker) -> None:
        """Send a message; that the process is gone is noticed when its answers are read."""
        assert self._process.stdin is not None
        data = memoryview(framed(message))
        with self._writing, contextlib.suppress(OSError, ValueError):
            while data:
                data = data[self._process.stdin.write(data) :]

    def play(self, words: TaskWords) -> Report:
        """Play a pair to its end; results are acknowledged at once, so bots hear them before others do."""
        said = bytearray()
        self.say(Play(words))
        try:
            for body in self._bodies():
                message = read_by_coordinator(body)
                if isinstance(message, Result):
                    self.say(Kept(message.id))
                if isinstance(message, Result | Log | Pondered | Unready | Told):
                    if len(said) + len(body) > LONGEST_REPORT - _CHUNK:
                        raise LinkError("it says too much of one pair")
                    said += len(body).to_bytes(HEAD, "big") + body
                if isinstance(message, PairDone | Unready) and self._wanted:
                    # Whatever was said before the answer to this belongs to the pair.
                    self._asked += 1
                    self.say(Ask(self._asked))
                elif isinstance(message, Alive) and message.number == self._asked:
                    return Report("over", bytes(said))
                elif isinstance(message, Bye):
                    break
        except LinkError as problem:
            self.end()
            return Report("died", why=f"the playing process said what is not known: {problem}"[:4096])
        status = self._process.wait()
        if not self._wanted:
            return Report("returned", bytes(said))
        return Report("died", bytes(said), f"the playing process ended with status {status}")

    @property
    def pid(self) -> int:
        """Its number."""
        return self._process.pid

    @property
    def usable(self) -> bool:
        """Whether it may be given another pair."""
        return self._wanted and self._process.poll() is None

    def withdraw(self) -> None:
        """Let it finish its running game and end."""
        self._wanted = False
        self.say(Withdraw())
        self.say(Finish())

    def end(self) -> None:
        """End it at once, with its bots: it does so when its input ends."""
        self._wanted = False
        with self._writing, contextlib.suppress(OSError):
            if self._process.stdin is not None:
                self._process.stdin.close()

    def close(self, seconds: float = 10.0) -> None:
        """End it and wait until it is gone; kill it if it takes longer than so many seconds."""
        self.end()
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()

    def _bodies(self) -> Iterator[bytes]:
        """The frames that come, until the process ends or is silent for too long."""
        assert self._process.stdout is not None
        descriptor = self._process.stdout
        heard, asked = time.monotonic(), False
        while True:
            while self._waiting:
                yield self._waiting.pop(0)
            readable, _, _ = select.select([descriptor], [], [], SILENCE)
            now = time.monotonic()
            if not readable:
                if asked and now - heard > SILENCE + PATIENCE:
                    self._process.kill()
                    return
                asked = True
                self.say(Ask(0))
                continue
            data = descriptor.read(_CHUNK)
            if not data:
                return
            heard, asked = now, False
            self._waiting.extend(self._frames.feed(data))
