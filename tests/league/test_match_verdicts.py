"""Each answer to a match gets exactly one verdict, and each end happens once."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.league.matches import GOLDEN, answer, golden_match, new_match
from tyrusd.league.match import FORFEITS, IllegalAnswer, Match, NotYourTurn, OpenRequest, StaleAnswer
from tyrusd.rules.events import ElectionOpened, Over, Placed
from tyrusd.rules.game import REASONS, Outcome
from tyrusd.rules.pieces import ALL_TILES, Building, Side, Tile


def movers(match: Match) -> tuple[Side, Side]:
    mover = match.game.to_move
    assert mover is not None
    return mover, mover.other


def foreign_tile(match: Match, side: Side) -> Tile:
    return next(tile for tile in ALL_TILES if tile not in match.game.hand(side))


def end_of(match: Match) -> Outcome:
    assert match.game.outcome is not None
    return match.game.outcome


def test_requests_are_numbered_by_the_placements_and_go_to_the_side_to_move() -> None:
    match = new_match()
    first, second = movers(match)
    assert match.open_request is None
    for number, side in enumerate((first, second, first, second, first, second, second), start=1):
        assert match.issue(float(number)) == OpenRequest(number, side, float(number)) == match.open_request
        happened = answer(match, number + 0.5)
        assert isinstance(happened[0], Placed) and happened[0].side == side
        assert match.open_request is None
    assert match.spent == [500] * 7
    assert isinstance(match.game.events[0], ElectionOpened)


def test_only_one_request_is_open_at_a_time() -> None:
    match = new_match()
    match.issue(0.0)
    with pytest.raises(ValueError, match="request 1 is still open"):
        match.issue(0.0)
    answer(match, 0.0)
    match.issue(0.0)
    match.resign(Side.IVORY, 0.0)
    with pytest.raises(ValueError, match="the game is over"):
        match.issue(0.0)


@pytest.mark.parametrize(
    ("asker", "number", "verdict"),
    [
        (0, 1, StaleAnswer),  # one's own earlier request
        (1, 2, StaleAnswer),  # repeated after the answer was taken
        (1, 1, StaleAnswer),  # the other side's, long gone
        (1, 3, NotYourTurn),  # the one that is open, but not for this side
        (0, 4, NotYourTurn),  # one that was never issued
        (1, 4, NotYourTurn),
        (0, 99, NotYourTurn),
        (0, 0, StaleAnswer),
    ],
)
def test_an_answer_to_another_request_changes_nothing(
    asker: int, number: int, verdict: type[Exception]
) -> None:
    match = new_match()
    sides = movers(match)
    for _ in range(2):
        match.issue(0.0)
        answer(match, 0.0)
    opened = match.issue(0.0)
    side = sides[asker]
    with pytest.raises(verdict, match=r"[.]$"):
        match.place(side, number, match.game.hand(side)[0], Building.IC, 1.0)
    assert match.open_request == opened
    assert (match.refused, match.spent) == ([0, 0], [0, 0])


def test_between_two_requests_the_last_is_stale_and_the_next_is_not_yet_ones_own() -> None:
    match = new_match()
    mover, other = movers(match)
    tile = match.game.hand(mover)[0]
    with pytest.raises(NotYourTurn):
        match.place(mover, 1, tile, Building.IC, 0.0)
    match.issue(0.0)
    match.place(mover, 1, tile, Building.IC, 0.0)
    with pytest.raises(StaleAnswer):
        match.place(mover, 1, match.game.hand(mover)[0], Building.IC, 0.0)
    with pytest.raises(NotYourTurn):
        match.place(other, 2, match.game.hand(other)[0], Building.IC, 0.0)
    assert match.game.placed_count == 1


@pytest.mark.parametrize("number", [1, 2, 99])
def test_after_the_end_every_answer_is_stale(number: int) -> None:
    match = new_match()
    mover, _ = movers(match)
    match.issue(0.0)
    match.stop(None, "aborted", "shutdown", 1.0)
    with pytest.raises(StaleAnswer, match="over"):
        match.place(mover, number, match.game.hand(mover)[0], Building.IC, 1.0)


@pytest.mark.parametrize("forgiven", [0, 1, 2])
def test_lenience_is_how_many_refused_placements_are_forgiven(forgiven: int) -> None:
    match = new_match(lenient=(forgiven, forgiven))
    mover, other = movers(match)
    opened = match.issue(10.0)
    tile = foreign_tile(match, mover)
    for count in range(1, forgiven + 1):
        with pytest.raises(IllegalAnswer, match="do not hold") as refusal:
            match.place(mover, 1, tile, Building.IC, 11.0)
        assert (refusal.value.why, refusal.value.final, refusal.value.events) == ("not-in-hand", False, ())
        assert match.open_request == opened
        assert match.refused[mover] == count
    with pytest.raises(IllegalAnswer) as refusal:
        match.place(mover, 1, tile, Building.IC, 12.0)
    assert refusal.value.final
    assert refusal.value.events == (Over(other, "illegal", "not-in-hand"),)
    assert end_of(match) == (other, "illegal", "not-in-hand")
    assert (match.open_request, match.ended, match.spent) == (None, 12.0, [])


def test_without_a_limit_to_lenience_refusals_are_only_counted_and_the_clock_runs_on() -> None:
    match = new_match(lenient=(None, None))
    mover, _ = movers(match)
    match.issue(0.0)
    for _ in range(100):
        with pytest.raises(IllegalAnswer) as refusal:
            match.place(mover, 1, foreign_tile(match, mover), Building.IC, 20.0)
        assert not refusal.value.final
    answer(match, 30.0)
    assert match.refused[mover] == 100
    assert match.spent == [30_000]


def test_lenience_is_per_side_and_per_game() -> None:
    match = new_match(lenient=(1, 0))
    while match.issue(0.0).side != Side.IVORY:
        answer(match, 0.0)
    opened = match.open_request
    assert opened is not None
    with pytest.raises(IllegalAnswer) as first:
        match.place(Side.IVORY, opened.number, foreign_tile(match, Side.IVORY), Building.IC, 0.0)
    assert not first.value.final
    answer(match, 0.0)
    opened = match.issue(0.0)
    with pytest.raises(IllegalAnswer) as second:
        match.place(Side.BROWN, opened.number, foreign_tile(match, Side.BROWN), Building.IC, 0.0)
    assert second.value.final


@pytest.mark.parametrize("game", GOLDEN[:20], ids=lambda game: f"game {game['game']}")
def test_a_golden_game_is_played_to_its_end_and_counted(game: dict[str, Any]) -> None:
    match = golden_match(game)
    assert end_of(match).reason == game["reason"]
    assert [tallied.kind.letter for tallied in match.tallies] == [e["kind"] for e in game["elections"]]
    assert match.ended == len(game["placements"]) * 1.0
    assert match.began == 0.0


@pytest.mark.parametrize("reason", sorted(FORFEITS))
def test_a_forfeit_is_won_by_the_other_side(reason: str) -> None:
    match = new_match()
    match.issue(0.0)
    assert match.forfeit(Side.IVORY, reason, "why", 3.0) == (Over(Side.BROWN, reason, "why"),)
    assert end_of(match) == (Side.BROWN, reason, "why")
    assert match.ended == 3.0
    assert match.deadline() is None


@pytest.mark.parametrize("reason", sorted(set(REASONS) - FORFEITS))
def test_nobody_forfeits_for_any_other_reason(reason: str) -> None:
    match = new_match()
    with pytest.raises(ValueError, match="a side cannot lose by"):
        match.forfeit(Side.IVORY, reason, "", 0.0)
    assert match.game.outcome is None


def test_either_side_can_resign_at_any_time() -> None:
    for side in Side:
        match = new_match()
        match.issue(0.0)
        assert match.resign(side, 1.0) == (Over(side.other, "resigned", side.word),)
        assert match.open_request is None


def test_a_match_ends_once() -> None:
    match = new_match()
    match.stop(Side.BROWN, "adjudicated", "", 1.0)
    ends: list[Callable[[], object]] = [
        lambda: match.resign(Side.IVORY, 2.0),
        lambda: match.forfeit(Side.IVORY, "timeout", "", 2.0),
        lambda: match.stop(None, "aborted", "", 2.0),
    ]
    for end in ends:
        with pytest.raises(ValueError, match="over already"):
            end()
    assert end_of(match) == (Side.BROWN, "adjudicated", "")
    assert match.ended == 1.0


def test_nothing_in_a_match_shows_a_tile_by_accident() -> None:
    match = golden_match(GOLDEN[0], 20)
    match.issue(99.0)
    shown = repr(match)
    assert shown == "<Match g1: anna against bert, 20 placed, faces hidden>"
    match.resign(Side.IVORY, 99.0)
    assert repr(match) == "<Match g1: anna against bert, over, faces hidden>"
    for name in Match.__slots__:
        assert not re.search(r"\b[SMP](10|[1-9])\b", repr(getattr(match, name))), name
