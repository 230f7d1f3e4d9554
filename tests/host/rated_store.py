"""Stores with rated games in their index, written as the daemon's index would."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from pathlib import Path
from typing import Literal

from tyrusd.core.accounts import Account
from tyrusd.host.store import Store
from tyrusd.league.rated import RatedGame, Version

STARTED = "2026-11-30T00:00:00Z"
_ids = count(1)


def accounts(data: Path, *names: str) -> None:
    """Add accounts of bots."""
    with Store(data) as store:
        for name in names:
            assert store.add(Account(name, "bot"))


def played(one: Version, other: Version, *winners: str, flags: tuple[str, ...] = ()) -> list[RatedGame]:
    """Games of two in turn on either side, by the letter of who won: `1`, `2`, or `-` for a draw."""
    found = []
    for number, winner in enumerate("".join(winners)):
        ivory, brown = (one, other) if number % 2 == 0 else (other, one)
        won: Literal["ivory", "brown"] | None = "ivory" if (winner == "1") is (ivory is one) else "brown"
        won, reason = (None, "drawn") if winner == "-" else (won, "majority")
        found.append(
            RatedGame(f"g{next(_ids)}", ivory, brown, won, reason, "ivory", "ladder", flags, STARTED)
        )
    return found


def index(data: Path, games: Iterable[RatedGame]) -> None:
    """Put rated games into the index."""
    with Store(data) as store:
        put(store, games)


def put(store: Store, games: Iterable[RatedGame]) -> None:
    """Put rated games into the index of an open store."""
    rows = [
        (
            game.id, game.started or STARTED, "standard", game.ivory.name, game.brown.name, game.winner,
            game.reason, 30, game.id, 1, game.by, game.ivory.agent, game.brown.agent, game.opener,
            ",".join(game.flags),
        )
        for game in games
    ]  # fmt: skip
    with store.transaction() as database:
        database.executemany(
            "INSERT INTO game (id, started, variant, ivory, brown, winner, reason, placed, deal, rated, by,"
            f" ivory_agent, brown_agent, opener, flags) VALUES ({','.join('?' * 15)})",
            rows,
        )
