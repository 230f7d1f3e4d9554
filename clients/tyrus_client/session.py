"""Decides what the client says and shows: messages and typed lines in, messages and lines out, no IO."""

from collections.abc import Callable
from typing import Any, Final

import tyrusd
from tyrus_client.lobby import tell_player, tell_table
from tyrus_client.offers import TELL, tell_offer
from tyrus_client.out import Out
from tyrus_client.refusals import tell_bye, tell_error, tell_notice
from tyrus_client.standing import TELL_STANDING
from tyrus_client.tables import Tables
from tyrus_client.translate import NonsenseError
from tyrus_client.typed import Placing, Saying, Showing, Unclear, read_typed
from tyrus_client.wishes import Wishes
from tyrusd.screen.texts import Texts
from tyrusd.wire import messages as wire
from tyrusd.wire.limits import PROTOCOL_VERSION

WANTED: Final = ("events", "full")
DONE: Final = 0
FAILED: Final = 1


class Session:
    """One person at one server, over one connection or, after a break, several.

    After each call `take` hands out the lines to show and the messages to send; `status` is None until it is
    time to leave, then the exit status.
    """

    def __init__(self, wishes: Wishes, texts: Texts) -> None:
        self.status: int | None = None
        self._wishes = wishes
        self._out = Out(texts)
        self._tables = Tables(self._out)
        self._name = wishes.name
        self._other_name = wishes.other_name
        self._secret: str | None = None
        self._greeted = self._welcomed = self._resuming = self._leaving = False
        # What is typed before the server has answered hello or resume waits; None is the end of the input.
        self._typed_early: list[str | None] = []

    def take(self) -> tuple[list[str], list[wire.ClientMessage]]:
        """Return the lines to show (clean, at most 79 characters) and the messages to send, each once."""
        return self._out.take()

    def hear(self, message: wire.Message | wire.Refusal) -> None:
        """Take in what the server sent."""
        if not self._greeted and not isinstance(message, wire.Greeting | wire.Error | wire.Bye):
            self._fail("link.foreign", address=self._wishes.address)
            return
        try:
            handler = _HEARD.get(type(message))
            if handler is not None:
                handler(self, message)
            elif isinstance(message, wire.ServerMessage):
                self._tables.hear(message)
        except NonsenseError:
            self._out.say("link.nonsense")

    def type(self, line: str | None) -> None:
        """Take in a line that the person typed, without its end; None is the end of the input."""
        if not self._welcomed:
            self._typed_early.append(line)
        elif line is None:
            self._leave()
        else:
            self._obey(line)

    @property
    def greeted(self) -> bool:
        """Tell whether the server has spoken on this connection."""
        return self._greeted

    @property
    def leaving(self) -> bool:
        """Tell whether the server was told that the person leaves."""
        return self._leaving

    def broken(self, may_resume: bool) -> bool:
        """Take note that the connection ended without a goodbye; return whether to connect once more.

        If so, the person has been told, and what the next connection brings goes to `hear` as before.
        """
        if self.status is not None:
            return False
        if self._leaving:
            self.status = DONE
            return False
        if not self._greeted and self._secret is None:
            self._fail("link.foreign", address=self._wishes.address)
            return False
        if not (may_resume and self._welcomed and self._secret):
            self._fail("link.gone")
            return False
        self._out.say("link.lost")
        self._greeted = self._welcomed = False
        self._resuming = True
        return True

    def give_up(self) -> None:
        """Take note that the broken connection could not be made again."""
        self._fail("link.gone")

    # What is heard.

    def _greeting(self, message: wire.Greeting) -> None:
        self._greeted = True
        if self._resuming and self._secret is not None:
            self._out.send(wire.Resume(self._secret))
        else:
            self._out.say("link.connected", server=message.server, address=self._wishes.address)
            self._hello()

    def _hello(self) -> None:
        agent = f"tyrus/{tyrusd.__version__}"
        key = self._wishes.key
        self._out.send(wire.Hello(PROTOCOL_VERSION, self._name, "human", agent=agent, want=WANTED, key=key))

    def _welcome(self, message: wire.Welcome) -> None:
        self._welcomed = True
        self._secret = message.secret
        if self._resuming:
            self._resuming = False
            self._out.say("link.resumed")
        else:
            self._out.say("link.welcome", name=message.name)
            if self._wishes.play is not None:
                self._out.send(wire.Play(self._wishes.play))
        early, self._typed_early = self._typed_early, []
        for line in early:
            self.type(line)

    def _error(self, message: wire.Error) -> None:
        if not self._welcomed:
            self._not_welcome(message)
            return
        self._out.show(tell_error(message, self._out.texts))
        self._tables.refused(message)

    def _not_welcome(self, message: wire.Error) -> None:
        if self._resuming and self._wishes.key is not None and self._secret is not None:
            self._secret = None  # the key of an account comes back as well, if anything is left
            self._hello()
        elif self._resuming:
            self._fail("link.not-resumed")
        elif message.code == "taken" and self._other_name is not None:
            taken, self._name, self._other_name = self._name, self._other_name(), None
            self._out.say("link.name-taken", name=taken, other=self._name)
            self._hello()
        elif message.code in ("taken", "name"):
            self._fail("link.name-refused", name=self._name)
        else:
            self._out.show(tell_error(message, self._out.texts))
            self.status = FAILED

    def _bye(self, message: wire.Bye) -> None:
        if self.status is None:
            self._out.show(tell_bye(message, self._out.texts))
            self.status = DONE if message.reason == "bye" else FAILED

    def _notice(self, message: wire.Notice) -> None:
        self._out.show(tell_notice(message, self._out.texts))

    def _ping(self, message: wire.Ping) -> None:
        self._out.send(wire.Pong(message.word))

    def _ok(self, message: wire.Ok) -> None:
        code = _ACCEPTED.get(message.re or "")
        empty = _EMPTY.get(message.re or "")
        if code is not None and not self._tables.playing:
            self._out.say(code)
        elif empty is not None and message.count == 0:
            self._out.say(empty)

    def _player(self, message: wire.Player) -> None:
        self._out.show(tell_player(message, self._out.texts))

    def _offer(self, message: wire.Offer) -> None:
        self._out.show(tell_offer(message, self._name, self._out.texts))

    def _told(self, message: wire.ServerMessage) -> None:
        self._out.show(_TOLD[type(message)](message, self._out.texts))

    def _table(self, message: wire.Table) -> None:
        self._out.show(tell_table(message, self._out.texts))

    # What is typed.

    def _obey(self, line: str) -> None:
        command = read_typed(line)
        if command is not None:
            _TYPED[type(command)](self, command)

    def _unclear(self, command: Unclear) -> None:
        sentence = self._out.texts.say(command.code, **command.facts)
        if command.code.startswith("usage."):
            sentence = self._out.texts.say("typed.wrong", usage=sentence)
        self._out.show(sentence)

    def _place(self, command: Placing) -> None:
        self._tables.place(command)

    def _show(self, command: Showing) -> None:
        if command.what in ("help", "rules"):
            self._out.show(*self._out.texts.say(command.what).split("\n"))
        elif command.what == "quit":
            self._leave()
        else:
            self._tables.about(command.what)

    def _relay(self, command: Saying) -> None:
        if isinstance(command.message, wire.Unwatch):
            self._tables.forget(command.message.game)
        self._out.send(command.message)

    def _leave(self) -> None:
        if not self._leaving:
            self._leaving = True
            self._out.send(wire.Quit())

    def _fail(self, code: str, **facts: object) -> None:
        self._out.say(code, **facts)
        self.status = FAILED


_ACCEPTED: Final = {
    "play": "lobby.asked",
    "seek": "lobby.seeking",
    "cancel": "lobby.cancelled",
    **dict.fromkeys(("decline", "join", "withdraw", "merge"), "event.asked"),
}
_EMPTY: Final = {
    "who": "lobby.nobody",
    "games": "lobby.no-games",
    "events": "event.none",
    "ratings": "rating.none",
}
_TOLD: Final = TELL | TELL_STANDING

_HEARD: Final[dict[type, Callable[[Session, Any], None]]] = {
    wire.Greeting: Session._greeting,
    wire.Welcome: Session._welcome,
    wire.Error: Session._error,
    wire.Bye: Session._bye,
    wire.Notice: Session._notice,
    wire.Ping: Session._ping,
    wire.Ok: Session._ok,
    wire.Player: Session._player,
    wire.Table: Session._table,
    wire.Offer: Session._offer,
    **dict.fromkeys(_TOLD, Session._told),
}
_TYPED: Final[dict[type, Callable[[Session, Any], None]]] = {
    Placing: Session._place,
    Saying: Session._relay,
    Showing: Session._show,
    Unclear: Session._unclear,
}
