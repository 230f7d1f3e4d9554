"""What cannot be played is refused before the first game, in a sentence that says what to change."""

from __future__ import annotations

from typing import Any

import pytest

from tests.league.arena import Arena, ivory_wins, plan_of
from tyrusd.league.statistics.plan import SprtPlan
from tyrusd.league.tournament.happenings import Champion
from tyrusd.league.tournament.tournament import Tournament
from tyrusd.rules.deal import deal_from_bytes

SPRT = SprtPlan(0, 5)


@pytest.mark.parametrize("kind", ["roundrobin", "gauntlet", "swiss", "knockout"])
@pytest.mark.parametrize(("count", "sentence"), [(0, "there are none; add 2 more"), (1, "there is 1; add 1")])
def test_fewer_than_two_bots_are_refused(kind: str, count: int, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"needs two bots or more, and {sentence}"):
        Tournament(plan_of(kind, count))


@pytest.mark.parametrize("kind", ["roundrobin", "gauntlet", "swiss", "knockout"])
@pytest.mark.parametrize("count", [2, 3, 4, 5, 7, 9])
def test_two_and_odd_counts_are_played(kind: str, count: int) -> None:
    arena = Arena(plan_of(kind, count)).run(3)
    assert arena.tournament.why_over == "played"
    assert (arena.champion is None) == (kind == "gauntlet")
    played = {name for game in arena.tournament.counted_games() for name in (game.ivory, game.brown)}
    assert played == set(arena.plan.entrants)


@pytest.mark.parametrize("kind", ["roundrobin", "swiss", "knockout"])
def test_where_no_game_could_be_played_nobody_has_won(kind: str) -> None:
    arena = Arena(plan_of(kind, 2), readiness=lambda task: task.first).run()
    assert not arena.tournament.counted_games()
    assert (arena.champion, arena.heard(Champion)) == (None, [])
    assert arena.tournament.standing()["no_winner"] == "no game was played that counts"


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        (("a", "b", "a"), "two bots are called a; give each a name of its own"),
        (("Anna", "b", "anna"), "Anna differs only by its case: two bots are called anna; give"),
        (("a", ""), "a bot has an empty name; give it one"),
    ],
)
def test_equal_names_are_refused(names: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        Tournament(plan_of("roundrobin", names))


@pytest.mark.parametrize(
    ("terms", "sentence"),
    [
        ({"kind": "ladder"}, "no tournament 'ladder'; choose one of roundrobin, gauntlet, swiss, knockout"),
        ({"unswapped": frozenset({"stranger"})}, "stranger is not one of the bots"),
        ({"games": 3}, "once or twice, not 3 times"),
        ({"rounds": 0}, "1 deal or more, not 0"),
        ({"rounds": None}, "nothing says when to stop"),
        ({"kind": "swiss", "swiss_rounds": 0}, "1 round or more, not 0"),
        ({"suspend_after": 0}, "1 failure or more, not 0"),
        ({"kind": "gauntlet", "seeds": 4}, "a gauntlet of 4 bots has 1 to 3 seeds, not 4"),
        ({"kind": "gauntlet", "seeds": 0}, "a gauntlet of 4 bots has 1 to 3 seeds, not 0"),
        ({"kind": "knockout", "seeds": 5}, "a knock-out of 4 bots has 0 to 4 seeds, not 5"),
        ({"sprt": SPRT}, "compares two bots, not 4"),
        ({"kind": "swiss", "count": 2, "sprt": SPRT}, "a swiss cannot run a sequential test"),
        ({"shard": (3, 2)}, "no share 3 of 2"),
        ({"shard": (0, 2)}, "no share 0 of 2"),
        ({"kind": "swiss", "shard": (1, 2)}, "only a round robin or a gauntlet"),
        ({"kind": "knockout", "shard": (1, 2)}, "only a round robin or a gauntlet"),
        ({"count": 2, "sprt": SPRT, "shard": (1, 2)}, "only a round robin or a gauntlet"),
        ({"seed": ""}, "64 printable ASCII characters"),
    ],
)
def test_what_cannot_be_played_is_refused(terms: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        Tournament(plan_of(**{"kind": "roundrobin", "count": 4, **terms}))


def test_too_few_deals_are_refused_where_their_number_is_known() -> None:
    def five(pair: int) -> Any:
        return deal_from_bytes(bytes([pair])) if pair <= 5 else None

    with pytest.raises(ValueError, match="6 deals are needed and the file has fewer"):
        Tournament(plan_of("roundrobin", 4), five)
    with pytest.raises(ValueError, match="7 deals are needed"):
        Tournament(plan_of("knockout", 8), five)
    arena = Arena(plan_of("roundrobin", 2, rounds=5), deals=five).run(2)
    assert [task.deal for task in arena.tasks] == [five(pair) for pair in range(1, 6)]


def test_a_run_without_end_ends_with_its_deals() -> None:
    def three(pair: int) -> Any:
        return deal_from_bytes(bytes([pair])) if pair <= 3 else None

    plan = plan_of("roundrobin", 2, rounds=None, sprt=SPRT)
    for concurrency in (1, 8):
        arena = Arena(plan, deals=three).run(concurrency)
        assert arena.tournament.why_over == "deals"
        assert len(arena.tournament.counted_games()) == 6


def test_a_knock_out_ends_when_its_further_pairs_have_no_deal() -> None:
    def one(pair: int) -> Any:
        return deal_from_bytes(b"the only one") if pair == 1 else None

    arena = Arena(plan_of("knockout", 2), ivory_wins, deals=one).run()
    assert arena.tournament.why_over == "deals"
    assert arena.champion is None
