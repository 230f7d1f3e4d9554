"""Every fault of a bot at every moment of a real match: the right word, nobody else touched, nothing left."""

from __future__ import annotations

import os
import re
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.left_behind import VARIABLE, all_gone, emptied, new_mark, processes
from tests.host.daemons import run
from tyrusd.league.record import read_frames
from tyrusd.rules.game import PLAYED_OUT

GAMES = 3
BOT = f"{sys.executable} -I -S tests/e2e/bad_bot.py"
GOOD = f"exec:{BOT} none none"
FAULTS = (
    "crash", "exit-0", "segv", "hang", "garbage", "flood", "stderr-flood", "fork-bomb", "memory", "cpu",
    "late", "wrong-id", "wrong-game", "illegal", "closes-output", "grandchild", "ignores-term",
)  # fmt: skip

# What the second game is lost by, and its detail. Whatever is not here costs nothing at all.
LOST: dict[str, tuple[str, str]] = {
    "crash": ("crashed", "exit status 1"),
    "exit-0": ("crashed", "exit status 0"),
    "segv": ("crashed", "killed by signal 11 (SIGSEGV)"),
    "hang": ("timeout", "move-cap"),
    "garbage": ("protocol", "error-budget"),
    "flood": ("protocol", "line-too-long"),
    "fork-bomb": ("crashed", "exit status 6"),
    "memory": ("crashed", "limit-memory"),
    "cpu": ("crashed", "limit-cpu"),
    "late": ("timeout", "move-cap"),
    "closes-output": ("crashed", "it closed its output"),
    "grandchild": ("crashed", "exit status 4"),
}
ONLY_WHEN_ASKED: dict[str, tuple[str, str]] = {
    "wrong-id": ("timeout", "move-cap"),
    "wrong-game": ("timeout", "move-cap"),
    "illegal": ("illegal", "not-in-hand"),
}
# Why a match cannot begin; the faults that are not here do not prevent it.
NOT_READY = {
    "crash": r"it ended before it was ready \(exit status 1\); its last words: it cannot go on",
    "exit-0": r"it ended before it was ready \(exit status 0\)",
    "segv": r"it ended before it was ready \(killed by signal 11 \(SIGSEGV\)\)",
    "hang": r"it did not say hello within 2 s \(does it flush that line\? `tyrusd check` tells\)",
    "garbage": r"it ended before it was ready \(the server said goodbye\)",
    "flood": r"it ended before it was ready \(the server said goodbye\)",
    "fork-bomb": r"it ended before it was ready \(exit status 6\)",
    "memory": r"it ended before it was ready \(limit-memory\); its last words: MemoryError",
    "cpu": r"it ended before it was ready \(limit-cpu\)",
    "late": r"it did not say hello within 2 s \(does it flush that line\? `tyrusd check` tells\)",
    "closes-output": r"it ended before it was ready \(it closed its output\)",
    "grandchild": r"it ended before it was ready \(exit status 4\)",
}
# A limit that must not be the first one met is out of the way.
LIMITS = {
    "garbage": ("--bot-start", "20"),
    "flood": ("--bot-start", "20"),
    "closes-output": ("--bot-start", "20"),
    "memory": ("--bot-memory", "96", "--move-cap", "20"),
    "cpu": ("--bot-cpu", "1", "--move-cap", "20", "--bot-start", "20"),
}


def play(directory: Path, fault: str, phase: str) -> tuple[int, str, list[dict[str, Any]]]:
    """Play a match with a bad bot in seat 1; its exit code, error output and games. Nothing may be left."""
    mark, record, temporary = new_mark(), directory / "record.tyrus", directory / "tmp"
    temporary.mkdir()
    found = run(
        "match", f"exec:{BOT} {fault} {phase}", GOOD, "--games", str(GAMES), "--seed", "bad", "--record",
        str(record), "--move-cap", "1", "--bot-start", "2", *LIMITS.get(fault, ()),
        LC_TYRUSD_TEST=mark, TMPDIR=str(temporary),
    )  # fmt: skip
    assert all_gone(mark), f"left: {processes(mark)}"
    assert emptied(temporary), f"{list(temporary.iterdir())}, exit code {found.returncode}: {found.stderr}"
    ours = [line for line in found.stderr.splitlines() if "; its error output: " not in line]
    assert not any("Traceback" in line for line in ours), found.stderr
    games = [payload["game"] for _, payload in read_frames(record.read_bytes()) if payload["kind"] == "game"]
    return found.returncode, found.stderr, sorted(games, key=lambda game: int(game["number"]))


@cache
def untouched() -> list[dict[str, Any]]:
    """The games as they are played when nobody does anything bad."""
    import tempfile

    with tempfile.TemporaryDirectory() as directory:
        code, _, games = play(Path(directory), "none", "none")
    assert code == 0
    return games


def course(game: dict[str, Any]) -> dict[str, Any]:
    """What was played, with whatever in the seats and whatever cap."""
    return {key: value for key, value in game.items() if key not in ("fillings", "controls")}


def test_control_without_a_fault_all_games_are_played_to_their_end() -> None:
    assert [game["number"] for game in untouched()] == [1, 2, 3]
    assert all(game["reason"] in PLAYED_OUT for game in untouched())


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("phase", ["start", "handshake"])
def test_row_36_a_bot_that_is_never_ready_halts_the_match(tmp_path: Path, fault: str, phase: str) -> None:
    code, told, games = play(tmp_path, fault, phase)
    sentence = NOT_READY.get(fault)
    if sentence is None:
        assert code == 0, told
        assert [course(game) for game in games] == [course(game) for game in untouched()]
    else:
        assert code == 1, told
        assert games == []  # no game without a placement has a result
        assert re.search(rf"^tyrusd: bad_bot \(exec:.*\) cannot play: {sentence}$", told, re.MULTILINE), told


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("phase", ["own", "other", "between"])
def test_rows_35_to_41_a_fault_costs_one_game_and_says_which(tmp_path: Path, fault: str, phase: str) -> None:
    code, told, games = play(tmp_path, fault, phase)
    assert code == 0, told
    expected = LOST.get(fault) or (ONLY_WHEN_ASKED.get(fault) if phase == "own" else None)
    assert len(games) == GAMES
    # A bot that hangs for ever goes on to do so; all else is over with the game, if need be in a new process.
    lost = [] if expected is None else [2, 3] if fault == "hang" else [2]
    for game, as_ever in zip(games, untouched(), strict=True):
        if game["number"] in lost:
            assert (game["reason"], game["detail"]) == expected
            assert game["winner"] == ("ivory" if game["seats"]["ivory"] == "bad_bot-2" else "brown")
        else:
            assert course(game) == course(as_ever)


@pytest.mark.parametrize("fault", FAULTS)
def test_row_37_a_fault_at_the_goodbye_changes_no_result(tmp_path: Path, fault: str) -> None:
    code, told, games = play(tmp_path, fault, "shutdown")
    assert code == 0, told
    assert [course(game) for game in games] == [course(game) for game in untouched()]


def test_control_what_is_left_behind_would_be_seen(tmp_path: Path) -> None:
    import subprocess

    mark = new_mark()
    with subprocess.Popen(["sleep", "60"], env={**os.environ, VARIABLE: mark}) as sleeper:
        assert processes(mark) == [sleeper.pid]
        assert not all_gone(mark, 0.1)
        sleeper.kill()
