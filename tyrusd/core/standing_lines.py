"""The lines that tell the table of a standing ladder (protocol.md#standing-ladder)."""

from __future__ import annotations

from collections.abc import Iterator

from tyrusd.league.rated import Version
from tyrusd.league.standing_rows import RatingRow, RatingTable, VersusRow
from tyrusd.wire import messages as wire


def rating(row: RatingRow) -> wire.Rating:
    """One version."""
    return wire.Rating(
        row.rank,
        row.version.name,
        _whole(row.elo),
        _whole(row.low),
        _whole(row.high),
        row.games,
        row.won,
        row.drawn,
        row.lost,
        row.version.agent,
        row.forfeits,
        row.forfeited,
        row.flagged,
        "yes" if row.provisional else "no",
        "yes" if row.anchor else "no",
    )


def versus(one: Version, other: Version, row: VersusRow) -> wire.Versus:
    """What one version has done against another."""
    return wire.Versus(
        one.name,
        other.name,
        row.games,
        row.won,
        row.drawn,
        row.lost,
        one.agent,
        other.agent,
        row.forfeits,
        row.forfeited,
        row.flagged,
    )


def account(table: RatingTable, name: str) -> Iterator[wire.Rating | wire.Versus]:
    """The versions of an account, the strongest first, then whom each of them has met."""
    rows = table.of(name)
    yield from map(rating, rows)
    for row in rows:
        for other, found in table.met(row.version):
            yield versus(row.version, other, found)


def _whole(elo: float | None) -> int | None:
    return None if elo is None else round(elo)
