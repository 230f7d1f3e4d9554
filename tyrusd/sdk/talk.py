"""What a bot's process says to the server: bytes in, decisions gathered, all answers out at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tyrusd.rules.notation import read_view
from tyrusd.sdk.brains import Asked, Brain
from tyrusd.sdk.events import begun_unheard, event_of, over_of, start_of
from tyrusd.sdk.laddering import Laddering
from tyrusd.sdk.request import Placement, Request, Turn
from tyrusd.sdk.seeking import Seeking
from tyrusd.wire import (
    PROTOCOL_VERSION,
    Bye,
    Choose,
    ClientMessage,
    Codec,
    Connection,
    Error,
    Greeting,
    Hello,
    Over,
    Ping,
    Place,
    Pong,
    Refusal,
    Resume,
    Role,
    ServerMessage,
    Snapshot,
    Start,
    Welcome,
)
from tyrusd.wire import Turn as TurnMessage

GAMES: Final = (
    64  # games one child plays at once: enough to batch, few enough that a crash does not cost a night
)
_REQUESTS: Final = (Choose, TurnMessage)
_CLOSES: Final = "shutdown"
_AFTER_RESUME: Final = "resumed"
_REFUSES: Final = ("hello", "resume")  # without these nothing follows


class Garbled(Exception):  # noqa: N818 - it is the server's doing, not ours
    """The server sent what the protocol does not allow; the process should end and say so."""


def introduction(
    brain: Brain, name: str, agent: str | None = None, games: int = GAMES, key: str | None = None
) -> Hello:
    """Return the hello with which a bot introduces itself."""
    return Hello(PROTOCOL_VERSION, name, "bot", agent=agent, games=games, want=brain.wants, key=key)


class Talk:
    """The client side of one connection; give it bytes, have what is `due` answered, write what is `output`.

    seeking: what to say in a lobby, None in the seat of a match. `finished` tells that nothing more follows;
    `goodbye` and `refused` tell why: the server's word for it, or its sentence.
    """

    def __init__(
        self,
        brain: Brain,
        hello: Hello,
        log: Callable[[str], None],
        codec: Codec = Codec.FRAME,
        seeking: Seeking | Laddering | None = None,
    ) -> None:
        self._brain = brain
        self._hello = hello
        self._log = log
        self._codec = codec
        self._seeking = seeking
        self._connection = Connection(Role.CLIENT, codec)
        self._starts: dict[str, Start] = {}
        self._waiting: dict[str, Choose | TurnMessage] = {}
        self._out: list[bytes] = []
        self._secret: str | None = None
        self._resuming = False
        self._unseen: set[str] = set()  # games that a resume has not shown to be running
        self.finished = False
        self.welcomes = 0  # connections on which the server has let us in
        self.goodbye: str | None = None
        self.refused: str | None = None

    def receive(self, data: bytes) -> None:
        """Take in what the server sent, and tell the bot what it wants to hear.

        Raises Garbled if it cannot be understood, and whatever the bot raises.
        """
        for message in self._connection.receive(data):
            if isinstance(message, _REQUESTS):
                # One entry a game: a request sent again, or a newer one, replaces the one that waits.
                self._waiting[message.game] = message
            elif isinstance(message, Refusal):
                raise Garbled(f"the server sent something else than the protocol: {message.sentence}")
            elif isinstance(message, ServerMessage):
                self._hear(message)

    def _hear(self, message: ServerMessage) -> None:
        match message:
            case Start():
                self._begin(message)
            case Snapshot():
                self._unseen.discard(message.game)
                if message.game not in self._starts:
                    self._begin(begun_unheard(message))
                    if self._seeking is not None:
                        self._seeking.begun_unheard()
                self._tell(message)
            case Over():
                self._waiting.pop(message.game, None)
                self._unseen.discard(message.game)
                if self._starts.pop(message.game, None) is not None:
                    self._brain.over(message.game, over_of(message))
            case Ping():
                self._say(Pong(message.word))
            case Greeting():
                self._say(self._hello if self._secret is None else Resume(self._secret))
            case Pong(word=word) if word == _AFTER_RESUME:
                self._let_go()
            case Welcome():
                self.welcomes += 1
                if self._resuming:
                    # Our games come next, each with a snapshot; the pong comes after the last.
                    self._unseen, self._resuming = set(self._starts), False
                    self._say(Ping(_AFTER_RESUME))
                    self._secret = message.secret
                    return
                self._secret = message.secret
            case Error():
                self._error(message)
            case Bye():
                self._waiting.clear()
                self.goodbye, self.finished = message.reason, True
                if message.reason not in ("bye", _CLOSES):
                    self.refused = self.refused or message.text
            case _:
                self._tell(message)
        if self._seeking is not None:
            for said in self._seeking.heard(message, len(self._starts)):
                self._say(said)

    def _begin(self, start: Start) -> None:
        self._starts[start.game] = start
        self._brain.started(start_of(start))

    def _let_go(self) -> None:
        """Forget the games that ended while the connection was lost: nobody tells how."""
        for game in self._unseen:
            del self._starts[game]
            self._brain.gone(game)
        self._unseen.clear()

    def _error(self, message: Error) -> None:
        if message.re == "resume" and self._seeking is not None:
            # Nothing was kept for us, since we were in no game: come in again like anybody else.
            self._secret, self._resuming = None, False
            self._unseen = set(self._starts)
            self._let_go()
            self._say(self._hello)
            return
        self._log(f"the server says {message.code}: {message.text}")
        if message.re in _REFUSES:
            if message.code == _CLOSES:
                self.goodbye = _CLOSES
            self.refused, self.finished = message.text, True

    def _tell(self, message: ServerMessage) -> None:
        if not self._brain.wants:
            return
        try:
            event = event_of(message)
        except (ValueError, KeyError) as error:
            raise Garbled(f"the server sent an event that no game can have: {error}") from error
        if event is not None:
            self._brain.event(message.game, event)  # type: ignore[attr-defined]

    def _say(self, message: ClientMessage) -> None:
        self._out.append(self._connection.encode(message))

    @property
    def waits(self) -> bool:
        """Whether the bot is asked for something."""
        return bool(self._waiting)

    def due(self) -> list[Asked]:
        """Take everything the bot is asked for now; each is given back with `answer`."""
        waiting = list(self._waiting.values())
        self._waiting.clear()
        return [self._asked(message) for message in waiting]

    def answer(self, asked: Asked, placement: Placement) -> None:
        """Say a placement."""
        tile, building = placement
        self._say(Place(asked.game, asked.number, str(tile), building.name))

    def runs(self, game: str) -> bool:
        """Tell whether a game has started and not ended."""
        return game in self._starts

    def output(self) -> bytes:
        """Take all there is to write."""
        data = b"".join(self._out)
        self._out.clear()
        return data

    def answers(self) -> bytes:
        """Ask a bot that blocks for everything that waits, in one call, and return all there is to write."""
        if self._waiting:
            asked = self.due()
            for one, placement in zip(asked, self._brain.choose(asked), strict=True):
                self.answer(one, placement)
        return self.output()

    def lost(self) -> bool:
        """Take note that the connection broke; whether it can be resumed by connecting again."""
        self._connection = Connection(Role.CLIENT, self._codec)
        self._waiting.clear()
        self._out.clear()
        self._resuming = self._secret is not None
        if self._seeking is not None:
            self._seeking.anew()
        return self._secret is not None and not self.finished

    def anew(self) -> None:
        """Begin again with a server that had said goodbye because it closes, as after a break."""
        self.finished, self.goodbye, self.refused = False, None, None
        self.lost()

    def _asked(self, message: Choose | TurnMessage) -> Asked:
        start = self._starts.get(message.game)
        if start is None:
            raise Garbled(f"the server asked for game {message.game} before it started")
        if isinstance(message, TurnMessage):
            return Turn(message.game, message.request, message.left, message.time, message.enemy_time)
        try:
            view = read_view(message.view)
        except ValueError as error:
            raise Garbled(f"the server sent a view that cannot be read: {error}") from error
        return Request(
            message.game,
            message.request,
            message.left,
            message.time,
            message.enemy_time,
            view,
            start.seed,
            start.enemy,
        )
