"""Statistics of a run that nobody could play in a test: hundreds of bots, each against each."""

from __future__ import annotations

from typing import Any

from tests.screen.ladder_games import facts_of, ladder, round_robin


def made_stats(count: int, games: int = 4) -> dict[str, Any]:
    """The statistics of so many bots, of which each is 10 Elo below the one before."""
    stats: dict[str, Any] = facts_of(ladder(round_robin(rounds=1), 0))._asdict()["stats"]
    one, cell = stats["entrants"][0], next(cell for cell in stats["crosstable"][0] if cell)
    names = [f"bot-{number:03}" for number in range(count)]
    elos = [10.0 * (count / 2 - number) for number in range(count)]

    def against(row: int, column: int) -> dict[str, Any]:
        points = games / 2 if row == column else games - 1.0 if row < column else 1.0
        gap = elos[row] - elos[column]
        return {
            **cell, "games": games, "pairs": games // 2, "points": points, "score": points / games,
            "elo": gap, "low": gap - 90, "high": gap + 90,
        }  # fmt: skip

    entrants = [
        {
            **one, "name": name, "rank": rank, "games": games * (count - 1),
            "rating": {"elo": elo, "low": elo - 35, "high": elo + 35, "deviation": 18.0},
        }
        for rank, (name, elo) in enumerate(zip(names, elos, strict=True), 1)
    ]  # fmt: skip
    places = range(count)
    progress = [
        {
            "games": moment,
            "ratings": {
                name: [elo, elo - 900 / moment, elo + 900 / moment]
                for name, elo in zip(names, elos, strict=True)
            },
        }
        for moment in range(1, 16)
    ]
    return {
        **stats,
        "entrants": entrants,
        "crosstable": [[None if a == b else against(a, b) for b in places] for a in places],
        "differences": [[None if a == b else {**against(a, b), "los": 0.9} for b in places] for a in places],
        "progress": progress,
        "tournament": None,
    }
