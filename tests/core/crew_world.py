"""A crew in memory: pairs are handed to it, its programs are peers that answer as their policy says."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence

from tests.core.match_world import Behaviour, MatchWorld
from tests.core.world import Peer
from tyrusd.core.crew import Crew, CrewBot
from tyrusd.core.requests import GameOver, PairDone, Unready
from tyrusd.core.seatspec import SeatSpec
from tyrusd.core.settings import DEFAULTS, Settings
from tyrusd.league.clock import BOTS, TimeControl
from tyrusd.league.schema import Payload
from tyrusd.league.tournament.played import Played, played_of
from tyrusd.league.tournament.task import PairTask
from tyrusd.rules.deal import deal_from_bytes, pair_secret, seat_seed, twin_secret
from tyrusd.rules.notation import read_view
from tyrusd.rules.pieces import Side
from tyrusd.rules.variants import STANDARD
from tyrusd.wire import messages as wire

Policy = Callable[["CrewWorld", Peer, wire.Choose], wire.Place | None]
MACHINE = ("here", "a processor")


def bot(name: str, kind: str = "plugin", control: TimeControl = BOTS, key: str | None = None) -> CrewBot:
    return CrewBot(name, SeatSpec(kind, name), control, key)


def task(
    pair: int = 1,
    first: str = "one",
    second: str = "two",
    games: tuple[int, ...] = (1, 2),
    attempt: int = 1,
    seed: str = "s",
    twins: bool = True,
) -> PairTask:
    secret = pair_secret(seed, pair, attempt)
    one, two = [
        (seat_seed(twin_secret(secret, game), Side.IVORY), seat_seed(twin_secret(secret, game), Side.BROWN))
        for game in (1, 2)
    ]
    return PairTask(pair, attempt, 1, first, second, games, twins, deal_from_bytes(secret), (one, two))


def crew(
    bots: Sequence[CrewBot] = (),
    concurrency: int = 1,
    wait: float = 60.0,
    shared: bool = False,
    idle: int = 16,
    max_failures: int = 2,
) -> Crew:
    return Crew(
        bots or (bot("one"), bot("two")),
        STANDARD,
        concurrency=concurrency,
        machine=MACHINE,
        wait=wait,
        shared=shared,
        idle=idle,
        max_failures=max_failures,
    )


def first_tile(world: CrewWorld, peer: Peer, request: wire.Choose) -> wire.Place | None:
    """Place the first tile of the hand into a building of the open election."""
    shown = read_view(request.view)
    building = "IB"[request.request % 2] + shown.kind.letter
    return wire.Place(game=request.game, request=request.request, tile=str(shown.hand[0]), building=building)


class CrewWorld(MatchWorld):
    """Asks the policy of a bot whenever one of its programs is asked; a forgetful one keeps no messages."""

    def __init__(
        self,
        director: Crew | None = None,
        games: int = 1,
        behave: Behaviour | None = None,
        policies: Mapping[str, Policy] | None = None,
        settings: Settings = DEFAULTS,
        forgetful: bool = False,
    ) -> None:
        self.crew = director or crew()
        self.policies = dict(policies or {})
        self.forgetful = forgetful
        self.asked: deque[tuple[Peer, wire.Choose]] = deque()
        self.most = 0  # games that ran at once
        super().__init__(self.crew, games, behave, settings)

    def run(self) -> None:
        self.most = max(self.most, len(self.server.tables))
        super().run()

    def _write(self, number: int) -> None:
        peer = self.peers[number]
        seen = len(peer.inbox)
        super()._write(number)
        self.asked += [(peer, item) for item in peer.inbox[seen:] if isinstance(item, wire.Choose)]
        if self.forgetful:
            peer.raw = b""
            del peer.inbox[:-200]

    def give(self, *tasks: PairTask) -> None:
        for one in tasks:
            self.crew.play(one, self.now)
            self.run()
        self.start_programs()

    def finish(self) -> None:
        self.crew.finish(self.now)
        self.run()

    def name_of(self, peer: Peer) -> str:
        """The entrant whose program this is."""
        session = self.server.sessions.get(peer.number)
        return "" if session is None or session.player is None else session.player.known_as

    def play(self, most: int = 10_000_000) -> int:
        """Let everybody answer until nobody is asked or so many placements are made."""
        made = 0
        self.start_programs()
        while self.asked and made < most:
            peer, request = self.asked.popleft()
            table = self.server.tables.get(request.game)
            due = None if table is None else table.match.open_request
            if peer.closed or due is None or due.number != request.request:
                continue
            answer = self.policies.get(self.name_of(peer), first_tile)(self, peer, request)
            if answer is not None:
                peer.send(answer)
                made += 1
            self.start_programs()
        return made

    def play_all(self, patience: float = 3600.0) -> None:
        """Play, and let time pass when nothing else happens, until no pair is left."""
        end = self.now + patience
        self.play()
        while self.crew.outstanding:
            assert self.now < end, f"{self.crew!r} does not end"
            due = self.server.deadline()
            assert due is not None, f"{self.crew!r} waits for nothing"
            self.now = max(self.now, due)
            self.server.tick(self.now)
            self.run()
            self.play()

    @property
    def records(self) -> list[Payload]:
        return [dict(item.record) for item in self.news if isinstance(item, GameOver)]

    @property
    def played(self) -> list[Played]:
        found = [played_of(record) for record in self.records]
        return [one for one in found if one is not None]

    @property
    def ends(self) -> list[PairDone | Unready]:
        return [item for item in self.news if isinstance(item, PairDone | Unready)]
