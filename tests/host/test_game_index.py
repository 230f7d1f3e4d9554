"""The index of games: written in the background, mended at the next start, and never in a game's way."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import cast

import pytest
import trio
import trio.testing

from tests.host.journals import SPOILT, ended, index_of, mixed, rows_of_mixed, spoil, write
from tyrusd.core.requests import GameOver, News
from tyrusd.host import game_index
from tyrusd.host.engine import Engine
from tyrusd.host.game_index import GameIndex, catch_up, hashes, put
from tyrusd.host.journal import JournalError
from tyrusd.host.journal_rows import JournalRows, compare, compare_beside
from tyrusd.host.recovery import recover
from tyrusd.host.store import STORE, Store
from tyrusd.host.store_file import StoreError
from tyrusd.league.record import read_frame

PATIENCE = 0.05


class Hearing:
    """What an engine does with news."""

    def __init__(self) -> None:
        self.heard: list[News] = []
        self.on_news: Callable[[News], None] = self.heard.append


def over(number: int, names: tuple[str, str] = ("One", "two"), deal: str | None = None) -> GameOver:
    game = f"g{number}"
    return GameOver(read_frame(ended(game, names=names)[-1]), deal=deal or game)


async def nothing() -> None:
    raise AssertionError("nothing was left out")


def settled(
    data: Path, tell: Callable[[GameIndex], None], seconds: float = 60.0, patience: float = PATIENCE
) -> GameIndex:
    """An index that was told things and had so much time, all of it at once."""
    found: list[GameIndex] = []

    async def main() -> None:
        with Store(data, patience) as store:
            index = GameIndex(store, nothing)
            tell(index)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(index.run)
                await trio.sleep(seconds)
                nursery.cancel_scope.cancel()
            found.append(index)

    trio.run(main, clock=trio.testing.MockClock(autojump_threshold=0.05))
    return found[0]


def test_a_game_that_is_over_gets_its_row_after_others_have_heard_of_it(tmp_path: Path) -> None:
    hearing = Hearing()
    news = [over(1), over(2, ("two", "One"), deal="g1")]

    def tell(index: GameIndex) -> None:
        index.attach(cast("Engine", hearing))
        for item in news:
            hearing.on_news(item)

    index = settled(tmp_path, tell)
    assert hearing.heard == news and (index.written, index.left_out) == (2, 0)
    assert index_of(tmp_path) == rows_of_mixed()[:2]


def test_a_game_that_is_told_twice_has_one_row(tmp_path: Path) -> None:
    def tell(index: GameIndex) -> None:
        index.tell(over(1))
        index.tell(over(1))

    settled(tmp_path, tell)
    assert index_of(tmp_path) == rows_of_mixed()[:1]


def test_many_games_are_written_in_batches_and_what_is_left_at_the_end(tmp_path: Path) -> None:
    def tell(index: GameIndex) -> None:
        for number in range(1, 2 * game_index.BATCH + 2):
            index.tell(over(number))

    (tmp_path / "late").mkdir()
    settled(tmp_path / "late", tell)
    assert len(index_of(tmp_path / "late")) == 2 * game_index.BATCH + 1
    (tmp_path / "at once").mkdir()
    settled(tmp_path / "at once", tell, 0.0)  # before the first batch: the end writes it all
    assert len(index_of(tmp_path / "at once")) == 2 * game_index.BATCH + 1


def test_what_overflows_is_left_to_the_journal_and_compared_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_index, "WAITING", 3)
    write(tmp_path, [frame for number in range(1, 8) for frame in ended(f"g{number}")])
    compared: list[int] = []

    async def main() -> None:
        with Store(tmp_path) as store:

            async def mend() -> None:
                compared.append(compare(tmp_path))

            index = GameIndex(store, mend)
            for number in range(1, 8):
                index.tell(over(number))
            assert (index.left_out, len(index._waiting)) == (4, 3)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(index.run)
                await trio.sleep(60)
                nursery.cancel_scope.cancel()

    trio.run(main, clock=trio.testing.MockClock(autojump_threshold=0.05))
    assert compared == [7]
    assert [row.id for row in index_of(tmp_path)] == [f"g{number}" for number in range(1, 8)]


@pytest.mark.parametrize("trouble", ["locked", "full"])
def test_row_50_a_store_that_takes_no_rows_is_tried_again_and_told_once(
    tmp_path: Path, trouble: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "tyrusd.index")

    async def main() -> None:
        with Store(tmp_path, PATIENCE) as store, closing(sqlite3.connect(tmp_path / STORE)) as other:
            index = GameIndex(store, nothing)
            with store.transaction("BEGIN") as database:
                [pages] = database.execute("PRAGMA page_count").fetchone()
            if trouble == "full":
                with store.transaction("BEGIN") as database:
                    database.execute(f"PRAGMA max_page_count = {pages}")
            else:
                other.execute("BEGIN IMMEDIATE")
            for number in range(1, 301):
                index.tell(over(number))
            async with trio.open_nursery() as nursery:
                nursery.start_soon(index.run)
                await trio.sleep(60)
                assert (index.written, len(index._waiting)) == (0, 300)
                if trouble == "full":
                    with store.transaction("BEGIN") as database:
                        database.execute("PRAGMA max_page_count = 100000")
                else:
                    other.execute("ROLLBACK")
                await trio.sleep(60)
                nursery.cancel_scope.cancel()
            assert (index.written, len(index._waiting)) == (300, 0)

    trio.run(main, clock=trio.testing.MockClock(autojump_threshold=0.2))
    assert len(index_of(tmp_path)) == 300
    errors = [record.message for record in caplog.records if record.levelno == logging.ERROR]
    assert len(errors) == 1 and str(tmp_path / STORE) in errors[0] and "games go on" in errors[0]
    assert "the index of games can be written again" in caplog.text


# -- what a journal says -----------------------------------------------------------------------------------


def test_the_rows_of_a_journal_are_those_of_its_finished_games(tmp_path: Path) -> None:
    rows = JournalRows(write(tmp_path, mixed()))
    assert list(rows) == rows_of_mixed()
    assert (rows.running, rows.tail) == (1, 0)
    assert list(rows) == rows_of_mixed()  # and again


LACKING = {"strays": 1, "all": 1}  # of SPOILT: games that only the index has
MENDED = [how for how in SPOILT if how not in LACKING]


@pytest.mark.parametrize("how", MENDED)
def test_a_start_mends_an_index_of_any_kind(tmp_path: Path, how: str) -> None:
    path = write(tmp_path, mixed())
    with Store(tmp_path) as store:
        put(store, rows_of_mixed())
        spoil(tmp_path, *SPOILT[how])
        assert index_of(tmp_path) != rows_of_mixed()
        found = recover(path, {}, indexed=hashes(store))
        found.journal.close()
        assert catch_up(store, found.missing)
    mended = index_of(tmp_path)
    assert mended[:4] == rows_of_mixed()
    # Nobody can come back to the game that was running: it has an end now.
    assert [(row.id, row.reason) for row in mended[4:]] == [("g5", "aborted")]
    again = recover(path, {}, indexed={row.id: hash(row) for row in mended})
    again.journal.close()
    assert not again.missing


@pytest.mark.parametrize("how", LACKING)
def test_a_start_on_a_journal_that_lacks_games_is_refused(tmp_path: Path, how: str) -> None:
    path = write(tmp_path, mixed())
    with Store(tmp_path) as store:
        put(store, rows_of_mixed())
        spoil(tmp_path, *SPOILT[how])
        before = index_of(tmp_path), path.read_bytes()
        with pytest.raises(JournalError) as caught:
            recover(path, {}, indexed=hashes(store))
    assert str(caught.value).startswith(f"{path} lacks a game of the index in its store: it was emptied, or")
    assert str(caught.value).endswith(f"`tyrusd reindex --drop-games --data {tmp_path}`")
    assert (index_of(tmp_path), path.read_bytes()) == before


@pytest.mark.parametrize("how", MENDED)
def test_a_comparison_in_a_process_of_its_own_mends_it_as_well(tmp_path: Path, how: str) -> None:
    write(tmp_path, mixed())
    with Store(tmp_path) as store:
        put(store, rows_of_mixed())
    spoil(tmp_path, *SPOILT[how])
    trio.run(compare_beside, tmp_path)
    assert index_of(tmp_path) == rows_of_mixed()
    assert compare(tmp_path) == 0


def test_a_comparison_keeps_games_that_only_the_index_has(tmp_path: Path) -> None:
    write(tmp_path, mixed())
    with Store(tmp_path) as store:
        put(store, rows_of_mixed())
    spoil(tmp_path, *SPOILT["strays"])
    assert compare(tmp_path) == 0
    assert [row.id for row in index_of(tmp_path)] == ["g1", "g2", "g3", "g4", "g77"]


def test_what_a_comparison_cannot_do_is_told_in_a_sentence(tmp_path: Path) -> None:
    Store(tmp_path).close()
    with pytest.raises(StoreError, match=r"cannot be compared with the journal: there is no journal .*tyrus"):
        trio.run(compare_beside, tmp_path)


def test_a_store_that_cannot_be_written_at_the_start_stops_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with Store(tmp_path, PATIENCE) as store, closing(sqlite3.connect(tmp_path / STORE)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert not catch_up(store, rows_of_mixed())
    assert "is locked by another process" in caplog.text and "4 games are missing" in caplog.text


def test_an_index_that_is_not_complete_is_compared_when_the_store_works_again(tmp_path: Path) -> None:
    write(tmp_path, mixed())

    async def main() -> None:
        with Store(tmp_path, PATIENCE) as store:

            async def mend() -> None:
                compare(tmp_path)

            async with trio.open_nursery() as nursery:
                nursery.start_soon(GameIndex(store, mend, complete=False).run)
                await trio.sleep(60)
                nursery.cancel_scope.cancel()

    trio.run(main, clock=trio.testing.MockClock(autojump_threshold=0.05))
    assert index_of(tmp_path) == rows_of_mixed()
