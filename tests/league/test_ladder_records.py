"""Games of a ladder are records as any, with their place in it; other records of a ladder change no game."""

from __future__ import annotations

import pytest

from tests.league.record_example import example
from tyrusd.league.fold import fold
from tyrusd.league.framing import HEADER, frame, read_frames
from tyrusd.league.schema import Payload, check_payload
from tyrusd.league.tournament.played import played_of
from tyrusd.league.tournament.task import Place
from tyrusd.rules.deal import game_secret, pair_secret, twin_secret

PLACE = {"pair": 7, "attempt": 2, "game": 1, "round": 3, "host": "tower", "cpu": "some processor"}
BESIDE: list[Payload] = [
    {"kind": "run", "started": "2031-05-06T07:08:09Z", "version": "0.1.0", "host": "tower", "cpu": "x"},
    {"kind": "unready", "pair": 7, "attempt": 1, "bot": "anna", "why": "it could not be started"},
    {"kind": "dropped", "bot": "anna", "at": "2031-05-06T07:08:09Z"},
]


def test_a_game_keeps_its_place() -> None:
    record = {**example(), "ladder": PLACE}
    ((_, read),) = read_frames(HEADER + frame(record))
    assert read["ladder"] == PLACE
    played = played_of(read)
    assert played is not None
    assert played.place == Place(7, 2, 1, 3)
    assert (played.ivory, played.brown, played.winner, played.reason) == ("anna", "bert", "anna", "resigned")
    assert played.opener == "bert"
    assert (played.spent, played.placed) == ((6000, 6000), (4, 4))
    assert played.place.game_id == "p7-1-2"


def test_other_games_have_none_and_their_bytes_did_not_change() -> None:
    record = example()
    assert b"ladder" not in frame(record)
    assert played_of(record) is None


@pytest.mark.parametrize("number", [0, 3])
def test_a_pair_has_two_games(number: int) -> None:
    with pytest.raises(ValueError, match="game"):
        check_payload({**example(), "ladder": {**PLACE, "game": number}})


def test_what_a_ladder_notes_beside_its_games_changes_none() -> None:
    records = [BESIDE[0], example(), *BESIDE[1:]]
    folded = fold(read_frames(HEADER + b"".join(map(frame, records))))
    assert list(folded.finished) == [example()["id"]]
    assert not folded.running


def test_secrets_of_pairs_are_those_of_nothing_else() -> None:
    secrets = {pair_secret("s", pair, attempt) for pair in range(20) for attempt in (1, 2, 3)}
    secrets |= {twin_secret(pair_secret("s", 1), game) for game in (1, 2)}
    secrets |= {game_secret("s", game) for game in range(20)}
    assert len(secrets) == 82
    assert pair_secret("s", 1) == pair_secret("s", 1, 1)
    with pytest.raises(ValueError, match="attempt 1"):
        pair_secret("s", 1, 0)
