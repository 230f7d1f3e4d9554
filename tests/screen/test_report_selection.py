"""Which games a report opens, and which of them it shows."""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from typing import Any

import pytest

from tests.screen.ladder_games import BOTS, facts_of, ladder, page, round_robin
from tests.screen.page_reading import Page
from tyrusd.screen.report.facts import Data
from tyrusd.screen.report.selection import ABNORMAL, choose, opened, spread


def never(record: Data) -> bool:
    return False


def always(record: Data) -> bool:
    return True


def placed(record: Data, **place: int) -> dict[str, Any]:
    """The record of a game as if it stood elsewhere in its tournament."""
    found: dict[str, Any] = deepcopy(dict(record))
    found["ladder"].update(place)
    found["id"] = "p{pair}-{game}-{attempt}".format(**found["ladder"])
    return found


def ids(records: list[Data]) -> list[str]:
    return [record["id"] for record in records]


FOUR = ladder(round_robin(BOTS[:3], 2), 0).records[:4]


def test_row_17_a_pair_opens_when_both_its_games_have_ended() -> None:
    assert ids(opened(FOUR, never)) == ["p1-1", "p1-2", "p2-1", "p2-2"]
    assert ids(opened(FOUR[:3], never)) == ["p1-1", "p1-2"]
    assert ids(opened([FOUR[1], FOUR[2]], never)) == []
    assert ids(opened([FOUR[3], FOUR[0], FOUR[2]], never)) == ["p2-1", "p2-2"]


def test_row_17_a_deal_that_is_played_once_opens_at_once() -> None:
    assert ids(opened([FOUR[0], FOUR[2]], always)) == ["p1-1", "p2-1"]


def test_row_17_a_void_attempt_opens_with_what_was_dealt_after_it() -> None:
    first, again = placed(FOUR[0], attempt=1), [placed(FOUR[game], attempt=2) for game in (0, 1)]
    assert ids(opened([first], never)) == []
    assert ids(opened([first, again[0]], never)) == []
    assert ids(opened([first, *again], never)) == ["p1-1-1", "p1-1-2", "p1-2-2"]


def test_games_of_no_tournament_are_passed_over() -> None:
    loose = {key: value for key, value in FOUR[0].items() if key != "ladder"}
    assert opened([loose], always) == []


def test_row_17_nothing_of_a_game_whose_twin_is_played_is_in_the_page() -> None:
    found = ladder(round_robin(), 10, games=101)
    half = found.records[-1]
    assert half["id"] == "p51-1"
    text = page(facts_of(found))
    assert "p50-2" in text
    read = Page(text)
    assert "51" not in {str(record["ladder"]["pair"]) for _, record in facts_of(found).games}
    (data,) = [code for attributes, code in read.scripts if attributes.get("id") == "games"]
    moves = " ".join(f"{tile}{building}" for _, tile, building in half["game"]["placements"])
    assert moves not in data and " ".join(half["game"]["deal"]["ivory"]) not in data
    # The other games, and the time of this one, are told.
    assert " ".join(found.records[0]["game"]["deal"]["ivory"]) in data
    assert "1 pair begun and not complete" in read.text


def test_all_abnormal_games_are_shown_and_some_others_of_every_pairing() -> None:
    records = ladder(round_robin(rounds=20), 25).records
    chosen = choose(opened(records, never))
    shown = set(ids(chosen.games))
    assert chosen.left_out == 0
    abnormal = {record["id"] for record in records if record["game"]["reason"] in ABNORMAL}
    assert len(abnormal) > 20
    assert abnormal < shown
    pairs = Counter(record["ladder"]["pair"] for record in chosen.games)
    assert set(pairs.values()) == {2}
    others = [
        record
        for record in chosen.games
        if not abnormal & {f"p{record['ladder']['pair']}-{g}" for g in (1, 2)}
    ]
    assert len(others) == 200
    met = Counter(frozenset(record["game"]["seats"].values()) for record in others)
    assert len(met) == 15
    assert max(met.values()) - min(met.values()) <= 2
    # They are of the whole run, not of its beginning.
    assert min(pairs) <= 15 and max(pairs) > 285


def test_too_many_abnormal_games_are_spread_and_counted() -> None:
    records = opened(ladder(round_robin(rounds=20), 2).records, never)
    chosen = choose(records, others=0, abnormal=50)
    assert len(chosen.games) == 100
    abnormal = [sum(game["game"]["reason"] in ABNORMAL for game in each) for each in (records, chosen.games)]
    assert chosen.left_out == abnormal[0] - abnormal[1] > 200
    assert chosen.games[0]["ladder"]["pair"] < 5
    assert chosen.games[-1]["ladder"]["pair"] == 300
    facts = facts_of(ladder(round_robin(rounds=1), 2))._replace(left_out=7)
    assert "7 more abnormal games had no room." in Page(page(facts)).text


@pytest.mark.parametrize(
    ("count", "most", "found"),
    [(0, 3, []), (3, 3, [0, 1, 2]), (5, 3, [0, 2, 4]), (10, 1, [0]), (10, 0, []), (7, 2, [0, 6])],
)
def test_spreading_keeps_the_ends(count: int, most: int, found: list[int]) -> None:
    assert spread(range(count), most) == found
