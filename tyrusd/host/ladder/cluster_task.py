"""What runs inside the workers of a cluster: it plays a pair and returns bytes, looks, and obeys a word.

The playing process is the same as on one machine and is kept from one pair of a run to the next, because
starting it and its bots takes longer than many pairs do. The coordinator checks whatever comes back.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from typing import Final

import msgspec

from tyrusd.host.ladder.cluster_child import PlayingProcess
from tyrusd.host.ladder.cluster_manifest import differences, found_here
from tyrusd.host.ladder.cluster_report import Order, Report, read_order, write
from tyrusd.host.ladder.link import Limit, Setup
from tyrusd.host.ladder.manifest import read_manifest

IDLE: Final = 60.0  # seconds without a pair after which a run's playing processes are ended
REMEMBERED: Final = 64  # runs whose end is remembered, so that a late task of one is not played
WITHDRAW: Final = b"withdraw"
CLOSE: Final = b"close"
HOLD: Final = b"hold"
GO: Final = b"go"


class _Run:
    """What this process plays of one run."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: list[PlayingProcess] = []
        self._busy: set[PlayingProcess] = set()
        self._wanted = True
        self._held = False
        self._timer: threading.Timer | None = None
        self._why: str | None = None  # this machine may not play; "" once it was found that it may

    def play(self, order: Order) -> Report:
        if self._why is None:
            found = found_here(order.manifest)
            self._why = differences(read_manifest(order.manifest), found) or ""
        if self._why:
            return Report("differs", why=self._why[:4096])
        process = self._take(order.setup)
        if process is None:
            return Report("returned")
        try:
            return process.play(order.task)
        finally:
            self._put(process)

    def obey(self, word: bytes) -> None:
        with self._lock:
            if word in (HOLD, GO):
                self._held = word == HOLD
                for process in (*self._idle, *self._busy):
                    process.say(Limit(0 if self._held else 1))
                return
            self._wanted = False
            ended, self._idle = self._idle, []
            for process in ended if word == WITHDRAW else (*ended, *self._busy):
                process.end()
            if word == WITHDRAW:
                for process in self._busy:
                    process.withdraw()
        _reap(ended)

    def _take(self, setup: Setup) -> PlayingProcess | None:
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            if not self._wanted:
                return None
            process = self._idle.pop() if self._idle else None
            if process is None or not process.usable:
                if process is not None:
                    _reap([process])
                process = PlayingProcess(setup)
                if self._held:
                    process.say(Limit(0))
            self._busy.add(process)
            return process

    def _put(self, process: PlayingProcess) -> None:
        with self._lock:
            self._busy.discard(process)
            if self._wanted and process.usable:
                self._idle.append(process)
                if not self._busy:
                    self._timer = threading.Timer(IDLE, self._rest)
                    self._timer.daemon = True
                    self._timer.start()
                return
        process.close()

    def _rest(self) -> None:
        with self._lock:
            if self._busy or self._timer is None:
                return
            self._timer = None
            ended, self._idle = self._idle, []
        for process in ended:
            process.close()


_RUNS: Final[dict[str, _Run]] = {}
_RUNS_LOCK: Final = threading.Lock()


def play(order: bytes) -> bytes:
    """Play one pair, which waits for its end; the report. It is the function of the cluster's tasks."""
    try:
        read = read_order(order)
    except msgspec.MsgspecError as problem:
        return write(Report("died", why=f"the order cannot be read here: {problem}"[:4096]))
    return write(_run(read.run).play(read))


async def look(manifest: bytes) -> bytes:
    """Tell what this machine has of what a manifest tells; it is called beside the tasks."""
    return await asyncio.to_thread(found_here, manifest)


def obey(run: bytes, word: bytes) -> bytes:
    """Change how a run is played here: WITHDRAW, CLOSE, HOLD or GO; it is called beside the tasks."""
    _run(run.decode("ascii")).obey(word)
    return word


def _run(name: str) -> _Run:
    with _RUNS_LOCK:
        found = _RUNS.get(name)
        if found is None:
            found = _RUNS[name] = _Run()
            while len(_RUNS) > REMEMBERED:
                _RUNS.pop(next(iter(_RUNS))).obey(CLOSE)
        return found


def _reap(processes: list[PlayingProcess]) -> None:
    """Wait for processes that are ending, beside everything else."""
    for process in processes:
        thread = threading.Thread(target=process.close, daemon=True)
        with contextlib.suppress(RuntimeError):  # at the end of this process there are no new threads
            thread.start()
