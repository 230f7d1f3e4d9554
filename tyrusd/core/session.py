"""One connected peer: its framing, its phase, its limits, and the bytes it has yet to be sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tyrusd.core.allowance import Allowance
from tyrusd.core.requests import Transport
from tyrusd.core.settings import Settings
from tyrusd.wire import Connection, Phase, Role
from tyrusd.wire import messages as wire

if TYPE_CHECKING:
    from tyrusd.core.player import Player
    from tyrusd.core.table import Table


class Session:
    """One peer from its connection to its goodbye; the server owns it and decides, the session remembers."""

    __slots__ = (
        "backlog",
        "begun_at",
        "closing",
        "connection",
        "dirty",
        "doom",
        "early",
        "encode",
        "errors",
        "heard",
        "held",
        "last_pause",
        "number",
        "outbox",
        "paused",
        "phase",
        "pinged",
        "player",
        "polling",
        "progress",
        "rate",
        "retired",
        "room",
        "settings",
        "strikes",
        "transport",
        "watching",
    )

    def __init__(
        self, number: int, transport: Transport, settings: Settings, dirty: dict[int, Session], now: float
    ):
        self.number = number
        self.transport = transport
        self.settings = settings
        self.dirty = dirty
        self.connection = Connection(Role.SERVER, transport.codec)
        self.encode = self.connection.encode
        self.phase = Phase.NEW
        self.player: Player | None = None
        self.outbox = bytearray()
        self.room = settings.output_base
        self.closing = False
        self.retired = False  # its stream is gone
        self.doom: tuple[str, str] | None = None  # the goodbye it gets at the end of this step
        self.rate = Allowance(settings.lines_burst, settings.lines_per_second, now)
        self.early = Allowance(settings.early_errors, 1e-9, now)
        self.errors = Allowance(settings.error_budget, 1 / settings.error_refill, now)
        self.strikes = 0
        self.last_pause = now
        self.paused = False
        self.backlog = b""  # input read while paused
        self.held: list[wire.Message | wire.Refusal] = []  # what was decoded when the rate ran out
        self.heard = now
        self.pinged = False
        self.begun_at: float | None = None
        self.progress = now
        self.polling: list[Table] = []  # tables that wait for the last read of this peer
        self.watching: dict[str, Table] = {}

    def __repr__(self) -> str:
        name = self.player.name if self.player else "nobody yet"
        return f"<Session {self.number} from {self.transport.host}: {name}>"

    @property
    def is_pipe(self) -> bool:
        """Whether the peer is a program whose end is its own."""
        return self.transport.kind == "pipe"

    def send(self, message: wire.ServerMessage) -> None:
        """Queue one message."""
        self.write(self.encode(message))

    def write(self, data: bytes) -> None:
        """Queue bytes that were encoded with this session's codec.

        A peer that lets its queue grow past its room is marked too slow; the server says goodbye to it at
        the end of the step, so that nobody's game waits for a reader.
        """
        if self.closing:
            return
        if len(self.outbox) + len(data) <= self.room:
            self.outbox += data
        elif self.doom is None:
            self.doom = (
                "too-slow",
                "You did not read what was sent; the queue is full. Come again and resume.",
            )
        self.dirty[self.number] = self

    def open_room(self, games: int, now: float) -> None:
        """Size the queue and the burst for a peer that plays this many games at once."""
        settings = self.settings
        self.room = settings.output_base + games * settings.output_per_game
        self.rate = Allowance(settings.lines_burst + games, settings.lines_per_second, now)

    def close(self, reason: str, sentence: str) -> None:
        """Queue the goodbye; nothing is read or queued after it."""
        if self.closing:
            return
        self.outbox += self.encode(wire.Bye(reason, sentence))
        self.closing = True
        self.phase = Phase.LEAVING
        self.backlog = b""
        self.held = []
        self.dirty[self.number] = self
