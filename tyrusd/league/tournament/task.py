"""One pair of games to play: the unit that is handed out, lost, and handed out again."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from tyrusd.rules.deal import Deal


class Place(NamedTuple):
    """Where a game stands in its tournament: all numbers count from 1.

    pair: in the order of the schedule. attempt: counts up when a pair is dealt again. game: 1, or 2 for the
    twin with the seats swapped. round: of the tournament.
    """

    pair: int
    attempt: int
    game: int
    round: int

    @property
    def game_id(self) -> str:
        """The game's id, the same on the wire, in the record and in the names of logs."""
        again = f"-{self.attempt}" if self.attempt > 1 else ""
        return f"p{self.pair}-{self.game}{again}"


class LadderGame(NamedTuple):
    """What the record of a tournament's game tells beside the game: its place, and the machine."""

    place: Place
    host: str
    cpu: str


@dataclass(frozen=True, slots=True)
class PairTask:
    """A deal for two entrants: `first` has Ivory in game 1 and Brown in game 2.

    games: which of the two are (still) to be played. twins: whether the deal is played twice at all. seeds:
    for game 1 and game 2 the seats' seeds, Ivory's first.
    """

    pair: int
    attempt: int
    round: int
    first: str
    second: str
    games: tuple[int, ...]
    twins: bool
    deal: Deal = field(repr=False)
    seeds: tuple[tuple[str, str], tuple[str, str]]

    def place(self, game: int) -> Place:
        """Where one of the games stands."""
        return Place(self.pair, self.attempt, game, self.round)

    def seats(self, game: int) -> tuple[str, str]:
        """Who has Ivory and who has Brown in one of the games."""
        return (self.first, self.second) if game == 1 else (self.second, self.first)
