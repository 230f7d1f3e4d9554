"""Writes down what a run brings, and lets nothing have an effect before it is on the disk."""

from __future__ import annotations

import errno
import logging
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, Protocol

import trio

from tyrusd.host.journal import Journal
from tyrusd.host.storekeeper import ABANDON, StorageLost

RETRY: Final = 5.0  # seconds between two attempts while the disk is full
PATIENCE: Final = 1800.0  # seconds that the disk may be full; workers keep their results for longer
_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})

_log = logging.getLogger("tyrusd.journal")


class Entry(NamedTuple):
    """Something to write (None: nothing) and what is done when it, and all before it, is on the disk."""

    frame: bytes | None
    effect: Callable[[], None]


class Watcher(Protocol):
    """Who hears of a disk that is full."""

    def storage_full(self, sentence: str) -> None:
        """Nothing can be written now; it is tried again."""

    def storage_back(self) -> None:
        """It can be written again."""


class Scribe:
    """Takes entries in order: writes all that wait at once, syncs once, and then lets them take effect."""

    def __init__(self, journal: Journal, watcher: Watcher) -> None:
        self._journal = journal
        self._watcher = watcher
        self._waiting: list[Entry] = []
        self._pending = 0
        self._work = trio.Event()
        self._hurry = trio.Event()
        # Of its own, so that no other slow thread delays a result.
        self._limiter = trio.CapacityLimiter(1)

    @property
    def idle(self) -> bool:
        """Whether everything that was put has taken effect."""
        return self._pending == 0

    def put(self, frame: bytes | None, effect: Callable[[], None]) -> None:
        """Have something written, and done afterwards; never done before this returns."""
        self._pending += 1
        self._waiting.append(Entry(frame, effect))
        self._work.set()

    def hurry(self) -> None:
        """Wait no longer for a disk that is full: it is tried once more."""
        self._hurry.set()

    async def run(self) -> None:
        """Work for ever; raises StorageLost when the disk fails, or stays full for longer than PATIENCE."""
        while True:
            await self._work.wait()
            self._work = trio.Event()
            batch, self._waiting = self._waiting, []
            frames = [entry.frame for entry in batch if entry.frame is not None]
            if frames:
                await self._append(frames)
                await self._sync()
            for entry in batch:
                self._pending -= 1
                entry.effect()

    async def _append(self, frames: Sequence[bytes]) -> None:
        """Write frames, waiting while the disk is full: nothing of them is kept by a failed attempt."""
        given_up = trio.current_time() + PATIENCE
        full = False
        while True:
            try:
                self._journal.append(frames)
            except OSError as error:
                if error.errno not in _FULL:
                    raise StorageLost(f"the journal cannot be written ({error}): check the disk") from error
                if trio.current_time() >= given_up or self._hurry.is_set():
                    raise StorageLost(
                        f"the journal cannot be written ({error.strerror}), and what it was to hold is lost: "
                        "make room and resume, then it is played again"
                    ) from error
                if not full:
                    full = True
                    self._watcher.storage_full(
                        f"a result cannot be written ({error.strerror}): no game begins until there is room; "
                        f"it is tried again every {RETRY:g} s for {PATIENCE / 60:g} minutes"
                    )
                with trio.move_on_after(RETRY):
                    await self._hurry.wait()
            else:
                if full:
                    self._watcher.storage_back()
                return

    async def _sync(self) -> None:
        try:
            with trio.fail_after(ABANDON):
                await trio.to_thread.run_sync(
                    self._journal.sync, limiter=self._limiter, abandon_on_cancel=True
                )
        except (OSError, trio.TooSlowError) as error:
            # The system may have dropped the data, and a second sync would succeed without it.
            raise StorageLost(f"the journal could not be made durable ({error}): check the disk") from error
