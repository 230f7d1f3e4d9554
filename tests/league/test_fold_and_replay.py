"""A journal adds up to its games, contradictions are refused where they stand, records can be replayed."""

import copy
from typing import Any

import pytest

from tests.league.matches import GOLDEN, STARTED, golden_match
from tests.league.record_example import example
from tyrusd.league.clock import PEOPLE
from tyrusd.league.fold import Running, fold
from tyrusd.league.framing import HEADER, BadRecord, TruncatedTail, frame, placed_frame, read_frames
from tyrusd.league.match import Match
from tyrusd.league.record import game_record, opened_record
from tyrusd.league.replay import interrupted, verify
from tyrusd.league.schema import Payload
from tyrusd.rules.pieces import SIDE_WORDS, Side

RATED: Payload = {"ivory": None, "brown": "bot/2", "by": "lobby", "flags": []}


def steps_of(match: Match) -> list[Payload]:
    """The records of a match as they were written while it ran, without its end."""
    placed = [
        {"kind": "placed", "id": match.game_id, "side": SIDE_WORDS[side], "tile": str(tile)}
        | {"building": building.name, "spent": spent}
        for (side, tile, building), spent in zip(match.game.placements, match.spent, strict=True)
    ]
    return [opened_record(match, started=STARTED), *placed]


def offsets(payloads: list[Payload]) -> list[tuple[int, Payload]]:
    return list(enumerate(payloads))


def whole(index: int) -> tuple[list[Payload], Payload]:
    match = golden_match(GOLDEN[index])
    return steps_of(match), game_record(match, started=STARTED)


def test_interleaved_games_are_told_apart() -> None:
    (first, first_end), (second, second_end) = whole(0), whole(1)
    third = steps_of(golden_match(GOLDEN[2], 3))
    mixed = [step for steps in zip(first, second, strict=False) for step in steps]
    mixed += [*first[len(second) :], *second[len(first) :], *third, second_end, first_end]
    folded = fold(offsets(mixed))
    assert list(folded.finished.items()) == [("g2", second_end), ("g1", first_end)]
    assert folded.running == {"g3": Running(third[0], third[1:])}


def test_a_record_can_stand_alone_and_twice() -> None:
    _, end = whole(0)
    assert fold(offsets([end])) == fold(offsets([end, copy.deepcopy(end)])) == ({"g1": end}, {}, {}, {}, {})
    assert fold([]) == ({}, {}, {}, {}, {})


@pytest.mark.parametrize(
    ("journal", "fault"),
    [
        (lambda steps, end: [steps[0], steps[0]], "begins a second time"),
        (lambda steps, end: [end, steps[0]], "begins a second time"),
        (lambda steps, end: [steps[1]], "has a placement, but it is not running"),
        (lambda steps, end: [*steps, end, steps[1]], "has a placement, but it is not running"),
        (lambda steps, end: [end, {**end, "timing": {}}], "ends a second time, and differently"),
        (lambda steps, end: [steps[0], steps[2], end], "does not end as the game that was running"),
        (
            lambda steps, end: [steps[0], {**end, "game": {**end["game"], "number": 77}}],
            "does not end as the game that was running",
        ),
        (
            lambda steps, end: [steps[0], {**end, "rated": RATED}],
            "does not end as the game that was running",
        ),
        (
            lambda steps, end: [{**steps[0], "rated": RATED}, end],
            "does not end as the game that was running",
        ),
    ],
)
def test_a_contradiction_is_refused_where_it_stands(journal: Any, fault: str) -> None:
    payloads = journal(*whole(0))
    with pytest.raises(BadRecord, match=f"game g1 {fault}") as refusal:
        fold(offsets(payloads))
    assert refusal.value.offset == len(payloads) - 1


def test_whatever_reading_raises_passes_through() -> None:
    with pytest.raises(TruncatedTail):
        fold(read_frames(HEADER + b"\0"))


@pytest.mark.parametrize("steps", [0, 1, 5, 6, 17, 40])
def test_a_game_that_was_cut_off_is_closed_without_a_result(steps: int) -> None:
    match = golden_match(GOLDEN[3], steps, 1_250, controls=(PEOPLE, PEOPLE))
    data = HEADER + frame(opened_record(match, started=STARTED))
    for payload in steps_of(match)[1:]:
        data += placed_frame(*(payload[key] for key in ("id", "side", "tile", "building", "spent")))
    record = interrupted(fold(read_frames(data)).running[match.game_id])
    match.stop(None, "aborted", "interrupted", steps * 1.25)
    assert record == game_record(match, started=STARTED)
    verify(record)


def test_a_game_whose_end_was_not_written_is_closed_with_the_end_it_had() -> None:
    match = golden_match(GOLDEN[3])
    opened, *placed = steps_of(match)
    assert interrupted(Running(opened, placed)) == game_record(match, started=STARTED)


def test_records_of_a_game_that_cannot_have_been_played_are_not_closed() -> None:
    opened, *placed = steps_of(golden_match(GOLDEN[3], 12))
    for wrong, fault in (
        (placed[1:], "placement 1 cannot have been made"),
        ([*placed, placed[0]], "placement 13 cannot have been made"),
        (steps_of(golden_match(GOLDEN[4], 12))[1:], "placement 1 cannot have been made"),
    ):
        with pytest.raises(ValueError, match=fault):
            interrupted(Running(opened, wrong))


@pytest.mark.parametrize("game", GOLDEN, ids=lambda game: f"game {game['game']}")
def test_every_golden_game_tells_the_truth(game: dict[str, Any]) -> None:
    verify(game_record(golden_match(game), started=STARTED))


@pytest.mark.parametrize(
    ("winner", "reason", "detail"),
    [
        (Side.IVORY, "timeout", ""),
        (Side.BROWN, "crashed", "exit status 3"),
        (None, "aborted", "shutdown"),
        (None, "void", ""),
        (None, "adjudicated", ""),
    ],
)
def test_an_end_from_outside_the_board_is_believed(winner: Side | None, reason: str, detail: str) -> None:
    match = golden_match(GOLDEN[3], 7)
    match.stop(winner, reason, detail, 9.0)
    verify(game_record(match, started=STARTED))
    verify(example())


def spoil(record: Payload, path: tuple[str | int, ...], value: Any) -> Payload:
    record = copy.deepcopy(record)
    place: Any = record
    for step in path[:-1]:
        place = place[step]
    assert place[path[-1]] != value
    place[path[-1]] = value
    return record


@pytest.mark.parametrize(
    ("path", "value", "fault"),
    [
        (("game", "winner"), "brown", "'winner' is not what"),
        (("game", "winner"), None, "'winner' is not what"),
        (("game", "reason"), "three-in-a-row", "'reason' is not what"),
        (("game", "reason"), "resigned", "do not lead to an end by 'resigned'"),
        (("game", "elections", 1, "ivory", "score"), 9, "'elections' is not what"),
        (("game", "elections"), [], "'elections' is not what"),
        (("game", "variant"), "replay-ties", "'detail'|'reason'|'winner'"),
        (("game", "deal", "cards"), ["C"] * 9, "deal: cards must be nine"),
        (("game", "deal", "ivory"), ["S1"] * 30, "deal: ivory must be each of the thirty"),
        (("game", "deal", "opener"), "brown", "placement 1 cannot have been made"),
        (("game", "controls", "ivory", "clock"), "600", "a clock is"),
        (("timing", "spent"), [1], "54 placements, but 1 times"),
    ],
)
def test_a_record_that_does_not_add_up_is_found_out(
    path: tuple[str | int, ...], value: Any, fault: str
) -> None:
    index = next(
        i
        for i, game in enumerate(GOLDEN)
        if game["reason"] == "remaining-tiles" and game["winner"] == "ivory"
    )
    record = game_record(golden_match(GOLDEN[index]), started=STARTED)
    verify(record)
    with pytest.raises(ValueError, match=fault):
        verify(spoil(record, path, value))


def test_a_record_of_a_tile_that_was_still_in_the_reserve_is_found_out() -> None:
    _, record = whole(0)
    mover = record["game"]["placements"][0][0]
    last_drawn = record["game"]["deal"][mover][-1]
    with pytest.raises(ValueError, match=f"placement 1 cannot have been made: .*{last_drawn}"):
        verify(spoil(record, ("game", "placements", 0, 1), last_drawn))


def test_a_record_with_placements_after_its_end_is_found_out() -> None:
    _, record = whole(next(i for i, game in enumerate(GOLDEN) if game["reason"] == "three-in-a-row"))
    longer = spoil(record, ("game", "placements"), [*record["game"]["placements"], ["ivory", "S1", "IC"]])
    longer["timing"]["spent"].append(0)
    with pytest.raises(ValueError, match="the game is over"):
        verify(longer)
    shorter = spoil(record, ("game", "placements"), record["game"]["placements"][:-1])
    shorter["timing"]["spent"].pop()
    with pytest.raises(ValueError, match="do not lead to an end by 'three-in-a-row'"):
        verify(shorter)
