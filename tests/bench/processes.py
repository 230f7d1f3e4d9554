"""Server processes to be measured: started, found by their port, and asked for the CPU they have used."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

_TICKS = os.sysconf("SC_CLK_TCK")


class Measured(NamedTuple):
    """A server under measurement."""

    pid: int
    port: int

    def cpu(self) -> float:
        """Seconds of CPU that the process has used so far, its own and the kernel's on its behalf."""
        fields = Path(f"/proc/{self.pid}/stat").read_text("ascii").rpartition(") ")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS


@contextmanager
def running(*command: str) -> Iterator[Measured]:
    """Run a Python program that prints its port as the last word of its first line; end it afterwards."""
    with TemporaryDirectory() as folder:
        environment = os.environ | {"XDG_DATA_HOME": folder}
        process = subprocess.Popen(
            [sys.executable, *command],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=environment,
        )
        try:
            if process.stdout is None:
                raise AssertionError("a pipe was asked for")
            yield Measured(process.pid, int(process.stdout.readline().split()[-1]))
        finally:
            process.kill()  # nothing of a measurement is to be kept
            process.wait(30)
            if process.stdout is not None:
                process.stdout.close()
