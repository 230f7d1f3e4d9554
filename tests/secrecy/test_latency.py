"""The comparison of latencies finds a delay that depends on a tile, and only that."""

from __future__ import annotations

import random

from tests.secrecy.latency import Wait, compared, longer, waits
from tyrusd.rules.pieces import ALL_TILES, Building


def made(count: int, slope: float) -> list[Wait]:
    """Waits with the noise of a busy machine, and so many nanoseconds more for each number."""
    chance, found = random.Random(4), []
    for _ in range(count):
        tile, building = chance.choice(ALL_TILES), chance.choice(tuple(Building))
        took = round(25_000 + chance.expovariate(1 / 3000) + slope * tile.number)
        found.append(Wait(tile, building, building.side == 0, took))
    return found


def test_d1_a_delay_that_depends_on_a_tile_is_found_and_nothing_else_is() -> None:
    quiet, leaking = compared(made(4000, 0)), compared(made(4000, 300))
    assert all(abs(z) < 3.5 for *_, z in quiet.values())
    assert leaking["number above 5"][3] > 15 and leaking["a ten"][3] > 5
    assert all(abs(leaking[name][3]) < 3.5 for name in ("a soldier", "a priest", "can vote there"))
    assert longer([3, 4], [1, 2])[0] == 1.0


def test_d1_real_placements_are_measured() -> None:
    found = waits(60)
    assert len(found) >= 60 and all(wait.took > 0 for wait in found)
    assert {wait.own for wait in found} == {True, False}
