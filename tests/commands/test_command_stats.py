"""`tyrusd stats`: of directories and of counts, as text, JSON and CSV; a sentence for whatever is wrong."""

from __future__ import annotations

import csv
import json
import shutil
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from tests.commands.ladder_runs import run_in
from tyrusd.commands import main
from tyrusd.host.journal import JOURNAL
from tyrusd.league.framing import frame
from tyrusd.league.statistics.pentanomial import Pentanomial
from tyrusd.league.statistics.plan import SprtPlan
from tyrusd.league.statistics.sprt import sprt

PAIRS = {1: "aa", 2: "ab", 3: "aa", 4: "bb"}
PENTANOMIAL = [1, 0, 1, 0, 2]


def stats(*words: str | Path) -> Result:
    return CliRunner().invoke(main, ["stats", *map(str, words)])


def tree(path: Path) -> dict[str, bytes]:
    return {str(file): file.read_bytes() for file in path.rglob("*") if file.is_file()}


@pytest.fixture
def two(tmp_path: Path) -> Path:
    return run_in(tmp_path / "two", PAIRS, "a", "b", rounds=4)


def test_a_run_as_text_json_and_csv(two: Path) -> None:
    before = tree(two)
    found = stats(two)
    assert (found.exit_code, found.stderr) == (0, "")
    assert "4 pairs: LL 1, LD 0, WL+DD 1, WD 0, WW 2" in found.stdout
    assert "endings: majority 8" in found.stdout
    found = stats(two, "--json")
    told = json.loads(found.stdout)
    assert told["two"]["pentanomial"] == PENTANOMIAL
    assert told["tournament"]["over"] == "played"
    assert told["runs"][0]["bots"][0]["name"] == "a"
    found = stats(two, "--csv")
    rows = list(csv.DictReader(found.stdout.splitlines()))
    assert [row["name"] for row in rows] == ["a", "b"]
    assert b"\r\n" in found.stdout_bytes
    assert tree(two) == before


def test_a_test_can_be_asked_for(two: Path) -> None:
    told = json.loads(stats(two, "--json", "--sprt", "elo0=0 elo1=10 model=logistic").stdout)
    plan = SprtPlan(0, 10, model="logistic")
    assert told["two"]["sprt"]["llr"] == pytest.approx(sprt(Pentanomial(*PENTANOMIAL), plan).llr, abs=1e-5)
    assert json.loads(stats(two, "--json").stdout)["two"]["sprt"] is None
    assert stats(two, "--sprt", "elo0=5 elo1=0").exit_code == 2


def test_a_run_that_is_not_over_says_so_and_tells_what_is_there(tmp_path: Path) -> None:
    path = run_in(tmp_path / "half", {1: "aa", 2: "a"}, "a", "b", rounds=4)
    found = stats(path, "--json")
    assert found.exit_code == 0
    assert found.stderr == f"tyrusd: {path}: the ladder is not over; 1 of 4 pairs are complete and used\n"
    assert json.loads(found.stdout)["pairs"] == {"complete": 1, "incomplete": 1, "void": 0, "void_games": 0}
    endless = run_in(tmp_path / "endless", {1: "aa"}, "a", "b", rounds=None, sprt=SprtPlan(0, 5))
    found = stats(endless)
    assert "not over; 1 pairs are complete" in found.stderr
    assert "undecided" in found.stdout


def test_a_run_of_which_nothing_was_played(tmp_path: Path) -> None:
    found = stats(run_in(tmp_path / "empty", {}, "a", "b", rounds=4), "--json")
    assert found.exit_code == 0
    assert json.loads(found.stdout)["two"] is None


@pytest.mark.parametrize("cut", [1, 9, 200])
def test_a_journal_that_ends_in_the_middle_of_a_record_is_read_up_to_there(two: Path, cut: int) -> None:
    journal = two / JOURNAL
    journal.write_bytes(journal.read_bytes()[:-cut])
    found = stats(two, "--json")
    assert found.exit_code == 0
    assert f"tyrusd: {journal}: bad record at byte " in found.stderr
    assert "everything before it is whole; what is whole is used" in found.stderr
    assert json.loads(found.stdout)["two"]["pentanomial"] == [0, 0, 1, 0, 2]


def test_an_empty_journal_is_one_without_records(two: Path) -> None:
    (two / JOURNAL).write_bytes(b"")
    found = stats(two, "--json")
    assert found.exit_code == 0
    assert "bad record at byte 0" in found.stderr


def damaged(data: bytes) -> bytes:
    """One bit of the first record is another."""
    at = data.index(b"majority")
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


@pytest.mark.parametrize(
    "spoil",
    [damaged, lambda data: b"PK\x03\x04" + data, lambda data: data[:8] + b"\0\0\0\x63" + data[12:]],
    ids=["damaged", "foreign", "newer"],
)  # fmt: skip
def test_a_bad_journal_is_a_sentence_and_no_figures(two: Path, spoil: object) -> None:
    assert callable(spoil)
    journal = two / JOURNAL
    journal.write_bytes(spoil(journal.read_bytes()))
    before = tree(two)
    found = stats(two)
    assert (found.exit_code, found.stdout) == (1, "")
    assert found.stderr.startswith(f"tyrusd: {journal}: bad record at byte ")
    assert found.stderr.count("\n") == 1
    assert tree(two) == before


def test_a_record_that_contradicts_the_plan_is_a_bad_record(two: Path) -> None:
    journal = two / JOURNAL
    with journal.open("ab") as file:
        file.write(frame({"kind": "dropped", "bot": "stranger", "at": "2031-05-06T07:08:09Z"}))
    found = stats(two)
    assert (found.exit_code, found.stdout) == (1, "")
    assert found.stderr.startswith(f"tyrusd: {journal}: bad record at byte ")
    assert "stranger is not in this tournament" in found.stderr


def test_what_is_no_run_is_a_sentence(tmp_path: Path, two: Path) -> None:
    for words in ((tmp_path / "nosuch",), (tmp_path,), (two / JOURNAL,), (two, tmp_path)):
        found = stats(*words)
        assert (found.exit_code, found.stdout) == (1, ""), words
        assert found.stderr.startswith("tyrusd: ")
        assert found.stderr.count("\n") == 1
    (two / JOURNAL).unlink()
    found = stats(two)
    assert found.exit_code == 1
    assert f"{two / JOURNAL} cannot be read: No such file or directory" in found.stderr
    (two / "ladder.json").write_text("{}")
    assert stats(two).exit_code == 1


def test_several_runs_are_put_together(tmp_path: Path, two: Path) -> None:
    other = run_in(tmp_path / "other", {1: "bb", 2: "aa"}, "a", "b", rounds=2, seed="another")
    found = stats(two, other, "--json")
    assert (found.exit_code, found.stderr) == (0, "")
    told = json.loads(found.stdout)
    assert told["two"]["pentanomial"] == [2, 0, 1, 0, 3]
    assert len(told["runs"]) == 2


def test_the_same_run_twice_and_pairs_that_overlap_are_refused(tmp_path: Path, two: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(two, copy)
    longer = run_in(tmp_path / "longer", {1: "aa"}, "a", "b", rounds=9)
    for words in ((two, two), (two, copy), (two, longer)):
        found = stats(*words)
        assert (found.exit_code, found.stdout) == (1, "")
        assert "pair 1 of one schedule stands in" in found.stderr
        assert found.stderr.count("\n") == 1


def test_runs_by_other_rules_are_no_one_table(tmp_path: Path, two: Path) -> None:
    other = run_in(tmp_path / "other", {}, "a", "b", seed="another")
    text = (other / "ladder.json").read_text().replace('"variant": "standard"', '"variant": "replay-ties"')
    (other / "ladder.json").write_text(text)
    found = stats(two, other)
    assert found.exit_code == 1
    assert "was played by the variant standard" in found.stderr


def test_a_bot_that_has_changed_is_another_player(tmp_path: Path, two: Path) -> None:
    other = run_in(tmp_path / "other", {1: "bb"}, "a", "b", rounds=1, seed="another", seat="plugin:greedy")
    told = json.loads(stats(two, other, "--json").stdout)
    assert {row["name"] for row in told["entrants"]} == {"a@two", "a@other", "b@two", "b@other"}


def test_more_than_two_want_numpy_and_say_so(
    tmp_path: Path, two: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    three = run_in(tmp_path / "three", {1: "aa", 2: "cc", 3: "bb"}, "a", "b", "c")
    assert stats(three).exit_code == 0
    monkeypatch.setitem(sys.modules, "numpy", None)
    found = stats(three)
    assert (found.exit_code, found.stdout) == (3, "")
    assert found.stderr == "tyrusd: statistics of more than two bots: needs: pip install 'tyrusd[ladder]'\n"
    assert stats(two, "--json").exit_code == 0
    assert stats("--ptnml", "1,2,3,4,5", "--sprt", "elo0=0 elo1=5").exit_code == 0


def test_counts_need_nothing_else() -> None:
    found = stats("--ptnml", "10,20,50,25,15", "--sprt", "elo0=0 elo1=5", "--json")
    told = json.loads(found.stdout)
    assert found.exit_code == 0
    assert told["pentanomial"] == [10, 20, 50, 25, 15]
    assert told["elo"] == pytest.approx(21.743, abs=0.05)
    assert told["nelo"] == pytest.approx(28.12, abs=0.05)
    assert told["los"] == pytest.approx(0.894, abs=1e-3)
    assert told["llr"] == pytest.approx(0.2529, abs=1e-3)
    found = stats("--ptnml", " 10, 20,50,25,15")
    assert found.stdout.startswith("120 pairs: LL 10, LD 20, WL+DD 50, WD 25, WW 15, score 53.12 %\n")
    found = stats("--wld", "136,96,111", "--json")
    assert json.loads(found.stdout)["trinomial"] == [96, 111, 136]
    assert json.loads(stats("--ptnml", "0,0,0,0,0", "--json").stdout)["score"] is None


@pytest.mark.parametrize(
    "words",
    [
        ("--ptnml", "1,2,3,4"),
        ("--ptnml", "1,2,3,4,-5"),
        ("--ptnml", "1,2,3,4,5.0"),
        ("--ptnml", "1,2,3,4,٥"),
        ("--ptnml", "1,2,3,4,9999999999"),
        ("--wld", "1,2"),
        (),
        ("somewhere", "--ptnml", "1,2,3,4,5"),
        ("--wld", "1,2,3", "--ptnml", "1,2,3,4,5"),
        ("--wld", "1,2,3", "--csv"),
        ("somewhere", "--csv", "--json"),
        ("--ptnml", "1,2,3,4,5", "--sprt", "elo0=0"),
    ],
)
def test_what_cannot_be_meant_is_a_usage_error(words: tuple[str, ...]) -> None:
    found = stats(*words)
    assert found.exit_code == 2
    assert found.stdout == ""
    assert "Traceback" not in found.stderr


def test_the_command_is_registered() -> None:
    command = main.get_command(click.Context(main), "stats")
    assert command is not None
    assert command.name == "stats"
