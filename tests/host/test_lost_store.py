"""A store or a journal that was lost is noticed by whatever would hide it: no empty one takes its place."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.e2e.account_serving import account
from tests.host.daemons import Peer, run, running
from tests.host.journals import ended, index_of, mixed, write
from tyrusd.commands import main
from tyrusd.host.journal import JOURNAL, LOCK
from tyrusd.host.lost_store import refuse_lost
from tyrusd.host.store import STORE
from tyrusd.host.store_file import StoreError
from tyrusd.league.framing import HEADER, frame

SERVE = ("serve", "--port", "0", "--host", "127.0.0.1", "--data")
PLAYER = {
    "kind": "player",
    "name": "Ada",
    "sort": "human",
    "games": 1,
    "want": [],
    "agent": None,
    "digests": [],
}


def said(data: Path, *words: str) -> Result:
    return CliRunner().invoke(main, [*words, "--data", str(data)])


def left(data: Path) -> set[str]:
    return {path.name for path in data.iterdir()} - {LOCK}


TOLD = {
    "a rated game": mixed(),
    "a player with an account": [frame({**PLAYER, "account": "Ada", "key": "00" * 32})],
}


@pytest.mark.parametrize("records", TOLD.values(), ids=TOLD.keys())
def test_without_a_store_a_journal_that_tells_of_accounts_is_refused(
    tmp_path: Path, records: list[bytes]
) -> None:
    path = write(tmp_path, records)
    with pytest.raises(StoreError) as caught:
        refuse_lost(tmp_path)
    assert f"there is no store {tmp_path / STORE}, but players of {path} had accounts" in str(caught.value)
    assert f"`tyrusd reindex --new-store --data {tmp_path}`" in str(caught.value)
    assert left(tmp_path) == {JOURNAL}


def test_games_of_guests_are_a_warning_and_an_empty_journal_is_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    refuse_lost(tmp_path)
    write(tmp_path, [])
    refuse_lost(tmp_path)
    assert not caplog.records
    write(tmp_path, [*ended("g1"), frame(PLAYER)])
    refuse_lost(tmp_path)
    assert "a new one is made. If there were accounts, stop the server" in caplog.text


def test_a_damaged_journal_is_told_before_there_is_an_empty_store(tmp_path: Path) -> None:
    path = write(tmp_path, mixed())
    content = bytearray(path.read_bytes())
    content[30] ^= 1
    path.write_bytes(content)
    with pytest.raises(StoreError, match=r"bad record at byte 12.*records check .* --repair NEW"):
        refuse_lost(tmp_path)
    assert left(tmp_path) == {JOURNAL}


def test_no_command_that_only_reads_makes_a_store_and_none_that_writes_hides_its_loss(tmp_path: Path) -> None:
    write(tmp_path, mixed())
    commands = [
        ("account", "list"), ("account", "token", "ada"), ("account", "revoke", "ada"),
        ("account", "enable", "ada"), ("account", "add", "ada"), ("ratings",),
        ("ratings", "versus", "ada"), ("reindex",), ("backup", str(tmp_path / "copy")),
    ]  # fmt: skip
    for words in commands:
        done = said(tmp_path, *words)
        assert done.exit_code == 1 and f"there is no store {tmp_path / STORE}" in done.stderr, words
        assert len(done.stderr.splitlines()) == 1 and not done.stdout
        assert left(tmp_path) == {JOURNAL}


def test_a_server_whose_store_is_gone_says_what_to_do_and_does_so_no_more_when_that_is_done(
    tmp_path: Path,
) -> None:
    data = tmp_path / "data"
    account(data, "add", "ada")
    token = account(data, "token", "ada")
    with running(*SERVE, str(data)) as daemon, Peer(daemon.addresses()[0]) as ada:
        ada.until("greeting")
        ada.say(f"hello 0.1 ada bot key={token}")
        ada.until("welcome")
        ada.say("play random")
        ada.until("choose")  # so the journal tells of her
    (data / STORE).unlink()
    refused = run(*SERVE, str(data))
    assert refused.returncode == 1 and f"there is no store {data / STORE}" in refused.stderr
    assert "--new-store" in refused.stderr and STORE not in left(data)
    done = run("reindex", "--new-store", "--data", str(data))
    assert done.returncode == 0 and "warning: there was no" in done.stderr
    with running(*SERVE, str(data)) as daemon:
        daemon.addresses()


def test_a_server_whose_journal_was_emptied_says_what_to_do_and_takes_no_game_out(tmp_path: Path) -> None:
    write(tmp_path, mixed())
    assert said(tmp_path, "reindex", "--new-store").exit_code == 0
    games = index_of(tmp_path)
    for content in (HEADER, b""):
        (tmp_path / JOURNAL).write_bytes(content)
        refused = run(*SERVE, str(tmp_path))
        assert (
            refused.returncode == 1 and f"{tmp_path / JOURNAL} lacks 4 games of the index" in refused.stderr
        )
        assert index_of(tmp_path) == games
    (tmp_path / JOURNAL).unlink()
    assert run(*SERVE, str(tmp_path)).returncode == 1 and index_of(tmp_path) == games
    assert said(tmp_path, "reindex", "--drop-games").exit_code == 0
    with running(*SERVE, str(tmp_path)) as daemon:
        daemon.addresses()
