"""One simulation: a server, its world and its peers in virtual time, every choice drawn from one seed."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sized

from tests.core.simulation.checks import Checks
from tests.core.simulation.client import Client
from tests.core.simulation.events import Events
from tests.core.simulation.link import Link
from tests.core.simulation.program import Program
from tests.core.simulation.scenario import Party, Scenario
from tests.core.simulation.schedule import check_schedule
from tests.core.simulation.store import SlowStore
from tests.core.simulation.truth import Truth
from tyrusd.core.director import Director
from tyrusd.core.lobby import Lobby
from tyrusd.core.requests import News, ReadOnce, Request, StartBot, StopBot, Store, Transport
from tyrusd.core.schedule import Schedule
from tyrusd.core.server import Server
from tyrusd.core.settings import Settings
from tyrusd.league.fold import fold
from tyrusd.league.framing import HEADER, read_frames
from tyrusd.league.replay import verify

_MOST_STEPS = 2_000_000


class Simulation:
    """Drives one server until its games are played and everybody has gone."""

    def __init__(
        self,
        seed: int,
        scenario: Scenario,
        director: Director,
        settings: Settings,
        server: Callable[..., Server] = Server,
    ) -> None:
        self.seed = seed
        self.scenario = scenario
        self.director = director
        self.chance = random.Random(seed)
        self.now = 1000.0
        self.events = Events()
        self.truth = Truth()
        self.store = SlowStore(self, scenario.store_trouble)
        self.checks = Checks(self)
        self.tally: Counter[str] = Counter()
        self.links: dict[int, Link] = {}
        self.live: dict[int, Link] = {}  # those of them that are there
        self.parties: dict[str, Party] = {}
        self.houses: dict[str, Party] = {}
        self.programs: dict[int, Program] = {}
        self.told: set[str] = set()  # games whose result somebody was told
        self.news: list[News] = []
        self.lobby = scenario.lobby
        self.finale = False
        self.draining = False
        self.crashed = False
        self.busy_until = 0.0
        self.longest_wait = 0.1
        self._due: float | None = None
        self._lag = 0.0
        self._unflushed = False
        self.server = server(
            director, random.Random(seed ^ 0x5EED).randbytes, self.now, 1_700_000_000.0, settings
        )
        self._unflushed = True

    @property
    def clients(self) -> Mapping[str, Party]:
        """Everyone who can have a seat, by name."""
        return {**self.parties, **self.houses}

    @property
    def may_abort(self) -> bool:
        """Whether something has happened that ends games without a result."""
        return self.draining or self.scenario.may_halt

    def wants_games(self) -> bool:
        """Whether not enough games have been begun."""
        return len(self.truth.games) < self.scenario.games and not self.draining

    # -- the world as the server sees it -------------------------------------------------------------------

    def connect(self, client: Client, transport: Transport) -> Link:
        """Let a peer connect."""
        numbers: list[int] = []
        self.call(lambda now: numbers.append(self.server.connect(transport, now)))
        link = Link(self, client, numbers[0], transport.codec)
        self.links[link.number] = self.live[link.number] = link
        return link

    def stand_still(self, seconds: float) -> None:
        """Let the host do nothing for a while, as one that is stopped."""
        self.flush()
        for link in self.live.values():
            if link.queued:  # a request may be among what it has not taken, and wait there as long
                link.client.party.sins.add("paused")
        self.busy_until = self.now + seconds
        self.longest_wait = max(self.longest_wait, seconds + 0.1)

    def crash(self) -> None:
        """Let the server end in mid-step: only what is in the journal and the store remains."""
        self.crashed = True

    def drain(self, grace: float) -> None:
        """Close the server down."""
        self.draining = True
        self.call(lambda now: self.server.drain(now, grace))

    def call(self, step: Callable[[float], None]) -> None:
        """Let the server take one step."""
        assert self.now >= self.busy_until, "a host that stands still takes no step"
        gap = self.now - self.server.now
        if gap > self.server.settings.stall and "heartbeat" in self.server.timers:
            self.truth.stood_still(gap)
            self.tally["pauses made good"] += 1
        step(self.now)
        self._unflushed = True
        self.tally["steps"] += 1
        if self.live and self.chance.random() < 0.02:
            # A stream can become writable in the middle of a batch, before the journal is written.
            self.chance.choice(list(self.live.values())).drain()

    def flush(self) -> None:
        """Do what a host does after a batch of steps: journal, send, ask the world."""
        server = self.server
        if not self._unflushed:
            return
        while self._unflushed:
            self._unflushed = False
            found = server.collect()
            self.truth.journal(found.journal, self.now)
            for request in found.requests:
                if isinstance(request, Store):
                    self.checks.ended(request)
            touched = [self.links[number] for number in found.dirty]
            for link in touched:
                link.look()
            self.checks.after_round()
            for link in touched:
                link.drain()
            for request in found.requests:
                self._request(request)
            self.news += found.news
        self.checks.after_step()

    def _request(self, request: Request) -> None:
        match request:
            case Store():
                self.store.ask(request)
            case ReadOnce():
                self._read_once(request.peer)
            case StartBot():
                party = self.houses[request.name]
                program = Program(self, request, party, self.scenario.program_games)
                self.programs[request.id] = program
                program.start(self.scenario.program_trouble)
            case StopBot():
                self.programs[request.id].stop()

    def _read_once(self, peer: int) -> None:
        link = self.links[peer]
        delay = self.chance.choice((0.0, 0.0, 0.0, 0.3, None))

        def read() -> None:
            if link.there:
                link.let_read(whatever=True)
                self.call(lambda now: self.server.polled(peer, now))

        if delay == 0.0:
            read()
        elif delay is not None:
            self.events.add(self.now + delay, read, host=True)

    # -- time ----------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Play until the end; AssertionError, or whatever the server raises, when something is wrong."""
        self.flush()
        for _ in range(_MOST_STEPS):
            if self._over() or not self._advance():
                break
        else:
            raise AssertionError("the simulation does not end")
        if not self.crashed:
            self.flush()
        self._account()

    def _over(self) -> bool:
        scenario = self.scenario
        if self.crashed:
            return True
        if not self.finale and (self._played() or self.now > 1000.0 + scenario.longest):
            self._begin_finale()
        return False

    def _played(self) -> bool:
        server = self.server
        if self.draining or not self.lobby:
            return server.finished
        return not self.wants_games() and not server.tables

    def _begin_finale(self) -> None:
        """Everybody leaves; what is left of the server must go by itself."""
        self.flush()
        self.finale = True
        if not self.lobby and not self.server.finished:
            self.drain(0.0)
        for link in self.live.values():
            link.client.party.sins.add("gone")
            self.events.add(self.now + self.chance.uniform(0, 1), link.lose)

    def _advance(self) -> bool:
        """Let the next thing happen; False when there is nothing more."""
        due = self.server.deadline()
        if due != self._due:
            self._due = due
            self._lag = 0.0 if self.chance.random() < 0.7 else self.chance.uniform(0, 0.02)
        tick = None if due is None else max(due + self._lag, self.busy_until, self.now)
        event = self.events.next()
        if tick is None and event is None:
            more = self._unflushed
            self.flush()
            return more
        first = event is None or (
            tick is not None and (tick < event or (tick == event and self.chance.random() < 0.5))
        )
        at = tick if first else event
        assert at is not None
        if self._unflushed and (at > self.now or self.chance.random() < 0.5):
            self.flush()  # or else more happens in the same batch
            return True
        self.now = max(at, self.now)
        if first:
            self.call(self.server.tick)
            for link in list(self.live.values()):
                if link.arrived:
                    link.let_read()
            return True
        happening = self.events.pop()
        if happening.host and self.now < self.busy_until:
            self.events.put_off(happening, self.busy_until)
        else:
            happening.action()
        return True

    # -- the end -------------------------------------------------------------------------------------------

    def _account(self) -> None:
        """Nothing that was told may be missing in the store, and nothing may be left in memory."""
        missing = self.told - self.truth.kept.keys()
        assert not missing, f"{missing}: told, but not kept"
        folded = fold(read_frames(HEADER + b"".join(self.truth.durable)))
        for record in folded.finished.values():
            verify(record)
        if self.crashed:
            return
        server = self.server
        for what, there in self._left().items():
            assert not len(there), f"{what} are left at the end: {there}"
        assert server.finished or not self.draining
        ended = {game.id for game in self.truth.games.values()} - folded.finished.keys()
        most = server.settings.store_attempts or math.inf
        lost = {game for game in ended if self.store.failures.get(game, 0) < most}
        assert not lost, f"{lost}: neither kept nor given up"
        if isinstance(self.director, Schedule):
            check_schedule(self, self.director)

    def _left(self) -> dict[str, Sized]:
        """All that the server remembers about games and peers."""
        server, director = self.server, self.director
        left: dict[str, Sized] = {
            "tables": server.tables, "sessions": server.sessions, "players": server.players,
            "bots": server.bots, "timers": server.timers, "results": server.storing,
            "hosts": server.presence._hosts,
        }  # fmt: skip
        if isinstance(director, Lobby):
            left |= {
                "seeks": director.seeking.seeks, "waiting": director.houses.waiting, "terms": director.terms,
                "offers": director.challenges.open, "series": director.challenges.series,
            }  # fmt: skip
        return left
