"""A stream between one simulated peer and the server: cut into pieces, delayed, unread, ended."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from tyrusd.wire import Codec, Connection, Role
from tyrusd.wire import messages as wire

if TYPE_CHECKING:
    from tests.core.simulation.client import Client
    from tests.core.simulation.run import Simulation

_HEADER = 4


class Link:
    """One connection: what travels on it either way, and what has been seen of it."""

    def __init__(self, sim: Simulation, client: Client, number: int, codec: Codec) -> None:
        self.sim = sim
        self.client = client
        self.number = number
        self.codec = codec
        self.decoder = Connection(Role.CLIENT, codec)
        self.reads = True  # the peer takes what it is sent
        self.there = True  # the server has not been told that the stream is gone
        self.cut = False  # the peer sends nothing more
        self.bye: str | None = None
        # To the server: bytes sent, bytes that the server has read, bytes that have arrived in between.
        self.sent = 0
        self.read = 0
        self.arrived = bytearray()
        self.travelling_until = 0.0
        self.tags: dict[str, int] = {}  # tags without an answer, and the byte after their line
        self.unwatching: deque[str] = deque()  # games whose unwatch is not answered
        # To the peer: messages that the server has queued and the peer has not taken, with their lengths.
        self.queued: deque[tuple[int, wire.Message]] = deque()
        self.seen = 0  # bytes of the queue that have been looked at
        self.taken = 0  # bytes of the first message that have been taken
        self.lingers = False

    # -- to the server -------------------------------------------------------------------------------------

    def send(self, data: bytes, at_once: bool = False) -> None:
        """Send bytes; they arrive in pieces of any size, a little later (or all at once), in order."""
        if self.cut or not data:
            return
        chance = self.sim.chance
        self.sent += len(data)
        cuts: list[int] = []
        form = 1.0 if at_once else chance.random()
        if form < 0.02 and len(data) < 300:
            cuts = list(range(1, len(data)))
        elif form < 0.5:
            cuts = sorted(chance.randrange(1, len(data) + 1) for _ in range(chance.randrange(1, 4)))
        for start, end in zip([0, *cuts], [*cuts, len(data)], strict=True):
            if start < end:
                delay = 0.0 if at_once or chance.random() < 0.5 else chance.uniform(0, 0.002)
                at = self.travelling_until = max(self.travelling_until, self.sim.now + delay)
                piece = data[start:end]
                self.sim.events.add(at, lambda piece=piece: self._arrive(piece))  # type: ignore[misc]

    def _arrive(self, piece: bytes) -> None:
        self.arrived += piece
        self.sim.events.add(self.sim.now, self.let_read, host=True)

    def let_read(self, whatever: bool = False) -> None:
        """Give the server what has arrived, if it reads (or whatever it wants, before a timeout)."""
        server = self.sim.server
        if self.there and self.arrived and (whatever or server.reading(self.number)):
            data = bytes(self.arrived)
            self.arrived.clear()
            self.read += len(data)
            self.sim.call(lambda now: server.receive(self.number, data, now))

    def half_close(self) -> None:
        """End the input, after all that was sent."""
        self.cut = True

        def arrive() -> None:
            if not self.there:
                return
            if self.arrived and self.sim.server.reading(self.number):
                self.let_read()
            self.sim.call(lambda now: self.sim.server.end_of_input(self.number, now))

        self.sim.events.add(max(self.sim.now, self.travelling_until), arrive, host=True)

    def lose(self, cause: str = "", note: str = "") -> None:
        """The stream breaks; what has not been read by now is lost."""
        self.cut = True
        self.sim.events.add(self.sim.now, lambda: self.tell_lost(cause, note), host=True)

    def tell_lost(self, cause: str = "", note: str = "") -> None:
        """Tell the server that the stream is gone."""
        if not self.there:
            return
        self.there = False
        self.cut = True
        del self.sim.live[self.number]
        self.queued.clear()
        self.sim.call(lambda now: self.sim.server.lost(self.number, now, cause, note))
        self.sim.checks.closed(self)
        self.client.gone(self)

    # -- to the peer ---------------------------------------------------------------------------------------

    def look(self) -> None:
        """Look at what the server has queued since the last look, before the peer gets it."""
        session = self.sim.server.sessions.get(self.number)
        if session is None or not self.there:
            return
        fresh = bytes(session.outbox[self.seen :])
        self.seen += len(fresh)
        for unit in self._units(fresh):
            for message in self.decoder.receive(unit):
                assert isinstance(message, wire.ServerMessage), f"{self}: the server sent {message!r}"
                self.queued.append((len(unit), message))
                self.sim.checks.seen(self, message)

    def _units(self, data: bytes) -> list[bytes]:
        if self.codec is Codec.LINE:
            return [line + b"\n" for line in data.split(b"\n")[:-1]]
        units = []
        while data:
            end = _HEADER + int.from_bytes(data[:_HEADER], "big")
            units.append(data[:end])
            data = data[end:]
        return units

    def drain(self) -> None:
        """Let the peer take what it is sent, or some of it."""
        server, chance = self.sim.server, self.sim.chance
        while self.there and self.reads and (data := server.output(self.number)):
            assert len(data) <= self.seen, f"{self} may send bytes that were never collected"
            # What is in good order takes all at once: a request that waits here would cost it time.
            all_at_once = self.client.persona.good or chance.random() < 0.9
            count = len(data) if all_at_once else chance.randrange(1, len(data) + 1)
            server.sent(self.number, count, self.sim.now)
            self._take(count)
            if count < len(data):
                self.sim.events.add(self.sim.now + chance.uniform(0, 0.002), self.drain, host=True)
                return
        if self.there and server.closing(self.number) and not self.lingers:
            self.lingers = True
            linger = self.sim.server.settings.linger if server.output(self.number) else 0.0
            self.sim.events.add(self.sim.now + linger, self.tell_lost, host=True)

    def _take(self, count: int) -> None:
        self.seen -= count
        self.taken += count
        while self.queued and self.taken >= self.queued[0][0]:
            size, message = self.queued.popleft()
            self.taken -= size
            self.client.told(self, message)

    def __repr__(self) -> str:
        return f"<link {self.number} of {self.client.name}>"
