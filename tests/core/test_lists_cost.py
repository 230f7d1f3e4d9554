"""An answer that is a list looks at as many things as it has lines and at one more, of however many."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from tests.core.stage import Stage, begin
from tests.core.standing_world import LadderWorld
from tests.league.test_standing_bounds import Counted
from tyrusd.core.settings import DEFAULTS
from tyrusd.league.rated import Version
from tyrusd.league.standing_rows import RatingRow, RatingTable
from tyrusd.wire import messages as wire

LISTED = 5


class Looked(dict[Any, Any]):
    """A dictionary that counts how many of its values are looked at."""

    looks = 0

    def values(self) -> Iterator[Any]:  # type: ignore[override]
        for value in super().values():
            self.looks += 1
            yield value


@pytest.mark.parametrize(("line", "of"), [("who", "players"), ("games", "tables")])
def test_who_and_games(line: str, of: str, monkeypatch: pytest.MonkeyPatch) -> None:
    stage = Stage(replace(DEFAULTS, listed=LISTED))
    for number in range(12):
        begin(stage, names=(f"a{number}", f"b{number}"))
    guest = stage.join("guest")
    looked = Looked(getattr(stage.server, of))
    monkeypatch.setattr(stage.server, of, looked)
    guest.say(line)
    assert guest.last(wire.Ok).count == LISTED
    assert looked.looks == LISTED + 1


def test_ratings() -> None:
    world = LadderWorld(["ada"], settings=replace(DEFAULTS, listed=LISTED))
    rows = Counted(RatingRow(Version(f"bot{number}"), 1.0, 0.0, 2.0, 1, 1, 0, 0) for number in range(30))
    world.standing.take(RatingTable(rows), world.stage.now)
    ada = world.join("ada", on=False)
    rows.looks = 0
    told = [line for line in world.say(ada, "ratings") if isinstance(line, wire.Rating)]
    assert len(told) == LISTED and rows.looks == LISTED + 1
