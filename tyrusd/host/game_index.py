"""Keeps the index of games: a row for each result, written in the background, after it was announced."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from itertools import islice
from typing import Final, NamedTuple

import trio

from tyrusd.core.requests import GameOver, News
from tyrusd.host.engine import Engine
from tyrusd.host.journal import JOURNAL, lacking
from tyrusd.host.met import met
from tyrusd.host.store import Store
from tyrusd.host.store_file import StoreError
from tyrusd.league.game_row import GameRow, row_of

WAITING: Final = 20_000  # rows, of about 1 KiB; more are left to the journal, which has them all
BATCH: Final = 500  # rows that are written at once
PAUSE: Final = 1.0  # seconds between two batches
RETRY: Final = 10.0  # seconds after which a store that could not be written is tried again
CLOSE_LIMIT: Final = 5.0  # seconds for what is left at the end

_PUT: Final = (
    f"INSERT OR REPLACE INTO game ({', '.join(GameRow._fields)})"
    f" VALUES ({', '.join('?' * len(GameRow._fields))})"
)
_ALL: Final = f"SELECT {', '.join(GameRow._fields)} FROM game"

_log = logging.getLogger("tyrusd.index")


def hashes(store: Store) -> dict[str, int]:
    """Return the hash of each row by the game's id, as `recover` compares them; raises StoreError."""
    with store.transaction("BEGIN") as database:
        return {row[0]: hash(row) for row in database.execute(_ALL)}


def put(store: Store, rows: Iterable[GameRow]) -> None:
    """Write rows, instead of others of the same games, all of them or none; raises StoreError."""
    with store.transaction() as database:
        database.executemany(_PUT, rows)


class Rebuilt(NamedTuple):
    """What was found when the index was written anew: games, and how many rows were not as they should be."""

    games: int = 0
    rated: int = 0
    missing: int = 0
    wrong: int = 0
    strays: int = 0


def rebuild(store: Store, rows: Iterable[GameRow], drop: bool = False) -> Rebuilt:
    """Write the whole index anew, all or nothing; raises StoreError, and what reading the rows raises.

    drop: also without games that it has and the rows have not, which is an error otherwise.
    """
    games = rated = missing = wrong = 0
    with store.transaction() as database:
        before = {row[0]: hash(row) for row in database.execute(_ALL)}
        database.execute("DELETE FROM game")
        for row in rows:
            found = before.pop(row.id, None)
            games, rated = games + 1, rated + row.rated
            missing, wrong = missing + (found is None), wrong + (found not in (None, hash(row)))
            database.execute(_PUT, row)
        if before and not drop:
            raise StoreError(lacking(store.path.with_name(JOURNAL), len(before)))
    return Rebuilt(games, rated, missing, wrong, len(before))


def catch_up(store: Store, missing: Sequence[GameRow]) -> bool:
    """Add what the index lacks, before a server begins; False if the store cannot be written."""
    if not missing:
        return True
    try:
        put(store, missing)
    except StoreError as error:
        _log.error("%s; %d games are missing in the index, and games go on", error, len(missing))
        return False
    _log.info("the index of games has caught up: %d games added or changed", len(missing))
    return True


class GameIndex:
    """Works beside a server (see `Assembly`), on its store in a thread.

    compare: has the index compared with the journal and mended, somewhere else; it is called when rows were
    left out, and raises StoreError. complete: whether the index has all games that were played before.
    Counted: rows that were written, and those that were left out.
    """

    def __init__(self, store: Store, compare: Callable[[], Awaitable[None]], complete: bool = True) -> None:
        self._store = store
        self._compare = compare
        self._behind = not complete
        self._waiting: dict[str, GameRow] = {}
        self._work = trio.Event()
        self._limiter = trio.CapacityLimiter(1)
        self._troubled = False
        self.written = 0
        self.left_out = 0
        if self._behind:
            self._work.set()

    def attach(self, engine: Engine) -> None:
        """Hear of games that are over, with whoever hears of them already."""
        others = engine.on_news

        def told(news: News) -> None:
            others(news)
            self.tell(news)

        engine.on_news = told

    def tell(self, news: News) -> None:
        """Have the row of a game that is over written soon."""
        if isinstance(news, GameOver):
            record = dict(news.record)
            self._waiting[record["id"]] = row_of(record, news.deal)
            if len(self._waiting) > WAITING:
                met("index_waiting")
                self.left_out += len(self._waiting)
                self._waiting.clear()
                self._behind = True
            self._work.set()

    def compare_again(self) -> None:
        """Have the whole index compared: the store is another one than before."""
        self._behind = True
        self._work.set()

    async def run(self) -> None:
        """Write as long as there is something to write; for ever, and what is left at the end."""
        try:
            while True:
                await self._work.wait()
                await trio.sleep(RETRY if self._troubled else PAUSE)
                await self.write()
                if not (self._waiting or self._behind):
                    self._work = trio.Event()
        finally:
            with trio.move_on_after(CLOSE_LIMIT, shield=True):
                while self._waiting and not self._troubled:
                    await self.write()
            if self._waiting:
                _log.warning(
                    "%d games are not in the index yet; the next start adds them", len(self._waiting)
                )

    async def write(self) -> None:
        """Write the oldest of what waits; or, after rows were left out, have all of it compared first."""
        try:
            if self._behind:
                await self._compare()
                self._behind = False
            batch = list(islice(self._waiting.values(), BATCH))
            # Not abandoned: what is being written is written, or is not.
            await trio.to_thread.run_sync(put, self._store, batch, limiter=self._limiter)
        except StoreError as error:
            if not self._troubled:
                _log.error("%s; games go on, and are added to the index later", error)
            self._troubled = True
            return
        for row in batch:
            if self._waiting.get(row.id) is row:
                del self._waiting[row.id]
        self.written += len(batch)
        if self._troubled:
            self._troubled = False
            _log.info("the index of games can be written again")
