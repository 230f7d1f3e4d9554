"""Bots in a sandbox see no deal, and nothing that their other set has said, also after a run is resumed."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from tests.e2e.ladders import LIMIT, RANDOM, ROOT, TYRUSD, bots
from tests.e2e.unprivileged import require_bwrap

FILES = ("open.txt", "deals", "events", "night.log", "page.html")


def play(folder: Path, *words: str) -> None:
    """Play in a directory whose files bots may read, with all that is printed going to a file there."""
    with (folder / "night.log").open("ab") as log:
        command = [*TYRUSD, *words, "--events", "events", "--report", "page.html"]
        done = subprocess.run(command, cwd=folder, stdout=log, stderr=log, timeout=LIMIT, check=False)
    assert done.returncode == 0, (folder / "night.log").read_text()


def test_what_tells_a_deal_or_what_the_other_set_said_is_hidden(tmp_path: Path) -> None:
    require_bwrap()
    (tmp_path / "open.txt").write_text("open")
    (tmp_path / "reading_bot.py").write_bytes((ROOT / "tests" / "e2e" / "reading_bot.py").read_bytes())
    subprocess.run([*TYRUSD, "deals", "deals", "--count", "3"], cwd=tmp_path, check=True, timeout=LIMIT)
    reader = f"name=reader exec='{sys.executable} -I -S reading_bot.py {','.join(FILES)}'"
    play(
        tmp_path, "ladder", *bots(reader, RANDOM), "--rounds", "3", "--deals", "deals",
        "--concurrency", "1", "--sandbox", "bwrap", "--out", "run",
    )  # fmt: skip
    journal = tmp_path / "run" / "journal.tyrus"
    journal.write_bytes(journal.read_bytes()[:-1])  # so that the last game is played again
    first = told(tmp_path)
    play(tmp_path, "ladder", "--resume", "run")
    again = told(tmp_path)
    assert len(first) == 6 and len(again) == 7
    for found in again:
        assert found["open.txt"] == 4
        assert {name for name in FILES if found[name] > 0} == {"open.txt"}, found


def told(folder: Path) -> list[dict[str, int]]:
    """What the bot has read in each game, from its last words."""
    lines = (folder / "events").read_text().splitlines()
    notes = [event["note"] for event in map(json.loads, lines) if event["event"] == "game"]
    return [json.loads(found[0]) for note in notes if (found := re.search(r"\{.*\}", note))]
