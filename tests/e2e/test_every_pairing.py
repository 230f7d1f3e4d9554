"""Sample bots of three languages, a plugin and a program play each other: whole games, no forfeit."""

from __future__ import annotations

import subprocess
from itertools import combinations_with_replacement
from pathlib import Path

import pytest

from tests.e2e.matches import ROOT, play
from tests.tools import require_tool
from tyrusd.rules.game import PLAYED_OUT

GAMES = 20
SAMPLES = ROOT / "clients" / "samples"
KINDS = ("c", "javascript", "python", "plugin", "exec")


@pytest.fixture(scope="session")
def c_bot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The C sample, compiled as its page says."""
    gcc = require_tool("gcc")
    bot = tmp_path_factory.mktemp("c") / "bot"
    subprocess.run([gcc, "-O2", "-Wall", "-Werror", "-o", str(bot), str(SAMPLES / "c" / "bot.c")], check=True)
    return bot


@pytest.mark.parametrize("pairing", list(combinations_with_replacement(KINDS, 2)), ids="-".join)
def test_a_pairing_plays_twenty_games_without_a_forfeit(pairing: tuple[str, str], c_bot: Path) -> None:
    node = require_tool("node")
    python = require_tool("python3")
    over_tcp = {
        "c": [str(c_bot)],
        "javascript": [node, str(SAMPLES / "javascript" / "bot.js")],
        "python": [python, str(SAMPLES / "python" / "bot.py")],
    }
    seats: list[str] = []
    clients: dict[str, list[str]] = {}
    for number, kind in enumerate(pairing, 1):
        if kind in over_tcp:
            name = f"{kind}-{number}"
            seats.append(f"tcp:{name}")
            clients[name] = over_tcp[kind]
        else:
            seats.append("plugin:cautious" if kind == "plugin" else f"exec:{c_bot}")
    found = play((seats[0], seats[1]), clients, "--games", str(GAMES), "--seed", "7", "--concurrency", "4")
    assert found["played"] == GAMES
    assert set(found["endings"]) <= PLAYED_OUT, f"somebody forfeited: {found['endings']}"
    assert sum(found["endings"].values()) == GAMES
