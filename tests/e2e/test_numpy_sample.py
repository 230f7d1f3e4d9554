"""The numpy sample plays hundreds of games on one connection, within the server's default limits."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.e2e.matches import ROOT, TYRUSD
from tyrusd.league.record import read_frames
from tyrusd.rules.game import PLAYED_OUT

pytest.importorskip("numpy", reason="numpy is not installed; install the extra dev")

GAMES = 512
AT_ONCE = 256
SAMPLE = ROOT / "clients" / "samples" / "numpy" / "batch.py"


def play(record: Path) -> tuple[str, str, float]:
    """Play the match; what it printed, what the bot printed, and how many seconds it took."""
    match = subprocess.Popen(
        [*TYRUSD, "match", "tcp:numpy", "plugin:greedy", "--games", str(GAMES), "--seed", "9",
         "--concurrency", str(AT_ONCE), "--record", str(record)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    bot: subprocess.Popen[str] | None = None
    try:
        assert match.stdout is not None
        _, host, port = match.stdout.readline().split()
        _, name, _, key = match.stdout.readline().split()
        before = time.monotonic()
        bot = subprocess.Popen(
            [sys.executable, str(SAMPLE), host, port, name, key], stderr=subprocess.PIPE, text=True
        )
        out, err = match.communicate(timeout=200)
        seconds = time.monotonic() - before
        assert match.returncode == 0, err
        _, said = bot.communicate(timeout=20)
        assert bot.returncode == 0, said
    finally:
        for process in (match, bot):
            if process is not None and process.poll() is None:
                process.kill()
                process.wait()
    return out, said, seconds


def test_it_plays_256_games_at_once_and_decides_them_in_batches(tmp_path: Path) -> None:
    record = tmp_path / "numpy.tyrus"
    out, said, seconds = play(record)
    endings = dict(re.findall(r"([a-z-]+) (\d+)", out.partition("endings: ")[2].partition("\n")[0]))
    assert set(endings) <= PLAYED_OUT, f"somebody forfeited: {endings}"
    assert sum(map(int, endings.values())) == GAMES
    found = re.search(r"^(\d+) decisions in (\d+) batches, ([\d.]+) each$", said, re.MULTILINE)
    assert found is not None, said
    decisions, batches = int(found[1]), int(found[2])
    games = [payload["game"] for _, payload in read_frames(record.read_bytes()) if payload["kind"] == "game"]
    ours = [side for game in games for side, _, _ in game["placements"] if game["seats"][side] == "numpy"]
    assert decisions == len(ours), "each request was answered once"
    assert "error" not in said
    assert decisions / batches > 16, "requests that wait are decided together"
    print(f"{decisions} decisions in {batches} batches ({found[3]} each), {decisions / seconds:.0f} a second")
