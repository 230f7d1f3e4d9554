"""Statistics as text and as CSV: all columns, and names that would do harm do none."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from tests.league.ladder_games import pair_of, round_robin
from tests.league.test_statistics_summary import HOSTILE
from tyrusd.league.statistics.figures import counts_data
from tyrusd.league.statistics.pentanomial import Pentanomial, Trinomial
from tyrusd.league.statistics.plan import SprtPlan
from tyrusd.league.statistics.summary import summary
from tyrusd.screen.names import LONGEST_NAME, shown_name
from tyrusd.screen.stats_csv import COLUMNS, csv_lines
from tyrusd.screen.stats_table import MOST_ENCOUNTERS, counts_lines, standings, whole

PLAN = SprtPlan(0, 50)


def of_two(sprt: SprtPlan | None = PLAN) -> dict[str, Any]:
    return summary(round_robin(("anna", "bert"), [(2, 1, 9, 2, 12)]), sprt=sprt)


def test_the_table_of_two_with_the_block() -> None:
    lines = standings(of_two())
    assert lines[0].split() == ["rank", "name", "Elo", "±", "games", "pairs", "score", "W", "L", "D"]
    assert lines[1].split()[:2] == ["1", "anna"]
    assert lines[1].split()[4:] == ["52", "26", "70.2", "%", "35", "14", "3"]
    assert lines[2].split()[:2] == ["2", "bert"]
    assert lines[3] == "anna against bert"
    assert lines[4] == "  52 games: 35 won, 14 lost, 3 drawn"
    assert lines[5] == "  26 pairs: LL 2, LD 1, WL+DD 9, WD 2, WW 12"
    assert lines[6].startswith("  Elo +148.")
    assert "normalized Elo +" in lines[6]
    assert lines[7].startswith("  likelihood of superiority 99.")
    assert lines[8] == "  SPRT elo0=0 elo1=50 alpha=0.05 beta=0.05 model=normalized"
    assert lines[9].startswith("  LLR ")
    assert "[-2.94, 2.94] after" in lines[9]
    assert lines[10].startswith("  as independent games: Elo +148.")


@pytest.mark.parametrize(
    ("cells", "verdict"),
    [
        ((0, 0, 0, 0, 60), "H1 is accepted: elo1=50"),
        ((60, 0, 0, 0, 0), "H0 is accepted: elo0=0"),
        ((1, 0, 2, 0, 1), "after 4 pairs: undecided"),
    ],
)
def test_how_a_test_stands_is_said(cells: tuple[int, ...], verdict: str) -> None:
    stats = summary(round_robin(("anna", "bert"), [cells]), sprt=PLAN)
    assert any(line.endswith(verdict) for line in standings(stats))


def test_who_has_won_everything_has_a_bound_only() -> None:
    stats = summary(round_robin(("anna", "bert"), [(0, 0, 0, 0, 6)]), entrants=("anna", "bert"))
    assert "  Elo > +90.0, normalized Elo > +64.4" in standings(stats)
    stats = summary(round_robin(("anna", "bert"), [(6, 0, 0, 0, 0)]), entrants=("anna", "bert"))
    assert "  Elo < -90.0, normalized Elo < -64.4" in standings(stats)
    assert counts_lines(counts_data(Pentanomial(0, 0, 0, 0, 6)))[1] == "Elo > +90.00"


def test_without_a_test_and_without_games_nothing_is_made_up() -> None:
    assert not any("SPRT" in line for line in standings(of_two(None)))
    lines = standings(summary([], entrants=("anna", "bert")))
    assert len(lines) == 3
    assert lines[1].split()[4:] == ["0", "0", "-", "0", "0", "0"]
    assert "endings: none" in whole(summary([]))


def test_faults_and_states_get_columns_when_there_are_any() -> None:
    games = pair_of(1, "anna", "bert", ("anna", "anna"), "crashed")
    games += pair_of(2, "anna", "bert", ("bert", "anna"))
    stats = summary(games, unready={"bert": 3}, states={"bert": "suspended"})
    lines = standings(stats)
    assert "Elo without forfeits" in lines[0]
    assert lines[0].endswith("state")
    assert "crashed 2, unready 3" in lines[2]
    assert lines[2].endswith("suspended")
    assert "crashed" not in lines[1]
    assert not any("state" in line for line in standings(of_two()))


def test_the_whole_page_of_three() -> None:
    stats = summary(round_robin("abc", [(0, 0, 10, 0, 60), (60, 0, 10, 0, 0), (0, 0, 10, 0, 60)]))
    lines = whole(stats)
    assert "encounters (W-L-D):" in lines
    assert any(line.startswith("  ") and "- " in line and ", Elo " in line and "[" in line for line in lines)
    assert "circles of three, each of whom beats the next: 1" in lines
    assert any("a > b > c > a: convincing" in line for line in lines)
    assert "endings: majority 420" in lines
    assert any(line.startswith("sides: Ivory won ") for line in lines)
    assert lines[-1] == "pairs: 210 complete"
    weak = whole(summary(round_robin("abc", [(2, 0, 5, 0, 3), (3, 0, 5, 0, 2), (2, 0, 5, 0, 3)])))
    assert any("may be chance" in line for line in weak)


def test_many_encounters_are_cut_off_in_a_sentence() -> None:
    names = "abcdefghijkl"
    games = []
    number = 1
    for index, first in enumerate(names):
        for second in (*names[index + 1 :], "zz"):
            games += pair_of(number, first, second, (first, first))
            number += 1
    lines = whole(summary(games))
    told = [line for line in lines if line.startswith("  ") and ", Elo " in line]
    assert len(told) == MOST_ENCOUNTERS
    assert f"  and {78 - MOST_ENCOUNTERS} more, which --json tells" in lines


def test_incomplete_and_void_pairs_are_said() -> None:
    games = [*pair_of(1, "a", "b", "aa"), *pair_of(2, "a", "b", "a")]
    assert whole(summary(games))[-1] == "pairs: 1 complete, 1 incomplete"


def test_deals_that_were_played_once_are_no_pairs() -> None:
    once = [*pair_of(1, "a", "b", "a"), *pair_of(2, "a", "b", "b")]
    assert whole(summary(once, twins=lambda one, other: False))[-1] == "single games: 2"
    both = [*pair_of(1, "a", "b", "ab"), *pair_of(2, "a", "c", "a"), *pair_of(3, "a", "b", "aa")]
    lines = whole(summary(both, twins=lambda one, other: "c" not in (one, other)))
    assert lines[-1] == "pairs: 2 complete, single games: 1"


@pytest.fixture(scope="module")
def hostile() -> dict[str, Any]:
    games = []
    for number, name in enumerate(HOSTILE, 1):
        games += pair_of(number, name, HOSTILE[number % len(HOSTILE)], (name, "-"))
    return summary(games, states={HOSTILE[0]: "\x1b[0mout"})


def test_no_name_can_reach_a_terminal_with_more_than_letters(hostile: dict[str, Any]) -> None:
    for line in whole(hostile):
        assert line.isprintable(), ascii(line)
        assert len(line) < 400


def test_figures_stay_in_their_columns_whatever_the_names_are(hostile: dict[str, Any]) -> None:
    lines = standings(hostile)
    table = lines[: len(HOSTILE) + 1]
    games = table[0].index("games") + len("games")
    assert all(line[games - 1] == "2" or line is table[0] or line[games - 1] == "4" for line in table)


def test_long_and_wide_names_are_shortened() -> None:
    assert shown_name("x" * 32) == "x" * 32
    assert shown_name("x" * 33) == "x" * 29 + "..."
    assert len(shown_name("x" * 10_000)) == LONGEST_NAME
    assert shown_name("棋" * 17) == "棋" * 14 + "..."
    assert shown_name("e\u0301" * 32) == "e\u0301" * 32
    assert shown_name("a\u202eb") == "a?b"


def test_csv_has_a_line_for_each_and_is_read_back(hostile: dict[str, Any]) -> None:
    lines = csv_lines(hostile)
    rows = list(csv.reader(io.StringIO("\r\n".join(lines), newline="")))
    assert tuple(rows[0]) == COLUMNS
    assert len(rows) == len(HOSTILE) + 1
    assert {len(row) for row in rows} == {len(COLUMNS)}
    for row in rows[1:]:
        name = row[1]
        assert name.isprintable()
        assert not name.lstrip().startswith(("=", "+", "-", "@"))
        float(row[2])
    assert any(row[1].startswith("'=cmd|") for row in rows)
    assert any(row[1] == "\"quotes\" and 'others'" for row in rows)
    assert any(row[1] == "a,b;c?d" for row in rows)


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@sum", "  =1", "\t=1", "\r=1"])
def test_no_name_is_a_formula(name: str) -> None:
    lines = csv_lines(summary(pair_of(1, name, "other", (name, name))))
    (row,) = (row for row in csv.reader(lines[1:]) if row[1] != "other")
    assert row[1][0] in "'?"


def test_numbers_below_zero_are_numbers() -> None:
    rows = list(csv.DictReader(csv_lines(of_two())))
    assert float(rows[1]["elo"]) < 0
    assert rows[0]["crashed"] == "0"
    assert csv_lines(summary([], entrants=("a",)))[1].split(",")[12] == ""


def test_bare_counts() -> None:
    lines = counts_lines(counts_data(Pentanomial(10, 20, 50, 25, 15), SprtPlan(0, 5)))
    assert lines[0] == "120 pairs: LL 10, LD 20, WL+DD 50, WD 25, WW 15, score 53.12 %"
    assert lines[1].startswith("Elo +21.7")
    assert lines[-1].startswith("LLR 0.25 [-2.94, 2.94] after 120 pairs: undecided")
    lines = counts_lines(counts_data(Trinomial()))
    assert lines[0] == "0 games: L 0, D 0, W 0"
    assert len(lines) == 4
