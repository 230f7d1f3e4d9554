"""The table of a standing ladder is bounded: how many versions are rated, what an answer looks at."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, islice
from typing import SupportsIndex, overload

import pytest

from tests.league.test_standing_table import ANCHORS, game, table
from tyrusd.core import standing_lines
from tyrusd.core.settings import DEFAULTS
from tyrusd.league.rated import RatedGame, Version
from tyrusd.league.standing_rows import RatingRow, RatingTable, Versus, VersusRow
from tyrusd.league.standing_table import rating_table
from tyrusd.wire import messages as wire

ANCHOR = Version("greedy")


def season(versions: int) -> list[RatedGame]:
    """Three games of each version, the one with the greatest number latest; and one of each with the next."""
    known = [Version(f"bot{number % 7}", f"v{number:04}") for number in range(versions)]
    found = []
    for number, version in enumerate(known):
        day = f"2026-{number:05}"
        found += [game(version, ANCHOR, turn % 2)._replace(started=f"{day}-{turn}") for turn in range(3)]
        if number:
            found.append(game(version, known[number - 1])._replace(started=f"{day}-9"))
    random.Random(versions).shuffle(found)
    return found


@pytest.mark.parametrize("more", [-1, 0, 1])
def test_limit_ladder_versions(more: int) -> None:
    """Beside the anchors so many are rated, those with the newest games; all others are told all the same."""
    most = 12
    games = season(most + more)
    found = rating_table(games, {}, ANCHORS, 2, most)
    rated = [row for row in found.rows if row.elo is not None and not row.anchor]
    left = [row for row in found.rows if row.elo is None]
    assert len(rated) == min(most, most + more) and len(left) == max(0, more)
    assert [row.version.agent for row in left] == ["v0000"] * max(0, more)
    everything = table(games, provisional=2)
    assert found.games == everything.games and found.versus == everything.versus
    for row in left:
        assert (row.elo, row.low, row.high, row.rank, row.games) == (None, None, None, 0, 4)
        line = standing_lines.rating(row)
        assert (line.rank, line.elo, line.low, line.high) == (0, None, None, None)
    assert [row.version for row in found.rows if row.anchor] == [ANCHOR, Version("random")]
    if more <= 0:
        assert found == everything


def test_who_plays_again_is_rated_again() -> None:
    games = season(4)
    oldest = Version("bot0", "v0000")
    table_before = rating_table(games, {}, ANCHORS, 2, 3)
    again = game(oldest, ANCHOR)._replace(started="2027")
    table_after = rating_table([*games, again], {}, ANCHORS, 2, 3)
    assert table_before.row(oldest) is not None and table_after.row(oldest) is not None
    assert [row.version for row in table_before.rows if row.elo is None] == [oldest]
    assert [row.version.agent for row in table_after.rows if row.elo is None] == ["v0001"]


# -- what an answer looks at -------------------------------------------------------------------------------


class Counted(tuple[RatingRow, ...]):
    """Rows that count how often they are looked at."""

    looks = 0

    def __iter__(self) -> Iterator[RatingRow]:
        for row in super().__iter__():
            self.looks += 1
            yield row

    @overload
    def __getitem__(self, index: SupportsIndex) -> RatingRow: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[RatingRow, ...]: ...
    def __getitem__(self, index: SupportsIndex | slice) -> RatingRow | tuple[RatingRow, ...]:
        found = super().__getitem__(index)
        self.looks += len(found) if isinstance(index, slice) else 1
        return found


def crowd() -> tuple[RatingTable, Counted, list[int]]:
    """A table of 1,000 versions, 100 of them of one account, all of which have met all those of others.

    Also its rows, and a list that grows by one for each row of a meeting that is read.
    """
    versions = [Version("many" if number < 100 else f"bot{number}", f"v{number}") for number in range(1000)]
    rows = Counted(RatingRow(version, 1.0, 0.0, 2.0, 10, 5, 0, 5) for version in versions)
    met = {
        (one, other): (1, 1, 0, 0, 0, 0, 0)
        for one, other in combinations(range(1000), 2)
        if versions[one].name != versions[other].name and (one < 100 or other == one + 1)
    }
    reads: list[int] = []

    class Reads(Versus):
        def of(self, version: Version) -> Iterator[tuple[Version, VersusRow]]:
            for found in super().of(version):
                reads.append(1)
                yield found

    return RatingTable(rows, Reads(versions, Versus.counted(versions, met).packed)), rows, reads


@pytest.mark.parametrize("name", ["many", "MANY", "bot500", "nobody"])
def test_an_answer_about_one_account_costs_what_it_tells(name: str) -> None:
    found, rows, reads = crowd()
    rows.looks = 0
    most = DEFAULTS.listed
    told = list(islice(standing_lines.account(found, name), most + 1))
    ratings = [line for line in told if isinstance(line, wire.Rating)]
    assert (len(ratings), len(told)) == {"many": (100, 201), "bot500": (1, 103)}.get(name.lower(), (0, 0))
    assert rows.looks == 0, "it goes through the table"
    assert len(reads) == len(told) - len(ratings), "it reads more meetings than it tells"


def test_what_is_packed_is_what_was_counted() -> None:
    games = season(9)
    found = table(games)
    for one in found.rows:
        for other in found.rows:
            key = one.version, other.version
            assert (key in found.versus) == (other.version in dict(found.met(one.version)))
        places = [[row.version for row in found.rows].index(met) for met, _ in found.met(one.version)]
        assert places == sorted(places)
    assert list(found.met(Version("nobody"))) == []
    with pytest.raises(KeyError):
        found.versus[found.rows[0].version, Version("nobody")]
    assert replace(found, begun={"a": {None: 1.0}}) != found
