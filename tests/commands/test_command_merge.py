"""`tyrusd merge`: what it prints, and the exit codes of its refusals."""

from __future__ import annotations

import json
from pathlib import Path

import trio
from click.testing import CliRunner, Result

from tests.host.test_ladder_merging import shares
from tyrusd.commands import main


def run(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def test_shares_are_joined_and_told(tmp_path: Path) -> None:
    first, second = trio.run(shares, tmp_path)
    out = tmp_path / "out"
    done = run("merge", out, first, second)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == f"2 shares in {out}: 12 of 12 pairs are complete\n"
    assert run("stats", out, "--json").exit_code == 0
    page = tmp_path / "page.html"
    assert run("report", out, "--html", page).exit_code == 0
    assert "carl" in page.read_text()


def test_what_is_missing_is_said_with_the_command_that_plays_it(tmp_path: Path) -> None:
    first, _ = trio.run(shares, tmp_path)
    done = run("merge", tmp_path / "out", first)
    assert done.exit_code == 0
    assert done.stderr == "tyrusd: share 2 of 2 is missing\n"
    assert done.stdout.splitlines()[0].endswith("6 of 12 pairs are complete")
    assert done.stdout.splitlines()[1].endswith(f"ladder --resume {tmp_path / 'out'}")
    told = json.loads(run("merge", tmp_path / "again", first, "--json").stdout)
    assert told["resume"].endswith(f"ladder --resume {tmp_path / 'again'}")
    assert (told["pairs"], told["total"], told["complete"], told["shares"]) == (6, 12, False, 1)
    assert told["notes"] == ["share 2 of 2 is missing"]


def test_a_refusal_is_a_sentence_and_exit_code_1(tmp_path: Path) -> None:
    first, _ = trio.run(shares, tmp_path)
    done = run("merge", tmp_path / "out", first, first)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith("tyrusd: run 1 and run 2 overlap")
    assert len(done.stderr.splitlines()) == 1


def test_a_directory_that_is_not_there_is_exit_code_2(tmp_path: Path) -> None:
    assert run("merge", tmp_path / "out", tmp_path / "nowhere").exit_code == 2
    assert run("merge", tmp_path / "out").exit_code == 2
