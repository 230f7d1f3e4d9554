"""The same bot runs unchanged as a plugin, as a program and over TCP: the same games, move for move."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.matches import play
from tests.host.installing import install
from tyrusd.league.record import read_frames
from tyrusd.rules.game import PLAYED_OUT

TYRUS_BOT = Path(sys.executable).with_name("tyrus-bot")
BOTS = "tests.sdk.bots"
GAMES = 12
KINDS = {
    "by_view": "",
    "by_request": "",
    "PerGame": "",
    "Following": "",
    "Watching": "",
    "awaited": "",
    "shared": "",
    "WithOption": "last=true",
}


def placements(record: Path) -> dict[int, Any]:
    games = [payload["game"] for _, payload in read_frames(record.read_bytes()) if payload["kind"] == "game"]
    return {game["number"]: game["placements"] for game in games}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_plays_the_same_games_every_way(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, "kinds", f"[tyrusd_bots]\ntried = {BOTS}:{kind}\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert TYRUS_BOT.is_file(), "tyrus-bot is not installed beside this Python: pip install -e ."
    option = KINDS[kind]
    bot = f"{TYRUS_BOT} {BOTS}:{kind}" + (f" --option {option}" if option else "")
    # Over TCP the key comes from the environment: a command line is shown to every user of the machine.
    over_tcp = f'TYRUS_KEY="$4" exec {bot} --connect "$1:$2" --name "$3" --games 5'
    ways = {
        "plugin": ("plugin:tried" + (f"?{option}" if option else ""), {}),
        "exec": (f"exec:{bot}", {}),
        "tcp": ("tcp:tried", {"tried": ["/bin/sh", "-c", over_tcp, "sh"]}),
    }
    played = {}
    for way, (seat, clients) in ways.items():
        record = tmp_path / f"{way}.tyrus"
        found = play(
            (seat, "plugin:greedy"), clients,
            "--games", str(GAMES), "--concurrency", "6", "--seed", "ways", "--record", str(record),
        )  # fmt: skip
        assert set(found["endings"]) <= PLAYED_OUT, f"{way}: somebody forfeited: {found['endings']}"
        played[way] = placements(record)
    assert len(played["plugin"]) == GAMES
    assert played["plugin"] == played["exec"] == played["tcp"]
