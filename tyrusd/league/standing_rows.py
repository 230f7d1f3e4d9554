"""What the table of a standing ladder holds: a row for each version, and one for every two that have met."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from tyrusd.league.rated import Version

Meeting: TypeAlias = tuple[Version, Version]
Counts: TypeAlias = tuple[int, int, int, int, int, int, int]
"""What a VersusRow holds."""
_NONE: Final[Mapping[int, Counts]] = MappingProxyType({})


class RatingRow(NamedTuple):
    """One version.

    elo, with the ends of its 95 % interval: None where no game of it is rated. games, won, drawn and lost:
    of rated games; forfeits: how many of those it lost without the board saying so, forfeited: how many it
    won that way. flagged: games with a flag, those included that are not rated. provisional: the rating
    stands on few games; anchor: it is given. rank: from 1, 0 for who has none or is provisional.
    """

    version: Version
    elo: float | None
    low: float | None
    high: float | None
    games: int
    won: int
    drawn: int
    lost: int
    forfeits: int = 0
    forfeited: int = 0
    flagged: int = 0
    provisional: bool = False
    anchor: bool = False
    rank: int = 0


class VersusRow(NamedTuple):
    """What came of all games of one version against another, seen from the first; counted as in RatingRow."""

    games: int
    won: int
    drawn: int
    lost: int
    forfeits: int = 0
    forfeited: int = 0
    flagged: int = 0


class Versus(Mapping[Meeting, VersusRow]):
    """What came of every two that have met, by who sees it and whom it met; small, however many they are.

    versions: in the order of their rows. counts: by the places of two in that order, the first times the
    number of versions plus the second, seen from the first, which stands above.
    """

    __slots__ = ("_places", "_versions", "counts")

    def __init__(self, versions: Sequence[Version] = (), counts: Mapping[int, Sequence[int]] = _NONE) -> None:
        self._versions = versions
        self._places = {version: place for place, version in enumerate(versions)}
        self.counts = counts

    def __getitem__(self, meeting: Meeting) -> VersusRow:
        """Raise KeyError for two that have not met."""
        one, other = self._places[meeting[0]], self._places[meeting[1]]
        size = len(self._versions)
        if one < other:
            return VersusRow(*self.counts[one * size + other])
        return VersusRow(*turned(self.counts[other * size + one]))

    def __iter__(self) -> Iterator[Meeting]:
        for key in self.counts:
            one, other = (self._versions[place] for place in divmod(key, len(self._versions)))
            yield one, other
            yield other, one

    def __len__(self) -> int:
        return 2 * len(self.counts)


@dataclass(frozen=True, slots=True)
class RatingTable:
    """All versions, the strongest first, those without a rating last.

    versus: by who sees it and whom it met, both ways. sides: by account in lower case, in games that the
    ladder has paired: how many more of Ivory than of Brown, and how many more opened than answered.
    games: how many are rated.
    """

    rows: tuple[RatingRow, ...] = ()
    versus: Mapping[Meeting, VersusRow] = field(default_factory=Versus)
    sides: Mapping[str, tuple[int, int]] = field(default_factory=lambda: MappingProxyType({}))
    games: int = 0

    def of(self, name: str) -> tuple[RatingRow, ...]:
        """The versions of one account, the strongest first."""
        wanted = name.lower()
        return tuple(row for row in self.rows if row.version.name.lower() == wanted)

    def met(self, version: Version) -> Iterator[tuple[Version, VersusRow]]:
        """Whom a version of a row has met, in the order of the table."""
        for row in self.rows:
            found = self.versus.get((version, row.version))
            if found is not None:
                yield row.version, found


def turned(counts: Sequence[int]) -> Counts:
    """The same games seen from the other side."""
    games, won, drawn, lost, forfeits, forfeited, flagged = counts
    return games, lost, drawn, won, forfeited, forfeits, flagged
