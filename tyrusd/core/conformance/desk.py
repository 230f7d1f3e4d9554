"""Checks one seat as the only thing a server does: the same calls as `Server`, so any host can serve it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tyrusd.core.conformance.items import Done, End, Open, Write
from tyrusd.core.conformance.run import Run
from tyrusd.core.conformance.setting import Setting, Where
from tyrusd.core.conformance.step import Result, Step
from tyrusd.core.requests import (
    Answer,
    BotFailed,
    Finished,
    News,
    Request,
    Round,
    StartBot,
    StopBot,
    Transport,
)
from tyrusd.core.seatspec import SeatSpec
from tyrusd.core.settings import DEFAULTS
from tyrusd.wire import encode_line
from tyrusd.wire import messages as wire


@dataclass(slots=True)
class _Peer:
    """One connection: the pieces that wait to be written, each in a write of its own."""

    transport: Transport
    outbox: deque[bytes] = field(default_factory=deque)
    closing: bool = False


class Desk:
    """The core of `tyrusd check`.

    seat: what is checked. key: what a tcp seat's hello must bring. entropy: n -> n unguessable bytes. wait:
    seconds for a tcp seat's first connection. One bot is served at a time.
    tell: gets each result when its step is done, and None when a bot on a socket is waited for.
    """

    def __init__(
        self,
        name: str,
        seat: SeatSpec,
        key: str | None,
        steps: Sequence[Step],
        entropy: Callable[[int], bytes],
        now: float,
        wait: float,
        tell: Callable[[Result | None], None],
    ) -> None:
        where = Where.SOCKET if seat.kind == "tcp" else Where.PROGRAM
        setting = Setting(
            where, name, self._new_game, lambda: entropy(16).hex(), DEFAULTS.server, key=key, wait=wait
        )
        self.run = Run(setting, steps, now)
        self._name, self._seat = name, seat
        self._peers: dict[int, _Peer] = {}
        self._current: int | None = None  # the peer that is checked
        self._bot: int | None = None  # the program that is waited for or checked
        self._waiting = False  # for a new connection
        self._numbers = {"peer": 0, "request": 0, "game": 0}
        self._dirty: set[int] = set()
        self._requests: list[Request] = []
        self._news: list[News] = []
        self._tell = tell
        self._over = False
        self._step(now, lambda: self.run.start(now))

    # -- what the host calls -------------------------------------------------------------------------------

    def connect(self, transport: Transport, now: float) -> int:
        """Take a new connection; only the one that is waited for is served."""
        number = self._next("peer")
        peer = self._peers[number] = _Peer(transport)
        wanted = self._waiting and not self._over and transport.bot == self._bot
        if wanted:
            self._waiting = False
            self._current = number
            self._step(now, lambda: self.run.connected(transport.codec, now))
        else:
            sentence = "One bot is checked at a time; come again later."
            if transport.bot is None:
                peer.outbox.append(encode_line(wire.Bye("busy", sentence)))
            self._close(number)
        return number

    def receive(self, peer: int, data: bytes, now: float) -> None:
        """Take bytes of the bot; nobody else's are read."""
        if peer == self._current:
            self._step(now, lambda: self.run.receive(data, now))

    def end_of_input(self, peer: int, now: float) -> None:
        """A bot on a socket has closed its side."""
        if peer == self._current:
            self._current = None
            self._step(now, lambda: self.run.ended("end of the connection", "", now))
        self._close(peer)

    def lost(self, peer: int, now: float, cause: str = "", detail: str = "") -> None:
        """A stream is gone."""
        self._peers.pop(peer, None)
        self._dirty.discard(peer)
        if peer == self._current:
            self._current = None
            how = cause or "end of the connection"
            self._step(now, lambda: self.run.ended(how, detail, now))

    def polled(self, peer: int, now: float) -> None:
        """Nothing is ever polled here."""

    def tick(self, now: float) -> None:
        """Let the time pass."""
        self._step(now, lambda: self.run.tick(now))

    def answer(self, answer: Answer, now: float) -> None:
        """Hear that the program could not be started."""
        if isinstance(answer, BotFailed) and answer.id == self._bot:
            self._bot = None
            self._waiting = False
            self._step(now, lambda: self.run.ended(answer.why, "", now))

    def drain(self, now: float, grace: float) -> None:
        """Break the check off."""
        self._end()

    def turns_away(self, host: str, now: float) -> bool:
        """Everybody may come."""
        return False

    def part(self, sentence: str) -> None:
        """Break the check off: nothing can be kept, which is not asked of it."""
        self._end()

    def deadline(self) -> float | None:
        """When `tick` is due."""
        return None if self._over else self.run.deadline()

    @property
    def admits(self) -> bool:
        """Whether new connections make sense: while it works."""
        return True

    @property
    def finished(self) -> bool:
        """Whether all is done and nobody is connected any more."""
        return self._over and not self._peers

    def collect(self) -> Round:
        """What is left to do."""
        dirty = sorted(self._dirty)
        self._dirty.clear()
        found = Round([], self._requests, dirty, self._news)
        self._requests, self._news = [], []
        return found

    def output(self, peer: int) -> bytes:
        """The next piece for a peer."""
        found = self._peers.get(peer)
        return found.outbox[0] if found is not None and found.outbox else b""

    def sent(self, peer: int, count: int, now: float) -> None:
        """So much of the piece has been written."""
        found = self._peers.get(peer)
        if found is not None and found.outbox:
            rest = found.outbox.popleft()[count:]
            if rest:
                found.outbox.appendleft(rest)

    def closing(self, peer: int) -> bool:
        """Whether our side of a stream is to be closed once its output is empty."""
        found = self._peers.get(peer)
        return found is None or found.closing

    def reading(self, peer: int) -> bool:
        """Whether input is welcome."""
        return peer == self._current

    # -- the run -------------------------------------------------------------------------------------------

    def _step(self, now: float, happen: Callable[[], None]) -> None:
        if self._over:
            return
        happen()
        results: list[Result | None] = []
        for action in self.run.actions():
            match action:
                case Write(data):
                    self._write(data)
                case End():
                    if self._current is not None:
                        self._close(self._current)
                case Open():
                    self._open()
                    if self._seat.kind == "tcp":
                        results.append(None)
                case Done(result):
                    results.append(result)
        if self.run.finished:
            self._end()
        # Last, because whoever is told may fail, and then nothing must be left undone.
        for told in results:
            self._tell(told)

    def _write(self, data: bytes) -> None:
        if self._current is not None:
            self._peers[self._current].outbox.append(data)
            self._dirty.add(self._current)

    def _open(self) -> None:
        if self._current is not None:
            self._close(self._current)
            self._current = None
        self._waiting = True
        if self._seat.kind == "tcp":
            return
        self._stop_bot()
        self._bot = self._next("request")
        self._requests.append(StartBot(self._bot, self._name, self._seat))

    def _stop_bot(self) -> None:
        if self._bot is not None:
            self._requests.append(StopBot(self._bot))
            self._bot = None

    def _close(self, number: int) -> None:
        peer = self._peers.get(number)
        if peer is not None:
            peer.closing = True
            self._dirty.add(number)

    def _end(self) -> None:
        if self._over:
            return
        if self._current is not None and not self._peers[self._current].closing:
            self._peers[self._current].outbox.append(self.run.goodbye())
        self._over = True
        for number in self._peers:
            self._close(number)
        self._stop_bot()
        self._news.append(Finished())

    def _next(self, kind: str) -> int:
        self._numbers[kind] += 1
        return self._numbers[kind]

    def _new_game(self) -> str:
        return f"c{self._next('game')}"
