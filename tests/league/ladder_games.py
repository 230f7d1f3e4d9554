"""Games of a ladder made to order for the tests of its statistics: no board, only who, where and how."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tyrusd.league.statistics.pairs import Pair
from tyrusd.league.tournament.played import Played
from tyrusd.league.tournament.task import Place

DRAWN = "-"


def game(
    pair: int,
    number: int,
    first: str,
    second: str,
    winner: str,
    reason: str = "",
    *,
    attempt: int = 1,
    spent: tuple[int, int] = (2000, 3000),
) -> Played:
    """Game 1 or 2 of a pair between two; winner: a name or DRAWN. The first opens in odd pairs."""
    ivory, brown = (first, second) if number == 1 else (second, first)
    won = None if winner == DRAWN else winner
    word = reason or ("drawn" if won is None else "majority")
    opener = first if pair % 2 else second
    return Played(Place(pair, attempt, number, 1), ivory, brown, won, word, "", opener, spent, (20, 30))


def pair_of(pair: int, first: str, second: str, winners: Sequence[str], reason: str = "") -> list[Played]:
    """The games of a pair by their winners."""
    return [game(pair, number, first, second, won, reason) for number, won in enumerate(winners, 1)]


def match_of(first: str, second: str, cells: Sequence[int], begin: int = 1) -> list[Played]:
    """Pairs between two that come to these pentanomial counts, seen from the first, in any order."""
    ways = ((second, second), (second, DRAWN), (first, second), (first, DRAWN), (first, first))
    found, number = [], begin
    for way, count in zip(ways, cells, strict=True):
        for _ in range(count):
            found += pair_of(number, first, second, way)
            number += 1
    return found


def round_robin(names: Sequence[str], cells: Iterable[Sequence[int]]) -> list[Played]:
    """One match for each two names, with these counts in the order of the names."""
    found: list[Played] = []
    given = iter(cells)
    for index, first in enumerate(names):
        for second in names[index + 1 :]:
            found += match_of(first, second, next(given), len(found) // 2 + 1)
    return found


def whole_pair(number: int, first: str, second: str, winners: Sequence[str]) -> Pair:
    """A complete pair."""
    return Pair(number, 1, first, second, tuple(pair_of(number, first, second, winners)))
