"""Carries a conversation to the real core in memory; the server's own bots answer by themselves."""

from __future__ import annotations

import itertools
from collections.abc import Callable

from tests.core.world import Peer, World
from tyrusd.core.lobby import Lobby
from tyrusd.core.requests import KeepMerge, MergeKept, StartBot
from tyrusd.core.restoring import Recovered
from tyrusd.core.seatspec import SeatSpec
from tyrusd.rules.deal import deal_from_bytes
from tyrusd.rules.notation import read_view
from tyrusd.rules.pieces import Side
from tyrusd.wire import Choose

HOUSES = ("cautious", "greedy", "random")


def ivory_opens() -> Callable[[int], bytes]:
    """A source of bytes whose deals let Ivory open, as the page promises."""
    numbers = itertools.count()

    def entropy(size: int) -> bytes:
        while True:
            found = next(numbers).to_bytes(size, "big")
            if deal_from_bytes(found).opener is Side.IVORY:
                return found

    return entropy


class InMemory:
    """A fresh server with its house bots, in memory; lobby: what else it has, left: from the days before."""

    def __init__(self, lobby: Lobby | None = None, left: Recovered | None = None) -> None:
        lobby = lobby or Lobby({name: SeatSpec("plugin", name) for name in HOUSES})
        self._world = World(lobby, entropy=ivory_opens(), recovered=left)
        self._peers: dict[str, Peer] = {}
        self._read: dict[str, int] = {}
        self._houses: list[Peer] = []

    def connect(self, peer: str) -> None:
        """Open a new connection for a peer."""
        self._peers[peer] = self._world.connect()
        self._read[peer] = 0

    def send(self, peer: str, line: str) -> None:
        """Send one line and let the house bots do what follows."""
        self._peers[peer].say(line)
        for request in [wanted for wanted in self._world.requests if isinstance(wanted, StartBot)]:
            house = self._world.connect("pipe", kind="pipe", bot=request.id)
            house.say(f"hello 0.1 {request.name} bot games=8")
            self._houses.append(house)
        for merge in [wanted for wanted in self._world.requests if isinstance(wanted, KeepMerge)]:
            self._world.server.answer(MergeKept(merge.id), self._world.now)
            self._world.run()
        self._world.requests.clear()
        for house in self._houses:
            asked, house.inbox = house.got(Choose), []
            for choose in asked:
                house.say(f"place {choose.game} {choose.request} {read_view(choose.view).hand[0]} BT")

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self._world.wait(seconds)

    def cut(self, peer: str) -> None:
        """Break a peer's connection off."""
        self._peers.pop(peer).lose()

    def next_line(self, peer: str) -> str | None:
        """The next line that the peer has been sent, if there is one within a second."""
        if not self.rest(peer):
            self._world.wait(1.0)
        lines = self.rest(peer)
        self._read[peer] += bool(lines)
        return lines[0] if lines else None

    def rest(self, peer: str) -> list[str]:
        """The lines that have not been read."""
        return self._peers[peer].text.splitlines()[self._read[peer] :]
