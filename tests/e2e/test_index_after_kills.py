"""A server is killed at any moment: the next one's index has every game of the journal, once, as it ended."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from tests.host.daemons import Daemon, Peer, login, running, wait_until
from tests.host.journals import index_of
from tyrusd.commands import main
from tyrusd.host.journal import JOURNAL
from tyrusd.host.journal_rows import JournalRows
from tyrusd.host.store import STORE
from tyrusd.league.game_row import GameRow


@contextmanager
def serving(data: Path) -> Iterator[tuple[Daemon, tuple[str, int]]]:
    words = ("serve", "--port", "0", "--host", "127.0.0.1", "--data", str(data))
    with running(*words) as daemon:
        [address] = daemon.addresses()
        yield daemon, address


def lose(anna: Peer, bert: Peer, games: int, extra: str = "") -> list[str]:
    """Have so many games told as over; their ids."""
    told = []
    for _ in range(games):
        bert.say("seek")
        bert.until("ok")
        anna.say(f"seek {extra}".rstrip())
        game = anna.until("start").split()[1]
        anna.say(f"resign {game}")
        assert anna.until("over").split()[1] == game
        bert.until("over")
        told.append(game)
    return told


def in_journal(data: Path) -> list[GameRow]:
    return sorted(JournalRows(data / JOURNAL), key=lambda row: (len(row.id), row.id))


def test_the_running_server_fills_it_and_it_is_what_a_new_one_would_be(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with serving(data) as (daemon, address):
        with login(address, "anna") as anna, login(address, "bert") as bert:
            told = lose(anna, bert, 3)
            wait_until(lambda: [row.id for row in index_of(data)] == told)
            lose(anna, bert, 2)
        daemon.signal(signal.SIGTERM)
        assert daemon.end()[0] == 0
    filled = index_of(data)  # the last games as well, though the server ended at once
    assert [row.id for row in filled] == ["g1", "g2", "g3", "g4", "g5"]
    assert filled == in_journal(data)
    (data / STORE).unlink()
    assert CliRunner().invoke(main, ["reindex", "--new-store", "--data", str(data)]).exit_code == 0
    assert index_of(data) == filled


def test_what_a_kill_has_left_out_the_next_start_adds(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with serving(data) as (daemon, address), login(address, "anna") as anna, login(address, "bert") as bert:
        told = lose(anna, bert, 4)
        daemon.signal(signal.SIGKILL)
        daemon.process.wait()
    # Control: without the next start, games that everyone was told of are missing.
    assert len(index_of(data)) < len(told) <= len(in_journal(data))
    with serving(data) as (daemon, _):
        assert [row.id for row in index_of(data)] == told
        daemon.signal(signal.SIGTERM)
        assert "has caught up: " in daemon.end()[2]
    assert index_of(data) == in_journal(data)


@pytest.mark.timeout(120)
def test_killed_again_and_again_it_has_every_game_once(tmp_path: Path) -> None:
    data, chance = tmp_path / "data", Random(5)
    told: list[str] = []
    for life in range(4):
        with (
            serving(data) as (daemon, address),
            login(address, f"anna{life}") as anna,
            login(address, f"bert{life}") as bert,
        ):
            told += lose(anna, bert, chance.randint(5, 40))  # rows are being written meanwhile
            daemon.signal(signal.SIGKILL)
            daemon.process.wait()
    with serving(data) as (daemon, _):
        daemon.signal(signal.SIGTERM)
        daemon.end()
    assert index_of(data) == in_journal(data)
    assert [row.id for row in index_of(data)] == told
