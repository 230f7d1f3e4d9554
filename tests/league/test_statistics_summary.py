"""The statistics object: what it adds up, for whom, and that it is plain JSON in any order of the games."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from tests.league.ladder_games import DRAWN, game, match_of, pair_of, round_robin
from tyrusd.league.match import FORFEITS
from tyrusd.league.statistics.encounters import circles, encounters
from tyrusd.league.statistics.figures import counts_data, plain
from tyrusd.league.statistics.pairs import once, pair_up
from tyrusd.league.statistics.pentanomial import Pentanomial, Trinomial
from tyrusd.league.statistics.plan import SprtPlan
from tyrusd.league.statistics.sprt import sprt
from tyrusd.league.statistics.strength import elo
from tyrusd.league.statistics.summary import MOST_POINTS, Run, summary, summary_of
from tyrusd.league.statistics.tables import FAULTS

KEYS = [
    "schema", "entrants", "pairs", "two", "crosstable", "differences", "cycles", "model", "endings", "sides",
    "progress", "tournament", "runs",
]  # fmt: skip
HOSTILE = [
    "<script>alert(1)</script>",
    "\x1b[31mred\x1b[0m",
    "\"quotes\" and 'others'",
    "a,b;c\td",
    "two\nlines\r\n",
    "\u202eright to left\u200f",
    "x" * 10_000,
    "=cmd|' /C calc'!A0",
    "[bold]{}%s\\",
    "\x00\x85\u2028\ud83d",
]


def entrant(stats: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(row for row in stats["entrants"] if row["name"] == name)
    return found


@pytest.fixture(scope="module")
def three() -> dict[str, Any]:
    return summary(round_robin("abc", [(1, 0, 4, 1, 4), (0, 0, 2, 0, 8), (2, 1, 3, 0, 4)]))


def test_the_keys_are_those_of_the_page(three: dict[str, Any]) -> None:
    assert list(three) == KEYS
    assert three["schema"] == 1
    json.dumps(three, allow_nan=False)


def test_results_add_up(three: dict[str, Any]) -> None:
    a = entrant(three, "a")
    assert (a["games"], a["pairs"], a["wins"], a["losses"], a["draws"]) == (40, 20, 31, 8, 1)
    assert a["points"] == 31.5
    assert a["score"] == 31.5 / 40
    assert [row["rank"] for row in three["entrants"]] == [1, 2, 3]
    assert three["entrants"][0]["name"] == "a"
    for group in ("ivory", "brown", "opened", "answered"):
        assert a[group]["games"] == sum(a[group][result] for result in ("wins", "losses", "draws")) == 20
    assert a["time"] == {"placements": 20 * 20 + 20 * 30, "mean_ms": 100, "total_ms": 100_000}
    assert three["pairs"] == {"complete": 30, "incomplete": 0, "void": 0, "void_games": 0}
    assert sum(three["endings"].values()) == 60
    assert three["two"] is None


def test_the_crosstable_has_an_interval_in_each_cell(three: dict[str, Any]) -> None:
    order = [row["name"] for row in three["entrants"]]
    cell = three["crosstable"][order.index("a")][order.index("b")]
    other = three["crosstable"][order.index("b")][order.index("a")]
    assert cell["pentanomial"] == [1, 0, 4, 1, 4]
    assert (cell["games"], cell["pairs"], cell["points"], cell["score"]) == (20, 10, 13.5, 0.675)
    expected = elo(Pentanomial(1, 0, 4, 1, 4))
    assert (cell["elo"], cell["low"], cell["high"]) == pytest.approx(tuple(expected), abs=1e-5)
    assert (other["elo"], other["low"], other["high"]) == pytest.approx(
        (-cell["elo"], -cell["high"], -cell["low"])
    )
    assert other["pentanomial"] == [4, 1, 4, 0, 1]
    assert other["los"] == pytest.approx(1 - cell["los"], abs=1e-5)
    assert [three["crosstable"][index][index] for index in range(3)] == [None] * 3
    gap = three["differences"][0][1]
    assert gap["elo"] == pytest.approx(
        three["entrants"][0]["rating"]["elo"] - three["entrants"][1]["rating"]["elo"], abs=1e-5
    )
    assert gap["low"] < gap["elo"] < gap["high"]
    assert three["differences"][2][2] is None


@pytest.mark.parametrize("names", ["ab", "abcd"])
def test_the_order_of_games_does_not_matter(names: str) -> None:
    games = round_robin(names, [(1, 2, 3, 2, 1 + index) for index in range(6)])
    expected = json.dumps(summary(games, sprt=SprtPlan(0, 50)))
    for seed in range(3):
        random.Random(seed).shuffle(games)
        assert json.dumps(summary(games, sprt=SprtPlan(0, 50))) == expected


def test_two_have_a_block_of_their_own() -> None:
    plan = SprtPlan(0, 20)
    games = match_of("b", "a", (2, 1, 9, 2, 12))
    stats = summary(games, entrants=("b", "a"), sprt=plan)
    two = stats["two"]
    assert (two["first"], two["second"]) == ("b", "a")
    assert two["pentanomial"] == [2, 1, 9, 2, 12]
    assert two["unpaired"] == [35, 14, 3]
    assert two["elo"]["value"] == pytest.approx(elo(Pentanomial(2, 1, 9, 2, 12)).value, abs=1e-5)
    assert two["elo_unpaired"]["value"] == pytest.approx(two["elo"]["value"], abs=0.5)
    assert two["sprt"]["llr"] == pytest.approx(sprt(Pentanomial(2, 1, 9, 2, 12), plan).llr, abs=1e-5)
    assert two["sprt"]["decision"] is None
    assert two["sprt"]["pairs"] == 26
    # Without a plan the first of the alphabet is the first, and there is no test.
    other = summary(games)["two"]
    assert (other["first"], other["sprt"]) == ("a", None)
    assert other["pentanomial"] == [12, 2, 9, 1, 2]
    assert 0.5 < two["variance_ratio"] < 2


def test_the_test_is_of_the_first_entrant_and_of_the_finished_beginning() -> None:
    plan = SprtPlan(0, 100)
    games = match_of("b", "a", (0, 0, 0, 0, 60))
    stats = summary(games, entrants=("b", "a"), sprt=plan)
    assert stats["two"]["sprt"]["decision"] == "H1"
    decided = stats["two"]["sprt"]["pairs"]
    assert decided < 60
    assert summary(games, entrants=("a", "b"), sprt=plan)["two"]["sprt"]["decision"] == "H0"
    # Pair 3 is missing: what came after it is rated, and not tested.
    without = [played for played in games if played.place.pair != 3]
    found = summary(without, entrants=("b", "a"), sprt=plan)["two"]
    assert (found["pairs"], found["sprt"]["pairs"], found["sprt"]["decision"]) == (59, 2, None)


def test_a_test_of_deals_that_are_played_once() -> None:
    games = [game(n, 1, *(("a", "b") if n % 2 else ("b", "a")), "a" if n % 4 else "b") for n in range(1, 41)]
    two = summary(games, twins=once, sprt=SprtPlan(0, 20))["two"]
    assert two["sprt"]["pairs"] == 40
    assert two["sprt"]["llr"] == pytest.approx(sprt(Trinomial(10, 0, 30), SprtPlan(0, 20)).llr, abs=1e-5)
    assert two["variance_ratio"] is None
    assert two["pentanomial"] == [0] * 5


def test_faults_have_columns_and_ratings_without_them() -> None:
    games = match_of("a", "b", (2, 0, 6, 0, 4))
    number = 100
    for reason in FAULTS:
        games += pair_of(number, "a", "b", ("a", "b"), reason)
        number += 1
    games += pair_of(number, "a", "b", ("b", "b"), "crashed")
    stats = summary(games, unready={"a": 2}, states={"b": "suspended"})
    a, b = entrant(stats, "a"), entrant(stats, "b")
    assert a["forfeits"] == {word: 3 if word == "crashed" else 1 for word in FAULTS}
    assert b["forfeits"] == dict.fromkeys(FAULTS, 1)
    assert set(FAULTS) == FORFEITS
    assert {"crashed", "timeout", "illegal", "protocol", "disconnected", "walkover"} == FORFEITS
    assert a["lost_by"] == {"majority": 10, "crashed": 3} | dict.fromkeys(FAULTS[1:], 1)
    assert b["won_by"]["crashed"] == 3
    assert (a["unready"], b["unready"], a["state"], b["state"]) == (2, 0, "playing", "suspended")
    clean = summary(match_of("a", "b", (2, 0, 6, 0, 4)))
    assert a["rating_without_forfeits"] == entrant(clean, "a")["rating"]
    assert a["rating"] != a["rating_without_forfeits"]
    assert entrant(clean, "a")["rating_without_forfeits"] == entrant(clean, "a")["rating"]


def test_who_has_only_forfeits_has_no_rating_without_them() -> None:
    games = [*pair_of(1, "a", "b", "aa", "timeout"), *pair_of(2, "a", "c", "aa")]
    stats = summary(games)
    assert entrant(stats, "b")["rating_without_forfeits"] is None
    assert entrant(stats, "c")["rating_without_forfeits"] is not None


def test_a_draw_and_sides_and_openers() -> None:
    games = [*pair_of(1, "a", "b", ("a", "b")), *pair_of(2, "a", "b", (DRAWN, "a"))]
    sides = summary(games)["sides"]
    # Pair 1: a has Ivory and opens, then b has Ivory. Pair 2: b opens; a wins with Brown.
    assert sides == {"ivory_wins": 2, "brown_wins": 1, "draws": 1, "opener_wins": 1, "answerer_wins": 2}


@pytest.mark.parametrize("games", [[], pair_of(1, "a", "b", "aa"), pair_of(1, "a", "b", "a")])
def test_next_to_nothing_is_a_whole_object(games: list[Any]) -> None:
    for entrants in ((), ("a", "b"), ("a", "b", "c")):
        stats = summary(games, entrants=entrants, sprt=SprtPlan(0, 5))
        assert list(stats) == KEYS
        json.dumps(stats, allow_nan=False)
    assert entrant(stats, "c")["score"] is None
    assert entrant(stats, "c")["time"]["mean_ms"] is None


def test_runs_are_put_together() -> None:
    one, other = match_of("a", "b", (0, 1, 2, 1, 1)), match_of("a", "b", (2, 0, 3, 0, 0))
    joined = summary_of(
        [Run(one, unready={"a": 1}), Run(other, unready={"a": 2}, beside=(1, 2, 3))], sprt=SprtPlan(0, 9)
    )
    assert joined["two"]["pentanomial"] == [2, 1, 5, 1, 1]
    assert joined["two"]["sprt"]["pairs"] == 10
    assert joined["pairs"] == {"complete": 10, "incomplete": 1, "void": 2, "void_games": 3}
    assert entrant(joined, "a")["unready"] == 3
    assert summary_of([])["pairs"]["complete"] == 0
    assert summary_of([Run(one)], progress=False)["progress"] == []


def test_progress_ends_with_the_ratings_of_all() -> None:
    stats = summary(round_robin("abc", [(10, 0, 40, 10, 40)] * 3))
    progress = stats["progress"]
    assert len(progress) == MOST_POINTS
    games = [point["games"] for point in progress]
    assert games == sorted(set(games))
    assert games[-1] == 600
    for row in stats["entrants"]:
        rating = row["rating"]
        assert progress[-1]["ratings"][row["name"]] == [rating["elo"], rating["low"], rating["high"]]


def test_a_circle_is_found_and_weighed() -> None:
    strong = summary(round_robin("abc", [(0, 0, 10, 0, 60), (60, 0, 10, 0, 0), (0, 0, 10, 0, 60)]))
    (circle,) = strong["cycles"]
    assert circle["names"] == ["a", "b", "c"]
    assert circle["significant"]
    assert len(circle["edges"]) == 3
    assert min(edge["los"] for edge in circle["edges"]) == circle["los"] > 0.99
    weak = summary(round_robin("abc", [(2, 0, 5, 0, 3), (3, 0, 5, 0, 2), (2, 0, 5, 0, 3)]))
    assert [one["significant"] for one in weak["cycles"]] == [False]
    assert weak["model"]["cycles_found"] == 1
    # Ratings alone cannot tell it: all three are equal.
    assert all(abs(row["rating"]["elo"]) < 1 for row in strong["entrants"])
    # A step of exactly half is none.
    level = summary(round_robin("abc", [(0, 0, 10, 0, 60), (30, 0, 10, 0, 30), (0, 0, 10, 0, 60)]))
    assert level["model"]["cycles_found"] == 0
    straight = summary(round_robin("abc", [(0, 0, 10, 0, 60)] * 3))
    assert straight["cycles"] == []


def test_circles_are_counted_though_only_some_are_told() -> None:
    names = "abcdefghijk"  # each beats the five after it, round and round: 55 circles
    games = []
    number = 1
    for i, first in enumerate(names):
        for step in range(1, 6):
            games += pair_of(number, first, names[(i + step) % 11], (first, first))
            number += 1
    total, told = circles(names, encounters(pair_up(games).complete))
    assert total == 55
    assert len(told) == 20


def test_names_may_be_anything_and_the_object_is_json_all_the_same() -> None:
    games = []
    for number, name in enumerate(HOSTILE, 1):
        games += pair_of(number, name, HOSTILE[number % len(HOSTILE)], (name, DRAWN))
    stats = summary(games)
    assert {row["name"] for row in stats["entrants"]} == set(HOSTILE)
    text = json.dumps(stats, allow_nan=False)
    assert json.loads(text) == stats
    assert text.isascii()
    assert text.isprintable()


def test_numbers_are_cut_off_where_they_mean_nothing() -> None:
    assert plain({"a": (0.12345678, [-0.0, 1]), "b": None}) == {"a": [0.123457, [0.0, 1]], "b": None}
    assert str(plain(-1e-12)) == "0.0"


def test_bare_counts_have_all_figures_under_names_of_their_own() -> None:
    found = counts_data(Pentanomial(10, 20, 50, 25, 15), SprtPlan(0, 5))
    assert (found["pairs"], found["games"], found["score"]) == (120, 240, 0.53125)
    assert found["elo_low"] < found["elo"] < found["elo_high"]
    assert found["nelo_low"] < found["nelo"] < found["nelo_high"]
    assert found["llr"] == pytest.approx(sprt(Pentanomial(10, 20, 50, 25, 15), SprtPlan(0, 5)).llr, abs=1e-5)
    assert (found["decision"], found["sprt"]["elo1"]) == (None, 5)
    found = counts_data(Trinomial())
    assert (found["singles"], found["score"], found["llr"], found["sprt"]) == (0, None, None, None)
