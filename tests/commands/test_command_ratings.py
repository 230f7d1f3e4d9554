"""`tyrusd ratings`: the table of the last fit, who has met whom, and versions that are merged and split."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.host.rated_store import accounts, index, played
from tyrusd.commands import main
from tyrusd.host.journal import DataDirectory
from tyrusd.host.refit import fit
from tyrusd.host.store import STORE, Store
from tyrusd.host.store_ratings import RatingStore
from tyrusd.league.rated import RatedGame, Version
from tyrusd.screen.rating_table import rating_lines, version_text

OLD, NEW, BARE = Version("Deep", "deep/1"), Version("Deep", "deep/2"), Version("Deep")
BOB, ANCHOR = Version("bob"), Version("random")
THOSE = "those of Deep are Deep/-, Deep/deep/1, Deep/deep/2"
LOST = RatedGame("g9001", NEW, BOB, "brown", "timeout", "ivory", "ladder")
GAMES = [
    *played(OLD, ANCHOR, "11" * 10), *played(NEW, ANCHOR, "1112" * 5), *played(BARE, BOB, "1"),
    *played(BOB, ANCHOR, "12-"), *played(BOB, OLD, "1", flags=("owner",)), LOST,
]  # fmt: skip


def run(data: Path, *words: str) -> Result:
    return CliRunner().invoke(main, ["ratings", *words, "--data", str(data)])


def told(data: Path, *words: str) -> Any:
    found = run(data, *words, "--json")
    assert found.exit_code == 0, found.output
    return json.loads(found.stdout)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    accounts(tmp_path, "Deep", "bob")
    index(tmp_path, GAMES)
    with Store(tmp_path) as store:
        RatingStore(store).keep(fit(tmp_path / STORE, {"random": 0}, 20)[0])
    return tmp_path


def test_the_table_is_that_of_the_last_fit(data: Path) -> None:
    lines = run(data).stdout.splitlines()
    assert re.split(r" {2,}", lines[0]) == [
        "rank", "version", "Elo", "95 % interval", "games", "won", "drawn", "lost", "lost by forfeit",
        "won by forfeit", "flagged", "mark",
    ]  # fmt: skip
    assert [line.split()[:2] for line in lines[1:3]] == [["1", "Deep/deep/1"], ["-", "Deep"]]
    anchor = lines[-1].split()
    assert anchor == ["3", "random", "0", "-", "43", "6", "1", "36", "0", "0", "0", "anchor"]
    found = told(data)
    assert found["merges"] == []
    by_version: dict[tuple[str, str | None], Mapping[str, Any]] = {
        (row["name"], row["agent"]): row for row in found["ratings"]
    }
    new = by_version[NEW]
    assert (new["games"], new["won"], new["lost"], new["forfeits"], new["rank"]) == (21, 15, 6, 1, 2)
    assert by_version[BOB]["forfeited"] == by_version[BOB]["flagged"] == 1
    assert by_version[BARE]["provisional"] and by_version[BARE]["rank"] is None
    assert new["low"] < new["elo"] < new["high"] and not new["provisional"]


def test_who_has_met_whom(data: Path) -> None:
    [deep] = told(data, "versus", "deep/deep/2")["versions"]
    assert (deep["name"], deep["agent"]) == NEW
    met = {row["name"]: (row["games"], row["won"], row["lost"], row["forfeits"]) for row in deep["versus"]}
    assert met == {"random": (20, 15, 5, 0), "bob": (1, 0, 1, 1)}
    versions = told(data, "versus", "DEEP")["versions"]
    assert [row["agent"] for row in versions] == [None, "deep/1", "deep/2"]
    [bare] = told(data, "versus", "Deep/-")["versions"]
    assert bare["agent"] is None and [row["name"] for row in bare["versus"]] == ["bob"]
    lines = run(data, "versus", "Deep/deep/2").stdout.splitlines()
    assert lines[0] == "Deep/deep/2:" and lines[1].split()[:3] == ["against", "games", "won"]
    assert ["random", "20", "15", "0", "5", "75.0", "%", "0"] in [line.split() for line in lines]


def test_versions_are_merged_and_split_again_and_rated_at_once_where_no_server_runs(data: Path) -> None:
    before = told(data)["ratings"]
    done = run(data, "merge", "deep/deep/1", "Deep/deep/2")
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr == (
        "the games of deep/deep/1 count for Deep/deep/2 from now on; "
        "`tyrusd ratings split deep/deep/1` takes it back\n"
    )
    found = told(data)
    assert [(row["agent"], row["games"]) for row in found["ratings"] if row["name"] == "Deep"] == [
        ("deep/2", 41), (None, 1),
    ]  # fmt: skip
    [merge] = found["merges"]
    assert (merge["name"], merge["old"], merge["new"], merge["by"]) == (
        "Deep",
        "deep/1",
        "deep/2",
        "operator",
    )
    lines = run(data).stdout.splitlines()
    assert lines[-2:] == ["", f"Deep/deep/1 counts for Deep/deep/2 (settled by operator, {merge['at']})"]
    assert run(data, "merge", "Deep/deep/1", "deep/deep/2").exit_code == 0 and told(data) == found
    done = run(data, "merge", "Deep/deep/1", "deep/-")
    assert done.exit_code == 2 and done.stderr == (
        "tyrusd: Deep/deep/1 counts for Deep/deep/2 already; `tyrusd ratings split Deep/deep/1` takes that "
        "back, which is the operator's.\n"
    )
    [asked] = told(data, "versus", "Deep/deep/1")["versions"]  # it counts for the other now
    assert asked["agent"] == "deep/2"
    assert run(data, "merge", "Deep/-", "Deep/deep/2").exit_code == 0
    assert run(data, "split", "Deep").exit_code == 0
    done = run(data, "split", "DEEP/deep/1")
    assert done.exit_code == 0 and "count for it again" in done.stderr
    assert told(data) == {"ratings": before, "merges": []}


def test_a_running_server_rates_anew_by_itself(data: Path) -> None:
    before = told(data)["ratings"]
    server = DataDirectory(data)
    try:
        done = run(data, "merge", "Deep/deep/1", "Deep/deep/2")
    finally:
        server.close()
    assert done.exit_code == 0 and "the server that runs there rates anew within seconds" in done.stderr
    assert told(data)["ratings"] == before


def test_without_numpy_a_merge_is_kept_and_that_is_told(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = told(data)["ratings"]
    monkeypatch.setitem(sys.modules, "numpy", None)
    done = run(data, "merge", "Deep/deep/1", "Deep/deep/2")
    assert done.exit_code == 0 and "fitting them wants numpy, tyrusd[ladder]" in done.stderr
    assert told(data)["ratings"] == before and len(told(data)["merges"]) == 1
    assert len(told(data, "versus", "deep")["versions"]) == 2


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("merge", "Deep/deep/1"), "merge NAME/OLD NAME/NEW"),
        (("split",), "split NAME/OLD"),
        (("list",), "ratings wants nothing, merge"),
        (("versus", "bob", "Deep"), "versus NAME[/AGENT]"),
        (("merge", "Deep/deep/7", "Deep/deep/2"), f"Deep/deep/7 has no rated game; {THOSE}"),
        (("merge", "Deep/deep/1", "Deep/deep/7"), f"Deep/deep/7 has no rated game; {THOSE}"),
        (("merge", "Deep/deep/1", "Deep/2"), f"Deep/2 has no rated game; {THOSE}"),
        (("split", "Deep/2"), f"Deep/2 has no rated game; {THOSE}"),
        (("split", "cleo"), "cleo has no rated game; `tyrusd ratings` lists who has"),
        (("merge", "Deep/deep/1", "bob"), "Deep/deep/1 and bob are not versions of one account"),
        (("merge", "Deep/deep/1", "Deep/deep/1"), "Deep/deep/1 is the same version"),
        (("merge", "cleo/1", "cleo/2"), "There is no account cleo"),
        (("merge", "random", "random/2"), "There is no account random"),
        (("split", "Deep/deep/1"), "the games of Deep/deep/1 count for no other version"),
        (("versus", "cleo"), "cleo has no rated game"),
        (("versus", "Deep/deep/7"), f"Deep/deep/7 has no rated game; {THOSE}"),
        (("versus", "deep/2"), f"deep/2 has no rated game; {THOSE}"),
        (("versus", "\x1b[31m"), "is no version: write NAME/AGENT"),
        (("merge", "Deep/deep/1", "Deep/deep/2", "--json"), "ratings merge has no --json"),
    ],
)
def test_what_cannot_be_is_told_and_changes_nothing(
    data: Path, words: tuple[str, ...], sentence: str
) -> None:
    before = told(data)
    done = run(data, *words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("tyrusd: ") and sentence in done.stderr and "\x1b" not in done.stderr
    assert told(data) == before


def test_without_a_store_or_a_rating_that_is_told(tmp_path: Path) -> None:
    done = run(tmp_path / "none")
    assert done.exit_code == 2 and "there is no data directory" in done.stderr
    for words in ((), ("versus", "ada"), ("merge", "ada/1", "ada/2")):
        done = run(tmp_path, *words)
        assert done.exit_code == 1 and f"there is no store {tmp_path / STORE}" in done.stderr
    assert not list(tmp_path.iterdir())  # who only reads makes none
    Store(tmp_path).close()
    done = run(tmp_path)
    assert (done.exit_code, done.stdout) == (0, "") and "nobody has a rating yet" in done.stderr
    assert told(tmp_path) == {"ratings": [], "merges": []}
    (tmp_path / STORE).write_bytes(b"these are no ratings\n" * 10)
    assert run(tmp_path).exit_code == 1


def test_row_59_names_and_agents_that_would_change_a_terminal_are_cleaned_and_cut() -> None:
    row = {
        "rank": 1, "name": "\x1b[31mred\u202e", "agent": "x" * 64, "elo": 12.6, "low": -3.2, "high": 28.0,
        "games": 9, "won": 9, "drawn": 0, "lost": 0, "forfeits": 0, "forfeited": 0, "flagged": 0,
        "provisional": False, "anchor": False,
    }  # fmt: skip
    assert version_text(row) == f"?[31mred?/{'x' * 29}..."
    head, line = rating_lines([row])
    assert "\x1b" not in line and line.split()[2:] == ["13", "[-3,", "28]", "9", "9", "0", "0"]
    assert "mark" not in head and "forfeit" not in head
