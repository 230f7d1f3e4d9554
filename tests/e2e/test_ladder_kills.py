"""A round robin of six bots, ended at random moments by every signal and resumed, comes to the same table."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from tests.e2e.killed_ladder import statistics
from tests.e2e.ladders import ROOT, TYRUSD, bots, command
from tyrusd.host.ladder.past import read_run

FULL: Final = os.environ.get("TYRUSD_FULL_SIZE") == "1"
ROUNDS: Final = 40 if FULL else 4  # of 15 pairings, two games each: 1200 games or 120
LIMIT: Final = 3000 if FULL else 280  # seconds
GONE: Final = 10.0  # seconds after which no process of a killed run is left

SIX: Final = (
    "name=anna plugin=random",
    "name=bert plugin=random",
    "name=carl plugin=greedy",
    "name=dora plugin=greedy",
    "name=emil plugin=cautious bluff=0",
    "name=fine plugin=cautious bluff=100",
)
WORDS: Final = (*bots(*SIX), "--rounds", str(ROUNDS), "--seed", "kills", "--sandbox", "none")
DEATHS: Final = ("INT", "TERM", "KILL", "INT INT", "TERM INT TERM INT", "KILL")


def below(process: int) -> list[int]:
    """All processes that a process has started, and those that these have started."""
    found = []
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            children = [int(word) for word in task.read_text().split()]
        except OSError:  # it has just ended
            continue
        for child in children:
            found += [child, *below(child)]
    return found


def alive(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2][0]
    except OSError:
        return False
    return state not in "ZX"


class Chaos:
    """One run that is begun, ended at random, and taken up again until it is over."""

    def __init__(self, directory: Path, chance: Random) -> None:
        self.directory = directory
        self.events = directory.with_suffix(".events")
        self.chance = chance
        self.deaths: Counter[str] = Counter()
        self.left = 0

    def words(self) -> list[str]:
        more = (
            "--concurrency", str(self.chance.randint(1, 6)), "--workers", str(self.chance.randint(1, 2)),
            "--events", str(self.events),
        )  # fmt: skip
        if (self.directory / "ladder.json").exists():
            return [*TYRUSD, "ladder", "--resume", str(self.directory), *more]
        self.events.unlink(missing_ok=True)
        return command(self.directory, *WORDS, *more)

    def live(self, death: str | None) -> bool:
        """Play until the run is over, or for some moments; whether it is over."""
        with subprocess.Popen(
            self.words(), cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            try:
                out, err = process.communicate(timeout=LIMIT if death is None else self.moments())
            except subprocess.TimeoutExpired:
                assert death is not None
                started = below(process.pid)
                for word in death.split():
                    process.send_signal(signal.Signals[f"SIG{word}"])
                out, err = process.communicate(timeout=120)
                self.deaths[death] += 1
                self.gone(started)
        assert "Traceback" not in err, err
        if process.returncode == 0:
            return True
        if not out:  # it had not begun to listen to signals
            return False
        assert process.returncode in (-signal.SIGKILL, 130), f"{process.returncode}: {out}{err}"
        if process.returncode == 130:
            assert f"--resume {self.directory}" in out.splitlines()[-1]
        return False

    def moments(self) -> float:
        """Seconds until the end: most are long enough for some games."""
        if FULL:
            return self.chance.choice((0.2, 0.8, 1.5, 2.5, 4.0)) + self.chance.random()
        return (
            self.chance.choice((0.2, 0.6, 0.9, 1.2)) + self.chance.random() / 2
        )  # the run takes a few seconds

    def gone(self, started: list[int]) -> None:
        """Wait until nothing that the run has started is left."""
        until = time.monotonic() + GONE
        while any(map(alive, started)):
            assert time.monotonic() < until, f"{[pid for pid in started if alive(pid)]} are left"
            time.sleep(0.02)

    def check(self) -> None:
        """What was told is kept, and nothing stands there twice."""
        if not (self.directory / "ladder.json").exists():
            return
        games = [record["id"] for record in read_run(self.directory).records if record["kind"] == "game"]
        assert len(games) == len(set(games))
        assert told(self.events) <= set(games)


def told(events: Path) -> set[str]:
    """The games of which the events tell; a killed run leaves its last line unfinished."""
    found = set()
    for line in events.read_text().splitlines() if events.exists() else ():
        try:
            event = json.loads(line)
        except ValueError:
            continue
        if event["event"] == "game":
            found.add(event["game"])
    return found


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The statistics of the run that nobody disturbs."""
    directory = tmp_path_factory.mktemp("whole") / "run"
    words = command(directory, *WORDS, "--concurrency", "3")
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=LIMIT, check=False)
    assert done.returncode == 0, done.stderr
    found = statistics(directory)
    assert sum(entrant["games"] for entrant in found["entrants"]) == 2 * 30 * ROUNDS
    return found


@pytest.mark.timeout(2 * LIMIT + 60)
@pytest.mark.parametrize("seed", range(4 if FULL else 1))
def test_row_45_f067_ended_by_every_signal_the_table_is_the_same(
    tmp_path: Path, seed: int, expected: dict[str, Any]
) -> None:
    """Disservin/fastchess#952: the two files of an interrupted run did not hold the same games."""
    run = Chaos(tmp_path / "run", Random(seed))
    deaths = list(DEATHS) * (3 if FULL else 1)
    run.chance.shuffle(deaths)
    over = False
    while deaths and not over:
        over = run.live(deaths.pop())
        run.check()
    if not over:
        assert run.live(None)
    run.check()
    assert run.deaths.total() >= 3, "the run was over too soon to be disturbed"
    assert statistics(run.directory) == expected


def test_a_second_ladder_on_the_directory_is_refused_while_one_plays(tmp_path: Path) -> None:
    directory = tmp_path / "run"
    words = command(directory, *WORDS)
    with subprocess.Popen(
        words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as first:
        try:
            assert first.stdout is not None
            while "everything is kept in" not in first.stdout.readline():
                pass
            again = [*TYRUSD, "ladder", "--resume", str(directory)]
            done = subprocess.run(again, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
            assert done.returncode != 0
            assert f"another tyrusd (process {first.pid})" in done.stderr
            assert "Traceback" not in done.stderr
        finally:
            first.send_signal(signal.SIGTERM)
            first.send_signal(signal.SIGTERM)
            first.communicate(timeout=60)
