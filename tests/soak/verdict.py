"""What a soak must show: what clients were told against the journal, who was sent away, what has grown."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

LETTER = {"ivory": "I", "brown": "B", None: "-"}
# Ends that bots which answer in time and come back soon can meet; every other one is the server's fault.
FAIR = frozenset({"three-in-a-row", "majority", "remaining-tiles", "drawn", "resigned", "aborted"})
EXPECTED_BYES = frozenset({"bye", "replaced", "shutdown"})
# What bots are answered that seek each other, come back, and look at games that may just have ended.
EXPECTED_ERRORS = frozenset(
    {"taken", "auth", "unavailable", "no-player", "too-many-games", "stale", "no-game", "expired", "shutdown"}
)


class Told(NamedTuple):
    """One client heard one end."""

    client: str
    game: str
    winner: str  # "I", "B" or "-"
    reason: str


class Kept(NamedTuple):
    """One game of the journal."""

    winner: str
    reason: str
    players: tuple[str, str]


def journal_games(lines: Iterable[str]) -> tuple[dict[str, Kept], list[str]]:
    """The games of an export, and what is wrong with it by itself."""
    games: dict[str, Kept] = {}
    wrong = []
    for line in lines:
        found = json.loads(line)
        game = f"g{found['game']}"
        if game in games:
            wrong.append(f"{game} is in the journal twice")
        seats = (found["seats"]["ivory"], found["seats"]["brown"])
        games[game] = Kept(LETTER[found["winner"]], found["reason"], seats)
    return games, wrong


def wrong_results(told: Iterable[Told], games: Mapping[str, Kept]) -> list[str]:
    """Every end that was told is in the journal with the same winner, and each client heard it once."""
    wrong = []
    heard: Counter[tuple[str, str]] = Counter()
    for client, game, winner, reason in told:
        heard[client, game] += 1
        kept = games.get(game)
        if kept is None:
            wrong.append(f"{client} was told the end of {game}, which the journal does not have")
        elif (winner, reason) != (kept.winner, kept.reason):
            wrong.append(f"{client} was told {winner} {reason} for {game}, the journal has {kept}")
    wrong += [
        f"{client} was told the end of {game} {count} times"
        for (client, game), count in heard.items()
        if count > 1
    ]
    return wrong


def lost_games(started: Iterable[tuple[str, str]], games: Mapping[str, Kept]) -> list[str]:
    """Every game that began for somebody has ended, with that player in it, by the players' own doing."""
    wrong = []
    for client, game in started:
        if game not in games:
            wrong.append(f"{game} began for {client} and has no end in the journal")
        elif client not in games[game].players:
            wrong.append(f"{game} began for {client}, the journal has {games[game].players}")
    wrong += [
        f"{game} of {' and '.join(kept.players)} ended by {kept.reason}"
        for game, kept in games.items()
        if kept.reason not in FAIR
    ]
    return wrong


def sent_away(byes: Mapping[str, int], errors: Mapping[str, int]) -> list[str]:
    """No honest client hears a goodbye that it has not asked for, or an error that it has not earned."""
    wrong = [
        f"honest clients were told bye {why} {count} times"
        for why, count in byes.items()
        if why not in EXPECTED_BYES
    ]
    wrong += [
        f"honest clients were told error {what} {count} times"
        for what, count in errors.items()
        if what.split(" ", 1)[0] not in EXPECTED_ERRORS
    ]
    return wrong
