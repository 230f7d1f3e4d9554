"""Decides what the client says and shows: messages and typed lines in, messages and lines out, no IO."""

from collections.abc import Callable
from typing import Any, Final

from tyrus_client.answers import tell_ok
from tyrus_client.entry import Entry
from tyrus_client.lobby import tell_player, tell_table
from tyrus_client.offers import TELL, tell_offer
from tyrus_client.out import Out
from tyrus_client.pauses import WINDOW
from tyrus_client.refusals import tell_bye, tell_error, tell_notice, tell_sentence
from tyrus_client.standing import TELL_STANDING
from tyrus_client.tables import Tables
from tyrus_client.translate import NonsenseError
from tyrus_client.typed import Placing, Saying, Showing, Unclear, read_typed
from tyrus_client.wishes import Wishes
from tyrusd.screen.clocks import duration
from tyrusd.screen.texts import Texts
from tyrusd.wire import messages as wire

EARLY: Final = 256  # lines that may wait for the welcome: nobody types more, a pipe may hold without end
DONE: Final = 0
FAILED: Final = 1


class Session:
    """One person at one server, over one connection or, after a break, several.

    After each call `take` hands out the lines to show and the messages to send; `status` is None until it is
    time to leave, then the exit status.
    """

    def __init__(self, wishes: Wishes, texts: Texts) -> None:
        self._wishes = wishes
        self._out = Out(texts)
        self._entry = Entry(wishes, self._out)
        self._tables = Tables(self._out)
        self._status: int | None = None
        self._leaving = self._warned = False
        # What is typed before the server has answered hello or resume waits; None is the end of the input.
        self._typed_early: list[str | None] = []

    @property
    def status(self) -> int | None:
        """The exit status once it is time to leave, None before."""
        return FAILED if self._entry.failed else self._status

    def take(self) -> tuple[list[str], list[wire.ClientMessage]]:
        """Return the lines to show (clean, at most 79 characters) and the messages to send, each once."""
        return self._out.take()

    def hear(self, message: wire.Message | wire.Refusal) -> None:
        """Take in what the server sent."""
        if not self.greeted and not isinstance(message, wire.Greeting | wire.Error | wire.Bye):
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
        if self._entry.returning and _ends(line):
            self._out.say("link.left")
            self._status = DONE
        elif not self.welcomed:
            self._wait_with(line)
        elif line is None:
            self._leave()
        else:
            self._obey(line)

    @property
    def greeted(self) -> bool:
        """Tell whether the server has spoken on this connection."""
        return self._entry.greeted

    @property
    def welcomed(self) -> bool:
        """Tell whether the person is in on this connection."""
        return self._entry.welcomed

    @property
    def turned_away(self) -> bool:
        """Tell whether nothing more will come of this connection, although something may of another one."""
        return self._entry.turned_away

    @property
    def leaving(self) -> bool:
        """Tell whether the server was told that the person leaves."""
        return self._leaving

    def broken(self) -> bool:
        """Take note that the connection ended without a goodbye; return whether to connect once more.

        If so, what the next connection brings goes to `hear` as before.
        """
        if self.status is not None:
            return False
        if self._leaving:
            self._status = DONE
            return False
        if self.welcomed:
            self._out.say("link.lost", time=duration(round(WINDOW * 1000), self._out.texts))
        return self._entry.broken()

    def waiting(self, pause: float, why: str | None, last: bool) -> None:
        """Tell the person that the next attempt to connect is in so many seconds, and why the last failed.

        last: from now on all pauses are as long as this one.
        """
        why = self._entry.why() or why
        cause = "" if why is None else self._out.texts.say("link.because", why=why)
        self._out.say("link.every" if last else "link.again", pause=round(pause), why=cause)

    def give_up(self) -> None:
        """Take note that the broken connection could not be made again."""
        self._entry.give_up()

    def _wait_with(self, line: str | None) -> None:
        if line is None or len(self._typed_early) < EARLY:
            self._typed_early.append(line)
        elif len(self._typed_early) == EARLY:
            self._typed_early.append("")
            self._out.say("typed.too-much")

    # What is heard.

    def _greeting(self, message: wire.Greeting) -> None:
        self._entry.greeting(message)

    def _welcome(self, message: wire.Welcome) -> None:
        if self._entry.welcome(message):
            self._tables.clear()
        early, self._typed_early = self._typed_early, []
        for line in early:
            self.type(line)

    def _error(self, message: wire.Error) -> None:
        if not self.welcomed:
            self._entry.refused(message)
            return
        if message.code == "too-many-games" and self._tables.playing:
            self._out.say("lobby.in-a-game")  # the server speaks of its hello, which a person has not said
            return
        self._out.show(tell_error(message, self._out.texts))
        self._tables.refused(message)

    def _bye(self, message: wire.Bye) -> None:
        if self.status is not None or (not self.welcomed and self._entry.dismissed(message)):
            return
        self._out.show(tell_bye(message, self._out.texts))
        if not self.welcomed:
            self._out.show(*tell_sentence(message, self._out.texts))
        if message.reason == "shutdown" and self._tables.playing:
            self._entry.turned_away = True  # a game that the server did not end goes on in the next one
            return
        self._status = DONE if message.reason == "bye" else FAILED

    def _notice(self, message: wire.Notice) -> None:
        self._out.show(tell_notice(message, self._out.texts))

    def _ping(self, message: wire.Ping) -> None:
        self._out.send(wire.Pong(message.word))

    def _ok(self, message: wire.Ok) -> None:
        self._out.show(*tell_ok(message, self._tables.playing, self._out.texts))

    def _player(self, message: wire.Player) -> None:
        self._out.show(tell_player(message, self._out.texts))

    def _offer(self, message: wire.Offer) -> None:
        self._out.show(tell_offer(message, self._entry.name, self._out.texts))

    def _told(self, message: wire.ServerMessage) -> None:
        self._out.show(_TOLD[type(message)](message, self._out.texts))

    def _table(self, message: wire.Table) -> None:
        self._out.show(tell_table(message, self._out.texts))

    # What is typed.

    def _obey(self, line: str) -> None:
        command = read_typed(line)
        if command is not None:
            self._warned = self._warned and command == _QUIT
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
            self._quit()
        else:
            self._tables.about(command.what)

    def _relay(self, command: Saying) -> None:
        if isinstance(command.message, wire.Unwatch):
            self._tables.forget(command.message.game)
        self._out.send(command.message)

    def _quit(self) -> None:
        """Leave, but say first what becomes of running games: nobody can resign one from outside."""
        games = self._tables.own
        if not games or self._warned:
            self._leave()
            return
        self._warned = True
        self._tell_running(games)
        self._out.say("quit.again")

    def _leave(self) -> None:
        if self._leaving:
            return
        if not self._warned:
            self._tell_running(self._tables.own)
        self._leaving = True
        self._out.send(wire.Quit())

    def _tell_running(self, games: list[tuple[str, str]]) -> None:
        for game, enemy in games:
            self._out.say("quit.running", game=game, enemy=enemy)
        if games:
            keyed = self._wishes.key is not None
            self._out.say("quit.kept-key" if keyed else "quit.kept", name=self._entry.name)

    def _fail(self, code: str, **facts: object) -> None:
        self._out.say(code, **facts)
        self._status = FAILED


def _ends(line: str | None) -> bool:
    """Tell whether a typed line, or the end of the input, says that the person leaves."""
    return line is None or read_typed(line) == _QUIT


_QUIT: Final = Showing("quit")
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
