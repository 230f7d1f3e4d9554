"""Games put together by their deals: what is complete, what is void, and how far the schedule is finished."""

from __future__ import annotations

import random

import pytest

from tests.league.ladder_games import DRAWN, game, match_of, pair_of
from tyrusd.league.statistics.pairs import once, pair_up, paired, prefix, results, twice
from tyrusd.league.statistics.pentanomial import Pentanomial, Trinomial


def test_pairs_count_by_their_sum_and_games_one_by_one() -> None:
    games = match_of("a", "b", (1, 2, 3, 4, 5))
    found = paired(games, "a", "b")
    assert found.pairs == Pentanomial(1, 2, 3, 4, 5)
    assert found.singles == Trinomial()
    assert found.games == Trinomial(losses=2 + 2 + 3, draws=2 + 4, wins=3 + 4 + 10)
    assert found.counts == found.pairs
    other = paired(games, "b", "a")
    assert other.pairs == Pentanomial(5, 4, 3, 2, 1)
    assert other.games == Trinomial(17, 6, 7)


def test_row_46_the_order_of_games_does_not_matter() -> None:
    games = match_of("a", "b", (1, 2, 3, 4, 5))
    mixed = list(games)
    random.Random(2).shuffle(mixed)
    assert pair_up(mixed) == pair_up(games)


def test_a_win_and_a_loss_is_the_same_cell_as_two_draws() -> None:
    games = [*pair_of(1, "a", "b", ("a", "b")), *pair_of(2, "a", "b", (DRAWN, DRAWN))]
    found = paired(games, "a", "b")
    assert found.pairs == Pentanomial(0, 0, 2, 0, 0)
    assert found.games == Trinomial(1, 2, 1)


def test_row_46_half_a_pair_counts_for_nothing() -> None:
    games = [*pair_of(1, "a", "b", ("a", "a")), *pair_of(2, "a", "b", ("a",))]
    found = pair_up(games)
    assert [pair.number for pair in found.complete] == [1]
    assert found.incomplete == (2,)
    assert (found.void, found.void_games) == (0, 0)
    # The second game alone is no pair either, and tells who is who all the same.
    assert pair_up(games[:1] + games[1:2]).complete[0].first == "a"
    assert pair_up(games[1:2]).incomplete == (1,)


def test_deals_that_are_played_once_are_complete_with_one_game() -> None:
    games = [game(n, 1, *(("a", "b") if n % 2 else ("b", "a")), winner) for n, winner in enumerate("aab-", 1)]
    found = paired(games, "a", "b", once)
    assert found.pairs == Pentanomial()
    assert found.singles == found.games == found.counts == Trinomial(1, 1, 2)


def test_whether_deals_are_played_twice_can_depend_on_the_two() -> None:
    games = [*pair_of(1, "a", "b", "ab"), game(2, 1, "a", "tcp", "a"), *pair_of(3, "a", "b", "a")]
    found = pair_up(games, lambda first, second: "tcp" not in (first, second))
    assert [(pair.number, len(pair.games)) for pair in found.complete] == [(1, 2), (2, 1)]
    assert found.incomplete == (3,)


def test_only_the_last_attempt_at_a_pair_counts() -> None:
    games = [
        game(1, 1, "a", "b", "a"),
        game(1, 2, "a", "b", DRAWN, "void"),
        *(game(1, number, "a", "b", "b", attempt=2) for number in (1, 2)),
        game(2, 1, "a", "b", DRAWN, "void"),
        game(3, 1, "a", "b", DRAWN, "aborted"),
    ]
    found = pair_up(games)
    assert [pair.score("b") for pair in found.complete] == [2]
    assert found.incomplete == (2, 3)
    assert (found.void, found.void_games) == (2, 3)


def test_an_attempt_that_is_called_void_counts_for_nothing_whatever_was_played_in_it() -> None:
    games = [*pair_of(1, "a", "b", "aa"), *pair_of(2, "a", "b", "ab")]
    found = pair_up(games, void={(1, 1)})
    assert [pair.number for pair in found.complete] == [2]
    assert (found.incomplete, found.void, found.void_games) == ((1,), 1, 2)


def test_with_draws_that_are_replayed_a_draw_counts_in_the_fourth_attempt_only() -> None:
    first = [game(1, number, "a", "b", DRAWN, attempt=1) for number in (1, 2)]
    fourth = [game(1, number, "a", "b", DRAWN, attempt=4) for number in (1, 2)]
    assert pair_up(first).complete
    assert pair_up(first, replay_draws=True).incomplete == (1,)
    assert pair_up(first + fourth, replay_draws=True).complete[0].score("a") == 1


def test_the_prefix_ends_at_the_first_pair_that_is_missing() -> None:
    pairs = pair_up(match_of("a", "b", (0, 0, 3, 0, 3))).complete
    assert prefix(pairs) == pairs
    assert [pair.number for pair in prefix([pair for pair in pairs if pair.number != 3])] == [1, 2]
    assert prefix(pairs[1:]) == ()
    assert prefix([]) == ()
    # A share of a schedule, and one that was cut short.
    assert [pair.number for pair in prefix(pairs[1::2], (2, 4, 6))] == [2, 4, 6]
    assert [pair.number for pair in prefix(pairs, (1, 2))] == [1, 2]


def test_pairs_of_others_are_passed_over() -> None:
    games = [*pair_of(1, "a", "b", "aa"), *pair_of(2, "a", "c", "cc")]
    pairs = pair_up(games).complete
    assert results(pairs, "a", "b").pairs == Pentanomial(0, 0, 0, 0, 1)
    assert results(pairs, "c", "a").pairs == Pentanomial(0, 0, 0, 0, 1)
    assert results(pairs, "b", "c") == results((), "b", "c")


@pytest.mark.parametrize(("kind", "told"), [(twice, True), (once, False)])
def test_the_two_plain_ways(kind: object, told: bool) -> None:
    assert callable(kind)
    assert kind("a", "b") is told
