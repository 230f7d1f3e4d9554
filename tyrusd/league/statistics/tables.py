"""Plain counts of what happened: results by player, side and opener, endings, faults and time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from tyrusd.league.match import FORFEITS
from tyrusd.league.tournament.played import Played

Table = dict[str, Any]
"""Plain data that becomes JSON as it is."""

RESULTS: Final = ("wins", "losses", "draws")
FAULTS: Final = tuple(sorted(FORFEITS))
"""The words of games that were lost without the board saying so."""


def lost_by_forfeit(game: Played) -> bool:
    """Whether a game tells of a fault rather than of a player's decisions."""
    return game.winner is not None and game.reason in FAULTS


def result_of(game: Played, name: str) -> str:
    """The word of the table for what a game came to, seen from one of the two."""
    return "draws" if game.winner is None else "wins" if game.winner == name else "losses"


def player_table(games: Sequence[Played], name: str) -> Table:
    """What one player's games came to; games of others are passed over."""
    groups: dict[str, Counter[str]] = {
        group: Counter() for group in ("all", "ivory", "brown", "opened", "answered")
    }
    won_by: Counter[str] = Counter()
    lost_by: Counter[str] = Counter()
    placements, spent = 0, 0
    for game in games:
        if name not in (game.ivory, game.brown):
            continue
        result, seat = result_of(game, name), 0 if game.ivory == name else 1
        opened = "opened" if game.opener == name else "answered"
        for group in ("all", ("ivory", "brown")[seat], opened):
            groups[group][result] += 1
        if game.winner is not None:
            (won_by if result == "wins" else lost_by)[game.reason] += 1
        placements += game.placed[seat]
        spent += game.spent[seat]
    both = groups.pop("all")
    total = both.total()
    points = both["wins"] + both["draws"] / 2
    return {
        "games": total,
        **{result: both[result] for result in RESULTS},
        "points": points,
        "score": points / total if total else None,
        **{group: _with_games(counted) for group, counted in groups.items()},
        "won_by": _sorted(won_by),
        "lost_by": _sorted(lost_by),
        "forfeits": {word: lost_by[word] for word in FAULTS},
        "time": {
            "placements": placements,
            "mean_ms": spent / placements if placements else None,
            "total_ms": spent,
        },
    }


def sides_table(games: Iterable[Played]) -> Table:
    """Which side won, and whether it was the one that opened the odd elections."""
    found = dict.fromkeys(("ivory_wins", "brown_wins", "draws", "opener_wins", "answerer_wins"), 0)
    for game in games:
        if game.winner is None:
            found["draws"] += 1
            continue
        found["ivory_wins" if game.winner == game.ivory else "brown_wins"] += 1
        found["opener_wins" if game.winner == game.opener else "answerer_wins"] += 1
    return found


def endings_table(games: Iterable[Played]) -> Table:
    """How many games ended by each word."""
    return _sorted(Counter(game.reason for game in games))


def _with_games(counted: Mapping[str, int]) -> Table:
    found = {result: counted.get(result, 0) for result in RESULTS}
    return {"games": sum(found.values()), **found}


def _sorted(counted: Counter[str]) -> Table:
    """The most frequent first, equal ones by name: the same for the same games in any order."""
    return dict(sorted(counted.items(), key=lambda item: (-item[1], item[0])))
