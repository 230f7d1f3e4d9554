"""How a simulated peer answers requests: in time or not, rightly or not, once or more often."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tyrusd.rules.pieces import ALL_TILES
from tyrusd.wire import messages as wire

if TYPE_CHECKING:
    from tests.core.simulation.client import Client
    from tests.core.simulation.link import Link

_BUILDINGS = ("IC", "IM", "IT", "BC", "BM", "BT")
_LONGEST_THOUGHT = 2.0
_EDGES = (0.0, 0.001, 0.0495, 0.05, 0.05, 0.05, 0.0501, 0.051, 0.06)  # seconds after the time is up


class Answers:
    """The open requests of one peer, and what becomes of them."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._sim = client.sim
        self._open: dict[str, int] = {}

    def forget(self) -> None:
        """Another connection: what is open will be asked again."""
        self._open.clear()

    def closed(self, game: str) -> None:
        """A game is over."""
        self._open.pop(game, None)

    def asked(self, link: Link, message: wire.Choose | wire.Turn) -> None:
        """Decide how to answer, and when."""
        if self._open.get(message.game) == message.request:
            return  # asked again, by `look`
        self._open[message.game] = message.request
        client, chance = self._client, self._sim.chance
        persona, sins = client.persona, client.party.sins
        left = _LONGEST_THOUGHT if message.left is None else message.left / 1000
        wait = chance.uniform(0, min(0.6 * left, _LONGEST_THOUGHT))
        limited = message.left is not None
        if limited and chance.random() < persona.silent:
            sins.add("silent")
            return
        if limited and chance.random() < persona.late:
            sins.add("late")
            wait = left + 0.0501 + chance.expovariate(2)
        elif limited and chance.random() < persona.edge:
            sins.add("edge")
            self._at_the_edge(link, message)
            return
        client.later(wait, link, lambda link: self._answer(link, message.game, message.request))

    def _at_the_edge(self, link: Link, message: wire.Choose | wire.Turn) -> None:
        deadline = self._sim.truth.games[message.game].deadline()
        assert deadline is not None
        moment = self._sim.chance.choice(_EDGES)
        # The last moment that counts must be met to the last bit of the number.
        at = deadline if moment == 0.05 else deadline - 0.05 + moment

        def answer() -> None:
            if self._client.link is link and not link.cut:
                self._answer(link, message.game, message.request)

        self._sim.events.add(at, answer)

    def again(self, link: Link, game: str) -> None:
        """An illegal placement was forgiven."""
        request = self._open.get(game)
        if request is not None:
            self._client.later(0.01, link, lambda link: self._answer(link, game, request))

    def _answer(self, link: Link, game_id: str, request: int) -> None:
        game, side = self._sim.truth.games[game_id], self._client.seats.get(game_id)
        if side is None or self._open.get(game_id) != request or game.placed + 1 != request:
            return
        chance, client = self._sim.chance, self._client
        persona = client.persona
        hand = [str(tile) for tile in game.game.hand(side)]
        packet: list[wire.ClientMessage] = []

        def place(number: int, tile: str, of: str = game_id) -> None:
            packet.append(wire.Place(game=of, request=number, tile=tile, building=chance.choice(_BUILDINGS)))

        if chance.random() < persona.resign:
            client.party.sins.add("resign")
            client.say(link, wire.Resign(game=game_id))
            return
        if chance.random() < persona.stale:
            if request > 1:
                place(chance.randrange(1, request), chance.choice(hand))
            foreign = [other for other in self._sim.truth.games if other not in client.seats]
            if foreign:
                place(request, chance.choice(hand), chance.choice(foreign[-4:]))
        if chance.random() < persona.illegal:
            client.party.sins.add("illegal")
            place(request, chance.choice([str(tile) for tile in ALL_TILES if str(tile) not in hand]))
        else:
            place(request, chance.choice(hand))
            if chance.random() < persona.twice:
                place(request, chance.choice(hand))
            if chance.random() < persona.unseen:
                client.party.sins.add("illegal")
                place(request + chance.randrange(1, 3), chance.choice(hand))
        client.say(link, *packet, at_once="edge" in client.party.sins)
