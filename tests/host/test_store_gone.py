"""A store that is removed or replaced while a server has it open is noticed, and another one is taken."""

from __future__ import annotations

import logging
import shutil
import sqlite3
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
import trio
import trio.testing

from tests.e2e.account_serving import account, came, serving
from tests.host.daemons import wait_until
from tests.host.test_host_doorkeeper import Told, keeper
from tyrusd.core.accounts import Account, Key
from tyrusd.core.keys import key_digest
from tyrusd.core.requests import CodeRefused, CodeUsed, UseCode
from tyrusd.host.game_index import put
from tyrusd.host.store import STORE, Store
from tyrusd.host.store_file import StoreError
from tyrusd.host.store_place import StoreGoneError
from tyrusd.host.store_ratings import RatingStore
from tyrusd.league.rated import Version
from tyrusd.league.standing_rows import RatingTable

CODE = key_digest("code")
FILES = (STORE, f"{STORE}-wal", f"{STORE}-shm")


def filled(data: Path, name: str = "Ada") -> Store:
    store = Store(data)
    store.add(Account(name, "human"))
    store.add_key(Key(CODE, name, "code"))
    return store


def copied(data: Path, name: str = "cleo") -> Path:
    """A whole store of somebody else, closed, somewhere beside."""
    other = data / "other"
    other.mkdir()
    filled(other, name).close()
    return other / STORE


def removed(data: Path) -> None:
    for name in FILES:
        (data / name).unlink(missing_ok=True)


def refused(store: Store, words: str) -> None:
    """Nothing works, and each says why."""
    for ask in (store.version, store.accounts, store.houses, lambda: store.use_code(CODE)):
        with pytest.raises(StoreGoneError, match=words):
            ask()
    with pytest.raises(StoreGoneError, match=words):
        store.disable("Ada", True)
    ratings = RatingStore(store)
    for write in (lambda: ratings.keep(RatingTable()), ratings.known, lambda: put(store, [])):
        with pytest.raises(StoreGoneError, match=words):
            write()
    with pytest.raises(StoreGoneError, match=words):  # as merges are kept
        ratings.holds(Version("Ada", "1"), Version("Ada", "2"))


def test_nothing_is_read_from_or_written_into_a_file_that_was_removed(tmp_path: Path) -> None:
    with filled(tmp_path) as store:
        removed(tmp_path)
        refused(store, "was removed while it was in use")
        with pytest.raises(StoreGoneError):
            store.reopen()
        assert not (tmp_path / STORE).exists()


def test_nor_with_a_file_that_was_replaced(tmp_path: Path) -> None:
    new = copied(tmp_path)
    with filled(tmp_path) as store:
        new.rename(tmp_path / STORE)
        refused(store, "was replaced by another file")


def test_what_goes_into_a_file_that_is_removed_meanwhile_is_not_told_as_kept(tmp_path: Path) -> None:
    with filled(tmp_path) as store, pytest.raises(StoreGoneError), store.transaction() as database:
        database.execute("UPDATE account SET disabled = 1")
        removed(tmp_path)


def test_a_store_that_is_moved_away_and_back_is_the_same(tmp_path: Path) -> None:
    with filled(tmp_path) as store:
        (tmp_path / STORE).rename(tmp_path / "away")
        refused(store, "was removed")
        (tmp_path / "away").rename(tmp_path / STORE)
        assert store.use_code(CODE)


@pytest.mark.parametrize("everything", [True, False])
def test_another_store_is_taken_as_it_is_and_the_one_before_keeps_what_it_had(
    tmp_path: Path, everything: bool
) -> None:
    """Also where only the store was moved: what SQLite left beside it belongs to the one before."""
    new = copied(tmp_path)
    with filled(tmp_path) as store:
        if everything:
            removed(tmp_path)
        else:
            assert (tmp_path / FILES[1]).stat().st_size  # what was written last is there
            (tmp_path / STORE).rename(tmp_path / "before")
        new.rename(tmp_path / STORE)
        store.reopen()
        assert [known.name for known in store.list_accounts()] == ["cleo"]
        assert store.use_code(CODE) and store.disable("cleo", True)
        with Store(tmp_path) as other:
            assert other.list_accounts() == [Account("cleo", "human", disabled=True)]
    assert [known.disabled for known in Store(tmp_path).list_accounts()] == [True]
    if not everything:
        with closing(sqlite3.connect(tmp_path / "before")) as before:
            assert before.execute("SELECT name FROM account").fetchall() == [("Ada",)]


def test_what_others_wrote_between_is_for_a_person_to_decide(tmp_path: Path) -> None:
    new = copied(tmp_path)
    with filled(tmp_path) as store:
        store.version()
        kept = new.read_bytes()
        with Store(tmp_path) as other:
            other.add(Account("dora", "bot"))
            new.rename(tmp_path / STORE)
            with pytest.raises(StoreError, match=f"remove .*{FILES[1]} and .*{FILES[2]}, and re") as told:
                store.reopen()
            assert not isinstance(told.value, StoreGoneError) and (tmp_path / FILES[1]).exists()
        removed(tmp_path)
        (tmp_path / STORE).write_bytes(kept)
        store.reopen()
        assert [known.name for known in store.list_accounts()] == ["cleo"]


def test_who_works_on_a_copy_before_the_server_looks_finds_nothing_of_the_store_before(
    tmp_path: Path,
) -> None:
    """Where only the store was moved, what SQLite has beside it is read with the new one: it is empty."""
    new = copied(tmp_path)
    with filled(tmp_path) as store:
        store.fold()
        seen = store.version()
        store.fold()
        assert store.version() == seen  # nothing was left to do
        new.rename(tmp_path / STORE)
        with Store(tmp_path) as other:
            assert [known.name for known in other.list_accounts()] == ["cleo"]
            assert other.disable("cleo", True)
        store.reopen()
        assert [known.disabled for known in store.list_accounts()] == [True]


def test_folding_waits_for_nobody_and_costs_no_news(tmp_path: Path) -> None:
    with filled(tmp_path) as store, Store(tmp_path) as other:
        with other.transaction() as database:
            database.execute("UPDATE account SET display = 'x'")
            store.fold()
        seen = store.version()
        other.add(Account("dora", "bot"))
        store.fold()
        assert store.version() != seen
        store.disable("Ada", True)
        assert [known.name for known in other.list_accounts() if known.disabled] == ["Ada"]


@pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\0" + bytes(84)])
def test_what_is_no_good_store_is_not_taken_and_not_touched(tmp_path: Path, content: bytes) -> None:
    with filled(tmp_path) as store:
        removed(tmp_path)
        (tmp_path / STORE).write_bytes(content)
        for _ in range(2):
            with pytest.raises(StoreError):
                store.reopen()
        refused(store, "was replaced")
        assert (tmp_path / STORE).read_bytes() == content


async def until(holds: Callable[[], bool]) -> None:
    with trio.fail_after(10):
        while not holds():  # noqa: ASYNC110 - what a thread does, nobody tells
            await trio.sleep(0.01)


def test_the_doorkeeper_tells_it_once_refuses_codes_and_takes_the_next_store(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    new, heard = copied(tmp_path), list[bool]()

    async def main() -> None:
        with filled(tmp_path) as store:
            told = Told()
            doorkeeper = keeper(store, told)
            doorkeeper.on_reopened = lambda: heard.append(True)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(doorkeeper.run)
                removed(tmp_path)
                await until(lambda: doorkeeper.lost)
                doorkeeper.use(UseCode(1, CODE))
                await told.until(1, told.answered)
                await trio.sleep(0.05)
                assert not told.accounts and not heard
                new.rename(tmp_path / STORE)
                await told.until(1, told.accounts)
                await until(lambda: not doorkeeper.lost)
                doorkeeper.use(UseCode(2, CODE))
                await told.until(2, told.answered)
                nursery.cancel_scope.cancel()
            refusal, used = told.answered
            assert isinstance(refusal, CodeRefused) and "removed" in refusal.why and used == CodeUsed(2)
            assert told.accounts[0].find("cleo") is not None and told.accounts[0].find("Ada") is None
        assert heard == [True]

    logging.getLogger("tyrusd").propagate = True
    with caplog.at_level(logging.INFO, "tyrusd"):
        trio.run(main)
    told = {id(record): record for record in caplog.records if record.levelno > logging.INFO}
    error, warning = [record.getMessage() for record in told.values()]
    assert f"{tmp_path / STORE} was removed while it was in use: restore a copy of it;" in error
    assert "until a good store is there again" in error and "another store" in warning


def health(base: str) -> int:
    try:
        with urllib.request.urlopen(f"{base}/health", timeout=10) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def test_a_real_server_is_unwell_until_there_is_a_store_again(tmp_path: Path) -> None:
    data, saved = tmp_path / "data", tmp_path / "saved"
    for name in ("gamma", "delta"):
        account(data, "add", name)
    token, code = account(data, "token", "gamma"), account(data, "token", "delta", "--code")
    shutil.copyfile(data / STORE, saved)
    with serving(data, "--metrics", "127.0.0.1:0") as (daemon, address):
        while not (line := daemon.line()).startswith("metrics "):
            pass
        base = line.split()[1].removesuffix("/metrics")
        assert health(base) == 200
        removed(data)
        peer, answer = came(address, "delta", code)
        peer.close()
        assert answer.startswith("error storage ")
        wait_until(lambda: health(base) == 503)
        with urllib.request.urlopen(f"{base}/metrics", timeout=10) as page:
            assert b"\ntyrusd_store_lost 1.0\n" in page.read()
        peer, answer = came(address, "gamma", token)  # whose token is known may still come
        with closing(peer):
            assert answer.startswith("welcome gamma ")
            shutil.copyfile(saved, data / "new")
            (data / "new").rename(data / STORE)
            wait_until(lambda: health(base) == 200)
            account(data, "disable", "gamma")
            assert peer.until("bye").startswith("bye revoked ")
        peer, answer = came(address, "delta", code)
        peer.close()
        assert answer.startswith("welcome delta ")
