"""The order of the table: points first, then the tie rules of docs/tournaments.md."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple


class Score(NamedTuple):
    """What two entrants scored against each other on one deal, the games each won, and all of them."""

    first: str
    second: str
    points: tuple[float, float]
    wins: tuple[int, int]
    games: int


class Row(NamedTuple):
    """An entrant's line of the table; games counts what was played, points also what was given."""

    name: str
    points: float
    games: int
    buchholz: float
    sonneborn_berger: float
    wins: int


class _Sum:
    def __init__(self, given: float) -> None:
        self.points = given
        self.games = 0
        self.wins = 0
        self.against: dict[str, float] = {}


def table(
    entrants: Sequence[str],
    scores: Iterable[Score],
    given: Mapping[str, float],
    byes: Mapping[str, int],
) -> list[Row]:
    """Return the entrants' lines in their given order. given: points without games; byes: how many of them.

    In Buchholz a bye counts as an opponent who has as many points as oneself, and an opponent who was met
    twice counts twice only if the two were paired twice; scores on several deals of one pairing are one.
    """
    sums = {name: _Sum(given.get(name, 0.0)) for name in entrants}
    for first, second, points, wins, games in scores:
        for name, other, index in ((first, second, 0), (second, first, 1)):
            line = sums[name]
            line.points += points[index]
            line.games += games
            line.wins += wins[index]
            line.against[other] = line.against.get(other, 0.0) + points[index]
    return [
        Row(
            name,
            line.points,
            line.games,
            sum(sums[other].points for other in line.against) + byes.get(name, 0) * line.points,
            sum(scored * sums[other].points for other, scored in line.against.items()),
            line.wins,
        )
        for name, line in sums.items()
    ]


def ranked(rows: Sequence[Row], *, by_share: bool = False, buchholz: bool = True) -> list[Row]:
    """Return the lines in the order of the table; what all rules leave equal keeps its order.

    by_share: points per game come first, for those who do not all play as many. buchholz: whether Buchholz
    is one of the tie rules; where everybody meets everybody it says nothing.
    """
    return sorted(rows, key=lambda row: _key(row, by_share=by_share, buchholz=buchholz))


def level(one: Row, other: Row, *, buchholz: bool = True) -> bool:
    """Whether nothing but the order in which they were named tells two lines apart; see `ranked`."""
    return _key(one, by_share=False, buchholz=buchholz) == _key(other, by_share=False, buchholz=buchholz)


def _key(row: Row, *, by_share: bool, buchholz: bool) -> tuple[float, ...]:
    points = row.points / max(1, row.games) if by_share else row.points
    return (-points, -row.buchholz if buchholz else 0.0, -row.sonneborn_berger, -row.wins)
