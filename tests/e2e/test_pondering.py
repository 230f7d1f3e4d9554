"""Who thinks on the other side's time is told at the end, and what decisions took stands in the record."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.host.daemons import run
from tyrusd.league.record import read_frames

BOT = f"exec:{sys.executable} -I -S tests/e2e/bad_bot.py"
SLOW = f"{BOT} waits-2 own '' any"
# With this seed seat 1 opens game 1: it has answered when seat 2 takes its time.
SEED = "ponder-2"


def play(seat: str, record: Path, *options: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Play one game against a slow bot; the summary and the record."""
    found = run("match", seat, SLOW, "--seed", SEED, "--json", "--record", str(record), *options)
    assert found.returncode == 0, found.stderr
    [game] = [payload for _, payload in read_frames(record.read_bytes()) if payload["kind"] == "game"]
    assert game["game"]["deal"]["opener"] == "ivory"
    return json.loads(found.stdout), game


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the processor time of other processes")
def test_pondering_is_told_and_costs_no_decision_anything(tmp_path: Path) -> None:
    found, record = play(f"{BOT} burns-0.4 other '' any", tmp_path / "record", "--ponder", "off")
    one, two = found["seats"]
    assert found["ponder"] == "off"
    assert 300 <= one["pondered"] < 700
    assert two["pondered"] < 100
    assert sum(record["timing"]["cpu"]) < 200


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the processor time of other processes")
def test_control_what_a_decision_takes_is_the_decision_s(tmp_path: Path) -> None:
    found, record = play(f"{BOT} burns-0.4 own '' any", tmp_path / "record")
    assert found["ponder"] == "on"
    assert found["seats"][0]["pondered"] < 100
    cpu = record["timing"]["cpu"]
    assert len(cpu) == len(record["game"]["placements"])
    assert 300 <= cpu[0] < 700
    assert sum(cpu[1:]) < 200


def test_off_is_told_in_the_summary_for_people(tmp_path: Path) -> None:
    plain = f"{BOT} none none"
    told = run("match", plain, plain, "--ponder", "off").stdout
    for name in ("bad_bot", "bad_bot-2"):
        assert f"{name} used " in told
    assert "of processor time while it owed no decision" in told
    assert "owed no decision" not in run("match", plain, plain).stdout  # control
