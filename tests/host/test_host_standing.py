"""Ratings beside a server: fitted anew when games are over and versions merged, whatever fails meanwhile."""

from __future__ import annotations

import logging
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
import trio

from tests.host.rated_store import accounts, played, put
from tyrusd.core.requests import Answer, GameOver, KeepMerge, MergeKept, MergeRefused
from tyrusd.core.settings import DEFAULTS
from tyrusd.host import refit
from tyrusd.host.engine import Engine
from tyrusd.host.refit import RefitError, fit_beside
from tyrusd.host.standing import Ratings
from tyrusd.host.store import Store
from tyrusd.host.store_file import StoreError
from tyrusd.host.store_ratings import Known, RatingStore
from tyrusd.league.rated import Version
from tyrusd.league.standing_table import RatingTable, rating_table

DEEP, NEWER, BOB = Version("deep", "1"), Version("deep", "2"), Version("bob")
ANCHORS = {"bob": 100}
OVER = GameOver({"id": "g1", "game": {}, "rated": {"by": "ladder"}})
UNRATED = GameOver({"id": "g2", "game": {}})


class Told:
    """What an engine would be told; tables that the core would take."""

    def __init__(self) -> None:
        self.answered: list[Answer] = []
        self.tables: list[RatingTable] = []
        self.on_news: Any = lambda _: None
        self._changed = trio.Event()

    def handle(self, kind: object, handler: object) -> None:
        assert kind is KeepMerge

    def answers(self, answers: Sequence[Answer]) -> None:
        self.answered += answers
        self.change()

    def flush(self) -> None:
        pass

    def act(self, action: Any) -> None:
        action(1.0)

    def take(self, table: RatingTable, now: float) -> None:
        self.tables.append(table)
        self.change()

    def change(self) -> None:
        self._changed.set()
        self._changed = trio.Event()

    async def until(self, count: int, what: Sequence[object]) -> None:
        with trio.fail_after(10):
            while len(what) < count:
                await self._changed.wait()


class Fits:
    """Fits that are made here and now, or fail as they are told."""

    def __init__(self, store: RatingStore, told: Told) -> None:
        self._store = store
        self._told = told
        self.fails = False
        self.made: list[Known] = []

    async def __call__(
        self, path: Path, anchors: Mapping[str, int], provisional: int, most: int | None = None
    ) -> tuple[RatingTable, Known]:
        await trio.lowlevel.checkpoint()
        assert path == self._store.path and anchors == ANCHORS and (provisional, most) == (20, 1000)
        known = self._store.known()
        self.made.append(known)
        self._told.change()
        if self.fails:
            raise RefitError("the fit fails for the test")
        return rating_table(self._store.games(), known.merges, anchors, provisional), known


class World:
    """A store with two versions and an anchor, and the ratings beside a server."""

    def __init__(self, store: Store, refit: float, interval: float) -> None:
        self.store = store
        self.rated = RatingStore(store)
        self.told = Told()
        self.fits = Fits(self.rated, self.told)
        self.ratings = Ratings(
            self.rated,
            self.told.take,
            ANCHORS,
            lambda: replace(DEFAULTS, ladder_refit=refit),
            interval=interval,
            fit=self.fits,
        )
        self.ratings.attach(cast("Engine", self.told))


@asynccontextmanager
async def at_work(data: Path, refit: float = 60.0, interval: float = 60.0) -> AsyncIterator[World]:
    accounts(data, "deep", "bob")
    with Store(data) as store:
        put(store, [*played(DEEP, BOB, "11"), *played(NEWER, BOB, "2")])
        world = World(store, refit, interval)
        await world.ratings.first()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(world.ratings.run)
            yield world
            nursery.cancel_scope.cancel()


def test_the_table_is_there_from_the_start_and_remembered(tmp_path: Path) -> None:
    async def main() -> None:
        async with at_work(tmp_path) as world:
            [table] = world.told.tables
            assert [row.version for row in table.rows] == [DEEP, BOB, NEWER]
            assert world.rated.kept() == list(table.rows)
            assert (world.ratings.fits, world.ratings.failed, world.ratings.table) == (1, 0, table)

    trio.run(main)


@pytest.mark.parametrize("refit", [0.1, 0.2, 0.4])
def test_limit_ladder_refit(tmp_path: Path, refit: float) -> None:
    """A rated game brings new ratings after that time, not before, however many games there are."""

    async def main() -> None:
        async with at_work(tmp_path, refit=refit) as world:
            put(world.store, played(DEEP, BOB, "1111"))
            began = trio.current_time()
            for news in (UNRATED, OVER, OVER, OVER):
                world.told.on_news(news)
            await trio.sleep(refit * 0.9)
            if trio.current_time() - began < refit:  # unless this machine was busy meanwhile
                assert len(world.told.tables) == 1
            await world.told.until(2, world.told.tables)
            assert trio.current_time() - began >= refit
            assert world.told.tables[1].games == 7
            await trio.sleep(0.5)
            assert len(world.fits.made) == 2  # the three news were one, and nothing is fitted without any
            world.told.on_news(UNRATED)
            await trio.sleep(0.5)
            assert len(world.fits.made) == 2

    trio.run(main)


def test_a_game_that_came_into_the_index_late_is_rated_as_well(tmp_path: Path) -> None:
    async def main() -> None:
        async with at_work(tmp_path, refit=0.02, interval=0.1) as world:
            world.told.on_news(OVER)
            await world.told.until(2, world.told.tables)
            put(world.store, played(DEEP, BOB, "1"))
            await world.told.until(3, world.told.tables)
            assert world.told.tables[2].games == 4

    trio.run(main)


def test_a_merge_is_durable_before_it_is_answered_and_rated_at_once(tmp_path: Path) -> None:
    async def main() -> None:
        async with at_work(tmp_path) as world:
            world.ratings.merge(KeepMerge(7, "DEEP", "1", "2", "deep"))
            world.ratings.merge(KeepMerge(8, "deep", "2", "1", "deep"))
            world.ratings.merge(KeepMerge(9, "deep", None, "1", "deep"))
            await world.told.until(3, world.told.answered)
            kept, circle, unknown = world.told.answered
            assert kept == MergeKept(7)
            assert isinstance(circle, MergeRefused) and "circle" in circle.why and circle.id == 8
            assert isinstance(unknown, MergeRefused) and "has no rated game" in unknown.why
            await world.told.until(2, world.told.tables)
            assert [row.version for row in world.told.tables[1].rows] == [NEWER, BOB]
            with Store(tmp_path) as other:
                assert RatingStore(other).known().merges == {DEEP: NEWER}

    trio.run(main)


def test_a_merge_that_holds_is_answered_and_nothing_is_rated_anew(tmp_path: Path) -> None:
    async def main() -> None:
        async with at_work(tmp_path) as world:
            world.ratings.merge(KeepMerge(1, "deep", "2", "3", "deep"))
            world.ratings.merge(KeepMerge(2, "deep", "2", "3", "deep", here=True))
            await world.told.until(2, world.told.answered)
            await world.told.until(2, world.told.tables)
            refused, kept = world.told.answered
            assert isinstance(refused, MergeRefused) and kept == MergeKept(2)
            assert refused.why == "deep/3 has no rated game; those of deep are deep/1, deep/2."
            for number in (3, 4, 5):
                world.ratings.merge(KeepMerge(number, "DEEP", "2", "3", "olga"))
            await world.told.until(5, world.told.answered)
            assert world.told.answered[2:] == [MergeKept(3), MergeKept(4), MergeKept(5)]
            fits = len(world.fits.made)
            world.ratings.merge(KeepMerge(6, "deep", "1", "3", "deep"))
            await world.told.until(fits + 1, world.fits.made)
            assert len(world.fits.made) == fits + 1 == 3

    trio.run(main)


def test_an_account_leaves_no_version_out(tmp_path: Path) -> None:
    async def main() -> None:
        async with at_work(tmp_path) as world:
            world.ratings.merge(KeepMerge(1, "deep", "1", "3", "deep", here=True))
            world.ratings.merge(KeepMerge(2, "deep", "1", "2", "deep", begun=(("1", -2), ("late", -1))))
            await world.told.until(2, world.told.answered)
            for answer, named in zip(world.told.answered, ("deep/2", "deep/late"), strict=True):
                assert isinstance(answer, MergeRefused) and answer.why.startswith(f"{named} began to play")
            assert world.rated.known().merges == {}

    trio.run(main)


def test_a_merge_that_cannot_be_stored_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: object) -> str | None:
        raise StoreError("store.sqlite cannot be used: database or disk is full")

    async def main() -> None:
        async with at_work(tmp_path) as world:
            monkeypatch.setattr(RatingStore, "merge", full)
            for number in (1, 2):
                world.ratings.merge(KeepMerge(number, "deep", "1", "2", "deep"))
            await world.told.until(2, world.told.answered)
            sentence = "The merge cannot be stored now; try again later."
            assert world.told.answered == [MergeRefused(1, sentence), MergeRefused(2, sentence)]

    with caplog.at_level(logging.ERROR):
        trio.run(main)
    assert [record.getMessage() for record in caplog.records] == [
        "store.sqlite cannot be used: database or disk is full; going on with the ratings known so far, and "
        "trying again"
    ]


def test_what_another_process_merges_or_splits_is_seen(tmp_path: Path) -> None:
    async def main() -> None:
        async with at_work(tmp_path, interval=0.05) as world:
            with Store(tmp_path) as other:
                assert RatingStore(other).merge(DEEP, NEWER, "operator") is None
                await world.told.until(2, world.told.tables)
                assert [row.version for row in world.told.tables[1].rows] == [NEWER, BOB]
                assert RatingStore(other).split(DEEP)
            await world.told.until(3, world.told.tables)
            assert world.told.tables[2] == world.told.tables[0]

    trio.run(main)


def test_a_fit_that_fails_is_told_once_and_tried_again_and_the_old_table_stays(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def main() -> None:
        async with at_work(tmp_path, refit=0.05, interval=0.05) as world:
            world.fits.fails = True
            world.told.on_news(OVER)
            await world.told.until(4, world.fits.made)
            assert len(world.told.tables) == 1 and world.ratings.table is world.told.tables[0]
            assert world.ratings.failed >= 2 and world.ratings.fits == 1
            world.fits.fails = False
            await world.told.until(2, world.told.tables)

    with caplog.at_level(logging.INFO):
        trio.run(main)
    assert [record.getMessage() for record in caplog.records] == [
        "the fit fails for the test; going on with the ratings known so far, and trying again",
        "the ratings can be fitted again",
    ]


def test_where_the_first_fit_fails_the_ratings_remembered_last_are_told(tmp_path: Path) -> None:
    async def main() -> None:
        async with at_work(tmp_path) as world:
            told = Told()
            fits = Fits(world.rated, told)
            fits.fails = True
            ratings = Ratings(world.rated, told.take, ANCHORS, lambda: DEFAULTS, fit=fits)
            await ratings.first()
            assert [table.rows for table in told.tables] == [world.told.tables[0].rows]
            assert told.tables[0].rows and (ratings.fits, ratings.failed) == (0, 1)

    trio.run(main)


def test_at_the_end_the_store_tells_of_all_games_and_nothing_is_fitted_for_nothing(tmp_path: Path) -> None:
    async def main() -> None:
        async with at_work(tmp_path) as world:
            put(world.store, played(DEEP, BOB, "111"))
            await world.ratings.last()
            await world.ratings.last()
            assert len(world.fits.made) == 2
            assert sum(row.games for row in world.rated.kept()) == 2 * 6

    with_store = main
    trio.run(with_store)


def test_the_process_beside_fits_and_tells_what_is_wrong(tmp_path: Path) -> None:
    async def main() -> None:
        accounts(tmp_path, "deep", "bob")
        with Store(tmp_path) as store:
            games = [*played(DEEP, BOB, "1121"), *played(NEWER, DEEP, "12"), *played(NEWER, BOB, "2")]
            put(store, games)
            rated = RatingStore(store)
            table, known = await fit_beside(rated.path, ANCHORS, 4)
            assert known == Known(7, {}) == rated.known()
            # Another Python process adds up in another order at most.
            assert [row.version for row in table.rows] == [DEEP, BOB, NEWER]
            expected = rating_table(games, {}, ANCHORS, 4)
            for one, other in zip(table.rows, expected.rows, strict=True):
                assert one[1:4] == pytest.approx(other[1:4]) and one[4:] == other[4:]
            assert table.versus == expected.versus
            with pytest.raises(RefitError, match=r"cannot be fitted: .*none\.sqlite cannot be used"):
                await fit_beside(tmp_path / "none.sqlite", ANCHORS, 4)

    trio.run(main)


@pytest.mark.parametrize(
    ("command", "limit", "sentence"),
    [
        (("/nowhere/python",), 60.0, r"the process that fits the ratings cannot start: No such file"),
        ((sys.executable, "-c", "import time; time.sleep(60)"), 0.2, r"took more than 0\.2 s"),
        ((sys.executable, "-c", "import os; os.kill(os.getpid(), 9)"), 60.0, r"fitted: exit status -9"),
        ((sys.executable, "-c", "print('no table')"), 60.0, r"cannot be read"),
    ],
)
def test_a_process_that_does_not_do_what_it_should_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], limit: float, sentence: str
) -> None:
    monkeypatch.setattr(refit, "COMMAND", command)
    monkeypatch.setattr(refit, "LIMIT", limit)
    with pytest.raises(RefitError, match=sentence):
        trio.run(fit_beside, tmp_path / "none.sqlite", ANCHORS, 4)
