"""`tyrusd backup`: a copy of a running server's data that a server can go on from."""

from __future__ import annotations

import os
import re
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.host.daemons import Peer, login, running
from tests.host.journals import index_of, mixed, rows_of_mixed, write
from tyrusd.commands import main
from tyrusd.core.accounts import Account
from tyrusd.host import backup, store_file
from tyrusd.host.game_index import put
from tyrusd.host.journal import JOURNAL, LOCK, FileJournal
from tyrusd.host.store import STORE, Store
from tyrusd.league.record import placed_frame, read_frames

FRAMES = [placed_frame("g1", "ivory", f"S{number}", "IC", number) for number in range(1, 11)]


def run(data: Path, target: Path) -> Result:
    return CliRunner().invoke(main, ["backup", str(target), "--data", str(data)])


def filled(data: Path) -> Path:
    data.mkdir(mode=0o700)
    journal = FileJournal(data / JOURNAL)
    journal.append(FRAMES)
    journal.close()
    with Store(data) as store:
        assert store.add(Account("Ada", "human")) and store.add(Account("bob", "bot"))
    (data / LOCK).write_text("12\n")
    return data


def test_everything_is_copied_and_told_and_readable_by_its_owner_only(tmp_path: Path) -> None:
    data, target = filled(tmp_path / "data"), tmp_path / "copy"
    (data / "bans.json").write_text('{"format": "tyrusd bans 1", "bans": []}')
    (data / "logs").mkdir()
    (data / "logs" / "g1.log").write_text("a line\n")
    before = {path.name: path.read_bytes() for path in data.iterdir() if path.is_file()}
    done = run(data, target)
    assert done.exit_code == 0, done.stderr
    size = (data / JOURNAL).stat().st_size
    assert done.stdout.splitlines() == [
        f"{target}/journal.tyrus: 10 records, {size} bytes",
        f"{target}/store.sqlite: 2 accounts",
        f"{target}/bans.json: 39 bytes",
        f"{target}/logs: 1 games",
    ]
    assert {path.name for path in target.iterdir()} == {JOURNAL, STORE, "bans.json", "logs"}
    assert (target / JOURNAL).read_bytes() == (data / JOURNAL).read_bytes()
    assert all(not path.stat().st_mode & 0o077 for path in (target, *target.iterdir()))
    with Store(target) as store:
        assert [account.name for account in store.list_accounts()] == ["Ada", "bob"]
    for name, content in before.items():
        assert (data / name).read_bytes() == content


def test_the_index_merges_and_ratings_are_copied_with_the_accounts(tmp_path: Path) -> None:
    data = filled(tmp_path / "data")
    with Store(data) as store:
        put(store, rows_of_mixed())
        with store.transaction() as database:
            database.execute("INSERT INTO merge VALUES ('bob', 'one', 'two', '2026-01-01', 'operator')")
            database.execute(
                "INSERT INTO rating VALUES (1, 'bob', 'two', 12.5, -3, 28, 9, 5, 1, 3, 0, 1, 0, 1, 0)"
            )
    done = run(data, tmp_path / "copy")
    assert done.exit_code == 0 and "the journal lacks 4 games of its index" in done.stdout
    tables = [f"SELECT * FROM {table}" for table in ("game", "merge", "rating", "account", "key", "house")]
    with (
        closing(sqlite3.connect(data / STORE)) as one,
        closing(sqlite3.connect(tmp_path / "copy" / STORE)) as two,
    ):
        for table in tables:
            assert one.execute(table).fetchall() == two.execute(table).fetchall()
        assert [len(two.execute(table).fetchall()) for table in tables] == [4, 1, 1, 2, 0, 0]


def test_games_that_end_while_it_copies_are_in_no_half_of_the_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The index may be newer than the copied journal, and a server would not start on such a copy."""
    data = filled(tmp_path / "data")

    def late(path: Path, patience: float) -> None:
        write(data, mixed())
        with Store(data) as store:
            put(store, rows_of_mixed())
        store_file.checked(path, patience)

    monkeypatch.setattr(backup, "checked", late)
    done = run(data, tmp_path / "copy")
    assert done.exit_code == 0 and "lacks" not in done.stdout
    assert index_of(data) == rows_of_mixed() and index_of(tmp_path / "copy") == []


def test_without_a_store_nothing_is_copied_and_that_is_said(tmp_path: Path) -> None:
    data = filled(tmp_path / "data")
    (data / STORE).unlink()
    done = run(data, tmp_path / "copy")
    assert done.exit_code == 1 and f"there is no store {data / STORE}, so nothing was copied" in done.stderr
    assert not (tmp_path / "copy").exists()


def test_only_whole_records_are_copied(tmp_path: Path) -> None:
    data = filled(tmp_path / "data")
    with (data / JOURNAL).open("ab") as file:
        file.write(FRAMES[0][:20])
    done = run(data, tmp_path / "copy")
    assert done.exit_code == 0 and "20 bytes of an unfinished one were left out" in done.stdout
    assert len(list(read_frames((tmp_path / "copy" / JOURNAL).read_bytes()))) == 10


def test_copies_while_records_and_accounts_are_written_are_whole(tmp_path: Path) -> None:
    data = filled(tmp_path / "data")
    journal, done = FileJournal(data / JOURNAL), threading.Event()

    def write() -> None:
        with Store(data) as store:
            number = 0
            while not done.is_set():
                number += 1
                for piece in range(3):
                    os.write(journal._file, FRAMES[0][piece * 20 : piece * 20 + 20 if piece < 2 else None])
                if number % 5 == 0:
                    store.add(Account(f"bot{number}", "bot"))

    writer = threading.Thread(target=write)
    writer.start()
    try:
        sizes = []
        for number in range(12):
            target = tmp_path / f"copy{number}"
            assert run(data, target).exit_code == 0
            sizes.append(len(list(read_frames((target / JOURNAL).read_bytes()))))
            Store(target).close()  # it is checked when it is opened
    finally:
        done.set()
        writer.join()
        journal.close()
    assert sizes == sorted(sizes) and sizes[-1] > sizes[0] >= 10


def test_what_cannot_be_copied_is_a_sentence_and_leaves_nothing(tmp_path: Path) -> None:
    data, target = filled(tmp_path / "data"), tmp_path / "copy"
    (tmp_path / "there").mkdir()
    done = run(data, tmp_path / "there")
    assert done.exit_code == 1 and "never overwrites" in done.stderr
    (tmp_path / "empty").mkdir()
    done = run(tmp_path / "empty", target)
    assert done.exit_code == 1 and "there is nothing to copy in it" in done.stderr
    assert run(tmp_path / "nowhere", target).exit_code == 2
    content = bytearray((data / JOURNAL).read_bytes())
    content[30] ^= 1
    (data / JOURNAL).write_bytes(content)
    done = run(data, target)
    assert done.exit_code == 1 and "bad record at byte 12" in done.stderr
    assert f"`tyrusd records check {data / JOURNAL} --repair NEW`" in done.stderr
    (data / JOURNAL).unlink()
    os.mkfifo(data / JOURNAL)
    done = run(data, target)
    assert done.exit_code == 1 and "is not a file" in done.stderr
    store = filled(tmp_path / "other") / STORE
    store.write_bytes(b"text")
    done = run(store.parent, target)
    assert done.exit_code == 1 and "is not a store of tyrusd" in done.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"data", "there", "empty", "other"}


@pytest.fixture
def words() -> tuple[str, ...]:
    return ("serve", "--port", "0", "--host", "127.0.0.1", "--data")


def secret_of(peer: Peer) -> str:
    peer.until("greeting")
    peer.say("hello 0.1 ada human")
    found = re.search(r"secret=(\S+)", peer.until("welcome"))
    assert found is not None
    return found[1]


def place_first(peer: Peer) -> None:
    request = peer.until("choose").split()
    hand = next(word for word in request if word.startswith("hand=")).removeprefix("hand=")
    peer.say(f"place {request[1]} {request[2]} {hand.split(',')[0]} IC")


def test_a_server_on_a_copy_goes_on_with_the_games_of_the_one_that_ran(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    data, target = tmp_path / "data", tmp_path / "copy"
    with running(*words, str(data)) as daemon:
        address = daemon.addresses()[0]
        with Peer(address) as ada, login(address, "bob") as bob:
            secret = secret_of(ada)
            ada.say("seek")
            ada.until("ok")
            bob.say("play ada")
            opener = ada if " opener=" + ada.until("start").split()[2] in bob.until("start") else bob
            place_first(opener)
            (bob if opener is ada else ada).until("choose")
            done = run(data, target)
            assert done.exit_code == 0 and "4 records" in done.stdout and "0 accounts" in done.stdout
    with running(*words, str(target)) as daemon, Peer(daemon.addresses()[0]) as ada:
        ada.until("greeting")
        ada.say(f"resume {secret}")
        board = ada.until("snapshot").split("board=")[1].split()[0]
        assert len(board.split(",")) == 1 and board != "-"
