"""Sample bots of three languages, a plugin and a program play each other: whole games, no forfeit."""

from __future__ import annotations

import shlex
from itertools import combinations_with_replacement

import pytest

from tests.clients.recipes import command
from tests.e2e.matches import play
from tyrusd.rules.game import PLAYED_OUT

GAMES = 20
KINDS = ("c", "javascript", "python", "plugin", "exec")


@pytest.mark.parametrize("pairing", list(combinations_with_replacement(KINDS, 2)), ids="-".join)
def test_a_pairing_plays_twenty_games_without_a_forfeit(pairing: tuple[str, str]) -> None:
    seats: list[str] = []
    clients: dict[str, list[str]] = {}
    for number, kind in enumerate(pairing, 1):
        if kind == "plugin":
            seats.append("plugin:cautious")
        elif kind == "exec":
            seats.append(f"exec:{shlex.join(command('c'))}")
        else:
            name = f"{kind}-{number}"
            seats.append(f"tcp:{name}")
            clients[name] = list(command(kind))
    found = play((seats[0], seats[1]), clients, "--games", str(GAMES), "--seed", "7", "--concurrency", "4")
    assert found["played"] == GAMES
    assert set(found["endings"]) <= PLAYED_OUT, f"somebody forfeited: {found['endings']}"
    assert sum(found["endings"].values()) == GAMES
