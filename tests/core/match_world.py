"""A match in memory: programs are started at once as pipe peers and play the first tile of their hands."""

from __future__ import annotations

from collections.abc import Callable

from tests.core.world import Peer, World
from tyrusd.core.director import Director
from tyrusd.core.requests import BotFailed, GameOver, Halted, Request, StartBot, StopBot
from tyrusd.core.schedule import Entry, Schedule
from tyrusd.core.seatspec import SeatSpec
from tyrusd.core.settings import DEFAULTS, Settings
from tyrusd.league.clock import BOTS, TimeControl
from tyrusd.rules.notation import read_view
from tyrusd.rules.variants import STANDARD, Variant
from tyrusd.wire import Codec
from tyrusd.wire import messages as wire

Behaviour = Callable[["MatchWorld", StartBot, int], "Peer | None"]


class Program(Peer):
    """One process; `request` is what it was started for."""

    request: StartBot


def entry(name: str, kind: str = "plugin", key: str | None = None) -> Entry:
    return Entry(name, SeatSpec(kind, name), key)


def schedule(
    one: Entry | None = None,
    two: Entry | None = None,
    games: int = 1,
    seed: str = "s",
    variant: Variant = STANDARD,
    control: TimeControl = BOTS,
    concurrency: int = 1,
    wait: float = 60.0,
) -> Schedule:
    entries = (one or entry("one"), two or entry("two"))
    return Schedule(entries, games, seed, variant, control, concurrency, wait)


class MatchWorld(World):
    """Starts programs as `behave` says; by default they come and say hello."""

    def __init__(
        self,
        director: Director,
        games: int = 1,
        behave: Behaviour | None = None,
        settings: Settings = DEFAULTS,
    ) -> None:
        self.games = games
        self.behave = behave or well
        self.started: list[StartBot] = []
        self.stopped: list[int] = []
        self.programs: dict[int, Peer] = {}
        self.waiting: list[StartBot] = []
        self.director = director
        super().__init__(director, settings)
        self.start_programs()

    @property
    def schedule(self) -> Schedule:
        assert isinstance(self.director, Schedule)
        return self.director

    def _request(self, request: Request) -> None:
        if isinstance(request, StartBot):
            self.started.append(request)
            self.waiting.append(request)
        elif isinstance(request, StopBot):
            self.stopped.append(request.id)
        else:
            super()._request(request)

    def start_programs(self) -> None:
        """Do what was asked for since the last time, until nothing more is asked for."""
        while self.waiting:
            request = self.waiting.pop(0)
            peer = self.behave(self, request, len(self.started) - len(self.waiting))
            if peer is not None:
                self.programs[request.id] = peer

    def here(self) -> list[Peer]:
        return [peer for peer in self.peers.values() if not peer.closed]

    def play(self, most: int = 100_000) -> int:
        """Let everybody answer in turn until nobody is asked or so many placements are made."""
        made = 0
        while made < most:
            self.start_programs()
            asked = [
                (peer, request) for peer in self.here() if (request := self.open_request(peer)) is not None
            ]
            due = [(peer, request) for peer, request in asked if request is not None]
            if not due:
                break
            for peer, request in due[: most - made]:
                answer(peer, request)
                made += 1
        self.start_programs()
        return made

    def open_request(self, peer: Peer) -> wire.Choose | None:
        """A request of a peer that is still open."""
        for request in reversed(peer.got(wire.Choose)):
            table = self.server.tables.get(request.game)
            now_open = None if table is None else table.match.open_request
            if now_open is not None and now_open.number == request.request:
                return request
        return None

    @property
    def results(self) -> list[dict[str, object]]:
        return [dict(item.record["game"]) for item in self.news if isinstance(item, GameOver)]

    @property
    def halted(self) -> str | None:
        return next((item.sentence for item in self.news if isinstance(item, Halted)), None)


def answer(peer: Peer, request: wire.Choose) -> None:
    """Place the first tile of the hand into the building of the open election."""
    shown = read_view(request.view)
    building = "IB"[request.request % 2] + shown.kind.letter
    peer.send(
        wire.Place(game=request.game, request=request.request, tile=str(shown.hand[0]), building=building)
    )


def connect(world: MatchWorld, request: StartBot, codec: Codec = Codec.FRAME) -> Peer:
    return world.connect("pipe", codec, "pipe", request.id)


def well(world: MatchWorld, request: StartBot, number: int) -> Peer | None:
    """Start and say hello."""
    peer = connect(world, request)
    peer.send(wire.Hello(version="0.1", name=request.name, kind="bot", games=world.games))
    return peer


def fails(world: MatchWorld, request: StartBot, number: int) -> Peer | None:
    """There is no such program."""
    world.server.answer(BotFailed(request.id, "there is no such file"), world.now)
    world.run()
    return None


def never(world: MatchWorld, request: StartBot, number: int) -> Peer | None:
    """Nothing comes."""
    return None


def dies(world: MatchWorld, request: StartBot, number: int) -> Peer | None:
    """It ends before its hello."""
    connect(world, request).lose("exit status 3", "first line\nno module named \x1b[1mx\n\n")
    return None


def first_time(bad: Behaviour, times: int = 1, name: str = "one") -> Behaviour:
    """The first programs of a seat behave badly, the others well."""
    count = [0]

    def behave(world: MatchWorld, request: StartBot, number: int) -> Peer | None:
        if request.name == name and count[0] < times:
            count[0] += 1
            return bad(world, request, number)
        return well(world, request, number)

    return behave
