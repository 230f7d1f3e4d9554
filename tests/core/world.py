"""A server in memory for tests: peers that are byte buffers, a clock that is a number, a store that obeys."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TypeVar

from tyrusd.core.director import Director
from tyrusd.core.requests import News, ReadOnce, Request, Store, Stored, Transport
from tyrusd.core.restoring import Recovered
from tyrusd.core.server import Server
from tyrusd.core.settings import DEFAULTS, Settings
from tyrusd.wire import Codec, Connection, Role
from tyrusd.wire import messages as wire

MessageType = TypeVar("MessageType", bound=wire.ServerMessage)


class Peer:
    """One client of the world: what it has received as bytes and as messages."""

    def __init__(self, world: World, number: int, codec: Codec) -> None:
        self.world = world
        self.number = number
        self.connection = Connection(Role.CLIENT, codec)
        self.raw = b""
        self.inbox: list[wire.Message | wire.Refusal] = []
        self.closed = False

    def say(self, text: str) -> None:
        """Send text; each line gets its LF."""
        self.send_bytes("".join(f"{line}\n" for line in text.splitlines()).encode())

    def send_bytes(self, data: bytes) -> None:
        self.world.server.receive(self.number, data, self.world.now)
        self.world.run()

    def send(self, *messages: wire.ClientMessage) -> None:
        self.send_bytes(b"".join(self.connection.encode(message) for message in messages))

    def lose(self, cause: str = "", detail: str = "") -> None:
        """The stream is gone."""
        self.closed = True
        self.world.server.lost(self.number, self.world.now, cause, detail)
        self.world.run()

    @property
    def text(self) -> str:
        return self.raw.decode()

    def got(self, kind: type[MessageType]) -> list[MessageType]:
        return [message for message in self.inbox if isinstance(message, kind)]

    def last(self, kind: type[MessageType]) -> MessageType:
        """The newest message of a kind; fails the test if there is none."""
        found = self.got(kind)
        assert found, f"no {kind.__name__} in:\n{self.text}"
        return found[-1]

    def forget(self) -> None:
        """Look only at what comes from now on."""
        self.raw = b""
        self.inbox.clear()


class World:
    """Drives a Server; by default stores at once, reads once when asked, and starts no program."""

    def __init__(
        self,
        director: Director,
        settings: Settings = DEFAULTS,
        seed: int = 1,
        entropy: Callable[[int], bytes] | None = None,
        recovered: Recovered | None = None,
    ) -> None:
        self.now = 1000.0
        self.keeps = recovered is not None
        self.kept: list[bytes] = []  # what a journal file would hold: placements and results in their order
        self.requests: list[Request] = []
        self.news: list[News] = []
        self.journal: list[bytes] = []
        self.stored: list[Store] = []
        self.store_at_once = True
        self.peers: dict[int, Peer] = {}
        self.server = Server(
            director, entropy or random.Random(seed).randbytes, self.now, 1_700_000_000.0, settings, recovered
        )
        self.run()

    def connect(
        self, host: str = "127.0.0.1", codec: Codec = Codec.LINE, kind: str = "socket", bot: int | None = None
    ) -> Peer:
        number = self.server.connect(Transport(host, codec, kind, bot), self.now)
        peer = self.peers[number] = Peer(self, number, codec)
        self.run()
        return peer

    def join(self, name: str, kind: str = "human", extra: str = "", host: str = "127.0.0.1") -> Peer:
        """A peer that has said hello."""
        peer = self.connect(host)
        peer.say(f"hello 0.1 {name} {kind} {extra}".strip())
        peer.last(wire.Welcome)
        return peer

    def run(self) -> None:
        """Do what a host does after a step, until nothing is left to do."""
        while True:
            done = self.server.collect()
            self.journal += done.journal
            if self.keeps:
                self.kept += done.journal
            self.news += done.news
            for number in done.dirty:
                self._write(number)
            for request in done.requests:
                self._request(request)
            if not (done.journal or done.news or done.dirty or done.requests):
                return

    def _write(self, number: int) -> None:
        peer = self.peers[number]
        while not peer.closed and (data := self.server.output(number)):
            self.server.sent(number, len(data), self.now)
            peer.raw += data
            peer.inbox += peer.connection.receive(data)
        if self.server.closing(number) and not peer.closed:
            peer.closed = True
            self.server.lost(number, self.now)

    def _request(self, request: Request) -> None:
        if isinstance(request, Store):
            self.stored.append(request)
            if self.keeps:
                self.kept.append(request.payload)
            if self.store_at_once:
                self.server.answer(Stored(request.id), self.now)
        elif isinstance(request, ReadOnce):
            self.server.polled(request.peer, self.now)
        else:
            self.requests.append(request)

    def wait(self, seconds: float) -> None:
        """Let time pass, stopping at each deadline as a host does."""
        end = self.now + seconds
        while (due := self.server.deadline()) is not None and due <= end:
            self.now = max(self.now, due)
            self.server.tick(self.now)
            self.run()
        self.now = end
