"""A simulated peer: it plays, asks, errs, leaves and comes back as its persona has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import msgspec

from tests.core.simulation import mischief
from tests.core.simulation.answers import Answers
from tests.core.simulation.link import Link
from tests.core.simulation.scenario import Party
from tyrusd.rules.pieces import SIDE_OF_LETTER, Side
from tyrusd.wire import messages as wire

if TYPE_CHECKING:
    from tests.core.simulation.run import Simulation

_TAGGED: Final = 0.3


class Client:
    """What guests and programs have in common; it only ever acts through `events`, never at once."""

    def __init__(self, sim: Simulation, name: str, party: Party, want: tuple[str, ...], games: int) -> None:
        self.sim = sim
        self.name = name
        self.party = party
        self.persona = party.persona
        self.want = want
        self.games = games
        self.link: Link | None = None
        self.secret: str | None = None
        self.seats: dict[str, Side] = {}
        self.old_games: list[str] = []
        self.watching: set[str] = set()
        self.answers = Answers(self)
        self.garbage = 0
        self._tags = 0
        self.is_in = False

    # -- saying --------------------------------------------------------------------------------------------

    def say(self, link: Link | None, *messages: wire.ClientMessage, at_once: bool = False) -> None:
        """Send messages in one packet; some get a tag."""
        if link is None or link.cut:
            return
        data = b""
        for message in messages:
            if isinstance(message, wire.Unwatch):
                link.unwatching.append(message.game)
            tag = self.new_tag() if self.sim.chance.random() < _TAGGED else None
            data += link.decoder.encode(msgspec.structs.replace(message, tag=tag))
            if tag is not None:
                link.tags[tag] = link.sent + len(data)
        link.send(data, at_once)

    def new_tag(self) -> str:
        """A tag that was not used before."""
        self._tags += 1
        return f"t{self._tags}"

    def later(self, delay: float, link: Link | None, action: Callable[[Link], None]) -> None:
        """Do something after a while, if the same connection is still there."""

        def act() -> None:
            if link is not None and self.link is link and link.there and not link.cut:
                action(link)

        self.sim.events.add(self.sim.now + delay, act)

    # -- hearing -------------------------------------------------------------------------------------------

    def told(self, link: Link, message: wire.Message) -> None:
        """Hear one message."""
        match message:
            case wire.Greeting():
                self.greeted(link)
            case wire.Welcome():
                self.welcomed(link, message)
            case wire.Ping():
                self.say(link, wire.Pong(word=message.word))
            case wire.Error():
                self.refused(link, message)
            case wire.Start():
                self.seats[message.game] = SIDE_OF_LETTER[message.side]
            case wire.Choose() | wire.Turn() if link is self.link:
                self.answers.asked(link, message)
            case wire.Over():
                if self.seats.pop(message.game, None) is not None:
                    self.old_games.append(message.game)
                self.watching.discard(message.game)
                self.answers.closed(message.game)

    def greeted(self, link: Link) -> None:
        """The server has spoken first."""
        raise NotImplementedError

    def welcomed(self, link: Link, message: wire.Welcome) -> None:
        """The server knows us."""
        self.secret = message.secret
        self.link = link
        self.is_in = True
        self.answers.forget()
        self.idle_soon(link)

    def refused(self, link: Link, message: wire.Error) -> None:
        """A line was refused."""
        if message.re == "watch":
            self.watching.discard(message.game or "")
        if message.code == "illegal" and message.cost == "retry" and message.game is not None:
            self.answers.again(link, message.game)

    def gone(self, link: Link) -> None:
        """A stream of ours is gone."""
        if link is not self.link:
            return
        if self.seats:
            self.party.sins.add("gone")
        self.link = None
        self.is_in = False
        self.watching.clear()
        self.answers.forget()

    # -- idling --------------------------------------------------------------------------------------------

    def idle_soon(self, link: Link) -> None:
        """Have an idle moment before long."""
        self.later(self.sim.chance.uniform(0.02, 1.0), link, self.idle)

    def idle(self, link: Link) -> None:
        """Do something that no answer is, or nothing."""
        # Nobody goes on talking to a server that says nothing for a minute.
        if not self.sim.finale and self.sim.now >= self.sim.busy_until:
            mischief.commit(self, link)
            self.want_games(link)
        self.idle_soon(link)

    @property
    def has_lobby(self) -> bool:
        """Whether the verbs of the lobby are there for us."""
        return False

    def want_games(self, link: Link) -> None:
        """Try to have a game; programs are given theirs."""
