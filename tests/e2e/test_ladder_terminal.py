"""A ladder on a terminal: a bar while it is played, lines no wider than it is, and one that goes away."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
import time
from pathlib import Path

from tests.e2e.ladders import GREEDY, LIMIT, RANDOM, ROOT, Done, bots, command
from tyrusd.screen.standings import text_width

ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def started(directory: Path, columns: int, *words: str) -> tuple[subprocess.Popen[bytes], int]:
    """A ladder whose stdout and stderr are a terminal of so many columns, and our end of that."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen(
        command(directory, *bots(RANDOM, GREEDY), *words), cwd=ROOT,
        stdin=theirs, stdout=theirs, stderr=theirs,
        env={key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES", "NO_COLOR")}
        | {"TERM": "xterm"},
    )  # fmt: skip
    os.close(theirs)
    return process, ours


def shown(ours: int) -> str:
    """All that came on the terminal."""
    found = b""
    while True:
        try:
            data = os.read(ours, 65536)
        except OSError:  # the other end is closed
            return found.decode()
        if not data:
            return found.decode()
        found += data


def test_a_narrow_terminal_has_a_bar_and_a_table_that_fits(tmp_path: Path) -> None:
    process, ours = started(tmp_path / "run", 44, "--rounds", "20", "--seed", "x", "--ratinginterval", "10")
    text = shown(ours)
    assert process.wait(LIMIT) == 0, text
    os.close(ours)
    assert "━" in text  # the bar
    assert re.search(r"\d+ of 40 games", text)
    plain = ESCAPE.sub("", text).replace("\r\n", "\n")
    table = plain[plain.rindex("rank") :].splitlines()[:3]
    assert all(text_width(line) <= 44 for line in table)
    assert [line.split()[1] for line in table] == ["name", "greedy", "random"]
    assert plain.count("standings after ") >= 1
    assert plain.rstrip().splitlines()[-1] == "seed x (typed)"


def test_a_terminal_that_goes_away_stops_no_game(tmp_path: Path) -> None:
    process, ours = started(tmp_path / "run", 80, "--rounds", "20")
    journal = tmp_path / "run" / "journal.tyrus"
    until = time.monotonic() + LIMIT
    while not journal.exists() or b"placements" not in journal.read_bytes():
        assert time.monotonic() < until and process.poll() is None
        time.sleep(0.01)
    os.close(ours)
    assert process.wait(LIMIT) == 0
    assert len(Done(0, "", "", tmp_path / "run").games()) == 40
