"""The export of the golden games is the golden games, one line each, in the order of the schedule."""

import json
from typing import Any

import pytest

from tests.league.matches import GOLDEN, STARTED, golden_match, new_match
from tyrusd.league.export import distinct_names, export_line, export_lines, export_object
from tyrusd.league.framing import HEADER, BadRecord, frame, read_frames
from tyrusd.league.record import game_record, opened_record

KEYS = ["schema", "game", "variant", "deal", "placements", "elections", "winner", "reason", "detail"]
KEYS += ["seeds", "seats", "fillings", "timing"]


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda golden: f"game {golden['game']}")
def test_a_golden_game_comes_out_as_it_went_in(golden: dict[str, Any]) -> None:
    record = game_record(golden_match(golden), started=STARTED)
    ((_, read),) = read_frames(HEADER + frame(record))
    exported = json.loads(export_line(read))
    assert list(exported) == KEYS
    assert {key: exported[key] for key in golden} == golden
    assert exported["detail"] == ""
    assert exported["seats"] == {"ivory": "anna", "brown": "bert"}
    assert exported["timing"]["spent"] == [1000] * len(golden["placements"])


def test_lines_come_in_the_order_of_the_schedule() -> None:
    order = [30, 2, 199, 0, 57]
    frames = b"".join(frame(game_record(golden_match(GOLDEN[i]), started=STARTED)) for i in order)
    running = frame(opened_record(new_match("other", 3), started=STARTED))
    lines = list(export_lines(read_frames(HEADER + running + frames)))
    assert [json.loads(line)["game"] for line in lines] == [1, 3, 31, 58, 200]
    for line in lines:
        assert line.isascii() and "\n" not in line


def ladder_record(pair: int, attempt: int, game: int) -> dict[str, Any]:
    place = {"pair": pair, "attempt": attempt, "game": game, "round": 3}
    record = game_record(golden_match(GOLDEN[0]), started=STARTED)
    again = f"-{attempt}" if attempt > 1 else ""
    return {**record, "id": f"p{pair}-{game}{again}", "ladder": {**place, "host": "tower", "cpu": "x"}}


def test_the_games_of_a_ladder_are_told_apart_and_come_in_the_order_of_its_schedule() -> None:
    places = [(11, 1, 1), (2, 2, 1), (2, 1, 2), (2, 1, 1)]
    frames = b"".join(frame(ladder_record(*place)) for place in places)
    exported = [json.loads(line) for line in export_lines(read_frames(HEADER + frames))]
    assert [game["ladder"]["id"] for game in exported] == ["p2-1", "p2-2", "p2-1-2", "p11-1"]
    assert list(exported[0]) == [*KEYS, "ladder"]
    assert exported[1]["ladder"] == {"id": "p2-2", "pair": 2, "attempt": 1, "game": 2, "round": 3}


def test_nothing_but_timing_depends_on_the_pace() -> None:
    quick, slow = (
        export_object(game_record(golden_match(GOLDEN[9], pace_ms=pace), started=STARTED))
        for pace in (1, 9_999)
    )
    assert quick.pop("timing") != slow.pop("timing")
    assert json.dumps(quick) == json.dumps(slow)


def test_a_game_without_a_winner_says_null() -> None:
    match = new_match()
    match.stop(None, "aborted", "bell \x07 ö", 0.0)
    line = export_line(game_record(match, started=STARTED))
    assert '"winner":null,"reason":"aborted","detail":"bell \\u0007 \\u00f6"' in line


def test_two_seats_of_one_name_are_told_apart() -> None:
    match = new_match(names=("greedy", "greedy"))
    match.stop(None, "void", "", 0.0)
    exported = export_object(game_record(match, started=STARTED))
    assert exported["seats"] == {"ivory": "greedy", "brown": "greedy-2"}
    assert distinct_names("a", "b") == ("a", "b")


def test_only_a_finished_game_is_exported() -> None:
    with pytest.raises(ValueError, match="not a record of kind 'opened'"):
        export_object(opened_record(new_match(), started=STARTED))


def test_a_contradiction_stops_the_export_before_its_first_line() -> None:
    record = game_record(golden_match(GOLDEN[0]), started=STARTED)
    with pytest.raises(BadRecord, match="ends a second time"):
        export_lines([(0, record), (1, {**record, "timing": {}})])
