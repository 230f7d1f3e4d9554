"""What an earlier server left in the journal: games that nobody can come back to, and ids that are taken."""

from __future__ import annotations

import dataclasses
import logging
import tracemalloc
from pathlib import Path

import pytest

from tyrusd.core.restoring import Recovered
from tyrusd.core.settings import DEFAULTS
from tyrusd.host.journal import FileJournal, JournalError
from tyrusd.host.recovery import recover
from tyrusd.league.clock import BOTS
from tyrusd.league.fold import fold
from tyrusd.league.match import Match
from tyrusd.league.record import frame, game_record, opened_record, placed_frame, read_frames
from tyrusd.league.replay import verify
from tyrusd.rules.deal import deal_from_bytes
from tyrusd.rules.pieces import Building
from tyrusd.rules.variants import STANDARD

STARTED = "2026-01-02T03:04:05Z"


def match(game: str) -> Match:
    deal = deal_from_bytes(game.encode())
    return Match(game, 1, deal, STANDARD, (BOTS, BOTS), (0, 0), ("one", "two"), ("a", "b"))


def played(game: str, placements: int) -> list[bytes]:
    """The records of a game that was cut off after so many placements."""
    found = match(game)
    frames = [frame(opened_record(found, started=STARTED))]
    for _ in range(placements):
        request = found.issue(0.0)
        tile = found.game.hand(request.side)[0]
        found.place(request.side, request.number, tile, Building.IC, 0.5)
        frames.append(placed_frame(game, request.side.word, str(tile), "IC", 500))
    return frames


def ended(game: str) -> list[bytes]:
    found = match(game)
    found.issue(0.0)
    found.stop(None, "aborted", "shutdown", 1.0)
    return [frame(opened_record(match(game), started=STARTED)), frame(game_record(found, started=STARTED))]


def journal_with(path: Path, *frames: bytes) -> Path:
    journal = FileJournal(path)
    journal.append(frames)
    journal.close()
    return path


def recovered(path: Path) -> Recovered:
    found = recover(path, {})
    found.journal.close()
    return found.recovered


def test_a_game_that_was_cut_off_is_recorded_as_aborted_up_to_its_last_placement(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "journal.tyrus"
    assert recovered(journal_with(path, *ended("g1"), *played("g2", 4), *played("g5", 0))).games == 5
    folded = fold(read_frames(path.read_bytes()))
    assert not folded.running
    assert {game: record["game"]["reason"] for game, record in folded.finished.items()} == {
        "g1": "aborted", "g2": "aborted", "g5": "aborted",
    }  # fmt: skip
    assert len(folded.finished["g2"]["game"]["placements"]) == 4
    for record in folded.finished.values():
        verify(record)
    assert "recorded as aborted: g2, g5" in caplog.text


def test_opening_it_again_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "journal.tyrus"
    recovered(journal_with(path, *played("g2", 4)))
    before = path.read_bytes()
    assert recovered(path).games == 2
    assert path.read_bytes() == before


def test_an_empty_journal_has_no_games(tmp_path: Path) -> None:
    assert recovered(journal_with(tmp_path / "journal.tyrus")).games == 0


def test_row_51_records_that_contradict_each_other_are_refused_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "journal.tyrus"
    journal_with(path, placed_frame("g7", "ivory", "S1", "IC", 0))
    before = path.read_bytes()
    with pytest.raises(JournalError, match=r"journal\.tyrus: bad record at byte 12.*nothing was changed"):
        recover(path, {})
    assert path.read_bytes() == before


def test_row_51_a_game_that_cannot_have_been_played_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal.tyrus"
    frames = played("g1", 1)
    journal_with(path, *frames, frames[1])  # the same tile twice, by the wrong side
    with pytest.raises(JournalError, match="the records of game g1 are wrong"):
        recover(path, {})


@pytest.mark.parametrize(("newest", "awaited"), [({"ladder": 2}, True), ({}, False)])
def test_whoever_was_on_the_ladder_last_is_awaited_without_a_game(
    tmp_path: Path, newest: dict[str, int], awaited: bool
) -> None:
    known = {
        "kind": "player",
        "name": "Ada",
        "sort": "bot",
        "games": 2,
        "want": [],
        "agent": None,
        "digests": [],
    }
    before = {} if newest else {"ladder": 2}
    path = journal_with(tmp_path / "journal.tyrus", frame(known | before), frame(known | newest))
    assert ("ada" in recovered(path).players) is awaited


def test_a_long_journal_is_worth_a_word_before_it_is_read(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.INFO, "tyrusd.journal")
    path = journal_with(tmp_path / "journal.tyrus", *ended("g1"))
    recovered(path)
    assert not caplog.text
    monkeypatch.setattr("tyrusd.host.recovery._LONG", path.stat().st_size - 1)
    recovered(path)
    assert f"reading {path}, which has 0 MiB" in caplog.text


def test_of_a_finished_game_that_nobody_may_ask_about_little_is_remembered(tmp_path: Path) -> None:
    """A game of these takes 1.1 KiB in the journal, and some 20 KiB as what is read of it."""

    def held(games: int) -> int:
        records = [record for number in range(games) for record in ended(f"g{number}")]
        path = journal_with(tmp_path / f"{games}.tyrus", *records)
        del records
        tracemalloc.start()
        try:
            found = recover(path, {}, dataclasses.replace(DEFAULTS, own_results=1), {})
            found.journal.close()
            assert len(found.missing) == games and len(found.recovered.finished) == 1
            return tracemalloc.get_traced_memory()[0]
        finally:
            tracemalloc.stop()

    held(10)  # what is made once
    few, many = held(300), held(1300)
    assert 100 < (many - few) / 1000 < 1000  # most of that is the row which the index lacks
