"""What is left of bots when tyrusd is killed, interrupted or serves on, and when they grow old."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import Any

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
    """Disservin/fastchess#94: of a manager that was killed the engines stayed."""
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
    """notnil/chess#114, lichess-org/fishnet#54: a Ctrl-C went to the engines first."""
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


def lasted_after(mark: Path, record: dict[str, Any]) -> float:
    """Seconds from the moment in which a bot did something to the end of the game."""
    began = datetime.fromisoformat(record["timing"]["started"]).timestamp()
    return float(began + record["timing"]["total"] / 1000 - mark.stat().st_mtime)


def games_of(file: Path) -> list[dict[str, Any]]:
    return [dict(payload) for _, payload in read_frames(file.read_bytes()) if payload["kind"] == "game"]


@pytest.mark.parametrize(
    ("fault", "status"),
    [("crash", "exit status 1"), ("exit-0", "exit status 0"), ("segv", "killed by signal 11 (SIGSEGV)")],
)
def test_f001_a_crash_is_noticed_without_any_clock(tmp_path: Path, fault: str, status: str) -> None:
    """Disservin/fastchess#1029: an engine died while no clock ran, and was waited for for ever."""
    mark, record = tmp_path / "mark", tmp_path / "record"
    words = ("--games", "3", "--clock", "none", "--move-cap", "none", "--record", str(record))
    found = run("match", f"exec:{BOT} {fault} own {mark}", GOOD, *words)
    assert found.returncode == 0
    assert found.stderr.count("lost, crashed") == 1, found.stderr
    games = games_of(record)
    assert len(games) == 3  # the others were played
    (lost,) = [game for game in games if game["game"]["reason"] == "crashed"]
    assert lost["game"]["detail"] == status
    assert lasted_after(mark, lost) < 1.0


def test_f001_so_is_one_that_is_killed_from_outside(tmp_path: Path) -> None:
    """Disservin/fastchess#1029, where somebody else ends the engine."""
    mark, record, word = tmp_path / "mark", tmp_path / "record", new_mark()
    words = ("match", f"exec:{BOT} hang own {mark} any", GOOD, "--clock", "none", "--move-cap", "none")
    with running(*words, "--record", str(record), LC_TYRUSD_TEST=word) as match:
        wait_until(mark.exists)
        (bot,) = [each for each in processes(word) if b"hang" in arguments(each) and not keeps(each)]
        os.utime(mark)
        os.kill(bot, signal.SIGKILL)
        assert match.end()[0] == 0
    (lost,) = games_of(record)
    assert (lost["game"]["reason"], lost["game"]["detail"]) == ("crashed", "killed by signal 9 (SIGKILL)")
    assert lasted_after(mark, lost) < 1.0


def arguments(process: int) -> list[bytes]:
    return Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")


def keeps(process: int) -> bool:
    """Whether this is the keeper of a bot, or the match itself, and not the bot."""
    return any(b"tyrusd" in word for word in arguments(process))


def test_f008_f009_each_server_ends_its_own_bots_and_no_others(tmp_path: Path) -> None:
    """Disservin/fastchess#94, AndyGrant/OpenBench#162: engines outlived a manager or died with others."""
    marks = [new_mark(), new_mark()]
    with ExitStack() as stack:
        bystander = subprocess.Popen([sys.executable, "-I", "-S", "-c", "input()"], stdin=subprocess.PIPE)
        stack.callback(bystander.communicate)
        daemons, visitors = [], []
        for number, mark in enumerate(marks):
            words = ("serve", "--host", "127.0.0.1", "--port", "0", "--data", str(tmp_path / f"data{number}"))
            daemon = stack.enter_context(running(*words, LC_TYRUSD_TEST=mark))
            [address] = daemon.addresses()
            for visitor in range(8 if number == 0 else 1):
                peer = stack.enter_context(login(address, f"visitor{visitor}", "human"))
                peer.say("play random clock=none cap=none")
                play(peer, 2)
                visitors.append(peer)
            daemons.append(daemon)
        first, second = (processes(mark) for mark in marks)
        assert len(first) >= 3 and len(second) == 3  # a server, a keeper, a bot at least
        daemons[0].process.kill()
        assert all_gone(marks[0])
        assert processes(marks[1]) == second and bystander.poll() is None
        visitors[-1].say("look g1")
        assert " crashed" not in play(visitors[-1])  # the other server's game is played to its end
        with running(
            "serve", "--host", "127.0.0.1", "--port", "0", "--data", str(tmp_path / "data0")
        ) as again:
            again.addresses()
            assert processes(marks[1]) == second and bystander.poll() is None
