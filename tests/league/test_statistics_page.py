"""docs/statistics.md names every key and column, and what it says of numbers is so."""

from __future__ import annotations

import re
from math import exp
from pathlib import Path
from typing import Any

import pytest

from tests.league.ladder_games import match_of, round_robin
from tyrusd.league.statistics import encounters, rating, strength, summary
from tyrusd.league.statistics.figures import counts_data
from tyrusd.league.statistics.pentanomial import EMPTY, Pentanomial, Trinomial
from tyrusd.league.statistics.plan import SprtPlan
from tyrusd.screen.stats_csv import COLUMNS

PAGE = (Path(__file__).parents[2] / "docs" / "statistics.md").read_text("utf-8")


def section(title: str) -> str:
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


def keys_of(data: Any) -> set[str]:
    """The keys of an object at any depth, without those that are names of players or words of endings."""
    if isinstance(data, list):
        return set().union(*map(keys_of, data))
    if not isinstance(data, dict):
        return set()
    inner = {
        key: value
        for key, value in data.items()
        if key not in ("endings", "won_by", "lost_by", "forfeits", "ratings")
    }
    return set(data).union(*map(keys_of, inner.values()))


def test_every_key_of_the_object_is_on_the_page() -> None:
    two = summary.summary(match_of("a", "b", (1, 2, 3, 4, 5)), sprt=SprtPlan(0, 5))
    circle = summary.summary(round_robin("abc", [(0, 0, 10, 0, 60), (60, 0, 10, 0, 0), (0, 0, 10, 0, 60)]))
    text = section("Object")
    # What only repeats a key with another ending is told as such.
    derived = {"elo_unpaired", "nelo_unpaired", "los_unpaired"}
    missing = {key for key in keys_of(two) | keys_of(circle) if f"`{key}`" not in text} - derived
    assert missing == set()
    assert "the three with `_unpaired`" in text.replace("\n", " ")
    told = re.findall(r"^\| `([a-z]+)` \|", text, re.MULTILINE)
    assert told == list(two)


@pytest.mark.parametrize("counts", [Pentanomial(1, 2, 3, 4, 5), Trinomial(1, 2, 3)])
def test_every_key_of_counts_is_on_the_page(counts: Pentanomial | Trinomial) -> None:
    found = counts_data(counts, SprtPlan(0, 5))
    assert [key for key in found if f"`{key}`" not in section("Counts")] == []


def test_the_columns_of_the_csv_are_on_the_page_in_their_order() -> None:
    listed = re.findall(r"`([a-z_]+)`", section("CSV").partition("(RFC 4180):")[2].partition(". Texts")[0])
    assert tuple(listed) == COLUMNS


def test_numbers_on_the_page_are_those_of_the_code() -> None:
    assert f"the standard deviation {rating.PRIOR_DEVIATION:.0f} Elo" in PAGE
    assert f"fewer than {rating.FEW_PAIRS} pairs" in PAGE
    assert f"counts as {EMPTY:g} of a result" in PAGE
    assert f"the {encounters.MOST_CIRCLES} most convincing" in PAGE
    assert f"at most {summary.MOST_POINTS} points" in PAGE
    assert strength.CONFIDENCE == 0.95
    low, _ = strength.score_interval(Pentanomial(0, 0, 0, 0, 20))
    assert low == pytest.approx(exp(-(strength.quantile(20) ** 2) / 40), abs=2e-3)
