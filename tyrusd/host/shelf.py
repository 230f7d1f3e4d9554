"""Keeps what is known of finished games in files, one a game, in the background; it never fails a game."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final, Protocol

import trio

from tyrusd.core.requests import DropLog, KeepLog
from tyrusd.core.story import Dossier, whole_story
from tyrusd.host.met import met
from tyrusd.rules.pieces import Side
from tyrusd.wire import encode_line

LOGS: Final = "logs"
FILES: Final = 2000  # of one directory; the oldest games go first
WAITING: Final = 500  # games; the oldest are left out, since a slow disk must not fill the memory
PAUSE: Final = 0.25  # seconds between two batches
URGENT: Final = 50  # games of one batch that the board did not decide
OTHERS: Final = 2  # and others, so that a server with hundreds of games a second does not write logs only
CLOSE_LIMIT: Final = 5.0  # seconds for what is left at the end

_GAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,63}")
_log = logging.getLogger("tyrusd.logs")


def log_file(folder: Path, game: str) -> Path:
    """Where the log of a game is; raises ValueError for what is no id of a game."""
    if _GAME.fullmatch(game) is None:
        raise ValueError(f"{game!r} is no id of a game, such as g1")
    return folder / f"{game}.log"


def log_text(dossier: Dossier) -> Iterator[bytes]:
    """The lines of a game's file: for both seats what `why` would say, with the whole log of the seat."""
    for side in Side:
        for message in whole_story(dossier, side, full=True):
            yield encode_line(message)


class LogKeeper(Protocol):
    """Who keeps logs of games: this process by itself, or another one that gets them.

    last_words: the error output of a program that is still there, by its StartBot request.
    """

    last_words: Callable[[int], str]

    def keep(self, request: KeepLog) -> None:
        """Have a game's log kept soon."""

    def drop(self, request: DropLog) -> None:
        """Have a game's log removed soon, or not kept."""

    async def run(self) -> None:
        """Work for ever."""

    async def close(self) -> None:
        """Do what is left, in a bounded time."""


def with_last_words(request: KeepLog, last_words: Callable[[int], str]) -> Dossier:
    """What is to be kept of a game, with the error output of programs that are still there."""
    dossier = request.dossier
    for side, bot in zip(Side, request.bots, strict=True):
        # One that ended has told its last words already; one without fault has nothing to explain.
        if bot is not None and dossier.at_fault(side) and not dossier.stories[side].last_words:
            dossier = dossier.with_last_words(side, last_words(bot))
    return dossier


class Shelf:
    """The log files of one server, written by a thread in batches.

    Games that the board did not decide come first. The others are written as fast as costs next to nothing:
    one that is to be dropped before its turn has come is never written.

    folder: made when the first file is. abnormal_only: keep only games that the board did not decide.
    last_words: the error output of a program that is still there, by its StartBot request.
    """

    def __init__(
        self,
        folder: Path | None,
        *,
        abnormal_only: bool = False,
        last_words: Callable[[int], str] = lambda bot: "",
    ) -> None:
        self.folder = folder
        self.last_words = last_words
        self.kept = 0  # files written
        self._abnormal_only = abnormal_only
        self._urgent: dict[str, Dossier] = {}
        self._others: dict[str, Dossier] = {}
        self._dropped: list[str] = []
        self._work = trio.Event()
        self._limiter = trio.CapacityLimiter(1)
        self._known: dict[str, None] | None = None  # games that have files
        self._troubled = False

    def keep(self, request: KeepLog) -> None:
        """Have a game's file written soon."""
        dossier = request.dossier
        if self.folder is None or (self._abnormal_only and not dossier.abnormal):
            return
        dossier = with_last_words(request, self.last_words)
        waiting = self._urgent if dossier.abnormal else self._others
        waiting[dossier.game] = dossier
        if len(waiting) > WAITING:
            met("log_waiting")
            del waiting[next(iter(waiting))]
            if waiting is self._urgent:
                self._complain("the logs of some games are left out: the disk is too slow")
        self._work.set()

    def drop(self, request: DropLog) -> None:
        """Have a game's file removed soon, or not written."""
        if self.folder is None or self._abnormal_only:
            return
        if self._others.pop(request.game, None) is None and len(self._dropped) < WAITING:
            self._dropped.append(request.game)  # beyond that the disk hangs; the number of files is bounded
            self._work.set()

    async def run(self) -> None:
        """Write as long as there is something to write; for ever."""
        while True:
            await self._work.wait()
            await self.write(URGENT, OTHERS)
            if not (self._urgent or self._others):
                self._work = trio.Event()
            await trio.sleep(PAUSE)

    async def close(self) -> None:
        """Write what is left, in a bounded time."""
        with trio.move_on_after(CLOSE_LIMIT, shield=True) as limit:
            await self.write(WAITING, WAITING)
        if limit.cancelled_caught:
            _log.warning("the logs of the last games are left out: the disk is too slow")

    async def write(self, urgent: int, others: int) -> None:
        """Write the newest of what waits, so many of each sort, and remove what is to be dropped."""
        batch = _newest(self._urgent, urgent) + _newest(self._others, others)
        dropped, self._dropped = self._dropped, []
        if not (batch or dropped):
            return
        why = await trio.to_thread.run_sync(
            self._write_all, batch, dropped, limiter=self._limiter, abandon_on_cancel=True
        )
        if why:
            self._complain(why)
        else:
            self._troubled = False

    def _complain(self, sentence: str) -> None:
        # Once until it works again: what fails for one game fails for all.
        if not self._troubled:
            _log.warning("%s", sentence)
        self._troubled = True

    # -- in the thread -------------------------------------------------------------------------------------

    def _write_all(self, batch: Iterable[Dossier], dropped: Iterable[str]) -> str:
        """Write and remove files; what went wrong, as a sentence, or nothing."""
        try:
            for dossier in batch:
                self._write_one(dossier)
            for game in dropped:
                self._remove(game)
        except OSError as error:
            return f"logs of games cannot be kept in {self.folder}: {os.strerror(error.errno or 0)}"
        return ""

    def _write_one(self, dossier: Dossier) -> None:
        known = self._known = self._found() if self._known is None else self._known
        path = log_file(self._folder(), dossier.game)
        new = path.with_suffix(".new")
        descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.writelines(log_text(dossier))
        new.replace(path)
        self.kept += dossier.game not in known
        known[dossier.game] = None
        while len(known) > FILES:
            met("log_files")
            self._remove(min(known, key=_age))

    def _remove(self, game: str) -> None:
        if self._known is not None:
            self._known.pop(game, None)
        log_file(self._folder(), game).unlink(missing_ok=True)

    def _folder(self) -> Path:
        assert self.folder is not None
        return self.folder

    def _found(self) -> dict[str, None]:
        """The games that have files already."""
        folder = self._folder()
        folder.mkdir(mode=0o700, exist_ok=True)
        games = [path.stem for path in folder.glob("*.log") if _GAME.fullmatch(path.stem)]
        return dict.fromkeys(games)


def _age(game: str) -> tuple[int, str]:
    """Older games come first: ids are numbered."""
    return len(game), game


def _newest(waiting: dict[str, Dossier], most: int) -> list[Dossier]:
    """Take the newest games out of those that wait."""
    return [waiting.popitem()[1] for _ in range(min(most, len(waiting)))]
