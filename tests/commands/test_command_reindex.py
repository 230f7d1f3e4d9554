"""`tyrusd reindex`: the index of games made anew from the journal, and nothing else touched."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.host.daemons import ROOT, command, running
from tests.host.journals import SPOILT, ended, index_of, mixed, rows_of_mixed, spoil, write
from tyrusd.commands import main
from tyrusd.core.accounts import Account, Key
from tyrusd.core.keys import key_digest
from tyrusd.host.journal import JOURNAL, LOCK, DataDirectory
from tyrusd.host.store import STORE, Store
from tyrusd.host.store_ratings import RatingStore
from tyrusd.league.framing import HEADER


def run(data: Path, *options: str) -> Result:
    return CliRunner().invoke(main, ["reindex", "--data", str(data), *options])


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data directory with games, an account with a key, and a merge."""
    write(tmp_path / "data", mixed())
    with Store(tmp_path / "data") as store:
        store.add(Account("One", "bot"))
        store.add_key(Key(key_digest("token"), "One", "token"), "night")
        with store.transaction() as database:
            database.execute(
                "INSERT INTO merge VALUES ('One', 'one/0', 'one/1', '2026-01-01T00:00:00Z', 'op')"
            )
    assert run(tmp_path / "data").exit_code == 0
    return tmp_path / "data"


def facts(data: Path) -> list[object]:
    """All that no journal holds."""
    with Store(data) as store:
        return [store.list_accounts(), store.list_keys(), store.houses(), RatingStore(store).merges()]


def contents(data: Path) -> dict[str, bytes]:
    """All files but that of the lock, which tells who has it, and the memory of who reads a store."""
    passing = (LOCK, f"{STORE}-shm")
    found = {path.name: path.read_bytes() for path in data.iterdir() if path.name not in passing}
    return {name: content for name, content in found.items() if content}


FOUND = {
    "deleted": (2, 0, 0),
    "wrong": (0, 2, 0),
    "strays": (0, 0, 1),
    "empty": (4, 0, 0),
    "all": (2, 1, 1),
}


@pytest.mark.parametrize("how", SPOILT)
def test_whatever_the_index_was_it_is_that_of_the_journal_again(data: Path, how: str) -> None:
    before = facts(data)
    spoil(data, *SPOILT[how])
    spoilt = index_of(data)
    assert spoilt != rows_of_mixed()
    if FOUND[how][-1]:  # games are lost only for who wants that
        refused = run(data)
        assert refused.exit_code == 1 and f"{data / JOURNAL} lacks a game of the index" in refused.stderr
        assert "--drop-games" in refused.stderr and not refused.stdout and index_of(data) == spoilt
    done = run(data, *["--drop-games"] * bool(FOUND[how][-1]))
    missing, wrong, strays = FOUND[how]
    assert done.exit_code == 0, done.stderr
    assert done.stdout.splitlines() == [
        f"{data / STORE}: 4 games in the index, 1 of them rated; from {data / JOURNAL}",
        f"  {missing} were missing, {wrong} wrong, {strays} not in the journal",
        "  1 game without an end: the next server goes on with them, or ends them",
    ]
    assert index_of(data) == rows_of_mixed() and facts(data) == before and not done.stderr
    again = run(data)
    assert "  0 were missing, 0 wrong, 0 not in the journal" in again.stdout
    assert index_of(data) == rows_of_mixed()


def test_an_unfinished_record_at_the_end_is_passed_over_and_left_there(data: Path) -> None:
    with (data / JOURNAL).open("ab") as file:
        file.write(ended("g6")[0][:30])
    before = (data / JOURNAL).read_bytes()
    done = run(data)
    assert (
        done.exit_code == 0 and "30 bytes of an unfinished record at the end were passed over" in done.stdout
    )
    assert (data / JOURNAL).read_bytes() == before and index_of(data) == rows_of_mixed()


def _flipped(data: Path) -> str:
    content = bytearray((data / JOURNAL).read_bytes())
    at = len(HEADER) + len(ended("g1")[0])
    content[at + 40] ^= 1
    (data / JOURNAL).write_bytes(content)
    return f"bad record at byte {at}: the checksum does not match"


def _twice(data: Path) -> str:
    at = (data / JOURNAL).stat().st_size
    write(data, ended("g1")[:1])
    return f"bad record at byte {at}: game g1 begins a second time"


def _foreign(data: Path) -> str:
    (data / JOURNAL).write_bytes(b"something else\n" * 10)
    return "bad record at byte 0: this is not a record file of tyrusd"


def _missing(data: Path) -> str:
    (data / JOURNAL).unlink()
    return "there is no journal"


JOURNALS = (_flipped, _twice, _foreign, _missing)


@pytest.mark.parametrize("store", ["there", "missing"])
@pytest.mark.parametrize("how", JOURNALS, ids=[how.__name__.strip("_") for how in JOURNALS])
def test_row_51_a_journal_that_cannot_be_read_is_named_and_nothing_is_changed(
    data: Path, how: object, store: str
) -> None:
    assert callable(how)
    why = how(data)
    spoil(data, *SPOILT["all"])  # or nothing could be seen to be changed
    if store == "missing":
        (data / STORE).unlink()
    before = contents(data)
    done = run(data, *["--new-store"] * (store == "missing"))
    assert done.exit_code == 1 and not done.stdout
    assert str(data / JOURNAL) in done.stderr and why in done.stderr
    assert contents(data) == before


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (lambda path: path.write_bytes(b"x" * 5000), "is not a store of tyrusd, or is damaged: move it away"),
        (lambda path: path.write_bytes(path.read_bytes()[:5000]), "is damaged"),
        (lambda path: spoil(path.parent, "PRAGMA user_version = 1"), "has version 1 and this tyrusd knows 2"),
    ],
    ids=["foreign", "short", "version"],
)
def test_a_store_that_cannot_be_used_is_named_and_not_touched(data: Path, damage: object, why: str) -> None:
    assert callable(damage)
    damage(data / STORE)
    before = contents(data)
    done = run(data)
    assert done.exit_code == 1 and str(data / STORE) in done.stderr and why in done.stderr
    assert contents(data) == before


def test_a_missing_store_is_made_anew_for_who_says_so_and_what_it_lacks_is_said(data: Path) -> None:
    refused = run(data, "--new-store")
    assert refused.exit_code == 2 and f"there is a store {data / STORE}" in refused.stderr
    (data / STORE).unlink()
    refused = run(data)
    assert refused.exit_code == 1 and f"there is no store {data / STORE}: restore" in refused.stderr
    assert "make one with --new-store" in refused.stderr and not (data / STORE).exists()
    done = run(data, "--new-store")
    assert done.exit_code == 0 and index_of(data) == rows_of_mixed()
    assert f"warning: there was no {data / STORE}" in done.stderr
    assert "accounts, tokens and merged versions are in no journal" in done.stderr
    assert facts(data) == [[], [], [], []]


@pytest.mark.parametrize("how", ["emptied", "gone"])
def test_all_games_are_given_up_only_for_who_says_so(data: Path, how: str) -> None:
    before = facts(data)
    if how == "gone":
        (data / JOURNAL).unlink()
    else:
        (data / JOURNAL).write_bytes(HEADER)
    refused = run(data)
    why = "there is no journal" if how == "gone" else f"{data / JOURNAL} lacks 4 games of the index"
    assert refused.exit_code == 1 and why in refused.stderr and index_of(data) == rows_of_mixed()
    done = run(data, "--drop-games")
    assert done.exit_code == 0 and "0 wrong, 4 not in the journal" in done.stdout
    assert index_of(data) == [] and facts(data) == before


def test_a_directory_that_a_server_has_is_refused_with_its_process(data: Path) -> None:
    before = index_of(data)
    with running("serve", "--port", "0", "--host", "127.0.0.1", "--data", str(data)) as daemon:
        daemon.addresses()
        done = run(data)
    assert done.exit_code == 1 and not done.stdout
    assert f"another tyrusd (process {daemon.process.pid}) uses {data}: stop it" in done.stderr
    assert index_of(data)[: len(before)] == before


def test_a_server_cannot_start_meanwhile(data: Path) -> None:
    held = DataDirectory(data)
    try:
        assert run(data).exit_code == 1
    finally:
        held.close()
    assert run(data).exit_code == 0


def test_a_directory_that_is_not_there_is_wrong_usage(tmp_path: Path) -> None:
    done = run(tmp_path / "nowhere")
    assert done.exit_code == 2 and "there is no data directory" in done.stderr
    assert not (tmp_path / "nowhere").exists()


def test_how_far_it_is_is_told_on_a_terminal_only(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(data, [frame for number in range(6, 900) for frame in ended(f"g{number}", detail="x" * 4000)])
    screen, terminal = pty.openpty()
    program = (
        "import tyrusd.commands.progress as progress; progress.SECOND = 0.0\n"
        f"from tyrusd.commands import main; main(['reindex', '--data', {str(data)!r}])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=terminal,
        check=True,
        timeout=60,
    )
    os.close(terminal)
    shown = os.read(screen, 65536).decode()
    os.close(screen)
    assert re.search(r"\r3 of \d+ MiB", shown) and shown.rstrip(" ").endswith("\r")
    assert b"898 games in the index" in done.stdout
    quiet = subprocess.run(command("reindex", "--data", str(data)), cwd=ROOT, capture_output=True, check=True)
    assert quiet.stderr == b""
