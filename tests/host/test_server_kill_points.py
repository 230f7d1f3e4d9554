"""A server that dies at any write, sync, send or rename leaves all that was told to the next one, once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[2]
FULL: Final = os.environ.get("TYRUSD_FULL_SIZE") == "1"
LIVES: Final = 60 if FULL else 2


def deaths(root: Path, **ways: Any) -> list[dict[str, Any]]:
    """Have a program die in these ways, and return what became of each server."""
    root.mkdir(exist_ok=True)
    done = subprocess.run(
        [sys.executable, "-m", "tests.host.server_killed", json.dumps({"root": str(root), **ways})],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=3000,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def wrong(ends: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [end for end in ends if end["wrong"]]


def noticed(ends: list[dict[str, Any]]) -> set[str]:
    """By what it was seen that something is wrong."""
    return {word for end in ends for word in end["wrong"]}


@pytest.mark.timeout(3100)
def test_dead_before_within_or_after_each_call_everything_told_holds_and_games_go_on(tmp_path: Path) -> None:
    ends = deaths(tmp_path, every=1 if FULL else 37)
    assert wrong(ends) == []
    died = {end["point"] for end in ends if end["died"]}
    assert died >= {
        f"{moment} {call}" for moment in ("before", "within", "after") for call in ("write", "send")
    }
    if FULL:
        assert died >= {f"{moment} {call}" for moment in ("before", "after") for call in ("fsync", "replace")}
    assert len([end for end in ends if end["died"]]) > (800 if FULL else 25)


@pytest.mark.timeout(3100)
def test_dead_around_each_sync_everything_told_holds(tmp_path: Path) -> None:
    ends = deaths(tmp_path, every=1 if FULL else 5, near=3)
    assert wrong(ends) == []
    assert any("fsync" in end["point"] for end in ends if end["died"])


@pytest.mark.timeout(3100)
def test_without_power_every_result_that_was_told_is_there(tmp_path: Path) -> None:
    ends = deaths(tmp_path, power=True, every=1 if FULL else 6, near=0 if FULL else 4)
    assert wrong(ends) == []
    assert len([end for end in ends if end["died"]]) > (800 if FULL else 15)


@pytest.mark.timeout(3100)
def test_dying_again_and_again_loses_nothing(tmp_path: Path) -> None:
    ends = deaths(tmp_path, lives=LIVES)
    assert wrong(ends) == []
    assert sum(end["died"] for end in ends) > LIVES


def test_control_results_told_before_they_are_written_are_seen_to_be_lost(tmp_path: Path) -> None:
    assert "lost" in noticed(deaths(tmp_path, early="written", every=3, near=4))


def test_control_results_told_before_they_are_synced_are_lost_with_the_power(tmp_path: Path) -> None:
    assert "lost" in noticed(deaths(tmp_path / "power", early="synced", power=True, every=5, near=4))
    assert not noticed(deaths(tmp_path / "killed", early="synced", every=15, near=4))


def test_control_placements_sent_before_they_are_in_the_journal_are_seen_to_be_contradicted(
    tmp_path: Path,
) -> None:
    assert noticed(deaths(tmp_path, early="sent", every=61)) & {"again", "contradicted"}
