"""`tyrusd export`: games as JSON lines, and one sentence for a file that is not right."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.host.daemons import run
from tests.host.test_host_recovery import ended, played
from tyrusd.league.record import HEADER


def file_with(path: Path, *frames: bytes) -> Path:
    path.write_bytes(HEADER + b"".join(frames))
    return path


def test_finished_games_are_printed_one_a_line(tmp_path: Path) -> None:
    file = file_with(tmp_path / "games", *ended("g1"), *played("g2", 3), *ended("g3"))
    found = run("export", str(file), "--json")
    assert found.returncode == 0
    games = [json.loads(line) for line in found.stdout.splitlines()]
    assert [(game["schema"], game["reason"]) for game in games] == [(1, "aborted"), (1, "aborted")]


def test_an_empty_record_has_no_lines(tmp_path: Path) -> None:
    found = run("export", str(file_with(tmp_path / "games")), "--json")
    assert (found.returncode, found.stdout, found.stderr) == (0, "", "")


def test_row_50_a_cut_off_end_is_told_after_the_whole_games(tmp_path: Path) -> None:
    file = file_with(tmp_path / "games", *ended("g1"), ended("g3")[0][:-1])
    found = run("export", str(file), "--json")
    assert found.returncode == 1
    assert len(found.stdout.splitlines()) == 1
    assert found.stderr.startswith(f"tyrusd: {file}: bad record at byte ")


@pytest.mark.parametrize(
    "data", [b"", b"PK\x03\x04 not ours", HEADER + b"\xff" * 100, HEADER[:8] + b"\0\0\0\x09"]
)
def test_row_53_a_foreign_file_is_a_bad_record_with_its_offset(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "games"
    file.write_bytes(data)
    found = run("export", str(file), "--json")
    assert found.returncode == 1
    assert found.stdout == ""
    assert f"{file}: bad record at byte " in found.stderr
    assert "Traceback" not in found.stderr


def test_a_file_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    found = run("export", str(tmp_path / "nosuch"), "--json")
    assert found.returncode == 2
    assert "nosuch" in found.stderr


def test_without_a_format_the_choice_is_told(tmp_path: Path) -> None:
    found = run("export", str(file_with(tmp_path / "games")))
    assert (found.returncode, found.stdout) == (2, "")
    assert "--json" in found.stderr
