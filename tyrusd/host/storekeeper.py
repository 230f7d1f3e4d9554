"""Makes results durable before they are announced: one sync in a worker thread for all that wait."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from typing import Final, Protocol

import trio

from tyrusd.core.requests import Answer, Store, Stored, StoreFailed
from tyrusd.host.journal import Journal

ABANDON: Final = 20.0  # seconds that a sync may take before the disk is given up
GIVE_UP: Final = 60.0  # seconds after which a disk that stays full ends the server, as for a placement

_log = logging.getLogger("tyrusd.journal")


class StorageLost(Exception):  # noqa: N818 -- it is not the program's error
    """The disk did not keep what it was given; the process must end with exit code 1."""


class ResultKeeper(Protocol):
    """Who keeps results: this process by itself, or another one that is asked to."""

    def store(self, request: Store) -> None:
        """Have the record kept; the answer may come at once, and only when it is durable."""

    async def run(self) -> None:
        """Work for ever. Raises StorageLost when nothing can be kept any more."""


class Storekeeper:
    """Answers the core's Store requests; answers come in batches, whenever a sync is done."""

    def __init__(self, journal: Journal, answered: Callable[[Sequence[Answer]], None]) -> None:
        self._journal = journal
        self._answered = answered
        self._waiting: list[Store] = []
        self._work = trio.Event()
        self._failing: float | None = None  # since when nothing could be written
        self._full = False  # and for too long
        # Of its own, so that no other slow thread delays a result.
        self._limiter = trio.CapacityLimiter(1)

    def store(self, request: Store) -> None:
        """Append the record now; the answer comes when it is durable, or at once if it cannot be written."""
        try:
            self._journal.append([request.payload])
        except OSError as error:
            self._not_written(error)
            self._answered([StoreFailed(request.id, os.strerror(error.errno or 0))])
            return
        self._failing = None
        if not self._journal.durable:
            self._answered([Stored(request.id)])
            return
        self._waiting.append(request)
        self._work.set()

    def _not_written(self, error: OSError) -> None:
        now = trio.current_time()
        if self._failing is None:
            self._failing = now
            _log.error("a result cannot be written, trying again: %s", os.strerror(error.errno or 0))
        elif now - self._failing > GIVE_UP:
            # A result that was decided is never given up: the next server has it from the placements.
            self._full = True
            self._work.set()

    async def run(self) -> None:
        """Sync as long as there is something to sync; for ever. Raises StorageLost when the disk fails."""
        while True:
            await self._work.wait()
            if self._full:
                raise StorageLost(f"a result could not be written for {GIVE_UP:g} s: free some disk space")
            self._work = trio.Event()
            batch, self._waiting = self._waiting, []
            try:
                with trio.fail_after(ABANDON):
                    await trio.to_thread.run_sync(
                        self._journal.sync, limiter=self._limiter, abandon_on_cancel=True
                    )
            except (OSError, trio.TooSlowError) as error:
                # After a failed sync the system may have dropped the data and a second sync would succeed
                # without it: nothing that is stored from now on could be promised.
                self._answered([StoreFailed(request.id, "the disk failed") for request in batch])
                raise StorageLost(
                    f"the journal could not be made durable ({error}): check the disk"
                ) from error
            self._answered([Stored(request.id) for request in batch])
