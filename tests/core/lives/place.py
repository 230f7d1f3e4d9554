"""One server after the other on one journal: each is killed somewhere, and the file starts the next one."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from tests.core.standing_world import CONTROL, accounts_of
from tyrusd.core.ladder_terms import LadderTerms
from tyrusd.core.lobby import Lobby
from tyrusd.core.requests import (
    BotFailed,
    GameOver,
    KeepMerge,
    MergeKept,
    ReadOnce,
    Request,
    StartBot,
    Store,
    Stored,
    StoreFailed,
    Transport,
)
from tyrusd.core.seatspec import SeatSpec
from tyrusd.core.server import Server
from tyrusd.core.settings import DEFAULTS
from tyrusd.host.recovery import recover
from tyrusd.league.framing import HEADER, read_frames
from tyrusd.league.game_row import GameRow, row_of
from tyrusd.league.standing_table import RatingTable
from tyrusd.wire import Codec

HOUSES: Final = {"Steady": SeatSpec("plugin", "steady"), "plain": SeatSpec("plugin", "plain")}
ACCOUNTS: Final = ("bob", "cy", "dee", "eve")
OWNERS: Final = {"bob": "ada", "dee": "ada"}
LADDER: Final = LadderTerms(CONTROL, {"Steady": 1000})
# Nobody here is slowed down, and hours pass in few steps: limits have tests of their own.
SETTINGS: Final = replace(
    DEFAULTS,
    lines_per_second=1e6, lines_burst=1e6, error_budget=1e6, resume_failures_per_minute=1e6,
    account_failures_per_minute=1e6, logins_per_minute=1e6, event_steps_per_minute=1e6,
    ping_after=3000.0, heartbeat=3000.0, stall=1e6, ladder_gather=20.0,
    house_games_per_player=2,
)  # fmt: skip
_DEAL: Final = 32  # bytes from which a deal comes
DRAWN: Final = bytes([2] * _DEAL)  # the deal that is drawn when both always play their first tile
_DRAWN_OFTEN: Final = 0.4
_TWICE: Final = 0.15  # how often a journal is read a second time
_EPOCH: Final = 1_700_000_000.0


class Died(Exception):  # noqa: N818 -- it is what happened
    """The server was killed while it wrote."""


class Ear(Protocol):
    """Who hears the lines of a connection."""

    def hear(self, line: str) -> None:
        """Take a line."""

    def cut(self, peer: int) -> None:
        """The connection is gone."""


class Before(NamedTuple):
    """What stood in the journal when a server was started: whole records only."""

    frames: list[bytes]
    rows: dict[str, int]


class Place:
    """Does what a host does; frames: all records of all servers.

    fuse: so many records until the server is killed while it writes, None for no such thing. stores: results
    that were written and are not synced yet, as long as `slow` is on; full: nothing can be written.
    """

    def __init__(self, path: Path, chance: random.Random, ladder: bool, frames: Sequence[bytes] = ()) -> None:
        self.path, self.chance, self.ladder = path, chance, ladder
        self.now = 1000.0
        self.frames = list(frames)
        self.synced = 0
        self.fuse: int | None = None
        self.slow = self.full = False
        self.off: set[str] = set()  # accounts that are disabled
        self.wall = _EPOCH  # somebody may have set the clock
        self.houses = dict(HOUSES)  # as the operator has configured them
        self.index: dict[str, int] = {}
        self.behind: dict[str, GameRow] = {}
        self.table = RatingTable()
        self.read: Before
        self.server: Server
        self.lobby: Lobby
        self.start()

    # -- starting and dying --------------------------------------------------------------------------------

    def start(self) -> None:
        """Start a server on the file, as `tyrusd serve` does."""
        self.stores: list[Store] = []
        self.programs: list[StartBot] = []
        self.ears: dict[int, Ear] = {}
        self.fuse, self.slow, self.full = None, False, False
        data = HEADER + b"".join(self.frames)
        self.read = Before(list(self.frames), dict(self.index))
        self.path.write_bytes(data + self._torn())
        found = recover(self.path, self.houses, SETTINGS, self.index)
        found.journal.close()
        whole = self.path.read_bytes()
        assert whole.startswith(data), "the file was changed where it was whole"
        self.frames += _split(whole[len(data) :])
        self.synced = len(self.frames)
        self.missing = found.missing
        self.index |= {row.id: hash(row) for row in found.missing}
        if self.chance.random() < _TWICE:
            again = recover(self.path, self.houses, SETTINGS, self.index)
            again.journal.close()
            assert not again.missing and whole == self.path.read_bytes(), "it is not the same the second time"
        accounts = accounts_of(ACCOUNTS, OWNERS, self.off)
        self.lobby = Lobby(self.houses, accounts, True, self._terms())
        self.server = Server(
            self.lobby, self._entropy, self.now, self.wall + self.now, SETTINGS, found.recovered
        )
        self.server.step(lambda at: self.lobby.admission.changed(accounts, at), self.now)
        self.server.step(lambda at: self.lobby.standing.take(self.table, at), self.now)
        for name in self.path.parent.glob("*.tail-*"):
            name.unlink()

    def _terms(self) -> LadderTerms | None:
        anchors = {name: elo for name, elo in LADDER.anchors.items() if name in self.houses}
        return LADDER._replace(anchors=anchors) if self.ladder else None

    def disable(self, name: str) -> None:
        """Disable an account while the server runs, or let it in again."""
        self.off.symmetric_difference_update({name})
        accounts = accounts_of(ACCOUNTS, OWNERS, self.off)
        self.server.step(lambda at: self.lobby.admission.changed(accounts, at), self.now)
        self.run()

    def _torn(self) -> bytes:
        """What a record that was being written leaves behind."""
        chance = self.chance
        frame = chance.choice(self.frames) if self.frames and chance.random() < 0.2 else b""
        return frame[: chance.randrange(len(frame))] if frame else b""

    def kill(self, power: bool = False) -> None:
        """Forget the server; power: what was not synced may be lost, and the machine needs its time."""
        if power:
            del self.frames[self.chance.randint(self.synced, len(self.frames)) :]
        self.now += self.chance.choice((0.1, 3.0, 100.0, 5000.0))
        self.behind.clear()  # the index got no further

    def _entropy(self, count: int) -> bytes:
        if count == _DEAL and self.chance.random() < _DRAWN_OFTEN:
            return DRAWN
        return self.chance.randbytes(count)

    # -- what a host does ----------------------------------------------------------------------------------

    def connect(self, ear: Ear, bot: int | None = None, host: str = "127.0.0.1") -> int:
        """A connection that somebody listens at."""
        transport = Transport("pipe" if bot else host, Codec.LINE, "pipe" if bot else "socket", bot)
        number = self.server.connect(transport, self.now)
        self.ears[number] = ear
        self.run()
        return number

    def say(self, peer: int, text: str) -> None:
        """Send lines."""
        self.server.receive(peer, f"{text}\n".encode(), self.now)
        self.run()

    def lose(self, peer: int) -> None:
        """A stream is gone."""
        self._cut(peer)
        self.run()

    def act(self, action: Callable[[], object]) -> None:
        """Let something happen to the server."""
        action()
        self.run()

    def run(self) -> None:
        """Do what the steps have left to do; raises Died when the server is killed over it."""
        while True:
            done = self.server.collect()
            for entry in done.journal:
                self._keep(entry)
            for item in done.news:
                if isinstance(item, GameOver):
                    record = dict(item.record)
                    self.behind[record["id"]] = row_of(record, item.deal)
            for number in done.dirty:
                self._write(number)
            for request in done.requests:
                self._request(request)
            if self.behind and self.chance.random() < 0.3:
                self.index |= {game: hash(row) for game, row in self.behind.items()}
                self.behind.clear()
            if not (done.journal or done.news or done.dirty or done.requests):
                return

    def _keep(self, entry: bytes) -> None:
        self.frames.append(entry)
        if self.fuse is not None:
            self.fuse -= 1
            if self.fuse <= 0:
                raise Died

    def _write(self, number: int) -> None:
        ear = self.ears.get(number)
        while ear is not None and (data := self.server.output(number)):
            self.server.sent(number, len(data), self.now)
            for line in data.decode().splitlines():
                ear.hear(line)
        if ear is not None and self.server.closing(number):
            self._cut(number)

    def _cut(self, number: int) -> None:
        ear = self.ears.pop(number, None)
        if ear is not None:
            ear.cut(number)
        self.server.lost(number, self.now)

    def _request(self, request: Request) -> None:
        if isinstance(request, Store):
            if self.full:
                self.server.answer(StoreFailed(request.id, "no space left"), self.now)
                return
            if request.payload:
                self._keep(request.payload)
            self.stores.append(request)
            if not self.slow:
                self.sync()
        elif isinstance(request, ReadOnce):
            self.server.polled(request.peer, self.now)
        elif isinstance(request, StartBot):
            self.programs.append(request)
        elif isinstance(request, KeepMerge):
            self.server.answer(MergeKept(request.id), self.now)

    def sync(self) -> None:
        """What was written is durable."""
        self.synced = len(self.frames)
        stores, self.stores = self.stores, []
        for request in stores:
            self.server.answer(Stored(request.id), self.now)

    def refuse(self, request: StartBot) -> None:
        """A program cannot be started."""
        self.act(lambda: self.server.answer(BotFailed(request.id, "it is not there"), self.now))

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        end = self.now + seconds
        while (due := self.server.deadline()) is not None and due <= end:
            self.now = max(self.now, due)
            self.act(lambda: self.server.tick(self.now))
        self.now = end


def _split(data: bytes) -> list[bytes]:
    """Cut whole records apart."""
    offsets = [offset for offset, _ in read_frames(HEADER + data)] + [len(HEADER) + len(data)]
    return [(HEADER + data)[at:end] for at, end in pairwise(offsets)]
