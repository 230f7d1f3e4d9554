"""A ladder at work is asked and changed by its operator with the real command."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.ladders import CAUTIOUS, GREEDY, RANDOM, ROOT, TYRUSD, bots, command
from tyrusd.host.ladder.past import read_run

LIMIT = 60  # seconds for anything to happen


class Night:
    """A long ladder that is being played."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        words = (*bots(RANDOM, GREEDY, CAUTIOUS), "--rounds", "3000", "--concurrency", "2", "--workers", "2")
        self.process = subprocess.Popen(
            command(directory, *words), cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def ask(self, *words: str, code: int = 0) -> str:
        done = ask(self.directory, *words)
        assert done.returncode == code, done.stderr
        return done.stdout if code == 0 else done.stderr

    def status(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.ask("status", "--json"))
        return found

    def until(self, true: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Ask until something is the case."""
        end = time.monotonic() + LIMIT
        while not true(status := self.status()):
            assert time.monotonic() < end, status
        return status

    def end(self) -> tuple[str, str]:
        """End it now; what it has printed."""
        if self.process.poll() is not None:
            return "", ""
        self.process.send_signal(signal.SIGINT)
        self.process.send_signal(signal.SIGINT)
        return self.process.communicate(timeout=LIMIT)


def ask(directory: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command_line = [*TYRUSD, "ladder-ctl", str(directory), *words]
    return subprocess.run(command_line, cwd=ROOT, capture_output=True, text=True, timeout=LIMIT, check=False)


@pytest.fixture
def night(tmp_path: Path) -> Iterator[Night]:
    night = Night(tmp_path / "night")
    try:
        end = time.monotonic() + LIMIT
        while not (night.directory / "control.sock").exists():
            assert time.monotonic() < end and night.process.poll() is None
            time.sleep(0.02)
        yield night
    finally:
        night.end()


def test_a_ladder_is_paused_changed_and_goes_on(night: Night) -> None:
    status = night.until(lambda status: status["games"] >= 4)
    assert status["pid"] == night.process.pid
    assert (status["total"], status["concurrency"], status["workers"]) == (18_000, 2, 2)
    assert (night.directory / "control.sock").stat().st_mode & 0o777 == 0o600

    assert night.ask("pause").startswith("paused: no game begins, ")
    paused = night.until(lambda status: status["pace"] is not None and still(night, status))
    assert paused["paused"] == ["operator"]
    assert night.ask("concurrency", "3") == "3 games at a time from now on; before: 2\n"
    assert night.status()["games"] == paused["games"]  # it is still paused

    assert night.ask("resume") == "games begin again\n"
    after = night.until(lambda status: status["games"] > paused["games"])
    assert (after["paused"], after["concurrency"]) == ([], 3)
    assert night.ask("resume", code=1) == "tyrusd: it is not paused\n"

    assert night.ask("drop", "RANDOM").startswith("random plays no more: ")
    assert "drop" in night.ask("drop", "random", code=1)
    told = night.ask("status")
    assert "dropped: random\n" in told
    assert f"process {night.process.pid}\n" in told
    assert "points of complete pairs: " in told
    out, err = night.end()
    assert "random is dropped: the operator wants it" in err
    assert "dropped: random\n" in out
    assert "--concurrency 3" in out.splitlines()[-1]
    past = read_run(night.directory)
    assert past.tournament.standing()["dropped"] == ["random"]
    handed = [record for record in past.records if record["kind"] in ("game", "dropped")]
    place = [record["kind"] for record in handed].index("dropped")
    late = [record for record in handed[place + 1 :] if "random" in record["game"]["seats"].values()]
    assert len(late) <= 2 * (3 + 2 * 2)  # what workers held already


def test_a_signal_right_after_the_first_line_is_answered_by_how_to_go_on(tmp_path: Path) -> None:
    night = Night(tmp_path / "night")
    try:
        assert night.process.stdout is not None
        line = night.process.stdout.readline()
        night.process.send_signal(signal.SIGTERM)
        out, _ = night.process.communicate(timeout=LIMIT)
        assert night.process.returncode == 130, line
        assert f"--resume {night.directory}" in out.splitlines()[-1]
    finally:
        night.end()


def test_a_paused_ladder_ends_at_one_signal_and_hangs_up_on_nobody(night: Night) -> None:
    night.until(lambda status: status["games"] >= 2)
    night.process.send_signal(signal.SIGHUP)
    night.ask("pause")
    assert night.status()["ending"] is None
    night.process.send_signal(signal.SIGTERM)
    out, _ = night.process.communicate(timeout=LIMIT)
    assert night.process.returncode == 130
    assert f"--resume {night.directory}" in out.splitlines()[-1]
    assert not (night.directory / "control.sock").exists()


def still(night: Night, status: dict[str, Any]) -> bool:
    """Whether no game ends any more: those that ran when it was paused are over."""
    time.sleep(0.5)
    return bool(night.status()["games"] == status["games"])


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("concurrency",), "concurrency wants how many games"),
        (("concurrency", "0"), "concurrency wants 1 to 1024 games, not '0'"),
        (("concurrency", "1e3"), "concurrency wants 1 to 1024 games"),
        (("drop",), "drop wants which bot"),
        (("pause", "now"), "pause wants nothing behind it"),
        (("pause", "--json"), "pause prints nothing that could be JSON"),
        (("dance",), "dance"),
    ],
)
def test_what_cannot_be_asked_is_refused(tmp_path: Path, words: tuple[str, ...], sentence: str) -> None:
    done = ask(tmp_path, *words)
    assert done.returncode == 2
    assert sentence in done.stderr


def test_where_nobody_plays_it_is_said_what_to_do(tmp_path: Path) -> None:
    missing, file = tmp_path / "nothing", ROOT / "README.md"
    for directory, sentence in (
        (tmp_path, f"{tmp_path} is empty: there is no ladder to continue"),
        (missing, f"there is no directory {missing}: name the one that --out made"),
        (file, f"{file} is not a directory: name the one that --out made"),
    ):
        done = ask(directory, "status")
        assert done.returncode == 1
        assert sentence in done.stderr


def test_a_killed_run_is_gone_on_with_and_a_stopped_one_given_up_on(night: Night) -> None:
    night.until(lambda status: status["games"] >= 2)
    night.process.send_signal(signal.SIGSTOP)
    began = time.monotonic()
    assert "did not answer within 8 s: it may be stopped" in night.ask("pause", code=1)
    assert time.monotonic() - began < 8 + LIMIT / 4  # the command itself has to start on a busy machine
    night.process.kill()
    night.process.communicate(timeout=LIMIT)
    assert f"is not over: `tyrusd ladder --resume {night.directory}` goes on" in night.ask("status", code=1)
