"""Simulated programs that the server asks for: they start or do not, and end when told or before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.core.simulation.client import Client
from tests.core.simulation.link import Link
from tests.core.simulation.scenario import Party
from tyrusd.core.requests import BotFailed, StartBot, Transport
from tyrusd.wire import Codec
from tyrusd.wire import messages as wire

if TYPE_CHECKING:
    from tests.core.simulation.run import Simulation

_LAST_WORDS = "Traceback (most recent call last):\n\x1b[31mValueError: \u2028 no luck\x1b[0m\n"


class Program(Client):
    """One process of a seat."""

    def __init__(self, sim: Simulation, request: StartBot, party: Party, games: int) -> None:
        want = sim.chance.choice(((), ("events",), ("events", "full")))
        super().__init__(sim, f"{request.name}#{request.id}", party, want, games)
        self.request = request
        self.stopped = False
        self._said_hello = False

    def start(self, trouble: float) -> None:
        """Come to life, or fail to; trouble: the chance of the latter."""
        sim, number = self.sim, self.request.id
        chance = sim.chance
        how = (
            "good"
            if chance.random() >= trouble
            else chance.choice(("fails", "never", "late", "mute", "dies"))
        )
        sim.tally[f"program {how}"] += 1
        if how == "fails":
            failed = BotFailed(number, "there is no such file:\t\x1b[0m\n" + "x" * 2000)
            sim.events.add(
                sim.now + 0.1, lambda: sim.call(lambda now: sim.server.answer(failed, now)), host=True
            )
        elif how != "never":
            delay = 10.5 if how == "late" else chance.uniform(0.01, 0.5)
            sim.events.add(sim.now + delay, lambda: self._connect(how), host=True)

    def _connect(self, how: str) -> None:
        codec = self.sim.chance.choice((Codec.FRAME, Codec.LINE))
        if self.stopped and how != "late":
            return
        link = self.sim.connect(self, Transport("pipe", codec, "pipe", self.request.id))
        self._said_hello = how == "mute"
        self.link = link
        if how == "dies":
            link.lose("exit status 1", _LAST_WORDS)

    def greeted(self, link: Link) -> None:
        """Say hello at once."""
        if not self._said_hello:
            self._said_hello = True
            hello = wire.Hello(version="0.1", name="bot", kind="bot", games=self.games, want=self.want)
            self.say(link, hello)

    def stop(self) -> None:
        """The server wants us ended."""
        self.stopped = True
        link = self.link
        if link is not None:
            self.sim.events.add(self.sim.now + self.sim.chance.choice((0.0, 0.01, 2.0)), link.lose, host=True)
