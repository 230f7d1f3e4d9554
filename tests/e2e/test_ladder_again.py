"""The same seed is the same ladder whatever the concurrency, and the last line printed goes on with it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.e2e.ladders import CAUTIOUS, GREEDY, LIMIT, RANDOM, ROOT, Done, bots, command, ladder

FULL = Path("/dev/full")


def test_the_same_seed_is_the_same_ladder_whatever_the_concurrency(tmp_path: Path) -> None:
    found = []
    runs = (("a", "s", "1", "1"), ("b", "s", "5", "2"), ("c", "t", "2", "1"))
    for name, seed, concurrency, workers in runs:
        words = ("--rounds", "2", "--seed", seed, "--concurrency", concurrency, "--workers", workers)
        done = ladder(tmp_path / name, *bots(RANDOM, GREEDY, CAUTIOUS), *words)
        assert done.code == 0, done.err
        found.append(done)
    assert found[0].games() == found[1].games()
    assert found[0].games() != found[2].games()  # control
    tables = [done.out[done.out.rindex("rank") : done.out.rindex("seed ")] for done in found]
    assert tables[0] == tables[1]


def interrupted(directory: Path, *words: str, games: int, number: signal.Signals = signal.SIGINT) -> Done:
    """Play until there are so many games, then send the signal."""
    with subprocess.Popen(
        command(directory, *words), cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        until = time.monotonic() + 60
        journal = directory / "journal.tyrus"
        while not journal.exists() or journal.read_bytes().count(b"placements") < games:
            assert time.monotonic() < until and process.poll() is None
            time.sleep(0.01)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    return Done(process.returncode, out, err, directory)


def typed(line: str, directory: Path) -> Done:
    """Give a line to a shell, as somebody does who has copied it."""
    done = subprocess.run(
        line, shell=True, cwd=ROOT, capture_output=True, text=True, timeout=LIMIT, check=False
    )
    return Done(done.returncode, done.stdout, done.stderr, directory)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_row_56_the_last_line_goes_on_where_it_was_interrupted(
    tmp_path: Path, number: signal.Signals
) -> None:
    words = (*bots(RANDOM, GREEDY), "--rounds", "40", "--seed", "s", "--ratinginterval", "0")
    directory = tmp_path / "the run"
    first = interrupted(directory, *words, games=6, number=number)
    assert first.code == 130, first.err
    assert f"{number.name}: " in first.err
    assert "seed s" not in first.out  # it is still being played for
    last = first.out.splitlines()[-1]
    assert last.startswith(f"{sys.executable} -m tyrusd ladder --resume '{directory}'")
    before = len(first.games())
    assert 6 <= before < 80
    second = typed(last, directory)
    assert second.code == 0, second.err
    assert f"{before} games were played before" in second.out
    assert second.out.splitlines()[-1] == "seed s (typed)"
    whole = ladder(tmp_path / "whole", *words)
    assert second.games() == whole.games()
    table = re.compile(r"rank .*?\nseed ", re.DOTALL)
    assert table.findall(second.out)[-1] == table.findall(whole.out)[-1]


def test_how_it_was_told_is_in_the_line_that_goes_on(tmp_path: Path) -> None:
    events = tmp_path / "events"
    more = ("--events", str(events), "--concurrency", "3", "--resultformat", "minimal", "--affinity")
    words = (*bots(RANDOM, GREEDY), "--rounds", "200", *more)
    first = interrupted(tmp_path / "run", *words, games=2)
    last = first.out.splitlines()[-1]
    told = f"--concurrency 3 --resultformat minimal --events {events} --affinity"
    assert last.endswith(told)
    before = events.read_text()
    assert before.splitlines()[-1].startswith('{"event": "end"')
    assert f'"resume": "{last}"' in before.splitlines()[-1]
    again = typed(last.replace("--resume", "--rounds 3 --resume"), tmp_path / "run")
    assert again.code == 2
    assert events.read_text() == before
    assert "--rounds cannot be given with --resume" in again.err


def test_a_run_that_is_over_says_the_same_again(tmp_path: Path) -> None:
    done = ladder(tmp_path / "run", *bots(RANDOM, GREEDY), "--rounds", "2")
    words = [sys.executable, "-m", "tyrusd", "ladder", "--resume", str(tmp_path / "run")]
    again = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=LIMIT, check=False)
    assert again.returncode == 0, again.stderr
    table = done.out[done.out.rindex("rank") :]
    assert again.stdout.endswith(table)


@pytest.mark.parametrize("more", [("--outcomeinterval", "1"), ("--events", "-")])
def test_whoever_stops_reading_stops_no_game(tmp_path: Path, more: tuple[str, ...]) -> None:
    words = command(tmp_path / "run", *bots(RANDOM, GREEDY), "--rounds", "10", *more)
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        first = process.stdout.readline()
        assert b"the run goes on" in first or first.startswith(b'{"event": "begin"')
        process.stdout.close()
        told = process.stderr.read()
        assert process.wait(LIMIT) == 0
    assert b"Traceback" not in told and b"Broken pipe" not in told
    assert len(Done(0, "", "", tmp_path / "run").games()) == 20


@pytest.mark.parametrize("more", [(), ("--events", "-"), ("--json",)])
@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full here")
def test_a_full_stdout_stops_no_game_and_is_exit_code_1(tmp_path: Path, more: tuple[str, ...]) -> None:
    words = command(tmp_path / "run", *bots(RANDOM, GREEDY), "--rounds", "3", *more)
    with FULL.open("w") as full:
        done = subprocess.run(
            words, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True, timeout=LIMIT, check=False
        )
    assert done.returncode == 1
    what = (
        "the events cannot be written any more"
        if more == ("--events", "-")
        else "the output cannot be written"
    )
    assert f"tyrusd: {what}: No space left on device\n" in done.stderr
    assert "Traceback" not in done.stderr and "Exception ignored" not in done.stderr
    assert len(Done(0, "", "", tmp_path / "run").games()) == 6


def test_a_report_is_written_and_the_directory_is_named_by_the_time(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "tyrusd", "ladder", *bots(RANDOM, GREEDY), "--report", "page.html"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        words, cwd=tmp_path, capture_output=True, text=True, timeout=LIMIT, check=False, env=environment
    )
    assert done.returncode == 0, done.stderr
    [directory] = tmp_path.glob("ladder-*")
    assert re.fullmatch(r"ladder-\d{8}-\d{6}", directory.name)
    assert f"everything is kept in {directory.name}\n" in done.stdout
    assert directory.stat().st_mode & 0o777 == 0o700
    assert "report in page.html\n" in done.stdout
    assert (tmp_path / "page.html").read_text("utf-8").lstrip().lower().startswith("<!doctype html>")
