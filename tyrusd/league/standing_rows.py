"""What the table of a standing ladder holds: a row for each version, and one for every two that have met."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from struct import Struct
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from tyrusd.league.merges import VersionKey
from tyrusd.league.rated import Version

Meeting: TypeAlias = tuple[Version, Version]
Counts: TypeAlias = tuple[int, int, int, int, int, int, int]
"""What a VersusRow holds."""
ROW: Final = Struct("<8I")
"""How a version that was met is packed: its place in the table, and the counts."""


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

    versions: in the order of their rows. packed: of each, in that order, whom it has met: `ROW` by `ROW`, the
    place of the other and the counts, by place. So a process packs it once, and whoever is asked about one
    version reads no other.
    """

    __slots__ = ("_places", "_versions", "packed")

    def __init__(self, versions: Sequence[Version] = (), packed: Sequence[bytes] = ()) -> None:
        self._versions = versions
        self._places = {version: place for place, version in enumerate(versions)}
        self.packed = packed

    @classmethod
    def counted(cls, versions: Sequence[Version], counts: Mapping[tuple[int, int], Sequence[int]]) -> Versus:
        """Pack counts by the places of two, seen from the first, which stands above."""
        packed = [bytearray() for _ in versions]
        # A version gets those above it while theirs are packed, and those below it then: all by place.
        for one, other in sorted(counts):
            found = counts[one, other]
            packed[one] += ROW.pack(other, *found)
            packed[other] += ROW.pack(one, *turned(found))
        return cls(versions, tuple(map(bytes, packed)))

    def of(self, version: Version) -> Iterator[tuple[Version, VersusRow]]:
        """Whom one has met, in the order of the rows; read one after the other as they are taken."""
        place = self._places.get(version)
        if place is not None:
            for other, *counts in ROW.iter_unpack(self.packed[place]):
                yield self._versions[other], VersusRow(*counts)

    def __getitem__(self, meeting: Meeting) -> VersusRow:
        """Raise KeyError for two that have not met."""
        packed, wanted = self.packed[self._places[meeting[0]]], self._places[meeting[1]]
        rows = range(0, len(packed), ROW.size)
        found = bisect_left(rows, wanted, key=lambda at: ROW.unpack_from(packed, at)[0])
        if found < len(rows):
            other, *counts = ROW.unpack_from(packed, rows[found])
            if other == wanted:
                return VersusRow(*counts)
        raise KeyError(meeting)

    def __iter__(self) -> Iterator[Meeting]:
        for version in self._versions:
            for other, _ in self.of(version):
                yield version, other

    def __len__(self) -> int:
        return sum(map(len, self.packed)) // ROW.size


@dataclass(frozen=True, slots=True)
class RatingTable:
    """All versions, the strongest first, those without a rating last.

    versus: by who sees it and whom it met, both ways. sides: by account in lower case, in games that the
    ladder has paired: how many more of Ivory than of Brown, and how many more opened than answered.
    games: how many are rated. begun: by account in lower case, when each version of it, merged or not, began
    its first rated game, in seconds since 1970, by agent. What is asked by name is found by name: an answer
    costs what it tells, however many rows there are.
    """

    rows: tuple[RatingRow, ...] = ()
    versus: Versus = field(default_factory=Versus)
    sides: Mapping[str, tuple[int, int]] = field(default_factory=lambda: MappingProxyType({}))
    games: int = 0
    begun: Mapping[str, Mapping[str | None, float]] = field(default_factory=lambda: MappingProxyType({}))
    _named: dict[str, list[RatingRow]] = field(default_factory=dict, init=False, repr=False, compare=False)
    _found: dict[VersionKey, RatingRow] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Note the rows by name and by version, where the table is made and not where it is asked."""
        for row in self.rows:
            name, _ = key = row.version.key
            self._named.setdefault(name, []).append(row)
            self._found[key] = row

    def has(self, name: str) -> bool:
        """Whether there is any version of an account."""
        return name.lower() in self._named

    def of(self, name: str) -> Sequence[RatingRow]:
        """The versions of one account, the strongest first."""
        return self._named.get(name.lower(), ())

    def row(self, version: Version) -> RatingRow | None:
        """The row of a version; None for one that is not there, or that was merged."""
        return self._found.get(version.key)

    def met(self, version: Version) -> Iterator[tuple[Version, VersusRow]]:
        """Whom a version of a row has met, in the order of the table."""
        return self.versus.of(version)


def turned(counts: Sequence[int]) -> Counts:
    """The same games seen from the other side."""
    games, won, drawn, lost, forfeits, forfeited, flagged = counts
    return games, lost, drawn, won, forfeited, forfeits, flagged
