"""The table of a standing ladder: a rating for each version, from all rated games (docs/standing.md)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias, TypeVar

from tyrusd.league.match import FORFEITS
from tyrusd.league.merges import Merges, VersionKey
from tyrusd.league.rated import OWNER, RatedGame, Version
from tyrusd.league.standing_rows import Counts, RatingRow, RatingTable, Versus, VersusRow, turned
from tyrusd.league.statistics.pairs import Pair
from tyrusd.league.statistics.rating import rate
from tyrusd.league.statistics.strength import Estimate
from tyrusd.league.tournament.played import Played
from tyrusd.league.tournament.task import Place
from tyrusd.rules.game import WITHOUT_RESULT
from tyrusd.rules.pieces import SIDE_WORDS

__all__ = ("RatingRow", "RatingTable", "Versus", "VersusRow", "meetings", "rating_table")


def rating_table(
    games: Iterable[RatedGame],
    merges: Mapping[Version, Version],
    anchors: Mapping[str, int],
    provisional: int,
    most: int | None = None,
) -> RatingTable:
    """Rate all versions; the order of the games does not matter.

    most: how many are rated beside the anchors, None for all: those whose newest rated games are the newest,
    by the games among them and the anchors. All others are told without a rating.

    anchors: Elo by the name of an account, whatever its agent; without any the mean of all is 0. Below
    `provisional` games a rating is provisional. Games without a result, and between versions of one account,
    count for nothing; those with the flag OWNER are counted as flagged and not rated. Raises ValueError for
    merges in a circle, ImportError for more than two versions without numpy.
    """
    return _Counting(Merges(merges), anchors).table(games, provisional, most)


def meetings(
    games: Iterable[RatedGame], merges: Mapping[Version, Version], anchors: Mapping[str, int]
) -> RatingTable:
    """Count the same games without rating anybody, in the order of names; ValueError as rating_table."""
    return _Counting(Merges(merges), anchors).table(games, 0, 0, rates=False)


_Key = TypeVar("_Key")
_Result: TypeAlias = tuple[VersionKey, VersionKey, bool | None]
"""Of a rated game: the versions by side, and whether Ivory has won; None for a draw."""


class _Count:
    """What a version has come to, alone or against another."""

    __slots__ = ("drawn", "flagged", "forfeited", "forfeits", "games", "lost", "newest", "won")

    def __init__(self) -> None:
        self.games = self.won = self.drawn = self.lost = 0
        self.forfeits = self.forfeited = self.flagged = 0
        self.newest = ""  # when the newest rated one has begun

    def add(self, won: bool | None, forfeit: bool, flagged: bool, rated: bool, started: str) -> None:
        """Count one game, won None for a draw."""
        self.flagged += flagged
        if not rated:
            return
        self.newest = max(self.newest, started)
        self.games += 1
        if won is None:
            self.drawn += 1
        elif won:
            self.won += 1
            self.forfeited += forfeit
        else:
            self.lost += 1
            self.forfeits += forfeit

    def figures(self) -> Counts:
        """The numbers in the order of a VersusRow."""
        return (
            self.games, self.won, self.drawn, self.lost, self.forfeits, self.forfeited, self.flagged,
        )  # fmt: skip


class _Counting:
    """Adds games up, then rates."""

    def __init__(self, merges: Merges, anchors: Mapping[str, int]) -> None:
        self._merges = merges
        self._anchors = {name.lower(): float(elo) for name, elo in anchors.items()}
        self._keys: dict[Version, VersionKey] = {}
        self._spelt: dict[VersionKey, Version] = {(name.lower(), None): Version(name) for name in anchors}
        self._fixed = frozenset(self._spelt)
        self._counts: dict[VersionKey, _Count] = {key: _Count() for key in self._spelt}
        self._versus: dict[tuple[VersionKey, VersionKey], _Count] = {}
        self._sides: dict[str, list[int]] = {}

    def table(
        self, games: Iterable[RatedGame], provisional: int, most: int | None, *, rates: bool = True
    ) -> RatingTable:
        """Count all games once, and rate so many."""
        results = [result for game in games for result in self._counted(game)]
        keys = sorted(self._counts, key=_order)
        estimates = self._rated(self._newest(keys, most), results) if rates else {}
        rows = [self._row(key, estimates.get(key), provisional) for key in keys]
        rows.sort(key=lambda row: (row.elo is None, -(row.elo or 0.0), _order(row.version.key)))
        return RatingTable(
            tuple(_ranked(rows)),
            self._met([row.version for row in rows]),
            {name: (found[0], found[1]) for name, found in self._sides.items()},
            len(results),
        )

    def _counted(self, game: RatedGame) -> Iterator[_Result]:
        """Count a game, and return its result where it is rated."""
        if game.reason in WITHOUT_RESULT:
            return
        ivory, brown = self._key(game.ivory), self._key(game.brown)
        if ivory[0] == brown[0]:
            return
        rated = OWNER not in game.flags
        forfeit, flagged = game.reason in FORFEITS, bool(game.flags)
        won = None if game.winner is None else game.winner == SIDE_WORDS[0]
        lost = None if won is None else not won
        self._count(self._counts, ivory).add(won, forfeit, flagged, rated, game.started)
        self._count(self._counts, brown).add(lost, forfeit, flagged, rated, game.started)
        self._count(self._versus, (ivory, brown)).add(won, forfeit, flagged, rated, game.started)
        if game.by == "ladder":
            opened = 1 if game.opener == SIDE_WORDS[0] else -1
            for (name, _), side in ((ivory, 1), (brown, -1)):
                found = self._sides.setdefault(name, [0, 0])
                found[0] += side
                found[1] += side * opened
        if rated:
            yield ivory, brown, won

    @staticmethod
    def _count(counts: dict[_Key, _Count], key: _Key) -> _Count:
        count = counts.get(key)
        if count is None:
            count = counts[key] = _Count()
        return count

    def _met(self, versions: Sequence[Version]) -> Versus:
        """Put both seats of every two together, seen from the one above."""
        places = {version.key: place for place, version in enumerate(versions)}
        found: dict[tuple[int, int], list[int]] = {}
        for (ivory, brown), count in self._versus.items():
            one, other = places[ivory], places[brown]
            figures: Sequence[int] = count.figures()
            if one > other:
                one, other, figures = other, one, turned(figures)
            sums = found.setdefault((one, other), [0] * len(figures))
            for place, figure in enumerate(figures):
                sums[place] += figure
        return Versus.counted(versions, found)

    def _key(self, version: Version) -> VersionKey:
        """The version for which this one counts; of an anchor it is always the same."""
        found = self._keys.get(version)
        if found is None:
            final = self._merges.final(version)
            if final.name.lower() in self._anchors:
                final = Version(final.name)
            found = self._keys[version] = final.key
            if found not in self._fixed:
                self._spelt[found] = min(self._spelt.get(found, final), final, key=str)
        return found

    def _newest(self, keys: Sequence[VersionKey], most: int | None) -> Sequence[VersionKey]:
        """The versions that are rated, in their order: what that takes grows with the cube of how many."""
        played = [key for key in keys if key not in self._fixed and self._counts[key].games]
        played.sort(key=lambda key: self._counts[key].newest, reverse=True)
        chosen = self._fixed.union(played if most is None else played[:most])
        return [key for key in keys if key in chosen]

    def _rated(self, known: Sequence[VersionKey], results: Iterable[_Result]) -> dict[VersionKey, Estimate]:
        if not known:
            return {}
        among = frozenset(known)
        pairs = [_pair(*result) for result in results if result[0] in among and result[1] in among]
        anchors = {str(key): self._anchors[key[0]] for key in known if key in self._fixed}
        ratings = rate([str(key) for key in known], pairs, anchors)
        found = {key: ratings.estimate(index) for index, key in enumerate(known)}
        # What is given has no interval, and is told as it was given.
        return found | {key: Estimate(*[self._anchors[key[0]]] * 3) for key in known if key in self._fixed}

    def _row(self, key: VersionKey, estimate: Estimate | None, provisional: int) -> RatingRow:
        count, anchor = self._counts[key], key in self._fixed
        elo, low, high = estimate or (None, None, None)
        few = count.games < provisional and not anchor
        return RatingRow(self._spelt[key], elo, low, high, *count.figures(), provisional=few, anchor=anchor)


def _ranked(rows: Iterable[RatingRow]) -> Iterator[RatingRow]:
    rank = 0
    for row in rows:
        if row.elo is None or row.provisional:
            yield row
        else:
            rank += 1
            yield row._replace(rank=rank)


def _order(key: VersionKey) -> tuple[str, bool, str]:
    return key[0], key[1] is not None, key[1] or ""


def _pair(ivory: VersionKey, brown: VersionKey, won: bool | None) -> Pair:
    """One game as the statistics take it: a pair of its own, whose deal nobody else has played."""
    first, second = str(ivory), str(brown)
    winner = None if won is None else first if won else second
    return Pair(0, 0, first, second, (Played(_NO_PLACE, first, second, winner, "", "", first),))


_NO_PLACE: Final = Place(0, 0, 1, 0)
