"""`tyrusd deals`: files that are read back, the same as a ladder's with that seed; nothing is overwritten."""

from __future__ import annotations

import hashlib
import re
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.host.daemons import ROOT, command
from tyrusd.commands import main
from tyrusd.host.deal_files import read_deal_file
from tyrusd.league.deal_text import read_deals
from tyrusd.rules.deal import deal_from_bytes, pair_secret


def deals(*words: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(main, ["deals", *words])
    return done.exit_code, done.stdout, done.stderr


def test_the_deals_are_those_of_a_ladder_with_that_seed(tmp_path: Path) -> None:
    file = tmp_path / "deals.txt"
    code, out, err = deals("--count", "5", "--seed", "opening day", str(file))
    read = read_deal_file(file)
    assert code == 0
    assert read.deals == tuple(deal_from_bytes(pair_secret("opening day", pair)) for pair in range(1, 6))
    assert read.hash == hashlib.sha256(file.read_bytes()).hexdigest()
    assert out == f"5 deals in {file}, SHA-256 {read.hash}\n"
    assert err == "tyrusd: the seed opening day was typed: who guesses it knows every deal\n"
    assert file.stat().st_mode & 0o777 == 0o600


def test_with_a_dash_they_are_printed_the_same(tmp_path: Path) -> None:
    file = tmp_path / "deals.txt"
    deals("--count", "3", "--seed", "s", str(file))
    code, out, _ = deals("--count", "3", "--seed", "s", "-")
    assert (code, out) == (0, file.read_text())


def test_without_a_seed_nobody_can_guess_them() -> None:
    outs = [deals("--count", "2", "-")[1] for _ in range(2)]
    assert outs[0] != outs[1]
    for out in outs:
        assert re.match(r"# tyrusd deals 1, count 2, seed [0-9a-f]{32}\n", out)
        assert len(read_deals(out)) == 2


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "deals.txt"
    file.write_text("mine")
    code, _, err = deals("--count", "1", str(file))
    assert (code, file.read_text()) == (2, "mine")
    assert "exists already" in err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--count", "0", "-"), "--count"),
        (("--count", "1_0", "-"), "not a whole number"),
        (("-",), "--count"),
        (("--count", "1", "--seed", "", "-"), "--seed wants 1 to 64"),
        (("--count", "1", "--seed", "s" * 65, "-"), "--seed wants 1 to 64"),
        (("--count", "1", "--seed", "é", "-"), "--seed wants 1 to 64"),
    ],
)
def test_what_cannot_be_is_refused(words: tuple[str, ...], told: str) -> None:
    code, out, err = deals(*words)
    assert (code, out) == (2, "")
    assert told in err


def test_a_directory_that_is_not_there_is_a_failure(tmp_path: Path) -> None:
    code, _, err = deals("--count", "1", str(tmp_path / "no" / "file"))
    assert code == 1
    assert "cannot be written: No such file or directory" in err


def test_who_reads_only_the_first_deal_ends_it_quietly() -> None:
    words = command("deals", "--count", "5000", "-")
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        assert process.stdout.readline().startswith(b"# tyrusd deals 1")
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(20) == 0


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "there is no deal in it"),
        (b"# only words\n", "there is no deal in it"),
        (b"#\n\xff\n", "line 2: a byte that is no ASCII"),
        (b"cards=CMT\n", "line 1: a deal is four words"),
    ],
)
def test_a_file_that_is_none_is_refused(data: bytes, told: str, tmp_path: Path) -> None:
    file = tmp_path / "deals.txt"
    file.write_bytes(data)
    with pytest.raises(ValueError, match=told):
        read_deal_file(file)
