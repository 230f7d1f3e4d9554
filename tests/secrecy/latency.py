"""How long the news of a placement takes, compared between classes of the tile that the enemy cannot see.

`python -m tests.secrecy.latency [PLACEMENTS]` plays games in memory, with the real clock around each step of
the server, and prints for each class of hidden tiles the median, and the chance that a wait of this class is
longer than one of the others: 50 % tells nothing. z is that in standard deviations of pure chance.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable
from typing import Final, NamedTuple

from tests.core.stage import Stage, begin
from tests.core.world import Peer
from tyrusd.rules.pieces import Building, Tile

WARM: Final = 200  # placements that are not counted


class Wait(NamedTuple):
    """One placement: what was placed where, and nanoseconds until its news lay ready for the enemy."""

    tile: Tile
    building: Building
    own: bool
    took: int


CLASSES: Final[dict[str, Callable[[Wait], bool]]] = {
    "number above 5": lambda wait: wait.tile.number > 5,
    "a ten": lambda wait: wait.tile.number == 10,
    "can vote there": lambda wait: wait.own and wait.tile.profession is wait.building.kind.voters,
    "useless there": lambda wait: wait.own and wait.tile.profession is not wait.building.kind.voters,
    "a soldier": lambda wait: wait.tile.profession == 0,
    "a priest": lambda wait: wait.tile.profession == 2,
}


def waits(count: int, seed: int = 1, delay: Callable[[Tile], int] | None = None) -> list[Wait]:
    """Play until so many placements are measured; delay: nanoseconds that a leak would add."""
    chance = random.Random(seed)
    found: list[Wait] = []
    while len(found) < count + WARM:
        stage = Stage(seed=chance.randrange(1 << 30))
        pair = begin(stage, extra="want=events", terms="clock=none")
        found += _game(stage, {pair.mover, pair.other}, pair.game, chance, delay)
    return found[WARM:]


def _game(
    stage: Stage, peers: set[Peer], game: str, chance: random.Random, delay: Callable[[Tile], int] | None
) -> list[Wait]:
    found: list[Wait] = []
    server = stage.server
    while game in server.tables:
        match = server.tables[game].match
        request = match.open_request
        assert request is not None
        debtor = server.tables[game].players[request.side]
        mover = next(peer for peer in peers if server.sessions[peer.number].player is debtor)
        (enemy,) = peers - {mover}
        tile, building = chance.choice(match.game.hand(request.side)), chance.choice(tuple(Building))
        line = f"place {game} {request.number} {tile} {building.name}\n".encode()
        last = request.number % 6 == 0  # a tally follows, which is public
        began = time.perf_counter_ns()
        server.receive(mover.number, line, stage.now)
        if delay is not None:
            until = time.perf_counter_ns() + delay(tile)
            while time.perf_counter_ns() < until:
                pass
        done = server.collect()
        news = server.output(enemy.number)
        took = time.perf_counter_ns() - began
        assert news
        server.sent(enemy.number, len(news), stage.now)
        if not last:
            found.append(Wait(tile, building, building.side is request.side, took))
        for wanted in done.requests:
            stage._request(wanted)
        stage.run()
    return found


def longer(ones: list[int], others: list[int]) -> tuple[float, float]:
    """The chance that one of the first is longer than one of the others, and how far from a half that is."""
    ranked = sorted([(took, 0) for took in ones] + [(took, 1) for took in others])
    ranks = sum(place for place, (_, group) in enumerate(ranked, 1) if group == 0)
    n, m = len(ones), len(others)
    above = ranks - n * (n + 1) / 2
    spread = (n * m * (n + m + 1) / 12) ** 0.5
    return above / (n * m), (above - n * m / 2) / spread


def compared(found: list[Wait]) -> dict[str, tuple[int, float, float, float]]:
    """By class: how many waits, their median in microseconds, the chance to be longer, and its z."""
    told = {}
    for name, belongs in CLASSES.items():
        ones = [wait.took for wait in found if belongs(wait)]
        others = [wait.took for wait in found if not belongs(wait) and ("there" not in name or wait.own)]
        told[name] = (len(ones), statistics.median(ones) / 1000, *longer(ones, others))
    return told


def main(count: int) -> None:
    """Print the comparison as it is, and with a leak of half a microsecond for each number."""
    for title, delay in (
        ("as it is", None),
        ("control: 0.5 us more a number", lambda tile: 500 * tile.number),
    ):
        print(title)
        for name, (size, median, chance, z) in compared(waits(count, delay=delay)).items():
            figures = f"median {median:7.1f} us, longer in {100 * chance:5.1f} %, z {z:5.1f}"
            print(f"  {name:16} {size:6} waits, {figures}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
