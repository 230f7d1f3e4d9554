"""Plays ladders as their operator would: the real command, real bots, and what it leaves in its directory."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from tyrusd.league.record import read_frames

ROOT = Path(__file__).resolve().parents[2]
TYRUSD = [sys.executable, "-m", "tyrusd"]
MOODY = f"{sys.executable} -I -S tests/e2e/moody_bot.py"
RANDOM, GREEDY, CAUTIOUS = (f"name={name} plugin={name}" for name in ("random", "greedy", "cautious"))
LIMIT = 200  # seconds for one ladder; only a broken program needs them


class Done(NamedTuple):
    """How a ladder ended, what it printed, and where it is kept."""

    code: int
    out: str
    err: str
    directory: Path

    def games(self) -> dict[str, dict[str, Any]]:
        """The records of its games by their ids, without what depends on the clock and the machine."""
        found = {}
        for record in self.records():
            if record["kind"] == "game":
                assert record["id"] not in found, "no game is there twice"
                found[record["id"]] = {"game": record["game"]}
        return found

    def records(self) -> list[dict[str, Any]]:
        """All records of its journal."""
        data = (self.directory / "journal.tyrus").read_bytes()
        return [dict(payload) for _, payload in read_frames(data)]

    def stats(self) -> dict[str, Any]:
        """What --json printed."""
        found = json.loads(self.out)
        assert isinstance(found, dict)
        return found

    def row(self, name: str) -> dict[str, Any]:
        """A bot's row of what --json printed."""
        found: dict[str, Any] = next(row for row in self.stats()["entrants"] if row["name"] == name)
        return found


def bots(*words: str) -> list[str]:
    return [part for word in words for part in ("--bot", word)]


def command(directory: Path, *words: str) -> list[str]:
    return [*TYRUSD, "ladder", *words, "--out", str(directory), "--sandbox", "none"]


def ladder(directory: Path, *words: str, **more: Any) -> Done:
    """Play a ladder into a new directory."""
    return finished(command(directory, *words), directory, **more)


def finished(words: list[str], directory: Path, **more: Any) -> Done:
    """Run a command to its end."""
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=LIMIT, check=False, **more)
    assert "Traceback" not in done.stderr, done.stderr
    return Done(done.returncode, done.stdout, done.stderr, directory)
