"""A real `tyrusd serve` for a test: a process of its own, a free port, an empty data directory."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GOODBYE = 60  # seconds a daemon may take to end


@contextmanager
def serving(data: Path, *options: str) -> Iterator[int]:
    """Run a daemon on the loopback address and give its port; it must end well when told to."""
    command = [
        sys.executable,
        "-m",
        "tyrusd",
        "serve",
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "--data",
        str(data),
    ]
    log = data.with_name(f"{data.name}.log")
    with log.open("wb") as errors:
        daemon = subprocess.Popen([*command, *options], cwd=ROOT, stdout=subprocess.PIPE, stderr=errors)
    assert daemon.stdout is not None
    try:
        ready = daemon.stdout.readline().decode()
        assert ready.startswith("listening 127.0.0.1 "), f"{ready!r}\n{log.read_text('utf-8')}"
        yield int(ready.split()[2])
    finally:
        daemon.terminate()
        try:
            status = daemon.wait(1)
        except subprocess.TimeoutExpired:
            daemon.terminate()  # the second signal ends it at once, whatever still runs
            status = daemon.wait(GOODBYE)
        daemon.stdout.close()
    assert status == 0, log.read_text("utf-8")
