"""Rated games are records as any with a part of their own, which outlives whatever cuts them off."""

from __future__ import annotations

from typing import Any

import pytest

from tests.league.matches import GOLDEN, STARTED, golden_match
from tests.league.record_example import example
from tests.league.test_fold_and_replay import steps_of
from tyrusd.league.export import export_object
from tyrusd.league.fold import Running
from tyrusd.league.framing import HEADER, frame, read_frames
from tyrusd.league.rated import Rated, RatedGame, Version
from tyrusd.league.record import game_record, opened_record
from tyrusd.league.replay import interrupted, resumed, verify
from tyrusd.league.schema import check_payload

RATED = Rated("deep/2.1", None, "ladder", ("host", "owner"))
PART = {"ivory": "deep/2.1", "brown": None, "by": "ladder", "flags": ["host", "owner"]}


def test_beginning_and_end_of_a_rated_game_tell_what_it_counts_as() -> None:
    match = golden_match(GOLDEN[3])
    match.rated = RATED
    for record in (opened_record(match, started=STARTED), game_record(match, started=STARTED)):
        ((_, read),) = read_frames(HEADER + frame(record))
        assert read["rated"] == PART
        assert Rated.of(read["rated"]) == RATED
        assert list(read)[-1] == "rated"
    verify(game_record(match, started=STARTED))


def test_other_games_have_no_such_part_and_their_bytes_did_not_change() -> None:
    match = golden_match(GOLDEN[3])
    for record in (opened_record(match, started=STARTED), game_record(match, started=STARTED), example()):
        assert b"rated" not in frame(record)
        assert "rated" not in record
    assert Rated.of(None) is None
    assert "rated" not in export_object(example())


def test_the_export_of_a_rated_game_has_the_part_as_it_is() -> None:
    exported = export_object({**example(), "rated": PART})
    assert exported["rated"] == PART
    assert list(exported)[-1] == "rated"


def test_a_game_that_was_cut_off_is_still_rated() -> None:
    match = golden_match(GOLDEN[3], 5)
    match.rated = RATED
    opened, *placed = steps_of(match)
    assert resumed(Running(opened, placed)).rated == RATED
    assert interrupted(Running(opened, placed))["rated"] == PART
    del opened["rated"]
    assert resumed(Running(opened, placed)).rated is None
    assert "rated" not in interrupted(Running(opened, placed))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("ivory", "two words"),
        ("brown", ""),
        ("by", "event"),
        ("flags", ["friend"]),
        ("flags", ["host", "owner", "host"]),
        ("flags", None),
        ("elo", 1600),
    ],
)
def test_no_other_shape_is_taken(key: str, value: Any) -> None:
    check_payload({**example(), "rated": PART})
    with pytest.raises(ValueError, match="rated"):
        check_payload({**example(), "rated": {**PART, key: value}})


@pytest.mark.parametrize(
    ("version", "text"),
    [
        (Version("deep-bot", "deep/2.1"), "deep-bot/deep/2.1"),
        (Version("deep-bot"), "deep-bot"),
        (Version("ada", "a"), "ada/a"),
    ],
)
def test_versions_are_written_and_read(version: Version, text: str) -> None:
    assert str(version) == text
    assert Version.parse(text) == version


def test_names_are_the_same_in_any_case_and_agents_are_not() -> None:
    assert Version("Ada", "A").key == Version("ADA", "A").key != Version("Ada", "a").key
    assert Version.parse("ada/") == Version("ada")


@pytest.mark.parametrize(("winner", "result"), [("ivory", 0), ("brown", 1), (None, None)])
def test_a_rated_game_tells_its_result_by_side(winner: Any, result: int | None) -> None:
    game = RatedGame("g1", Version("a"), Version("b"), winner, "majority", "ivory", "lobby")
    assert game.result == result
    assert game.versions() == (Version("a"), Version("b"))
