"""Two worlds, and all that is told beside the players' bytes, in games that begin in every way.

Compared are the lines of everybody but the owner, the console's answers, what it shows of a watched game, the
metrics, health, and the log before anything is hidden in it: nothing depends on a face that was not shown.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable
from typing import Any

import pytest
from prometheus_client.core import GaugeMetricFamily

from tests.secrecy.leaks import faces_in_snapshots
from tests.secrecy.pairs import Pair, face_pair_on
from tests.secrecy.ways import WAYS, Beside, script_for
from tyrusd.core.onlooker import Onlooker
from tyrusd.core.operator import Operator
from tyrusd.core.session import Session
from tyrusd.core.table import Table
from tyrusd.host.chronicle import Chronicle
from tyrusd.host.metrics import Metrics
from tyrusd.rules.pieces import Side

Patch = pytest.MonkeyPatch
PAIRS = 10


def pair_of(way: str, seed: int) -> Pair:
    """A pair of worlds whose games begin in one way: whole for even seeds, cut somewhere for odd ones."""
    chance = random.Random(f"{way} {seed}")
    script = script_for(way, chance)
    cut = chance.randrange(1, len(script.acts)) if seed % 2 else len(script.acts)
    return face_pair_on(WAYS[way], script, Side(chance.randrange(2)), cut, chance)


def alarms(pair: Pair) -> list[str]:
    """What differs for anybody, beside the owner's own lines."""
    assert isinstance(pair.first, Beside) and isinstance(pair.second, Beside)
    told = [stage.beside[: pair.cut] for stage in (pair.first, pair.second)]
    beside = [
        f"act {at}: {one} and {other}"
        for at, acts in enumerate(zip(*told, strict=True))
        for one, other in zip(*acts, strict=True)
        if one != other
    ]
    return pair.alarms + beside


@pytest.mark.parametrize("way", WAYS)
def test_d1_nothing_beside_the_wire_tells_two_worlds_apart(way: str) -> None:
    seen_by_owner = placed = 0
    told = ""
    for seed in range(PAIRS):
        pair = pair_of(way, seed)
        assert alarms(pair) == [], seed
        seen_by_owner += pair.differs_for_the_owner
        assert isinstance(pair.first, Beside)
        told += "".join(text for act in pair.first.beside for text in act)
        placed += pair.first.games["g1"].placed_count
    assert seen_by_owner > PAIRS * 0.6 and placed > 15 * PAIRS
    for word in (
        "tyrusd_games ",
        '{"status',
        '"ivory": ',
        "snapshot g1 ",
        "revealed g1 ",
        '"paused": ',
        "g1 is over",
    ):
        assert word in told.replace("\\", ""), word


# -- controls: something is told beside the wire that it should not ---------------------------------------


def hand_sum(table: Table) -> int:
    return sum(tile.number for tile in table.match.game.hand(Side.IVORY))


def console_with_a_sum(patch: Patch) -> None:
    honest = Operator._table
    patch.setattr(
        Operator, "_table", lambda self, table, now: honest(self, table, now) | {"sum": hand_sum(table)}
    )


def metrics_with_a_sum(patch: Patch) -> None:
    honest = Metrics.collect

    def collect(self: Metrics) -> Any:
        for family in honest(self):
            if family.name == "tyrusd_games":
                assert isinstance(family, GaugeMetricFamily)
                family.add_metric(["sum"], sum(map(hand_sum, self._server.tables.values())))
            yield family

    patch.setattr(Metrics, "collect", collect)


def log_with_the_reserve(patch: Patch) -> None:
    honest = Chronicle.tell

    def tell(self: Chronicle, news: Any) -> None:
        honest(self, news)
        if hasattr(news, "record"):
            logging.getLogger("tyrusd.games").debug("left: %s", news.record["game"]["deal"]["ivory"][-3:])

    patch.setattr(Chronicle, "tell", tell)


def console_that_watches_as_a_player(patch: Patch) -> None:
    honest = Table.show

    def show(self: Table, session: Session, viewer: Side | None, now: float, *, new: bool = False) -> None:
        honest(self, session, Side.IVORY if isinstance(session, Onlooker) else viewer, now, new=new)

    patch.setattr(Table, "show", show)


@pytest.mark.parametrize(
    "plant",
    [
        console_with_a_sum,
        metrics_with_a_sum,
        log_with_the_reserve,
        console_that_watches_as_a_player,
        faces_in_snapshots,
    ],
)
def test_d1_control_a_leak_beside_the_wire_is_found(plant: Callable[[Patch], None]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        plant(patch)
        assert any(alarms(pair_of("ladder", seed)) for seed in range(8))
