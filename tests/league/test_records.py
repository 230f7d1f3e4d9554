"""A match becomes records that are equal for equal games, and nothing in them is out of shape."""

import copy
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.league.matches import GOLDEN, STARTED, golden_match, new_match
from tests.league.record_example import example
from tyrusd.league import schema
from tyrusd.league.clock import PEOPLE
from tyrusd.league.framing import HEADER, frame, read_frames
from tyrusd.league.match import IllegalAnswer
from tyrusd.league.record import game_record, opened_record
from tyrusd.league.schema import LONGEST_DETAIL, Payload
from tyrusd.rules.game import REASONS
from tyrusd.rules.pieces import ALL_TILES, BUILDING_NAMED, KIND_OF_LETTER, SIDE_WORDS, Building, Side
from tyrusd.rules.variants import VARIANTS


def test_the_schema_knows_every_word_of_the_rules_and_no_other() -> None:
    assert get_args(schema.Reason) == REASONS
    assert get_args(schema.SideWord) == SIDE_WORDS
    assert get_args(schema.VariantName) == tuple(VARIANTS)
    assert get_args(schema.BuildingName) == tuple(BUILDING_NAMED)
    assert get_args(schema.CardLetter) == tuple(KIND_OF_LETTER)


@pytest.mark.parametrize("game", GOLDEN[::10], ids=lambda game: f"game {game['game']}")
def test_a_game_survives_its_frame(game: dict[str, Any]) -> None:
    match = golden_match(game)
    for payload in (opened_record(match, started=STARTED), game_record(match, started=STARTED)):
        assert list(read_frames(HEADER + frame(payload))) == [(len(HEADER), payload)]


def test_equal_games_are_equal_bytes_whatever_their_timing() -> None:
    quick, slow = (golden_match(GOLDEN[7], pace_ms=pace) for pace in (3, 30_000))
    records = [game_record(quick, started=STARTED), game_record(slow, started="2032-01-01T00:00:00.5Z")]
    assert records[0]["timing"] != records[1]["timing"]
    for record in records:
        record["timing"] = records[0]["timing"]
    assert frame(records[0]) == frame(records[1])


def test_the_order_of_the_keys_makes_no_difference_to_the_bytes() -> None:
    def turned(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: turned(value[key]) for key in reversed(value)}
        return [turned(item) for item in value] if isinstance(value, list) else value

    record = example()
    assert list(turned(record)) != list(record)
    assert frame(turned(record)) == frame(record)


def test_timing_holds_what_was_spent_and_what_was_left() -> None:
    assert example()["timing"] == {
        "started": STARTED,
        "spent": [1_500] * 8,
        "cpu": [None] * 8,
        "total": 15_250,
        # Four placements each; Ivory was thinking when Brown resigned.
        "left": {"ivory": 600_000 + 4 * 3_500 - 3_250, "brown": 600_000 + 4 * 3_500},
    }


def test_a_game_that_never_began_takes_no_time() -> None:
    match = new_match(controls=(PEOPLE, PEOPLE))
    match.stop(None, "void", "both left", 99.0)
    record = game_record(match, started=STARTED)
    assert record["timing"]["total"] == 0
    assert (record["game"]["winner"], record["game"]["elections"], record["game"]["placements"]) == (
        None,
        [],
        [],
    )
    frame(record)


def test_refused_placements_leave_no_trace_but_the_end_they_caused() -> None:
    match = new_match(lenient=(1, 1))
    request = match.issue(0.0)
    foreign = next(tile for tile in ALL_TILES if tile not in match.game.hand(request.side))
    for _ in range(2):
        with pytest.raises(IllegalAnswer):
            match.place(request.side, 1, foreign, Building.IM, 0.0)
    game = game_record(match, started=STARTED)["game"]
    assert (game["placements"], game["reason"], game["detail"]) == ([], "illegal", "not-in-hand")
    assert game["winner"] == request.side.other.word


def test_a_running_game_has_no_result_to_record() -> None:
    with pytest.raises(ValueError, match="game g1 is still running"):
        game_record(new_match(), started=STARTED)


def test_a_detail_that_is_no_text_or_too_long_does_not_lose_the_result() -> None:
    match = new_match()
    match.forfeit(Side.IVORY, "crashed", "said \udc80 and " + "é" * LONGEST_DETAIL, 0.0)
    record = game_record(match, started=STARTED)
    assert record["game"]["detail"].startswith("said ? and é")
    assert len(record["game"]["detail"]) == LONGEST_DETAIL
    assert list(read_frames(HEADER + frame(record))) == [(len(HEADER), record)]


def test_the_longest_detail_fits_in_any_script() -> None:
    match = new_match()
    match.forfeit(Side.IVORY, "crashed", "\U0001f3db" * LONGEST_DETAIL, 0.0)
    record = game_record(match, started=STARTED)
    assert list(read_frames(HEADER + frame(record))) == [(len(HEADER), record)]


def test_the_total_counts_from_the_first_request_to_the_end() -> None:
    match = new_match()
    match.issue(1_000.0)
    match.resign(Side.IVORY, 1_002.5)
    assert game_record(match, started=STARTED)["timing"]["total"] == 2_500


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("kind",), "opened"),
        (("id",), "a/b"),
        (("id",), ""),
        (("id",), "x" * 65),
        (("game", "number"), -1),
        (("game", "variant"), "chess"),
        (("game", "deal", "cards"), ["C"] * 8),
        (("game", "deal", "ivory"), ["S1"] * 31),
        (("game", "deal", "opener"), None),
        (("game", "seats", "ivory"), "two words"),
        (("game", "seats"), {"ivory": "a"}),
        (("game", "seeds", "brown"), "x" * 65),
        (("game", "controls", "ivory", "cap"), "60 s"),
        (("game", "lenient", "ivory"), "any"),
        (("game", "placements"), [["ivory", "S1", "IC"]] * 55),
        (("game", "placements", 0), ["ivory", "S1"]),
        (("game", "elections", 0, "ivory", "votes"), 166),
        (("game", "elections"), [None]),
        (("game", "winner"), "nobody"),
        (("game", "reason"), "bored"),
        (("game", "detail"), "x" * (LONGEST_DETAIL + 1)),
        (("timing", "started"), "2031-05-06 07:08:09"),
        (("timing", "started"), "2031-05-06T07:08:09Z\n"),
        (("timing", "spent"), [-1]),
        (("timing", "total"), 1.5),
        (("timing", "left", "ivory"), True),
    ],
)
def test_a_record_out_of_shape_is_never_written(path: tuple[str | int, ...], value: Any) -> None:
    record: Payload = copy.deepcopy(example())
    frame(record)
    place: Any = record
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    with pytest.raises(ValueError, match=r"."):
        frame(record)


@settings(derandomize=True, database=None, deadline=None, max_examples=60)
@given(st.integers(0, len(GOLDEN) - 1), st.integers(0, 54), st.integers(0, 10**7), st.text(max_size=40))
def test_any_beginning_of_any_game_survives_its_frame(
    index: int, steps: int, pace_ms: int, detail: str
) -> None:
    match = golden_match(GOLDEN[index], steps, pace_ms, controls=(PEOPLE, PEOPLE))
    if match.game.outcome is None:
        match.stop(None, "aborted", detail, 1e6)
    record = game_record(match, started=STARTED)
    assert [payload for _, payload in read_frames(HEADER + frame(record))] == [record]
