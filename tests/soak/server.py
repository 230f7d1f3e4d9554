"""The `tyrusd serve` under load: started, sampled, told to end."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PAGE = os.sysconf("SC_PAGE_SIZE")
TICKS = os.sysconf("SC_CLK_TCK")
# Finished games fill what they may within seconds and not minutes, so that what grows then is seen.
FILLS_SOON = {"TYRUSD_LIMITS_KEPT_BYTES": str(4 * 1024 * 1024)}
ADDRESS = ("--host", "127.0.0.1")
GOODBYE = 90.0  # seconds that a server may take to end: 30 for games, the rest for a loaded machine
PATIENCE = 30.0  # for one ping


class Sample(NamedTuple):
    """What was seen of a server at one moment; times in seconds, memory in bytes."""

    at: float
    memory: int
    files: int
    children: int
    latency: float
    cpu: float


class Server:
    """A server process of its own on a free port of the loopback address."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.log = data.with_name("server.log")
        with self.log.open("wb") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tyrusd", "serve", "--port", "0", "--data", str(data), *ADDRESS],
                cwd=ROOT,
                env=os.environ | FILLS_SOON,
                stdout=subprocess.PIPE,
                stderr=errors,
            )
        assert self.process.stdout is not None
        words = self.process.stdout.readline().split()
        if words[:1] != [b"listening"]:
            raise RuntimeError(f"the server did not start: {self.log.read_text('utf-8')}")
        self.port = int(words[2])
        self.begun = time.monotonic()
        self._probe: socket.socket | None = None

    def sample(self) -> Sample:
        """Look at the process, and see how long an answer takes."""
        home = Path(f"/proc/{self.process.pid}")
        memory = int((home / "statm").read_text("ascii").split()[1]) * PAGE
        files = len(list((home / "fd").iterdir()))
        fields = (home / "stat").read_text("ascii").rpartition(") ")[2].split()
        cpu = (int(fields[11]) + int(fields[12])) / TICKS
        at = time.monotonic() - self.begun
        return Sample(at, memory, files, self._children(), self._ping(), cpu)

    def _children(self) -> int:
        """How many processes are its children."""
        found = 0
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    fields = (entry / "stat").read_text("ascii", "replace").rpartition(") ")[2]
                except OSError:
                    continue
                found += int(fields.split()[1]) == self.process.pid
        return found

    def _ping(self) -> float:
        """Seconds from a line to its answer, on a connection of a person who does nothing else."""
        if self._probe is None:
            self._probe = socket.create_connection(("127.0.0.1", self.port), PATIENCE)
            self._probe.sendall(b"hello 0.1 probe human\n")
            self._until(b"welcome ")
        before = time.monotonic()
        self._probe.sendall(b"ping now\n")
        self._until(b"pong now")
        return time.monotonic() - before

    def _until(self, words: bytes) -> None:
        assert self._probe is not None
        told = b""
        while words not in told or not told.endswith(b"\n"):
            data = self._probe.recv(65536)
            if not data:
                raise RuntimeError(f"the server has closed the connection of the probe: {told!r}")
            told += data

    def terminate(self) -> None:
        """Tell it to end, as an operator does."""
        self.process.send_signal(signal.SIGTERM)

    def wait(self) -> int:
        """Its exit code; one that does not end is killed and has -9."""
        try:
            return self.process.wait(GOODBYE)
        except subprocess.TimeoutExpired:
            self.close()
            return -9

    def close(self) -> None:
        """Leave nothing behind, whatever has happened."""
        if self._probe is not None:
            self._probe.close()
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()
