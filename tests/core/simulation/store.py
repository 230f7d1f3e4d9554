"""A store that is slow, fails, forgets to answer, or is gone: whatever a disk can do to a result."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tests.core.simulation.truth import payloads
from tyrusd.core.requests import Store, Stored, StoreFailed

if TYPE_CHECKING:
    from tests.core.simulation.run import Simulation


class SlowStore:
    """Makes records durable, sometimes; trouble: the chance that an attempt is not simply successful."""

    def __init__(self, sim: Simulation, trouble: float) -> None:
        self._sim = sim
        self._trouble = trouble
        self.failures: dict[str, int] = {}  # by game

    def ask(self, request: Store) -> None:
        """Take a request of the server."""
        sim = self._sim
        chance = sim.chance
        delay = 0.0 if chance.random() < 0.4 else chance.expovariate(20)
        kind = (
            "good" if chance.random() >= self._trouble else chance.choice(("fails", "slow", "mute", "lost"))
        )
        sim.tally[f"store {kind}"] += 1
        if kind != "good":
            self.failures[request.game] = self.failures.get(request.game, 0) + 1
        if kind == "fails":
            self._later(delay, lambda: sim.call(lambda now: sim.server.answer(_failed(request), now)))
            if chance.random() < 0.2:  # and says so twice
                self._later(
                    delay + 0.1, lambda: sim.call(lambda now: sim.server.answer(_failed(request), now))
                )
        elif kind != "lost":
            delay += 40.0 if kind == "slow" else 0.0
            self._later(delay, lambda: self._keep(request, kind != "mute"))

    def _later(self, delay: float, action: Callable[[], None]) -> None:
        self._sim.events.add(self._sim.now + delay, action, host=True)

    def _keep(self, request: Store, answers: bool) -> None:
        sim = self._sim
        sim.truth.keep(request.payload)
        if not answers:
            return
        sim.truth.games[request.game].stored = payloads(request.payload)[0]
        sim.call(lambda now: sim.server.answer(Stored(request.id), now))
        if sim.chance.random() < 0.05:  # and says so twice
            sim.call(lambda now: sim.server.answer(Stored(request.id), now))


def _failed(request: Store) -> StoreFailed:
    return StoreFailed(request.id, "no space left")
