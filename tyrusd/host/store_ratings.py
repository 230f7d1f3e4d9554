"""What the store holds of a standing ladder: rated games to read, merges of versions, the last ratings."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Final, NamedTuple

from tyrusd.host.store import Store
from tyrusd.league.merges import gap_fault, merge_fault, versions_text
from tyrusd.league.rated import RatedGame, Version
from tyrusd.league.standing_table import RatingRow, RatingTable

_GAMES: Final = (
    "SELECT id, ivory, ivory_agent, brown, brown_agent, winner, reason, opener, by, flags, started"
    " FROM game WHERE rated = 1"
)
_SEAT: Final = "SELECT {0} AS name, {0}_agent AS agent, started FROM game WHERE rated = 1"
_BEGUN: Final = (
    f"SELECT name, agent, min(started) FROM ({_SEAT.format('ivory')} UNION ALL {_SEAT.format('brown')})"
    " GROUP BY name, agent"
)
_ROW: Final = (
    "place, name, agent, elo, low, high, games, won, drawn, lost, forfeits, forfeited, flagged, provisional,"
    " anchor"
)
_NUMBERED: Final = (
    "SELECT {0}_agent AS agent, CAST(substr(id, 2) AS INTEGER) AS number"
    " FROM game WHERE rated = 1 AND {0} = ?1"
)
_FIRST: Final = (
    f"SELECT agent, min(number) FROM ({_NUMBERED.format('ivory')} UNION ALL {_NUMBERED.format('brown')})"
    " GROUP BY agent"
)


class MergeEntry(NamedTuple):
    """One merge: who settled it, and when (ISO 8601 in UTC)."""

    old: Version
    new: Version
    at: str
    by: str


class Known(NamedTuple):
    """What ratings follow from; when it is another, they are too. rated: how many games the index holds."""

    rated: int
    merges: dict[Version, Version]


def rated_games(database: sqlite3.Connection) -> Iterator[RatedGame]:
    """Read all rated games of the index, in no order; raises sqlite3.Error."""
    versions: dict[tuple[str, str | None], Version] = {}  # there are few, and games have two each

    def version(name: str, agent: str | None) -> Version:
        found = versions.get((name, agent))
        if found is None:
            found = versions[name, agent] = Version(name, agent or None)
        return found

    for row in database.execute(_GAMES):
        game, ivory, ivory_agent, brown, brown_agent, winner, reason, opener, by, flags, started = row
        yield RatedGame(
            game,
            version(ivory, ivory_agent),
            version(brown, brown_agent),
            winner,
            reason,
            opener,
            by,
            tuple(flags.split(",")) if flags else (),
            started,
        )


def begun(database: sqlite3.Connection) -> dict[str, dict[str | None, float]]:
    """Read when each version began its first rated game, as RatingTable.begun; raises sqlite3.Error."""
    found: dict[str, dict[str | None, float]] = {}
    for name, agent, started in database.execute(_BEGUN):
        versions = found.setdefault(name.lower(), {})
        at = _seconds(started)
        versions[agent or None] = min(at, versions.get(agent or None, at))
    return found


def _seconds(moment: str) -> float:
    """A time of the index as seconds since 1970; one that cannot be read is long past."""
    try:
        return datetime.fromisoformat(moment).timestamp()
    except ValueError:
        return 0.0


def known(database: sqlite3.Connection) -> Known:
    """Read what has been settled, and count; raises sqlite3.Error."""
    [rated] = database.execute("SELECT count(*) FROM game WHERE rated = 1").fetchone()
    return Known(rated, {entry.old: entry.new for entry in _merges(database)})


def _merges(database: sqlite3.Connection) -> list[MergeEntry]:
    rows = database.execute("SELECT name, old, new, at, by FROM merge ORDER BY rowid")
    return [
        MergeEntry(Version(name, old or None), Version(name, new or None), at, by)
        for name, old, new, at, by in rows
    ]


class RatingStore:
    """The ladder's part of an open store; every method raises StoreError as that does."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.path = store.path

    def version(self) -> int:
        """Return a number that changes whenever somebody else has changed the store."""
        return self._store.version()

    def known(self) -> Known:
        """Return what ratings follow from."""
        with self._store.transaction("BEGIN") as database:
            return known(database)

    def merges(self) -> list[MergeEntry]:
        """Return all merges, the oldest first."""
        with self._store.transaction("BEGIN") as database:
            return _merges(database)

    def begun(self) -> dict[str, dict[str | None, float]]:
        """Return when each version began its first rated game."""
        with self._store.transaction("BEGIN") as database:
            return begun(database)

    def games(self) -> list[RatedGame]:
        """Return all rated games; for commands, since it has the store meanwhile."""
        with self._store.transaction("BEGIN") as database:
            return list(rated_games(database))

    def holds(self, old: Version, new: Version) -> bool:
        """Tell whether the games of one version count for just this other one."""
        return any(entry.old.key == old.key and entry.new.key == new.key for entry in self.merges())

    def versions(self, name: str) -> list[Version]:
        """Return the versions of an account that have rated games, in its spelling there."""
        with self._store.transaction("BEGIN") as database:
            return _versions(database, name)

    def merge(
        self,
        old: Version,
        new: Version,
        by: str,
        here: bool = False,
        begun: Iterable[tuple[str | None, int]] | None = None,
    ) -> str | None:
        """Let the games of one version count for another, durably; or return why not, as a sentence.

        here: whether the new version is connected, so that it need not have played. begun: None for the
        operator, who may merge what he wants; of an account the versions whose rated games may not be in the
        index yet, as in KeepMerge. What holds already stays as it is.
        """
        with self._store.transaction() as database:
            account = database.execute("SELECT name FROM account WHERE name = ?", (old.name,)).fetchone()
            if account is None:
                return f"There is no account {old.name}."
            entries = _merges(database)
            if any(entry.old.key == old.key and entry.new.key == new.key for entry in entries):
                return None
            fault = merge_fault({entry.old: entry.new for entry in entries}, old, new)
            if fault is not None:
                return f"{fault}."
            versions = _versions(database, account[0])
            known = {version.key for version in (*versions, *(entry.new for entry in entries))}
            for version, may in ((old, False), (new, here)):
                if version.key not in known and not may:
                    return f"{version} has no rated game; {_those(account[0], versions)}."
            if begun is not None:
                order = _order(database, account[0], begun)
                fault = gap_fault(order, {entry.old: entry.new for entry in entries}, old, new)
                if fault is not None:
                    return f"{fault}."
            database.execute(
                "INSERT INTO merge (name, old, new, at, by) VALUES (?, ?, ?, ?, ?)",
                (account[0], old.agent or "", new.agent or "", _now(), by),
            )
        return None

    def split(self, old: Version) -> bool:
        """Let the games of a version count for itself again; False if they did."""
        with self._store.transaction() as database:
            gone = database.execute(
                "DELETE FROM merge WHERE name = ? AND old = ?", (old.name, old.agent or "")
            )
            return gone.rowcount == 1

    def keep(self, table: RatingTable) -> None:
        """Remember the ratings for whoever reads them while no server runs."""
        rows = [
            (
                place, row.version.name, row.version.agent or "", *row[1:11],
                int(row.provisional), int(row.anchor),
            )
            for place, row in enumerate(table.rows, 1)
        ]  # fmt: skip
        with self._store.transaction() as database:
            database.execute("DELETE FROM rating")
            database.executemany(f"INSERT INTO rating ({_ROW}) VALUES ({','.join('?' * 15)})", rows)

    def kept(self) -> list[RatingRow]:
        """Return the ratings that were remembered last, in their order, with their ranks."""
        with self._store.transaction("BEGIN") as database:
            found = database.execute(f"SELECT {_ROW} FROM rating ORDER BY place").fetchall()
        rows, rank = [], 0
        for _, name, agent, elo, *figures, provisional, anchor in found:
            ranked = elo is not None and not provisional
            rank += ranked
            marks = bool(provisional), bool(anchor), rank if ranked else 0
            rows.append(RatingRow._make((Version(name, agent or None), elo, *figures, *marks)))
        return rows


def _versions(database: sqlite3.Connection, name: str) -> list[Version]:
    found = database.execute(
        "SELECT ivory, ivory_agent FROM game WHERE rated = 1 AND ivory = ?1"
        " UNION SELECT brown, brown_agent FROM game WHERE rated = 1 AND brown = ?1",
        (name,),
    ).fetchall()
    return list(
        {version.key: version for version in (Version(name, agent or None) for name, agent in found)}.values()
    )


def _order(database: sqlite3.Connection, name: str, begun: Iterable[tuple[str | None, int]]) -> list[Version]:
    """The versions of an account by their first rated games; ids are given in the order of the beginnings."""
    first: dict[str | None, int] = dict(begun)
    for agent, number in database.execute(_FIRST, (name,)):
        first[agent or None] = min(number, first.get(agent or None, number))
    return [Version(name, agent) for agent, _ in sorted(first.items(), key=lambda found: found[1])]


def _those(name: str, versions: list[Version]) -> str:
    return f"those of {name} are {versions_text(versions)}" if versions else f"nor has any version of {name}"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
