"""Keeps the core's accounts those of the store: marks seat codes as used, and sees what others change."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final

import trio

from tyrusd.core.accounts import Accounts
from tyrusd.core.requests import Answer, CodeRefused, CodeUsed, UseCode
from tyrusd.host.engine import Engine
from tyrusd.host.met import met
from tyrusd.host.store import Store
from tyrusd.host.store_file import StoreError

INTERVAL: Final = 2.0  # seconds between two looks at the store
PAUSE: Final = 0.2  # seconds at least between two looks, whoever wants one
CODES: Final = 65536  # that wait for the store; one more is answered `storage` at once

_log = logging.getLogger("tyrusd.accounts")


class Doorkeeper:
    """Works on a store in a thread of its own.

    version: that of the store before the core's accounts, known, were read; changed: hands newer ones to the
    core.
    What it tells of the store is a sentence without names and secrets.
    """

    def __init__(
        self,
        store: Store,
        version: int,
        known: Accounts,
        changed: Callable[[Accounts, float], None],
        interval: float = INTERVAL,
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
        accounts = await trio.to_thread.run_sync(self._store.accounts, limiter=self._limiter)
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
                version = await trio.to_thread.run_sync(self._store.version, limiter=self._limiter)
                if version != self._version:
                    await self.reload()
                    self._version = version
                self._troubled = False
            except StoreError as error:
                self._trouble(error)

    def _trouble(self, error: StoreError) -> None:
        if not self._troubled:
            self._troubled = True
            _log.error("%s; going on with the accounts known so far", error)
