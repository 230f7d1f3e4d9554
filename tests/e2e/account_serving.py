"""Real servers for tests of accounts: started from a script that may break something, at debug level."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.host.daemons import ROOT, Daemon, Peer, run

_SCRIPT = """
import os, signal
{breaking}
from tyrusd.commands import main
main()
"""
# The process ends by SIGKILL when a code has been marked, and before anybody hears of it.
KILLED_AFTER_MARKING = """
from tyrusd.host.store import Store
marking = Store.use_code
def use_code(store, digest):
    marking(store, digest)
    os.kill(os.getpid(), signal.SIGKILL)
Store.use_code = use_code
"""
# The server fails in the middle of a login, which it logs with a traceback.
FAILS_AT_LOGIN = """
from tyrusd.core import admission
def log_in(*words):
    raise RuntimeError("broken for the test")
admission.log_in = log_in
"""


@contextmanager
def serving(data: Path, *more: str, breaking: str = "") -> Iterator[tuple[Daemon, tuple[str, int]]]:
    """A server with its debug log; it is killed when the block is left, if it still runs."""
    words = (
        "serve",
        "--port",
        "0",
        "--host",
        "127.0.0.1",
        "--data",
        str(data),
        "--log-level",
        "debug",
        *more,
    )
    process = subprocess.Popen(
        [sys.executable, "-c", _SCRIPT.format(breaking=breaking), *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        bufsize=1,
    )
    daemon = Daemon(process)
    try:
        yield daemon, daemon.addresses()[0]
    finally:
        process.kill()
        process.communicate()


def account(data: Path, *words: str) -> str:
    """Run `tyrusd account`, which must do what it is told; its output."""
    done = run("account", *words, "--data", str(data))
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def came(address: tuple[str, int], name: str, key: str, kind: str = "bot") -> tuple[Peer, str]:
    """Say hello with a key; the connection and the line that answers."""
    peer = Peer(address)
    peer.until("greeting")
    peer.say(f"hello 0.1 {name} {kind} key={key}")
    return peer, peer.until("welcome", "error")
