"""What is left of bots when tyrusd is killed, interrupted or serves on, and when they grow old."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.left_behind import VARIABLE, all_gone, new_mark, processes
from tests.host.daemons import ROOT, command, login, run, running, wait_until
from tests.host.test_host_serving import play
from tyrusd.league.record import read_frames

BOT = f"{sys.executable} -I -S tests/e2e/bad_bot.py"
GOOD = f"exec:{BOT} none none"
# Trio's worker threads end after ten idle seconds, and with them whatever is bound to the life of a thread.
OLD = 65 if os.environ.get("TYRUSD_FULL_SIZE") else 13


@pytest.mark.parametrize(
    ("fault", "phase"),
    [
        ("hang", "start"),
        ("hang", "handshake"),
        ("hang", "own"),
        ("hang", "between"),
        ("hang", "shutdown"),
        ("cpu", "own"),
        ("garbage", "own"),
    ],
)
def test_f008_after_kill_9_in_a_match_no_bot_is_left(tmp_path: Path, fault: str, phase: str) -> None:
    mark, begun, temporary = new_mark(), tmp_path / "begun", tmp_path / "tmp"
    temporary.mkdir()
    words = ("match", f"exec:{BOT} {fault} {phase} {begun}", GOOD, "--games", "2", "--move-cap", "none")
    with running(*words, LC_TYRUSD_TEST=mark, TMPDIR=str(temporary)) as match:
        wait_until(begun.exists)
        assert len(processes(mark)) >= 3  # control: itself, a keeper and its bot at least
        match.process.kill()
        assert all_gone(mark), f"left: {processes(mark)}"
    wait_until(lambda: not list(temporary.iterdir()))


def test_f015_ctrl_c_reaches_tyrusd_and_not_the_bots(tmp_path: Path) -> None:
    # A terminal sends SIGINT to the whole process group; a bot that got it would lose its game as crashed.
    mark, begun, record = new_mark(), tmp_path / "begun", tmp_path / "record"
    words = (
        "match", f"exec:{BOT} hang own {begun} any", GOOD, "--games", "2", "--move-cap", "none",
        "--record", str(record),
    )  # fmt: skip
    environment = {**os.environ, "PYTHONPATH": str(ROOT), VARIABLE: mark}
    with subprocess.Popen(command(*words), cwd=ROOT, env=environment, process_group=0, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as match:  # fmt: skip
        try:
            wait_until(begun.exists)
            os.killpg(match.pid, signal.SIGINT)
            _, told = match.communicate(timeout=20)
        finally:
            match.kill()
    assert match.returncode == 130, told
    assert all_gone(mark)
    games = [payload["game"] for _, payload in read_frames(record.read_bytes()) if payload["kind"] == "game"]
    assert [(game["reason"], game["detail"]) for game in games] == [("aborted", "shutdown")]


@pytest.mark.timeout(OLD + 120)
def test_trap_a_bot_may_be_older_than_any_worker_thread(tmp_path: Path) -> None:
    mark = new_mark()
    words = (
        "match",
        f"exec:{BOT} waits-{OLD} own",
        GOOD,
        "--games",
        "3",
        "--move-cap",
        "none",
        "--seed",
        "old",
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT), VARIABLE: mark}
    with subprocess.Popen(command(*words), cwd=ROOT, env=environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as match:  # fmt: skip
        out, told = match.communicate(timeout=OLD + 60)
    assert match.returncode == 0, told
    assert "games: 3 of 3" in out
    assert "lost" not in told
    assert all_gone(mark)


SERVED = {
    "crash": "crashed",
    "exit-0": "crashed",
    "segv": "crashed",
    "garbage": "protocol",
    "flood": "protocol",
    "fork-bomb": "crashed",
    "memory": "crashed",
    "closes-output": "crashed",
    "grandchild": "crashed",
}


def test_r1_bad_house_bots_of_a_standing_server_cost_nobody_else_anything(tmp_path: Path) -> None:
    mark, temporary = new_mark(), tmp_path / "tmp"
    temporary.mkdir()
    bots = [
        word for name in SERVED for word in ("--bot", f"{name}=exec:{BOT} {name} own {tmp_path / name} any")
    ]
    words = ("serve", "--host", "127.0.0.1", "--port", "0", "--data", str(tmp_path / "data"), *bots,
             "--bot", f"good={GOOD}", "--bot-memory", "96")  # fmt: skip
    with running(*words, LC_TYRUSD_TEST=mark, TMPDIR=str(temporary)) as daemon:
        [address] = daemon.addresses()

        def descriptors() -> int:
            return len(list(Path(f"/proc/{daemon.process.pid}/fd").iterdir()))

        with login(address, "calm") as calm, login(address, "brave") as brave:
            calm.say("play good")
            play(calm, 3)
            before, with_good = descriptors(), len(processes(mark))
            assert with_good == 3  # the server, a keeper, the good bot
            for name, reason in SERVED.items():
                brave.say(f"play {name}")
                assert play(brave).split()[4] == reason, name
                assert (tmp_path / name).exists()
            wait_until(lambda: (descriptors(), len(processes(mark))) == (before, with_good))
            assert len(list(temporary.iterdir())) == 1  # the good bot's
            calm.say("look g1")
            assert " crashed" not in (over := play(calm)), over
            assert over.split()[:2] == ["over", "g1"]
        daemon.signal(signal.SIGTERM)
        assert daemon.end()[0] == 0
    assert all_gone(mark)
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("restarts", [1, 3])
def test_row_44_a_bot_that_crashes_in_every_game_halts_the_match(tmp_path: Path, restarts: int) -> None:
    record = tmp_path / "record"
    seat = f"exec:{BOT} crash own '' any"
    found = run("match", seat, GOOD, "--games", "9", "--max-restarts", str(restarts), "--record", str(record))
    assert found.returncode == 1
    times = "once" if restarts == 1 else "3 times in a row"
    assert f"tyrusd: bad_bot ({seat}) ended {times} without getting through a game; " in found.stderr
    assert "--max-restarts" in found.stderr
    games = [payload["game"] for _, payload in read_frames(record.read_bytes()) if payload["kind"] == "game"]
    # What was played stands, and the other seat won it.
    assert [game["reason"] for game in games] == ["crashed"] * restarts
    assert f"games: {restarts} of 9" in found.stdout


def test_f001_a_crash_is_noticed_without_any_clock(tmp_path: Path) -> None:
    for fault in ("crash", "exit-0", "segv"):
        found = run("match", f"exec:{BOT} {fault} own", GOOD, "--games", "3", "--move-cap", "none")
        assert found.returncode == 0
        assert found.stderr.count("lost, crashed") == 1, found.stderr
