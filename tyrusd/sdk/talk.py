"""What a plugin's process says to the server: bytes in, decisions gathered, all answers out at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from tyrusd.rules.notation import read_view
from tyrusd.sdk.request import Placement, Request
from tyrusd.wire import (
    PROTOCOL_VERSION,
    Bye,
    Choose,
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
    Role,
    Start,
    encode_frame,
)

GAMES: Final = (
    64  # games one child plays at once: enough to batch, few enough that a crash does not cost a night
)

Choosing = Callable[[Sequence[Request]], Sequence[Placement]]


class Garbled(Exception):  # noqa: N818 - it is the server's doing, not ours
    """The server sent what the protocol does not allow; the process should end and say so."""


class Talk:
    """The client side of one connection; give it bytes, then write what `answers` returns."""

    __slots__ = ("_choose", "_connection", "_hello", "_log", "_out", "_starts", "_waiting", "finished")

    def __init__(self, choose: Choosing, name: str, agent: str | None, log: Callable[[str], None]) -> None:
        self._connection = Connection(Role.CLIENT, Codec.FRAME)
        self._choose = choose
        self._hello = Hello(PROTOCOL_VERSION, name, "bot", agent=agent, games=GAMES)
        self._starts: dict[str, Start] = {}
        self._waiting: dict[str, Choose] = {}
        self._out: list[bytes] = []
        self.finished = False
        self._log = log

    def receive(self, data: bytes) -> None:
        """Take in what the server sent; raises Garbled if it cannot be understood."""
        for message in self._connection.receive(data):
            match message:
                case Choose():
                    # One entry a game: a request sent again, or a newer one, replaces the one that waits.
                    self._waiting[message.game] = message
                case Start():
                    self._starts[message.game] = message
                case Over():
                    self._waiting.pop(message.game, None)
                    self._starts.pop(message.game, None)
                case Ping():
                    self._out.append(encode_frame(Pong(message.word)))
                case Greeting():
                    self._out.append(encode_frame(self._hello))
                case Error():
                    self._log(f"the server says {message.code}: {message.text}")
                case Bye():
                    self._waiting.clear()
                    self.finished = True
                case Refusal():
                    raise Garbled(f"the server sent something else than the protocol: {message.sentence}")

    def answers(self) -> bytes:
        """Ask the bot for everything that waits, in one call, and return all there is to write."""
        if self._waiting:
            waiting = list(self._waiting.values())
            self._waiting.clear()
            placements = self._choose([self._request(message) for message in waiting])
            for message, (tile, building) in zip(waiting, placements, strict=True):
                self._out.append(encode_frame(Place(message.game, message.request, str(tile), building.name)))
        data = b"".join(self._out)
        self._out.clear()
        return data

    def _request(self, message: Choose) -> Request:
        start = self._starts.get(message.game)
        if start is None:
            raise Garbled(f"the server asked for game {message.game} before it started")
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
