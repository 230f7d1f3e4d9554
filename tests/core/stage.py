"""A world whose peers can stop reading and whose last reads find something; games begun in one line."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tests.core.world import Peer, World
from tyrusd.core.lobby import Lobby
from tyrusd.core.requests import ReadOnce, Request, Store, StoreFailed
from tyrusd.core.restoring import Recovered
from tyrusd.core.settings import DEFAULTS, Settings
from tyrusd.rules.notation import read_view
from tyrusd.wire import messages as wire

NOWHERE = ("IC", "IM", "IT", "BC", "BM", "BT")


class Stage(World):
    """A lobby in memory; deaf peers take nothing, unread is what the last read of a peer finds."""

    def __init__(
        self,
        settings: Settings = DEFAULTS,
        seed: int = 1,
        lobby: Lobby | None = None,
        entropy: Callable[[int], bytes] | None = None,
        recovered: Recovered | None = None,
    ) -> None:
        self.deaf: set[int] = set()
        self.unread: dict[int, bytes] = {}
        self.reads: list[int] = []  # peers that were read once more
        self.polls = True
        self.failing = 0  # so many attempts to store fail
        super().__init__(lobby or Lobby({}), settings, seed, entropy, recovered)

    def _write(self, number: int) -> None:
        if number not in self.deaf:
            super()._write(number)

    def _request(self, request: Request) -> None:
        if isinstance(request, ReadOnce):
            self.reads.append(request.peer)
            data = self.unread.pop(request.peer, b"")
            if data:
                self.server.receive(request.peer, data, self.now)
            if self.polls:
                self.server.polled(request.peer, self.now)
        elif isinstance(request, Store) and self.failing:
            self.failing -= 1
            self.stored.append(request)
            self.server.answer(StoreFailed(request.id, "no space left"), self.now)
        else:
            super()._request(request)

    def jump(self, seconds: float) -> None:
        """Let time pass without a step, as while the whole process is stopped; then tick."""
        self.now += seconds
        self.server.tick(self.now)
        self.run()


class Pair(NamedTuple):
    """Two peers at one table; the mover has the open request."""

    mover: Peer
    other: Peer
    game: str


def begin(
    stage: Stage,
    kinds: tuple[str, str] = ("bot", "bot"),
    terms: str = "",
    extra: str = "",
    names: tuple[str, str] = ("ada", "bob"),
    hosts: tuple[str, str] = ("127.0.0.1", "127.0.0.1"),
) -> Pair:
    """Let two peers come and begin a game with each other."""
    one, two = (
        stage.join(name, kind, extra, host) for name, kind, host in zip(names, kinds, hosts, strict=True)
    )
    return again(one, two, terms)


def again(one: Peer, two: Peer, terms: str = "") -> Pair:
    """Let two peers begin a game with each other."""
    one.say(f"seek {terms}".strip())
    two.say(f"seek {terms}".strip())
    game = one.last(wire.Start).game
    return Pair(one, two, game) if asked(one, game) else Pair(two, one, game)


def asked(peer: Peer, game: str) -> wire.Choose | wire.Turn | None:
    """The newest request to a peer in a game, if it is still open as far as the peer can know."""
    requests = [
        item for item in peer.inbox if isinstance(item, wire.Choose | wire.Turn) and item.game == game
    ]
    return requests[-1] if requests else None


def hand(peer: Peer, game: str) -> list[str]:
    """The tiles that the newest complete request of a game shows in the peer's hand."""
    request = asked(peer, game)
    assert isinstance(request, wire.Choose), peer.text
    return [str(tile) for tile in read_view(request.view).hand]


def answer_line(peer: Peer, game: str, tile: str | None = None, building: str = "IC", tag: str = "") -> str:
    """The line that answers the newest request of a peer, with the first tile of its hand by default."""
    request = asked(peer, game)
    assert request is not None, peer.text
    return f"place {game} {request.request} {tile or hand(peer, game)[0]} {building}{tag and f' tag={tag}'}"


def play_on(one: Peer, two: Peer, game: str, most: int = 54) -> int:
    """Play a game on, at most so many placements, always the first tile of the hand; how many were made."""
    made = 0
    for peer in (one, two) * most:
        request = asked(peer, game)
        while made < most and request is not None and request == _open(peer, game):
            peer.say(answer_line(peer, game, building=NOWHERE[made % 6]))
            made += 1
            request = asked(peer, game)
        if peer.got(wire.Over) and peer.last(wire.Over).game == game:
            break
    return made


def _open(peer: Peer, game: str) -> wire.Choose | wire.Turn | None:
    table = peer.world.server.tables.get(game)
    request = asked(peer, game)
    if table is None or table.match.open_request is None or request is None:
        return None
    return request if table.match.open_request.number == request.request else None
