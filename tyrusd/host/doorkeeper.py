"""Keeps the core's accounts those of the store: marks seat codes, sees what others change, and its loss."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from functools import partial
from typing import Final, TypeVar

import trio

from tyrusd.core.accounts import Accounts
from tyrusd.core.requests import Answer, CodeRefused, CodeUsed, UseCode
from tyrusd.host.engine import Engine
from tyrusd.host.met import met
from tyrusd.host.store import Store
from tyrusd.host.store_file import StoreError
from tyrusd.host.store_place import StoreGoneError

INTERVAL: Final = 2.0  # seconds between two looks at the store
PAUSE: Final = 0.2  # seconds at least between two looks, whoever wants one
CODES: Final = 65536  # that wait for the store; one more is answered `storage` at once

_T = TypeVar("_T")

_log = logging.getLogger("tyrusd.accounts")


class Doorkeeper:
    """Works on a store in a thread of its own.

    version: that of the store before the core's accounts, known, were read; changed: hands newer ones to the
    core; houses: the bots of this server, whose names a store has to know. lost: whether the store that was
    opened is not at its place any more; on_reopened: hears of another one that was taken instead.
    What it tells of the store is a sentence without names and secrets.
    """

    def __init__(
        self,
        store: Store,
        version: int,
        known: Accounts,
        changed: Callable[[Accounts, float], None],
        interval: float = INTERVAL,
        houses: Collection[str] = (),
    ) -> None:
        self._store = store
        self._changed = changed
        self._interval = interval
        self._pause = min(PAUSE, interval)
        self._wanted = trio.Event()
        self._engine: Engine
        self._codes_in, self._codes = trio.open_memory_channel[UseCode](CODES)
        self._version = version
        self._known = known
        self._troubled = False
        self._houses = houses
        self._is_another = False  # than before, and not all of it is read yet
        self.lost = False
        self.on_reopened: Callable[[], object] = lambda: None
        self._limiter = trio.CapacityLimiter(1)  # one thread at a time has the store

    def attach(self, engine: Engine) -> None:
        """Learn the engine, and take its requests."""
        self._engine = engine
        engine.handle(UseCode, self.use)

    def use(self, request: UseCode) -> None:
        """Have a code marked as used, after those that were asked for before."""
        try:
            self._codes_in.send_nowait(request)
        except trio.WouldBlock:
            met("codes_waiting")
            self._answer(CodeRefused(request.id, "too many codes at once"))

    def look(self) -> None:
        """Look at the store soon: somebody has said a key that may have been given out in this moment."""
        self._wanted.set()

    async def run(self) -> None:
        """Work for ever."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._use_codes)
            nursery.start_soon(self._watch)

    async def reload(self) -> None:
        """Have the core take what the store holds now."""
        accounts = await self._of_store(self._store.accounts)
        self._engine.act(lambda now: self._changed(accounts, now))
        if not accounts.same_as(self._known):  # the store holds more than accounts: games, merges, ratings
            _log.info("accounts have changed and are read again")
        self._known = accounts

    async def _use_codes(self) -> None:
        async for request in self._codes:
            answer: Answer
            try:
                # Shielded by not being abandoned: a code that is being marked is marked, or is not.
                won = await trio.to_thread.run_sync(
                    self._store.use_code, request.digest, limiter=self._limiter
                )
                answer = CodeUsed(request.id) if won else CodeRefused(request.id)
            except StoreError as error:
                self._trouble(error)
                answer = CodeRefused(request.id, str(error))
            self._answer(answer)

    def _answer(self, answer: Answer) -> None:
        self._engine.answers([answer])
        self._engine.flush()

    async def _watch(self) -> None:
        while True:
            await trio.sleep(self._pause)
            with trio.move_on_after(self._interval - self._pause):
                await self._wanted.wait()
            self._wanted = trio.Event()
            try:
                await self._look()
                self._troubled = False
            except StoreError as error:
                self._trouble(error)

    async def _look(self) -> None:
        """See what is new in the store, or take the one that is at its place now; raises StoreError."""
        try:
            version = await self._of_store(self._store.version)
        except StoreGoneError as gone:
            self._trouble(gone)
            try:
                await self._of_store(self._store.reopen)
            except StoreGoneError:
                return  # there is none yet
            self._is_another = True
            version = await self._of_store(self._store.version)
        if self._is_another:
            taken = await self._of_store(partial(self._store.keep_houses, self._houses))
            if taken:
                _log.error("%s is an account in the store and a bot here: nobody comes in as that", taken[0])
        if self._is_another or version != self._version:
            await self.reload()
            self._version = version
        if self._is_another:
            self._is_another = False
            self.on_reopened()
            _log.warning("another store is where the one before was, and its accounts are those that count")
        elif self.lost:
            _log.info("the store is where it was again")
        self.lost = False
        await self._of_store(self._store.fold)

    async def _of_store(self, ask: Callable[[], _T]) -> _T:
        return await trio.to_thread.run_sync(ask, limiter=self._limiter)

    def _trouble(self, error: StoreError) -> None:
        if isinstance(error, StoreGoneError):
            if not self.lost:
                _log.error(
                    "%s; going on with the accounts known so far. Seat codes and merges are refused, and no "
                    "changes are seen, until a good store is there again, which is then taken by itself",
                    error,
                )
            self.lost = True
        elif not self._troubled:
            self._troubled = True
            _log.error("%s; going on with the accounts known so far", error)
