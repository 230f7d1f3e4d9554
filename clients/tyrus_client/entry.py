"""Gets the person into a server, and in again after a break: greeting, hello, resume, refusals."""

from collections.abc import Callable
from typing import Final

import tyrusd
from tyrus_client.out import Out
from tyrus_client.refusals import tell_refused_login
from tyrus_client.wishes import Wishes
from tyrusd.wire import messages as wire
from tyrusd.wire.limits import PROTOCOL_VERSION

WANTED: Final = ("events", "full")
# What a server answers that may let the same person in a little later.
PASSING: Final = frozenset({"busy", "shutdown", "storage", "timeout", "unavailable", "internal"})
_OTHER_NAME: Final = {"taken": "link.name-taken", "name": "link.name-reserved", "auth": "link.name-keyed"}


class Entry:
    """The way of one person into one server, over one connection or, after a break, several.

    `greeted` and `welcomed` are of the present connection; `turned_away` says that nothing more will come of
    it, but something may of another one; `failed` that nothing will.
    """

    def __init__(self, wishes: Wishes, out: Out) -> None:
        self.name = wishes.name
        self.greeted = self.welcomed = self.turned_away = self.failed = False
        self._wishes = wishes
        self._out = out
        self._other_name = wishes.other_name
        self._secret: str | None = None
        self._returning = False
        self._seat_gone = False
        self._why = ""

    @property
    def returning(self) -> bool:
        """Tell whether the person was in, has lost the connection and is not back yet."""
        return self._returning

    def greeting(self, message: wire.Greeting) -> None:
        """Answer the server's first line."""
        self.greeted = True
        self._why = ""
        if not self._returning:
            self._out.say("link.connected", server=message.server, address=self._wishes.address)
        if self._secret is None:
            self._hello()
        else:
            self._out.send(wire.Resume(self._secret))

    def welcome(self, message: wire.Welcome) -> bool:
        """Take note that the person is in; return whether all that was known of games is void."""
        begins_anew = self._seat_gone
        self.welcomed, self.name, self._secret = True, message.name, message.secret
        if self._returning:
            self._out.say("link.resumed")
        else:
            self._out.say("link.welcome", name=message.name)
            if self._wishes.play is not None:
                self._out.send(wire.Play(self._wishes.play))
        self._returning = self._seat_gone = False
        return begins_anew

    def refused(self, message: wire.Error) -> None:
        """Take an error for hello or resume: try something else, or tell what the person can do."""
        if self._returning and message.code in PASSING:
            self._turn_away(message.text)
        elif self._returning and self._wishes.key is not None and self._secret is not None:
            self._secret = None  # the key of an account comes back as well, if anything is left
            self._seat_gone = True
            self._hello()
        elif self._returning:
            self._fail("link.not-resumed")
        elif self._other_name is not None and message.code in _OTHER_NAME:
            self._take_other_name(self._other_name, _OTHER_NAME[message.code])
        else:
            keyed = self._wishes.key is not None
            self._out.show(*tell_refused_login(message, self.name, keyed, self._out.texts))
            self.failed = True

    def dismissed(self, message: wire.Bye) -> bool:
        """Take a goodbye before the welcome; return whether another connection may be worth the trouble."""
        if self._returning and message.reason in PASSING:
            self._turn_away(message.text)
        return self.turned_away

    def broken(self) -> bool:
        """Take note that the connection is gone; return whether to try another one."""
        if self.failed:
            return False
        if not self._returning and not self.welcomed:
            self._fail("link.gone" if self.greeted else "link.foreign", address=self._wishes.address)
            return False
        self.greeted = self.welcomed = self.turned_away = False
        self._returning = True
        return True

    def why(self) -> str:
        """Return what the server said when it turned the person away, once."""
        why, self._why = self._why, ""
        return why

    def give_up(self) -> None:
        """Take note that the server is not looked for any longer."""
        self._fail("link.not-found" if self._wishes.key is None else "link.not-found-key", name=self.name)

    def _turn_away(self, sentence: str | None) -> None:
        self.turned_away = True
        self._why = self._why or sentence or ""

    def _take_other_name(self, other_name: Callable[[], str], code: str) -> None:
        refused, self.name, self._other_name = self.name, other_name(), None
        self._out.say(code, name=refused, other=self.name)
        self._hello()

    def _hello(self) -> None:
        agent = f"tyrus/{tyrusd.__version__}"
        key = self._wishes.key
        self._out.send(wire.Hello(PROTOCOL_VERSION, self.name, "human", agent=agent, want=WANTED, key=key))

    def _fail(self, code: str, **facts: object) -> None:
        self._out.say(code, **facts)
        self.failed = True
