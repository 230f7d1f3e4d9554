"""The store of accounts: one file, several processes, and nothing touched that is not what it should be."""

from __future__ import annotations

import os
import sqlite3
import stat
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.host.journals import rows_of_mixed
from tyrusd.core.accounts import Account, Key
from tyrusd.core.keys import key_digest
from tyrusd.host import store_file
from tyrusd.host.game_index import put
from tyrusd.host.store import STORE, Store, open_to_owner_only
from tyrusd.host.store_file import APPLICATION, VERSION, StoreError

ADA = Account("Ada", "human", "Ада")
TOKEN = Key(key_digest("token"), "ada", "token")
CODE = Key(key_digest("code"), "Ada", "code")


def filled(data: Path) -> Path:
    """The file of a store with Ada and her keys, closed."""
    with Store(data) as store:
        assert store.add(ADA) and store.add(Account("bob", "bot", owner="Ada"))
        assert store.add_key(TOKEN) and store.add_key(CODE, "door")
    return data / STORE


def altered(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute(statement)
        database.commit()


def everything(data: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in data.iterdir()}


def test_what_is_put_in_is_there_again(tmp_path: Path) -> None:
    path = filled(tmp_path)
    with Store(tmp_path) as store:
        accounts = store.accounts()
        assert store.list_accounts() == [ADA, Account("bob", "bot", owner="Ada")]
        assert [(key.account, key.sort, key.label, key.used) for key in store.list_keys()] == [
            ("Ada", "token", None, None), ("Ada", "code", "door", None),
        ]  # fmt: skip
    assert accounts.opened("ada", TOKEN.digest) == (ADA, TOKEN._replace(account="Ada"))
    assert accounts.opened("ada", CODE.digest) == (ADA, CODE)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [entry.name for entry in tmp_path.iterdir()] == [STORE]


def test_row_60_names_are_unique_ignoring_case_among_accounts_and_bots_of_the_server(tmp_path: Path) -> None:
    filled(tmp_path)
    with Store(tmp_path) as store:
        assert not store.add(Account("ADA", "bot"))
        assert store.keep_houses(["random", "Rob"]) == []
        assert not store.add(Account("ROB", "bot"))
        assert store.keep_houses(["greedy", "BOB"]) == ["BOB"]
        assert sorted(store.houses()) == ["Rob", "random"]
        assert store.keep_houses(["random"]) == [] and store.add(Account("rob", "bot"))
        assert not store.add_key(Key(key_digest("x"), "nobody-here", "token"))
        assert not store.disable("nobody-here", disabled=True)


def test_revoked_keys_and_disabled_accounts_open_nothing(tmp_path: Path) -> None:
    filled(tmp_path)
    with Store(tmp_path) as store:
        assert store.revoke("ADA", "door") == 1 and store.revoke("ada", "door") == 0
        assert store.accounts().opened("ada", CODE.digest) is None
        assert store.disable("ada", disabled=True)
        assert store.accounts().opened("ada", TOKEN.digest) is None
        assert store.disable("ada", disabled=False)
        assert store.accounts().opened("ada", TOKEN.digest) is not None
        assert store.revoke("ada") == 1
        assert store.accounts().opened("ada", TOKEN.digest) is None


def test_a_code_is_used_once_whoever_asks(tmp_path: Path) -> None:
    filled(tmp_path)
    won: list[bool] = []
    start = threading.Barrier(6)

    def use() -> None:
        with Store(tmp_path) as store:
            start.wait(10)
            won.append(store.use_code(CODE.digest))

    threads = [threading.Thread(target=use) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert sorted(won) == [False] * 5 + [True]
    with Store(tmp_path) as store:
        found = store.accounts().opened("ada", CODE.digest)
        assert found is not None and found[1].used
        assert not store.use_code(TOKEN.digest) and not store.use_code(bytes(32))


def test_threads_take_turns_at_one_store(tmp_path: Path) -> None:
    """Without turns the transactions of two threads would be one, and fail."""
    filled(tmp_path)
    troubles: list[Exception] = []
    with Store(tmp_path) as store:
        start = threading.Barrier(4)

        def work(number: int) -> None:
            start.wait(10)
            try:
                for turn in range(20):
                    store.add(Account(f"bot-{number}-{turn}", "bot"))
                    store.accounts()
            except StoreError as error:
                troubles.append(error)

        threads = [threading.Thread(target=work, args=[number]) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert not troubles and len(store.list_accounts()) == 2 + 80


@pytest.mark.parametrize("how", ["revoked", "disabled"])
def test_a_code_that_is_worth_nothing_is_not_used(tmp_path: Path, how: str) -> None:
    filled(tmp_path)
    with Store(tmp_path) as store:
        if how == "revoked":
            store.revoke("ada")
        else:
            store.disable("ada", disabled=True)
        assert not store.use_code(CODE.digest)
        assert store.list_keys()[1].used is None


def test_only_what_others_change_changes_the_version(tmp_path: Path) -> None:
    filled(tmp_path)
    with Store(tmp_path) as one, Store(tmp_path) as two:
        before = one.version()
        one.use_code(CODE.digest)
        assert one.version() == before
        two.disable("ada", disabled=True)
        assert one.version() != before


# -- what is refused, and left as it is --------------------------------------------------------------------


def _newer(path: Path) -> None:
    altered(path, "PRAGMA user_version = 3")


def _older(path: Path) -> None:
    altered(path, "PRAGMA user_version = 1")


def _foreign(path: Path) -> None:
    path.unlink()
    altered(path, "CREATE TABLE account (name)")


def _text(path: Path) -> None:
    path.write_bytes(b"these are not the accounts you are looking for\n" * 10)


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5000])


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-37])


def _page(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096:8192] = b"\xa5" * 4096
    path.write_bytes(data)


def _schema(path: Path) -> None:
    altered(path, "ALTER TABLE key DROP COLUMN label")


def _index(path: Path) -> None:
    altered(path, "DROP TABLE game")


def _other_tables(path: Path) -> None:
    path.unlink()
    altered(path, "CREATE TABLE something (name)")
    altered(path, f"PRAGMA application_id = {APPLICATION}")
    altered(path, f"PRAGMA user_version = {VERSION}")


REFUSED: dict[Callable[[Path], None], str] = {
    _newer: "has version 3 and this tyrusd knows 2",
    _older: "has version 1 and this tyrusd knows 2",
    _foreign: "another program",
    _text: "is not a store of tyrusd, or is damaged",
    _empty: "is not a store of tyrusd, or is damaged",
    _short: "bytes are missing at its end",
    _cut: "is damaged (37 bytes are missing at its end): restore it from a copy",
    _page: "is damaged",
    _schema: "no such column: label",
    _index: "no such table: game",
    _other_tables: "no such table",
}


@pytest.mark.parametrize("how", REFUSED, ids=[how.__name__.strip("_") for how in REFUSED])
def test_a_file_that_is_not_as_it_should_be_is_refused_and_not_touched(
    how: Callable[[Path], None], tmp_path: Path
) -> None:
    path = filled(tmp_path)
    how(path)
    before = everything(tmp_path)
    with pytest.raises(StoreError) as caught:
        Store(tmp_path)
    assert str(path) in str(caught.value) and REFUSED[how] in str(caught.value)
    assert "\n" not in str(caught.value)
    assert everything(tmp_path) == before  # and nothing beside it


def test_a_page_that_is_lost_in_the_middle_is_told_in_one_line(tmp_path: Path) -> None:
    """What SQLite says of it begins with a line that tells an operator nothing."""
    path = filled(tmp_path)
    with Store(tmp_path) as store:
        put(store, [row._replace(id=f"g{number}") for number in range(200) for row in rows_of_mixed()[:1]])
    data = bytearray(path.read_bytes())
    data[-4096:] = bytes(4096)
    path.write_bytes(data)
    with pytest.raises(StoreError) as caught:
        Store(tmp_path)
    assert "***" not in str(caught.value) and "\n" not in str(caught.value)
    assert "is damaged (" in str(caught.value) and [entry.name for entry in tmp_path.iterdir()] == [STORE]


def test_a_store_whose_last_pages_are_in_its_log_as_well_is_whole(tmp_path: Path) -> None:
    """As a kill leaves it while pages are carried from the log of what is new into the file."""
    data, log = tmp_path / "data", f"{STORE}-wal"
    data.mkdir()
    with Store(data) as store:
        put(store, [row._replace(id=f"g{number}") for number in range(400) for row in rows_of_mixed()[:1]])
        kept = (data / log).read_bytes()
    (tmp_path / STORE).write_bytes((data / STORE).read_bytes()[:-37])
    with pytest.raises(StoreError, match="37 bytes are missing"):
        Store(tmp_path)  # control: without the log it is not
    (tmp_path / log).write_bytes(kept)
    with Store(tmp_path) as store, store.transaction("BEGIN") as database:
        assert database.execute("SELECT count(*) FROM game").fetchone() == (400,)


def test_who_only_reads_makes_no_store(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"there is no store .*store\.sqlite"):
        Store(tmp_path, make=False)
    assert not list(tmp_path.iterdir())
    filled(tmp_path)
    with Store(tmp_path, make=False) as store:
        assert len(store.list_accounts()) == 2


@pytest.mark.timeout(20)
def test_a_pipe_in_its_place_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / STORE)
    with pytest.raises(StoreError, match=r"store\.sqlite is not a file: move it away"):
        Store(tmp_path)


def test_a_store_that_somebody_holds_is_waited_for_and_then_given_up(tmp_path: Path) -> None:
    path = filled(tmp_path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other, Store(tmp_path, 0.05) as store:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="is locked by another process"):
            store.add(Account("cleo", "bot"))
        assert store.list_accounts()  # reading goes on
        other.execute("ROLLBACK")
        assert store.add(Account("cleo", "bot"))


def test_what_goes_wrong_within_a_change_changes_nothing(tmp_path: Path) -> None:
    filled(tmp_path)
    with Store(tmp_path) as store:
        with pytest.raises(StoreError):
            store.add_key(TOKEN)  # the same digest twice
        with pytest.raises(StoreError):
            store.add(Account("cleo", "robot"))
        assert [account.name for account in store.list_accounts()] == ["Ada", "bob"]
        assert store.add(Account("cleo", "bot"))


def test_a_directory_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be made"):
        Store(tmp_path / "nowhere")
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match="cannot be used"):
        open_to_owner_only(tmp_path / "file" / "data")
    (tmp_path / STORE).mkdir()
    with pytest.raises(StoreError, match=r"cannot be read|is not a file"):
        Store(tmp_path)
    open_to_owner_only(tmp_path / "new")
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o700


def test_a_disk_that_takes_no_new_store_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_file, "_SCHEMA", "CREATE TABLE nonsense (")
    with pytest.raises(StoreError, match="cannot be made"):
        Store(tmp_path)
    assert not list(tmp_path.iterdir())


def test_who_makes_the_store_later_than_another_takes_that_one(tmp_path: Path) -> None:
    """The file comes into being between the look and the making."""
    filled(tmp_path)
    before = everything(tmp_path)
    store_file._make(tmp_path / STORE)
    assert everything(tmp_path) == before


def test_f095_the_store_holds_no_secret(tmp_path: Path) -> None:
    """Akuli/mantaray#64: a password was in the log."""
    secret = "Canary-" + "c" * 36
    with Store(tmp_path) as store:
        store.add(ADA)
        store.add_key(Key(key_digest(secret), "ada", "token"))
        assert secret.encode() not in b"".join(everything(tmp_path).values())
        assert key_digest(secret) in b"".join(everything(tmp_path).values())
    assert secret.encode() not in b"".join(everything(tmp_path).values())
