"""Keeps the ratings of a standing ladder: fits them anew when games are over, and keeps what is merged."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from math import inf
from pathlib import Path
from typing import Final, TypeAlias

import trio

from tyrusd.core.requests import Answer, GameOver, KeepMerge, MergeKept, MergeRefused, News
from tyrusd.core.settings import Settings
from tyrusd.host.engine import Engine
from tyrusd.host.refit import RefitError, fit_beside
from tyrusd.host.store_file import StoreError
from tyrusd.host.store_ratings import Known, RatingStore
from tyrusd.league.rated import Version
from tyrusd.league.standing_table import RatingTable

INTERVAL: Final = 2.0  # seconds between two looks at what others have merged, and at what the index holds
LAST: Final = 5.0  # seconds that the last fit may hold up the end of the server

Fit: TypeAlias = Callable[[Path, Mapping[str, int], int, int], Awaitable[tuple[RatingTable, Known]]]
"""What `fit_beside` does."""

_FIT: Final = "the ratings can be fitted"
_STORE: Final = "the store of the ratings can be used"

_log = logging.getLogger("tyrusd.ladder")


class Ratings:
    """Works beside a server (see `Assembly`), on its store in threads, and fits in a process.

    take: hands a table to the core; anchors: Elo by name; settings: those of now, which SIGHUP may change.
    Told to others: the newest table, how many fits there were, and how many that failed.
    """

    def __init__(
        self,
        store: RatingStore,
        take: Callable[[RatingTable, float], None],
        anchors: Mapping[str, int],
        settings: Callable[[], Settings],
        *,
        interval: float = INTERVAL,
        fit: Fit = fit_beside,
    ) -> None:
        self._store = store
        self._take = take
        self._anchors = dict(anchors)
        self._settings = settings
        self._interval = interval
        self._fit = fit
        self._engine: Engine
        self._merges_in, self._merges = trio.open_memory_channel[KeepMerge](0x1000)
        self._limiter = trio.CapacityLimiter(1)
        self._seen: Known | None = None  # what the last fit was of
        self._due: float | None = None  # when the next is wanted
        self._sooner = trio.Event()
        self._troubled: set[str] = set()
        self.table = RatingTable()
        self.fits = 0
        self.failed = 0

    def attach(self, engine: Engine) -> None:
        """Learn the engine, take its requests, and hear of games that are over with whoever does already."""
        self._engine = engine
        engine.handle(KeepMerge, self.merge)
        others = engine.on_news

        def told(news: News) -> None:
            others(news)
            self.tell(news)

        engine.on_news = told

    def tell(self, news: News) -> None:
        """Hear of a game that is over; it is in the index soon."""
        if isinstance(news, GameOver) and news.record.get("rated") is not None:
            self._want(self._refit)

    def merge(self, request: KeepMerge) -> None:
        """Have versions merged, after those that were asked for before."""
        try:
            self._merges_in.send_nowait(request)
        except trio.WouldBlock:
            self._answer(MergeRefused(request.id, "Too many merges are asked for at once; try again."))

    async def first(self) -> None:
        """Fit once before the server begins, so that it knows who has met whom; then call `run`.

        If that fails, the server begins with the ratings that were remembered last.
        """
        table = await self._fitted()
        if table is None:
            try:
                self.table = table = RatingTable(tuple(self._store.kept()), begun=self._store.begun())
            except StoreError as error:
                self._trouble(_STORE, error)
                return
        self._take(table, trio.current_time())

    async def last(self) -> None:
        """Fit once more when the server has ended, so that the store tells of all games; not at any price."""
        with trio.move_on_after(LAST):
            try:
                known = await trio.to_thread.run_sync(self._store.known)
            except StoreError as error:
                self._trouble(_STORE, error)
                return
            if known != self._seen:
                await self._fitted()

    async def run(self) -> None:
        """Work for ever."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._keep_merges)
            nursery.start_soon(self._look)
            while True:
                await self._until_due()
                self._due = None
                table = await self._fitted()
                if table is not None:
                    self._engine.act(partial(self._take, table))

    @property
    def _refit(self) -> float:
        """Seconds from a rated game to new ratings."""
        return self._settings().ladder_refit

    def _want(self, seconds: float) -> None:
        """Have the ratings fitted so soon, or earlier if that is wanted already."""
        at = trio.current_time() + seconds
        if self._due is None or at < self._due:
            self._due = at
            self._sooner.set()

    async def _until_due(self) -> None:
        while self._due is None or self._due > trio.current_time():
            self._sooner = trio.Event()
            with trio.move_on_at(inf if self._due is None else self._due):
                await self._sooner.wait()

    async def _fitted(self) -> RatingTable | None:
        """The table of now, remembered in the store; None if it cannot be had: it is tried again."""
        try:
            settings = self._settings()
            table, self._seen = await self._fit(
                self._store.path, self._anchors, settings.ladder_provisional, settings.ladder_versions
            )
            self.fits += 1
            self.table = table
            self._well(_FIT)
        except RefitError as error:
            self.failed += 1
            self._trouble(_FIT, error)
            self._want(max(self._refit, self._interval))
            return None
        try:
            await trio.to_thread.run_sync(self._store.keep, table, limiter=self._limiter)
        except StoreError as error:
            self._trouble(_STORE, error)  # the core gets it all the same
        return table

    async def _look(self) -> None:
        """See games that came into the index late, and what others have merged or split."""
        while True:
            await trio.sleep(self._interval)
            try:
                known = await trio.to_thread.run_sync(self._store.known, limiter=self._limiter)
                self._well(_STORE)
            except StoreError as error:
                self._trouble(_STORE, error)
                continue
            if self._seen is None:
                continue  # it is tried again already
            if known.merges != self._seen.merges:
                self._want(self._refit if _FIT in self._troubled else 0.0)
            elif known.rated != self._seen.rated:
                self._want(self._refit)

    async def _keep_merges(self) -> None:
        async for request in self._merges:
            old, new = Version(request.name, request.old), Version(request.name, request.new)
            answer: Answer
            held = False  # already, so that nothing is to be rated anew
            try:
                # Shielded by not being abandoned: a merge that is being kept is kept, or is not.
                held, why = await trio.to_thread.run_sync(self._settle, request, limiter=self._limiter)
                answer = MergeKept(request.id) if why is None else MergeRefused(request.id, why)
                if why is None and not held:
                    _log.info("%s counts for %s from now on, by %s", old, new, request.by)
            except StoreError as error:
                self._trouble(_STORE, error)
                answer = MergeRefused(request.id, "The merge cannot be stored now; try again later.")
            self._answer(answer)
            if isinstance(answer, MergeKept) and not held:
                self._want(0.0)

    def _settle(self, request: KeepMerge) -> tuple[bool, str | None]:
        """In a thread: whether two versions were merged already, and why they cannot be if they cannot."""
        old, new = Version(request.name, request.old), Version(request.name, request.new)
        if self._store.holds(old, new):
            return True, None
        return False, self._store.merge(old, new, request.by, request.here, request.begun)

    def _answer(self, answer: Answer) -> None:
        self._engine.answers([answer])
        self._engine.flush()

    def _well(self, what: str) -> None:
        if what in self._troubled:
            self._troubled.discard(what)
            _log.info("%s again", what)

    def _trouble(self, what: str, error: Exception) -> None:
        if what not in self._troubled:
            self._troubled.add(what)
            _log.error("%s; going on with the ratings known so far, and trying again", error)
