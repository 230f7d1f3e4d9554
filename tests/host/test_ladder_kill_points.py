"""A run that dies at any write, sync or rename, and is resumed, comes to the table of one that does not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.host.ladder_killed import GAMES

ROOT = Path(__file__).resolve().parents[2]
FULL = os.environ.get("TYRUSD_FULL_SIZE") == "1"
LIVES = 100 if FULL else 12


def deaths(root: Path, **ways: Any) -> list[dict[str, Any]]:
    """Have a program die in these ways, and return what became of each run."""
    root.mkdir(exist_ok=True)
    words = json.dumps({"root": str(root), **ways})
    done = subprocess.run(
        [sys.executable, "-m", "tests.host.ladder_killed", words],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=1500,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def wrong(ends: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those where something was lost, counted twice or changed."""
    whole = {"lost": [], "twice": [], "games": GAMES, "same": True}
    return [end for end in ends if {key: end[key] for key in whole} != whole]


@pytest.mark.timeout(1600)
@pytest.mark.parametrize("power", [False, True], ids=["killed", "without power"])
def test_row_45_f067_dead_before_within_or_after_each_call_nothing_is_lost_or_counted_twice(
    tmp_path: Path, power: bool
) -> None:
    """Disservin/fastchess#952: after a kill one of the two files of a run held more games than the other."""
    ends = deaths(tmp_path, power=power, every=1 if FULL or not power else 2)
    assert wrong(ends) == []
    died = {end["point"].rpartition(" ")[0] for end in ends}
    if FULL or not power:
        calls = ("write", "fsync", "replace")
        assert died >= {f"{moment} {call}" for moment in ("before", "after") for call in calls}
    assert died >= {f"{moment} write" for moment in ("before", "within", "after")}
    assert all(end["died"] for end in ends)
    assert any(end["half"] for end in ends)
    assert not any(end["half_counted"] for end in ends)
    assert len(ends) > (50 if power and not FULL else 90)


@pytest.mark.timeout(1600)
def test_row_45_dying_again_and_again_changes_nothing(tmp_path: Path) -> None:
    ends = deaths(tmp_path, lives=LIVES, power=True)
    assert wrong(ends) == []
    assert sum(end["died"] for end in ends) >= LIVES


def test_row_45_control_results_told_before_they_are_on_the_disk_are_seen_to_be_lost(tmp_path: Path) -> None:
    assert any(end["lost"] for end in deaths(tmp_path, every=4, early="written"))


def test_row_45_control_results_told_before_they_are_synced_are_lost_with_the_power(tmp_path: Path) -> None:
    assert any(end["lost"] for end in deaths(tmp_path / "power", every=4, early="synced", power=True))
    assert not any(end["lost"] for end in deaths(tmp_path / "killed", every=4, early="synced"))
