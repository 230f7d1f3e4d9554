"""What an account merges by itself leaves no version out, whatever of it the index holds yet."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.host.rated_store import accounts, put
from tyrusd.host.store import Store
from tyrusd.host.store_ratings import RatingStore
from tyrusd.league.rated import RatedGame, Version

WON, LOST, LATER, BARE = (Version("Deep", word) for word in ("won", "lost", "later", None))
GAP = "{} began to play between those that would be one and does not count for {}: merge it first,"


def game(number: int, version: Version, brown: bool = False) -> RatedGame:
    seats = (Version("rock"), version) if brown else (version, Version("rock"))
    return RatedGame(f"g{number}", *seats, "ivory", "majority", "ivory", "lobby")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """The ids do not sort as words, later games of older versions come between, and sides differ."""
    accounts(tmp_path, "Deep", "bob")
    with Store(tmp_path) as store:
        put(store, [game(101, LATER), game(9, WON, brown=True), game(11, LOST), game(100, WON)])
        put(store, [game(102, LOST, brown=True), game(200, BARE), game(10, Version("bob", "x"))])
        yield store


def test_the_order_is_that_of_the_first_rated_games(store: Store) -> None:
    ratings = RatingStore(store)
    fault = ratings.merge(WON, LATER, "deep", begun=())
    assert fault is not None and fault.startswith(GAP.format("Deep/lost", LATER))
    assert ratings.known().merges == {}
    fault = ratings.merge(LATER, BARE, "deep", begun=())
    assert fault is None
    fault = ratings.merge(LOST, WON, "deep", begun=())
    assert fault is not None and fault.startswith("Deep/lost did not begin before Deep/won: ")
    for old, new in ((WON, LOST), (LOST, LATER)):
        assert ratings.merge(Version("DEEP", old.agent), new, "deep", begun=()) is None
    assert ratings.known().merges == {LATER: BARE, WON: LOST, LOST: LATER}


def test_the_operator_merges_what_he_wants(store: Store) -> None:
    ratings = RatingStore(store)
    assert ratings.merge(WON, LATER, "operator") is None and ratings.merge(BARE, LOST, "operator") is None


@pytest.mark.parametrize("begun", [(("quick", 12),), (("quick", 12), ("won", 9), ("later", 101))])
def test_a_game_that_is_not_in_the_index_yet_has_begun_all_the_same(
    store: Store, begun: tuple[tuple[str | None, int], ...]
) -> None:
    ratings = RatingStore(store)
    assert ratings.merge(WON, LOST, "deep", begun=begun) is None
    fault = ratings.merge(LOST, LATER, "deep", begun=begun)
    assert fault is not None and fault.startswith(GAP.format("Deep/quick", LATER))
    put(store, [game(12, Version("Deep", "quick"))])
    assert ratings.merge(Version("Deep", "quick"), LATER, "deep", begun=begun) is None
    assert ratings.merge(LOST, LATER, "deep", begun=begun) is None


def test_who_is_here_and_has_not_played_comes_last(store: Store) -> None:
    ratings, fresh = RatingStore(store), Version("Deep", "fresh")
    fault = ratings.merge(LATER, fresh, "deep", here=True, begun=())
    assert fault is not None and fault.startswith(GAP.format("Deep/-", fresh))
    assert ratings.merge(BARE, fresh, "deep", here=True, begun=()) is None
