"""A simulated peer that comes by itself: to the lobby, or with the key of a seat."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tests.core.simulation.client import Client
from tests.core.simulation.link import Link
from tests.core.simulation.scenario import Party
from tyrusd.core.requests import Transport
from tyrusd.wire import Codec
from tyrusd.wire import messages as wire

if TYPE_CHECKING:
    from tests.core.simulation.run import Simulation


class Guest(Client):
    """Connects over a socket, and again when that is lost."""

    def __init__(
        self,
        sim: Simulation,
        party: Party,
        kind: str,
        want: tuple[str, ...] = (),
        games: int = 1,
        key: str | None = None,
        terms: tuple[dict[str, str], ...] = ({},),
    ) -> None:
        super().__init__(sim, party.name, party, want, games)
        self.kind = kind
        self.key = key
        self.terms = terms
        self._coming: Link | None = None
        self._knocking = False  # a connection is made and not accepted yet

    def come(self) -> None:
        """Connect, if that is not done yet."""
        if not self.sim.finale and self.link is None and self._coming is None:
            self._connect()

    def _connect(self) -> None:
        if not self._knocking:
            self._knocking = True
            self.sim.events.add(self.sim.now, self._accepted, host=True)

    def _accepted(self) -> None:
        self._knocking = False
        if not self.sim.finale:
            host = self.sim.chance.choice(("127.0.0.1", "10.0.0.1", "10.0.0.2", "2001:db8::1"))
            self._coming = self.sim.connect(self, Transport(host, Codec.LINE, "socket"))

    def greeted(self, link: Link) -> None:
        """Say hello, or show the secret; perhaps a wrong one first."""
        if self.secret is None:
            self._hello(link)
            return
        resume = wire.Resume(secret=self.secret)
        if self.sim.chance.random() < self.persona.wrong:
            self.say(link, wire.Resume(secret="0" * 32), resume)
        else:
            self.say(link, resume)

    def _hello(self, link: Link) -> None:
        self.say(
            link,
            wire.Hello(
                version="0.1", name=self.name, kind=self.kind, games=self.games, want=self.want, key=self.key
            ),
        )

    def welcomed(self, link: Link, message: wire.Welcome) -> None:
        """We are in; an older connection of ours is being replaced."""
        if self.secret is not None:
            self.sim.tally["resumed"] += 1
        self._coming = None
        super().welcomed(link, message)

    def refused(self, link: Link, message: wire.Error) -> None:
        """Our seats may be gone, or our name not free yet."""
        if message.re == "resume" and link is self._coming and message.code == "auth":
            self.later_anyway(0.01, link, self._hello_again)
        elif message.re == "hello" and message.code in ("taken", "auth") and link is self._coming:
            link.lose()
        else:
            super().refused(link, message)

    def later_anyway(self, delay: float, link: Link, action: Callable[[Link], None]) -> None:
        """Do something after a while on a connection that is not known yet."""
        self.sim.events.add(self.sim.now + delay, lambda: action(link))

    def _hello_again(self, link: Link) -> None:
        # After a wrong secret the right one has been sent, too.
        if link is self._coming and self.sim.chance.random() < 0.5:
            self.secret = None
            self._hello(link)

    def gone(self, link: Link) -> None:
        """Come back, or not."""
        chance = self.sim.chance
        was_ours = link in (self.link, self._coming)
        if link is self._coming:
            self._coming = None
        super().gone(link)
        if was_ours and self.link is None and not self.sim.finale:
            if link.bye == "replaced" or chance.random() < self.persona.returns:
                self.sim.events.add(self.sim.now + chance.choice((0.01, 1.0, 10.0, 61.0)), self.come)
            elif self.seats:
                self.seats.clear()

    def idle(self, link: Link) -> None:
        """Perhaps come a second time while still here."""
        alone = self.secret is not None and self._coming is None and not self.sim.finale
        if alone and self.sim.chance.random() < self.persona.again:
            self._connect()
        super().idle(link)

    @property
    def has_lobby(self) -> bool:
        """Guests of a lobby have it."""
        return self.sim.lobby

    def want_games(self, link: Link) -> None:
        """Seek, or ask somebody for a game."""
        sim = self.sim
        if len(self.seats) >= self.games or not sim.lobby or not sim.wants_games():
            return
        terms = dict(sim.chance.choice(self.terms))
        if sim.chance.random() < 0.1:
            terms["side"] = sim.chance.choice("IB")
        if sim.chance.random() < 0.1:
            terms["variant"] = "replay-ties"
        others = [*sim.houses, *sim.parties]
        if sim.chance.random() < 0.4:
            self.say(link, wire.Play(name=sim.chance.choice(others), **terms))
        else:
            self.say(link, wire.Seek(**terms))
