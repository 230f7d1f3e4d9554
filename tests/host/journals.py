"""Journals of games to order, for tests of what is made of them; and what their index must be."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

from tyrusd.host.journal import JOURNAL, FileJournal
from tyrusd.host.store import STORE
from tyrusd.league.clock import BOTS
from tyrusd.league.game_row import GameRow
from tyrusd.league.match import Match
from tyrusd.league.rated import Rated
from tyrusd.league.record import frame, game_record, opened_record
from tyrusd.rules.deal import deal_from_bytes
from tyrusd.rules.pieces import Side
from tyrusd.rules.variants import STANDARD

STARTED = "2026-01-02T03:04:05.678Z"
RATED = Rated("one/1", None, "lobby", ("host", "owner"))


def new_match(game: str, names: tuple[str, str] = ("One", "two"), rated: Rated | None = None) -> Match:
    deal = deal_from_bytes(game.encode())
    match = Match(game, 1, deal, STANDARD, (BOTS, BOTS), (0, 0), names, ("a", "b"))
    match.rated = rated
    match.began = 0.0
    return match


def ended(
    game: str,
    reason: str = "resigned",
    *,
    names: tuple[str, str] = ("One", "two"),
    repeats: str | None = None,
    rated: Rated | None = None,
    detail: str = "",
) -> list[bytes]:
    """The records of a game that ended before the first placement; Brown won, if anybody."""
    match = new_match(game, names, rated)
    opened = frame(opened_record(match, started=STARTED, repeats=repeats))
    match.issue(0.0)
    winner = None if reason in ("aborted", "void") else Side.BROWN
    match.stop(winner, reason, detail, 1.0)
    return [opened, frame(game_record(match, started=STARTED))]


def mixed() -> list[bytes]:
    """A fresh game, one on its deal, a rated one, an aborted one, and one that has no end."""
    return [
        *ended("g1"),
        *ended("g2", repeats="g1", names=("two", "One")),
        *ended("g3", rated=RATED),
        *ended("g4", "aborted"),
        frame(opened_record(new_match("g5"), started=STARTED)),
    ]


def rows_of_mixed() -> list[GameRow]:
    """The index of `mixed`, as the page on records tells it."""
    common: dict[str, Any] = {"started": STARTED, "variant": "standard", "ivory": "One", "brown": "two"}
    common |= {"winner": "brown", "reason": "resigned", "placed": 0, "rated": 0, "by": None, "flags": ""}
    common |= {"ivory_agent": None, "brown_agent": None}
    rows = []
    for number in range(1, 5):
        game = f"g{number}"
        opener = deal_from_bytes(game.encode()).opener.word
        rows.append(GameRow(**common | {"id": game, "deal": game, "opener": opener}))
    rows[1] = rows[1]._replace(deal="g1", ivory="two", brown="One")
    rows[2] = rows[2]._replace(rated=1, by="lobby", ivory_agent="one/1", flags="host,owner")
    rows[3] = rows[3]._replace(winner=None, reason="aborted")
    return rows


def write(data: Path, frames: Iterable[bytes]) -> Path:
    """Add records to the journal of a data directory; return its path."""
    data.mkdir(mode=0o700, exist_ok=True)
    journal = FileJournal(data / JOURNAL)
    journal.append(list(frames))
    journal.close()
    return data / JOURNAL


def index_of(data: Path) -> list[GameRow]:
    """The index of a data directory, in the order of the numbers of its games."""
    with closing(sqlite3.connect(data / STORE)) as database:
        rows = [GameRow(*row) for row in database.execute("SELECT * FROM game")]
    return sorted(rows, key=lambda row: (len(row.id), row.id))


def spoil(data: Path, *statements: str) -> None:
    """Change the store of a data directory by hand."""
    with closing(sqlite3.connect(data / STORE)) as database:
        for statement in statements:
            database.execute(statement)
        database.commit()


SPOILT = {
    "deleted": ("DELETE FROM game WHERE id IN ('g2', 'g3')",),
    "wrong": (
        "UPDATE game SET winner = 'ivory' WHERE id = 'g3'",
        "UPDATE game SET flags = 'x' WHERE id = 'g4'",
    ),
    "strays": (
        "INSERT INTO game SELECT 'g77', started, variant, ivory, brown, winner, reason, placed, deal, rated,"
        " by, ivory_agent, brown_agent, opener, flags FROM game WHERE id = 'g3'",
    ),
    "empty": ("DELETE FROM game",),
    "all": (
        "DELETE FROM game WHERE id = 'g1'",
        "UPDATE game SET id = 'g99' WHERE id = 'g2'",
        "UPDATE game SET rated = 0, by = NULL WHERE id = 'g3'",
    ),
}
