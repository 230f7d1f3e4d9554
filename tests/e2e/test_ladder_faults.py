"""A ladder in which a third of all games fail in every way: it ends, and each word of its table is right."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.e2e.ladders import GREEDY, MOODY, ROOT, TYRUSD, bots, finished, ladder
from tests.e2e.moody_bot import fails
from tyrusd.league.match import FORFEITS

EVERY = 3
FAULTS = {"crasher": "crash", "hanger": "hang", "sleeper": "late", "cheat": "illegal"}
REASONS = {"crasher": "crashed", "hanger": "timeout", "sleeper": "timeout", "cheat": "illegal"}
ABSENT = f"name=absent exec='{sys.executable} -S -E tests/host/bots/fault.py early-exit'"


def test_row_48_f070_a_third_of_all_games_fail_and_the_table_is_right(tmp_path: Path) -> None:
    """Disservin/fastchess#231: a tournament in which games were lost on time never came to its end."""
    moody = [f"name={name} exec='{MOODY} {fault} {EVERY}'" for name, fault in FAULTS.items()]
    words = ["--rounds", "2", "--seed", "moods", "--each", "cap=0.8", "--concurrency", "4", "--json"]
    words += ["--suspend-after", "100", "--events", str(tmp_path / "events")]
    done = ladder(
        tmp_path / "run",
        *bots("name=calm exec='" + MOODY + " none 0'", *moody, ABSENT),
        *words,
    )
    assert done.code == 1, done.err
    assert "absent did not start, or did not come, so not everything could be played" in done.err
    stats, games = done.stats(), done.games()
    lost: Counter[tuple[str, str]] = Counter()
    for name, found in games.items():
        game = found["game"]
        moods = {
            side: game["seats"][side] in FAULTS and fails(game["seeds"][side], EVERY)
            for side in ("ivory", "brown")
        }
        if game["reason"] not in FORFEITS:
            # Nobody wins three elections before anybody has decided five times.
            assert not any(moods.values()), name
            continue
        loser = "brown" if game["winner"] == "ivory" else "ivory"
        who = game["seats"][loser]
        # One that hangs goes on to hang, whatever it is asked next.
        assert moods[loser] or who == "hanger", f"{name}: {who} did not fail"
        assert game["reason"] == REASONS[who], name
        lost[who, game["reason"]] += 1
    assert sum(lost.values()) >= 0.3 * len(games)
    assert {reason for _, reason in lost} == {"crashed", "timeout", "illegal"}
    # Ten pairings of five bots, two deals, two games; none with the one that never starts.
    assert len(games) == 40 and stats["pairs"]["complete"] == 20
    for row in stats["entrants"]:
        name = row["name"]
        told = {reason: count for reason, count in row["forfeits"].items() if count}
        assert told == {reason: count for (who, reason), count in lost.items() if who == name}, name
        assert row["games"] == (0 if name == "absent" else 16)
        assert row["wins"] + row["losses"] + row["draws"] == row["games"]
    # Two attempts halt a pairing; with several pairs at a time another may have begun before.
    unready = sum(record["kind"] == "unready" for record in done.records())
    assert done.row("absent")["unready"] == unready >= 10
    halted = stats["tournament"]["halted"]
    assert len(halted) == 5 and all("absent" in halt["pairing"] for halt in halted)
    assert all("it does not like the weather" in halt["why"] for halt in halted)
    events = [json.loads(line) for line in (tmp_path / "events").read_text().splitlines()]
    assert Counter(event["event"] for event in events)["unready"] == unready
    at_fault = Counter((event["at_fault"], event["reason"]) for event in events if event.get("at_fault"))
    assert at_fault == lost
    crashed = [event for event in events if event["event"] == "game" and event["reason"] == "crashed"]
    assert all(event["detail"] == "exit status 3" for event in crashed)
    assert all("it cannot go on" in event["note"] for event in crashed)
    assert "lost, crashed (exit status 3); its error output: it cannot go on; tyrusd why p" in done.err
    assert f"--data {tmp_path / 'run'}" in done.err


def test_why_tells_the_line_that_broke_a_game(tmp_path: Path) -> None:
    done = ladder(tmp_path / "run", *bots(GREEDY, f"name=cheat exec='{MOODY} illegal 1'"))
    assert done.code == 0, done.err
    asked = next(line for line in done.err.splitlines() if "lost, illegal" in line).rpartition("; tyrusd ")[2]
    told = subprocess.run(
        [sys.executable, "-m", "tyrusd", *asked.split()], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert "won: illegal" in told.stdout
    assert "R place p1-" in told.stdout or "C place p1-" in told.stdout or " place p1-" in told.stdout


def test_a_crash_stops_the_run_where_that_is_wanted(tmp_path: Path) -> None:
    words = ("--rounds", "50", "--stop-on-crash", "--seed", "x")
    done = ladder(tmp_path / "run", *bots(GREEDY, f"name=bad exec='{MOODY} crash 1'"), *words)
    assert done.code == 1
    assert done.out.startswith("the first crash of a bot stops the run (--stop-on-crash)")
    assert "bad crashed in game p" in done.err
    assert "a bot crashed, which stops this run (--stop-on-crash)" in done.err
    assert "\nno winner: a crash ended the tournament\n" in done.out
    played = len(done.games())
    assert played < 20
    assert done.out.splitlines()[-1].endswith(f"ladder --resume {tmp_path / 'run'} --no-stop-on-crash")
    resuming = [*TYRUSD, "ladder", "--resume", str(tmp_path / "run")]
    again = finished(resuming, tmp_path / "run")
    assert again.code == 1
    assert again.out.startswith("the first crash of a bot stops the run")
    on = finished([*resuming, "--no-stop-on-crash"], tmp_path / "run")
    assert len(on.games()) > played
    assert on.code == 0, on.err
    assert on.out.startswith("a bot that fails loses that game")


def test_with_a_test_that_is_the_default(tmp_path: Path) -> None:
    words = ("--sprt", "elo0=0 elo1=5")
    done = ladder(tmp_path / "run", *bots(GREEDY, f"name=bad exec='{MOODY} crash 1'"), *words)
    assert done.code == 1
    assert done.out.startswith("the first crash of a bot stops the run (the default with --sprt)")


def test_row_44_a_bot_that_fails_on_and_on_is_suspended(tmp_path: Path) -> None:
    three = bots(GREEDY, "name=random plugin=random", f"name=bad exec='{MOODY} crash 1'")
    done = ladder(tmp_path / "run", *three, "--rounds", "6", "--suspend-after", "4", "--json")
    assert done.code == 0, done.err
    assert "bad is suspended after 4 failures in a row" in done.err
    assert "suspended: bad" in done.err
    assert done.row("bad")["state"] == "suspended"
    assert 4 <= done.row("bad")["games"] < 24
    assert done.row("greedy")["games"] - 12 <= done.row("bad")["games"]


@pytest.mark.parametrize(
    ("text", "mode", "code", "told"),
    [
        (None, 0, 2, "was not found"),
        ("#!/bin/sh\n", 0o644, 2, "not executable|chmod"),
        ("no first line\n", 0o755, 1, "Exec format error"),
    ],
)
def test_f003_a_bot_that_cannot_run_is_told_and_no_game_has_a_result(
    tmp_path: Path, text: str | None, mode: int, code: int, told: str
) -> None:
    """Disservin/fastchess#634: with a wrong path of an engine every game was recorded as a draw."""
    file = tmp_path / "bot"
    if text is not None:
        file.write_text(text)
        file.chmod(mode)
    done = ladder(tmp_path / "run", *bots(GREEDY, f"name=bad exec={file}"), "--rounds", "2")
    assert done.code == code, done.err
    assert re.search(told, done.err), done.err
    if code == 2:
        assert not done.directory.exists()  # it has not even begun
    else:
        assert done.games() == {} and "no winner: no game was played that counts" in done.out


def test_two_bots_that_never_start_end_the_run(tmp_path: Path) -> None:
    done = ladder(tmp_path / "run", *bots(GREEDY, ABSENT), "--rounds", "100")
    assert done.code == 1, done.err
    assert "\nno winner: no game was played that counts\n" in done.out
    assert re.search("^halted: (greedy - absent|absent - greedy) ", done.out, re.MULTILINE)
    assert done.games() == {}
