"""Keeps the logs of games that the board did not decide, in the background; it never delays a game."""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import Final

import trio

from tyrusd.host.shelf import log_file

FILES: Final = 2000  # of one run; the oldest games go first
WAITING: Final = 500  # games; later ones are left out while the disk is slow
CLOSE_LIMIT: Final = 5.0  # seconds for what is left at the end

_log = logging.getLogger("tyrusd.logs")


class LogKeeper:
    """The log files of one run, written by a thread one after the other."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._waiting: dict[str, bytes] = {}
        self._work = trio.Event()
        self._limiter = trio.CapacityLimiter(1)
        self._troubled = False

    def keep(self, game: str, text: bytes) -> None:
        """Have the log of a game written soon."""
        if len(self._waiting) < WAITING:
            self._waiting[game] = text
            self._work.set()

    async def run(self) -> None:
        """Write what is to be kept, for ever."""
        while True:
            await self._work.wait()
            self._work = trio.Event()
            await self._write_all()

    async def close(self) -> None:
        """Write what is left, in a bounded time."""
        with trio.move_on_after(CLOSE_LIMIT, shield=True):
            await self._write_all()

    async def _write_all(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, {}
            await trio.to_thread.run_sync(self._write, batch, limiter=self._limiter)

    def _write(self, batch: dict[str, bytes]) -> None:
        try:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            for game, text in batch.items():
                path = log_file(self._folder, game)
                new = path.with_suffix(".new")
                flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW
                with os.fdopen(os.open(new, flags, 0o600), "wb") as file:
                    file.write(text)
                new.replace(path)
            self._forget_the_oldest()
        except OSError as error:
            if not self._troubled:
                self._troubled = True
                _log.warning("logs of games cannot be kept in %s: %s", self._folder, error.strerror)

    def _forget_the_oldest(self) -> None:
        files = sorted(self._folder.glob("*.log"), key=lambda path: (path.stat().st_mtime_ns, path.name))
        for path in files[:-FILES]:
            path.unlink(missing_ok=True)
