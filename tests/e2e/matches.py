"""Plays matches as a person would: the real command, real bots, and for tcp seats the printed keys."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
TYRUSD = [sys.executable, "-m", "tyrusd"]
LIMIT = 240  # seconds for one match


def play(seats: tuple[str, str], clients: dict[str, list[str]], *options: str) -> dict[str, Any]:
    """Play `tyrusd match` and return what --json prints.

    clients: for each tcp seat, by name, the command of its bot; HOST PORT NAME KEY are appended.
    """
    command = [*TYRUSD, "match", *seats, "--json", *options]
    match = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    bots: list[subprocess.Popen[bytes]] = []
    told: list[str] = []
    try:
        assert match.stderr is not None
        address: list[str] = []
        while len(bots) < len(clients):
            line = match.stderr.readline()
            assert line, f"the match ended before its seats were taken:\n{''.join(told)}"
            told.append(line)
            words = line.split()
            if words[0] == "listening":
                address = words[1:]
            elif words[0] == "seat":
                bots.append(subprocess.Popen([*clients[words[1]], *address, words[1], words[3]], cwd=ROOT))
        out, err = match.communicate(timeout=LIMIT)
        assert match.returncode == 0, f"exit code {match.returncode}:\n{''.join(told)}{err}"
        for bot in bots:
            assert bot.wait(10) == 0, "a bot that is told `bye` ends by itself, without an error"
    finally:
        running: list[subprocess.Popen[Any]] = [match, *bots]
        for process in running:
            if process.poll() is None:
                process.kill()
                process.wait()
    found = json.loads(out)
    assert isinstance(found, dict)
    return found
