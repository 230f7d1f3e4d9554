"""A bot that comes over tcp to a ladder: its key, its deals played once, or twice where it is trusted."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.ladders import GREEDY, LIMIT, ROOT, Done, bots, command

SAMPLE = [sys.executable, "clients/samples/python/bot.py"]


def played(directory: Path, *words: str) -> Done:
    """A ladder with a bot called alice that takes the key that is printed."""
    ladder = subprocess.Popen(
        command(directory, *bots("name=alice tcp", GREEDY), *words), cwd=ROOT, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    running: list[subprocess.Popen[str]] = [ladder]
    try:
        assert ladder.stdout is not None
        told: list[str] = []
        address = ["", ""]
        while not (told and told[-1].startswith("seat alice key ")):
            line = ladder.stdout.readline()
            assert line, "it ended before it told the key"
            told.append(line)
            if line.startswith("listening "):
                address = line.split()[1:]
        bot = subprocess.Popen([*SAMPLE, *address, "alice", told[-1].split()[3]], cwd=ROOT, text=True)
        running.append(bot)
        out, err = ladder.communicate(timeout=LIMIT)
        assert bot.wait(20) == 0
        return Done(ladder.returncode, "".join(told) + out, err, directory)
    finally:
        for process in running:
            if process.poll() is None:
                process.kill()
                process.communicate()


def test_deals_of_a_bot_that_may_remember_are_played_once(tmp_path: Path) -> None:
    done = played(tmp_path / "run", "--rounds", "4")
    assert done.code == 0, done.err
    assert (
        "alice over tcp may remember a deal: its deals are played once, and the colours alternate" in done.out
    )
    games = done.games()
    assert sorted(games) == ["p1-1", "p2-1", "p3-1", "p4-1"]
    ivory = [games[name]["game"]["seats"]["ivory"] for name in sorted(games)]
    assert ivory.count("alice") == ivory.count("greedy") == 2
    assert ivory[0] != ivory[1]
    assert len({str(game["game"]["deal"]) for game in games.values()}) == 4


def test_with_trust_they_are_swapped(tmp_path: Path) -> None:
    done = played(tmp_path / "run", "--rounds", "2", "--trust-memory")
    assert done.code == 0, done.err
    assert "alice over tcp may remember, and deals are swapped all the same (--trust-memory)" in done.out
    assert sorted(done.games()) == ["p1-1", "p1-2", "p2-1", "p2-2"]


@pytest.mark.timeout(120)
def test_a_bot_that_never_comes_ends_the_run(tmp_path: Path) -> None:
    words = command(tmp_path / "run", *bots("name=alice tcp", GREEDY), "--rounds", "3", "--wait", "0.3")
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=LIMIT, check=False)
    assert done.returncode == 1, done.stderr
    assert "alice was not ready" in done.stderr
    assert "halted: " in done.stdout
