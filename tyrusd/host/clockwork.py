"""The one task that sleeps: it wakes the engine at its next deadline."""

from __future__ import annotations

import logging
import math
from typing import Final

import trio

from tyrusd.host.engine import Engine
from tyrusd.host.storekeeper import StorageLost

STALL: Final = 0.1  # seconds that a tick may be late before it is logged
RETRY: Final = 1.0  # seconds between attempts to write a held journal
GIVE_UP: Final = 60.0  # seconds after which a disk that stays full ends the server

_log = logging.getLogger("tyrusd.clockwork")


class Clockwork:
    """Calls `Engine.tick` when the core's time has come, and retries a held journal."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._scope = trio.CancelScope()
        engine.on_deadline = self.expect
        engine.on_held = self._wake

    def expect(self, at: float | None) -> None:
        """Wake up at that time; a later deadline than the present one costs nothing until it comes up."""
        if at is not None and at < self._scope.deadline:
            self._scope.deadline = at

    def _wake(self) -> None:
        self._scope.deadline = -math.inf

    async def run(self) -> None:
        """Tick for ever; raises StorageLost when the journal stays unwritable."""
        engine = self._engine
        while True:
            # While the journal is held no deadline passes: nobody pays with their clock for our disk.
            if engine.held:
                await self._retry()
            at = engine.deadline()
            self._scope = trio.CancelScope(deadline=math.inf if at is None else at)
            with self._scope:
                await trio.sleep_forever()
            due = self._scope.deadline  # which may have come nearer meanwhile
            late = trio.current_time() - due if math.isfinite(due) else 0.0
            if late > STALL:
                _log.warning("the server stood still for %.1f s", late, extra={"source": "clockwork"})
            if not engine.held:
                engine.tick()
                engine.flush()

    async def _retry(self) -> None:
        since = trio.current_time()
        while not self._engine.retry():
            if trio.current_time() - since > GIVE_UP:
                raise StorageLost(f"the journal could not be written for {GIVE_UP:g} s: free some disk space")
            await trio.sleep(RETRY)
