"""Real Dask clusters on this machine's loopback for the tests: a scheduler and workers, each a process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

import pytest

START_LIMIT = 60.0

# Without an address of its own, what is left of the dashboard listens everywhere, even if it is left out.
_LOOPBACK = ("--host", "127.0.0.1", "--no-dashboard", "--dashboard-address", "127.0.0.1:0")
# Nothing but what a test wants: no dashboard, no limit of memory, little noise.
_SETTINGS = {
    "DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "error",
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",
    "PYTHONWARNINGS": "ignore",
}


def require_dask() -> None:
    """Skip the test without Dask, or fail where everything must be run."""
    if find_spec("distributed") is None:
        sentence = "distributed is not installed; install tyrusd[cluster]"
        if os.environ.get("CI"):
            pytest.fail(sentence)
        pytest.skip(sentence)


class LocalCluster:
    """A scheduler with its workers, which come and go."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.workers: list[subprocess.Popen[bytes]] = []
        self._log = (folder / "cluster.log").open("ab")
        self._file = folder / "scheduler.json"
        self._scheduler = self._start("scheduler", "--port", "0", "--scheduler-file", str(self._file))
        self.address = self._address()

    def add_worker(self, *, threads: int = 1, preload: str = "") -> subprocess.Popen[bytes]:
        """Start a worker; preload: code that it runs first."""
        number = len(self.workers)
        words: list[str] = []
        if preload:
            file = self._folder / f"preload_{number}.py"
            file.write_text(preload)
            words = ["--preload", str(file)]
        worker = self._start(
            "worker", self.address, "--no-nanny", "--memory-limit", "0", "--nthreads",
            str(threads), "--local-directory", str(self._folder / f"worker-{number}"), *words,
        )  # fmt: skip
        self.workers.append(worker)
        return worker

    def kill_scheduler(self) -> None:
        self._scheduler.kill()
        self._scheduler.wait(30)

    def close(self) -> None:
        for process in (*self.workers, self._scheduler):
            process.kill()  # politely it can take them ten seconds
        for process in (*self.workers, self._scheduler):
            process.wait(30)
        self._log.close()

    def log(self) -> str:
        return (self._folder / "cluster.log").read_text("utf-8", "replace")

    def _start(self, kind: str, *words: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-P", "-m", "dask", kind, *_LOOPBACK, *words],
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=self._log,
            env={**os.environ, **_SETTINGS},
            cwd=self._folder,
        )

    def _address(self) -> str:
        end = time.monotonic() + START_LIMIT
        while time.monotonic() < end and self._scheduler.poll() is None:
            with suppress(OSError, ValueError):
                address: str = json.loads(self._file.read_text())["address"]
                return address
            time.sleep(0.05)  # nothing tells when the file is there
        self.close()
        raise AssertionError(f"no scheduler: {self.log()}")


@contextmanager
def cluster_of(folder: Path, workers: int) -> Iterator[LocalCluster]:
    """A cluster with that many workers of one thread."""
    require_dask()
    folder.mkdir(exist_ok=True)
    cluster = LocalCluster(folder)
    try:
        for _ in range(workers):
            cluster.add_worker()
        yield cluster
    finally:
        cluster.close()
