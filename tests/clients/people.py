"""People for tests: a client's session joined to a server in memory."""

from __future__ import annotations

import re
from collections.abc import Callable

from tests.core.world import World
from tyrus_client.session import Session
from tyrus_client.wishes import Wishes
from tyrusd.screen.texts import LANGUAGES
from tyrusd.wire import messages as wire


class Person:
    """Somebody at a client; `shown` is everything that stood on the screen."""

    def __init__(
        self,
        world: World,
        name: str,
        play: str | None = None,
        other_name: Callable[[], str] | None = None,
        key: str | None = None,
    ) -> None:
        self.world = world
        self.session = Session(Wishes("here", name, other_name, play, key), LANGUAGES["en"])
        self.shown: list[str] = []
        self.sent: list[wire.ClientMessage] = []
        self.peer = world.connect()
        self._heard = 0

    def type(self, line: str | None) -> list[str]:
        """Type a line, let everything happen that follows at once, and return what was shown."""
        before = len(self.shown)
        self.session.type(line)
        self.settle()
        return self.shown[before:]

    def settle(self) -> bool:
        """Pass on what is under way; tell whether there was anything."""
        happened = False
        while True:
            news = self.peer.inbox[self._heard :]
            self._heard += len(news)
            for message in news:
                self.session.hear(message)
            lines, messages = self.session.take()
            self.shown += lines
            self.sent += messages
            if messages:
                self.peer.send(*messages)
            if not (news or messages or lines):
                return happened
            happened = True

    def reconnect(self) -> None:
        """Lose the connection and make a new one."""
        self.peer.lose()
        assert self.session.broken()
        self.peer = self.world.connect()
        self._heard = 0
        self.settle()

    @property
    def text(self) -> str:
        return "\n".join(self.shown)


def settle(*people: Person) -> None:
    """Pass everything on between all these people until nothing moves any more."""
    while any(person.settle() for person in people):
        pass


def example_on(screen: str) -> str | None:
    """The placement that the newest position on a screen proposes, None when it asks for none."""
    asked = re.findall(r"^Your turn: .*: (\w+ \w+)$", screen, re.MULTILINE)
    return str(asked[-1]) if asked else None
