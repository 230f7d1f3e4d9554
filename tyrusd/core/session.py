"""One connected peer: its framing, its phase, its limits, and the bytes it has yet to be sent."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from tyrusd.core.allowance import Allowance
from tyrusd.core.counts import Counts
from tyrusd.core.failures import Refused
from tyrusd.core.requests import Transport
from tyrusd.core.settings import Settings
from tyrusd.core.wirelog import RECEIVED, RECEIVED_FRAME, SENT, SENT_FRAMES, SeatLog
from tyrusd.wire import Codec, Connection, Phase, Role
from tyrusd.wire import messages as wire

if TYPE_CHECKING:
    from tyrusd.core.checking import Check
    from tyrusd.core.player import Player
    from tyrusd.core.table import Table

LATER: Final = "Read what was sent to you before, then ask again."


class Session:
    """One peer from its connection to its goodbye; the server owns it and decides, the session remembers."""

    __slots__ = (
        "backlog",
        "begun_at",
        "check",
        "closing",
        "collected",
        "connection",
        "counted",
        "counts",
        "dirty",
        "doom",
        "doomed",
        "early",
        "encode",
        "ended",
        "errors",
        "guarded",
        "heard",
        "held",
        "held_contents",
        "hides",
        "last_pause",
        "logged",
        "number",
        "offered",
        "opening",
        "outbox",
        "overflown",
        "paused",
        "phase",
        "pinged",
        "player",
        "polling",
        "progress",
        "rate",
        "received_as",
        "retired",
        "room",
        "sent_as",
        "settings",
        "split",
        "strikes",
        "transport",
        "waiting",
        "watching",
    )

    def __init__(
        self,
        number: int,
        transport: Transport,
        settings: Settings,
        dirty: dict[int, Session],
        doomed: list[Session],
        now: float,
        counts: Counts,
    ) -> None:
        self.counts = counts
        self.number = number
        self.transport = transport
        self.settings = settings
        self.dirty = dirty
        self.doomed = doomed
        self.connection = Connection(Role.SERVER, transport.codec)
        self.encode = self.connection.encode
        framed = transport.codec is Codec.FRAME
        self.sent_as = SENT_FRAMES if framed else SENT  # in the log of a game
        self.received_as = RECEIVED_FRAME if framed else RECEIVED
        self.logged: list[SeatLog] = []  # the logs that have the last line that was no message
        self.hides = False  # whether a secret was left out of them, which an error may quote
        self.phase = Phase.NEW
        self.player: Player | None = None
        self.outbox = bytearray()
        self.collected = 0  # bytes of the outbox that the host may send: what caused them is in the journal
        self.offered = 0  # those of them that its stream was given; whole messages, if not split
        self.split = False  # a frame was given in part
        self.room = settings.output_base
        self.overflown = False  # something did not fit: what follows would leave a gap
        self.counted = False  # among the connections of its host
        self.closing = False
        self.ended = False  # it has half-closed, and what it had said is not all answered
        self.retired = False  # its stream is gone
        self.doom: tuple[str, str] | None = None  # the goodbye it gets at the end of this step
        self.rate = Allowance(settings.lines_burst, settings.lines_per_second, now)
        self.early = Allowance(settings.early_errors, 1e-9, now)
        self.errors = Allowance(settings.error_budget, 1 / settings.error_refill, now)
        self.strikes = 0
        self.last_pause = now
        self.paused = False
        self.opening = b""  # the first bytes, by which other protocols are known
        self.backlog = b""  # input read while paused
        self.held: list[wire.Message | wire.Refusal] = []  # what was decoded when the rate ran out
        self.held_contents: list[bytes] = []  # the lines or frames of these
        self.heard = now
        self.pinged = False
        self.begun_at: float | None = None
        self.waiting = False  # output waits for the peer to take it
        self.guarded = False  # a timer watches over that
        self.progress = now  # when it last took some, or when its output began to wait
        self.polling: list[Table] = []  # tables that wait for the last read of this peer
        self.watching: dict[str, Table] = {}
        self.check: Check | None = None  # the conformance run that has this session

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

    @property
    def is_behind(self) -> bool:
        """Whether so much waits for the peer that nothing long may be added by its own wish."""
        return len(self.outbox) > self.room // 2

    def fits(self, messages: Iterable[wire.ServerMessage]) -> bool:
        """Tell whether a list leaves half of the peer's queue free for its games."""
        size = sum(len(self.encode(message)) for message in messages)
        return len(self.outbox) + size <= self.room // 2

    def tell(self, messages: Iterable[wire.ServerMessage]) -> None:
        """Queue a list that the peer has asked for.

        Raises Refused if other output waits already and the half of the queue that is not kept for its games
        does not take both; an empty queue takes any list.
        """
        told = b"".join([self.encode(message) for message in messages])
        if self.outbox and len(self.outbox) + len(told) > self.room // 2:
            raise Refused("unavailable", LATER)
        self.write(told)

    def write(self, data: bytes) -> None:
        """Queue bytes that were encoded with this session's codec.

        A peer that lets its queue grow past its room is marked too slow; the server says goodbye to it at
        the end of the step, so that nobody's game waits for a reader.
        """
        if self.closing or self.overflown:
            return
        if len(self.outbox) + len(data) <= self.room:
            self.outbox += data
            self.dirty[self.number] = self
        else:
            self.overflown = True
            self.counts.limits["output_base"] += 1
            self.condemn("too-slow", "You did not read what was sent in time. Come again and resume.")

    def offer(self, most: int) -> bytes:
        """Give the stream up to `most` bytes of what was collected; lines are not cut."""
        end = min(self.collected, most)
        self.split = False
        if end < self.collected:
            if self.transport.codec is Codec.LINE:
                end = self.outbox.rfind(b"\n", 0, end) + 1
            else:
                self.split = True
        self.offered = end
        return bytes(memoryview(self.outbox)[:end])

    def part(self, reason: str, sentence: str) -> None:
        """Say goodbye in the place of all that its stream was not given yet, which nobody may learn."""
        if self.closing and self.offered == len(self.outbox):
            return  # another goodbye is on its way
        del self.outbox[self.offered :]
        self.closing = False
        self.close(reason, sentence)
        if self.split:
            del self.outbox[self.offered :]  # a goodbye inside a frame would be nonsense
        self.collected = len(self.outbox)

    def condemn(self, reason: str, sentence: str) -> None:
        """Mark the peer for a goodbye at the end of this step; the first reason stands."""
        if self.doom is None:
            self.doom = (reason, sentence)
            self.doomed.append(self)

    def open_room(self, games: int, now: float) -> None:
        """Size the queue and the burst for a peer that plays this many games at once."""
        settings = self.settings
        self.room = settings.output_base + games * settings.output_per_game
        self.rate = Allowance(settings.lines_burst + games, settings.lines_per_second, now)

    def close(self, reason: str, sentence: str) -> None:
        """Queue the goodbye; nothing is read or queued after it."""
        if self.closing:
            return
        self.counts.goodbyes[reason] += 1
        self.outbox += self.encode(wire.Bye(reason, sentence))
        self.closing = True
        self.phase = Phase.LEAVING
        self.backlog = b""
        self.held = []
        self.held_contents = []
        self.dirty[self.number] = self
