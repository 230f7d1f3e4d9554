"""The ladder's part of the store: what is read of it is what was put in, and merges are facts."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.host.rated_store import accounts, index, played
from tyrusd.host.refit import RefitError, fit, read, write
from tyrusd.host.store import STORE, Store
from tyrusd.host.store_file import StoreError
from tyrusd.host.store_ratings import Known, RatingStore
from tyrusd.league.rated import Version
from tyrusd.league.standing_table import rating_table

OLD, NEW, BARE = Version("Deep", "deep/1"), Version("Deep", "deep/2"), Version("Deep")
BOB = Version("bob")
GAMES = [
    *played(OLD, BOB, "112-"), *played(NEW, BOB, "1111"), *played(BARE, Version("random"), "12"),
    *played(BOB, Version("random"), "1", flags=("host", "owner")),
]  # fmt: skip
ANCHORS = {"random": 100}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    accounts(tmp_path, "Deep", "bob", "idle")
    index(tmp_path, GAMES)
    return tmp_path


def test_what_is_read_of_the_index_is_what_was_put_in(data: Path) -> None:
    with Store(data) as store:
        ratings = RatingStore(store)
        assert sorted(ratings.games()) == sorted(GAMES)
        assert ratings.known() == Known(len(GAMES), {})


def test_merges_are_kept_in_the_spelling_of_the_account_and_can_be_split(data: Path) -> None:
    with Store(data) as store:
        ratings = RatingStore(store)
        assert ratings.merge(Version("DEEP", "deep/1"), Version("deep", "deep/2"), "operator") is None
        assert ratings.merge(Version("deep"), Version("deep", "deep/2"), "Deep") is None
    with Store(data) as store:
        ratings = RatingStore(store)
        assert [entry[:2] + entry[3:] for entry in ratings.merges()] == [
            (OLD, NEW, "operator"), (BARE, NEW, "Deep"),
        ]  # fmt: skip
        assert ratings.known().merges == {OLD: NEW, BARE: NEW}
        assert ratings.split(Version("deep", "deep/1")) and not ratings.split(OLD)
        assert ratings.known().merges == {BARE: NEW}


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (OLD, BARE, "Deep/deep/1 counts for Deep/deep/2 already; `tyrusd ratings split Deep/deep/1` takes"),
        (
            Version("Deep", "deep/9"),
            NEW,
            "Deep/deep/9 has no rated game; those of Deep are Deep/-, Deep/deep/1, Deep/deep/2.",
        ),
        (
            BARE,
            Version("deep", "deep/9"),
            "deep/deep/9 has no rated game; those of Deep are Deep/-, Deep/deep/1, Deep/deep/2.",
        ),
        (Version("idle"), Version("idle", "1"), "idle has no rated game; nor has any version of idle."),
        (Version("cleo"), Version("cleo", "1"), "There is no account cleo."),
        (BARE, BOB, "Deep and bob are not versions of one account."),
        (NEW, OLD, "Deep/deep/1 counts for Deep/deep/2 already, so this would go round in a circle."),
    ],
)
def test_what_cannot_be_merged_is_refused_with_a_sentence(
    data: Path, old: Version, new: Version, sentence: str
) -> None:
    with Store(data) as store:
        ratings = RatingStore(store)
        assert ratings.merge(OLD, NEW, "operator") is None
        found = ratings.merge(old, new, "operator")
        assert found is not None and (found.startswith(sentence) or "circle" in found)
        assert ratings.known().merges == {OLD: NEW}


def test_a_new_version_that_is_here_need_not_have_played(data: Path) -> None:
    next_one = Version("Deep", "deep/3")
    with Store(data) as store:
        ratings = RatingStore(store)
        assert ratings.merge(NEW, next_one, "Deep") is not None
        assert ratings.merge(NEW, next_one, "Deep", here=True) is None
        assert ratings.merge(OLD, next_one, "Deep") is None  # games count for it by now
        assert ratings.known().merges == {NEW: next_one, OLD: next_one}


def test_a_merge_that_holds_is_done_already(data: Path) -> None:
    with Store(data) as store:
        ratings = RatingStore(store)
        assert not ratings.holds(OLD, NEW)
        for _ in range(3):
            assert ratings.merge(OLD, NEW, "operator") is None
        assert ratings.merge(Version("DEEP", "deep/1"), NEW, "Deep") is None
        assert ratings.holds(Version("deep", "deep/1"), NEW) and not ratings.holds(OLD, BARE)
        assert [entry[:2] + entry[3:] for entry in ratings.merges()] == [(OLD, NEW, "operator")]


def test_the_versions_of_an_account_are_those_that_have_played(data: Path) -> None:
    with Store(data) as store:
        ratings = RatingStore(store)
        assert sorted(map(str, ratings.versions("DEEP"))) == ["Deep", "Deep/deep/1", "Deep/deep/2"]
        assert ratings.versions("idle") == [] and ratings.versions("bob") == [BOB]


def test_ratings_are_remembered_whole(data: Path) -> None:
    table = rating_table(GAMES, {}, ANCHORS, 6)
    with Store(data) as store:
        ratings = RatingStore(store)
        for _ in range(2):
            ratings.keep(table)
            assert ratings.kept() == list(table.rows)
        assert {row.rank for row in table.rows} == {0, 1, 2}


def test_a_fit_is_that_of_the_table_and_survives_its_way_between_processes(data: Path) -> None:
    with Store(data) as store:
        assert RatingStore(store).merge(OLD, NEW, "operator") is None
        table, known = fit(data / STORE, ANCHORS, 6)
    assert known == Known(len(GAMES), {OLD: NEW})
    assert replace(table, begun={}) == rating_table(GAMES, {OLD: NEW}, ANCHORS, 6)
    assert read(write(table, known)) == (table, known)
    assert dict(table.met(BOB)).keys() == {NEW, Version("random")}


def test_a_circle_and_a_store_that_is_gone_are_told(data: Path) -> None:
    with Store(data) as store, store.transaction() as database:
        database.executemany(
            "INSERT INTO merge (name, old, new, at, by) VALUES ('Deep', ?, ?, '2026', 'x')",
            [("deep/1", "deep/2"), ("deep/2", "deep/1")],
        )
    with pytest.raises(RefitError, match=r"go round in a circle: one of them must be split"):
        fit(data / STORE, ANCHORS, 6)
    with pytest.raises(StoreError, match=r"none\.sqlite cannot be used"):
        fit(data / "none.sqlite", ANCHORS, 6)


def test_when_versions_have_begun_is_told_also_of_merged_ones_and_whatever_the_case(data: Path) -> None:
    later, unreadable = "2026-11-30T01:00:00.500Z", "long ago"
    more = [
        game._replace(ivory=Version("DEEP", "deep/1"), brown=BOB, started=moment)
        for game, moment in zip(played(OLD, BOB, "11"), (later, "2026-11-29T00:00:00Z"), strict=True)
    ]
    [odd] = played(Version("odd"), BOB, "1")
    index(data, [*more, odd._replace(started=unreadable)])
    first = datetime(2026, 11, 30, tzinfo=UTC).timestamp()
    with Store(data) as store:
        ratings = RatingStore(store)
        assert ratings.merge(OLD, NEW, "operator") is None
        found = ratings.begun()
        table, _ = fit(data / STORE, ANCHORS, 6)
    assert found["deep"] == {"deep/1": first - 86_400, "deep/2": first, None: first}
    assert found["odd"] == {None: 0.0} and found["bob"] == {None: first - 86_400}
    assert table.begun == found
