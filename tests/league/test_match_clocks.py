"""The clocks of a match: exact to the millisecond at the deadline, fair when the server was slow."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.league.matches import answer, new_match
from tyrusd.league.clock import MARGIN_MS, TimeControl
from tyrusd.league.match import Match
from tyrusd.rules.pieces import Side


def with_limits(clock: str, cap: str = "none") -> Match:
    control = TimeControl.parse(clock, cap)
    return new_match(controls=(control, control))


def mover_of(match: Match) -> Side:
    assert match.game.to_move is not None
    return match.game.to_move


@pytest.mark.parametrize(
    ("clock", "cap", "deadline"),
    [
        ("1+0", "none", 101.05),
        ("0+1", "none", 101.05),
        ("1000000+0", "none", 1_000_100.05),
        ("none", "60", 160.05),
        ("10+5", "2.5", 102.55),
        ("none", "none", None),
    ],
)
def test_the_deadline_is_the_budget_and_the_margin(clock: str, cap: str, deadline: float | None) -> None:
    match = with_limits(clock, cap)
    assert match.deadline() is None
    match.issue(100.0)
    assert match.deadline() == deadline


@pytest.mark.parametrize("after_ms", [0, 1, 999, 1_000, 1_001, 1_049, 1_050])
def test_the_clock_counts_down_to_zero_and_not_below(after_ms: int) -> None:
    match = with_limits("1+0.5")
    mover = mover_of(match)
    match.issue(100.0)
    now = 100.0 + after_ms / 1000
    assert match.left_ms(now) == match.time_ms(mover, now) == max(0, 1_000 - after_ms)
    assert match.time_ms(mover.other, now) == 1_000
    answer(match, now)
    assert match.spent == [after_ms]
    assert match.time_ms(mover, now + 99) == max(0, 1_000 - after_ms) + 500


def test_an_answer_counts_while_its_request_is_open_however_late() -> None:
    match = with_limits("1+0.5")
    mover = mover_of(match)
    match.issue(0.0)
    answer(match, 1_000.0)
    assert match.time_ms(mover, 1_000.0) == 500
    assert match.game.placed_count == 1


def test_after_a_timeout_the_clock_shows_zero() -> None:
    match = with_limits("1+0.5")
    mover = mover_of(match)
    match.issue(0.0)
    match.forfeit(mover, "timeout", "", 1.06)
    assert match.time_ms(mover, 2.0) == 0
    assert match.time_ms(mover.other, 2.0) == 1_000


def test_odds_give_each_side_its_own_limits() -> None:
    match = new_match(controls=(TimeControl.parse("1+0", "none"), TimeControl.parse("60+0", "none")))
    for _ in range(4):
        side = match.issue(0.0).side
        assert match.left_ms(0.0) == (60_000, 1_000)[side == Side.IVORY]
        answer(match, 0.0)


def test_a_cap_alone_leaves_no_bank_to_show() -> None:
    match = with_limits("none", "2")
    match.issue(0.0)
    assert match.left_ms(0.5) == 1_500
    assert match.left_ms(3.0) == 0
    assert [match.time_ms(side, 0.5) for side in Side] == [None, None]


def test_without_a_limit_nothing_is_due() -> None:
    match = with_limits("none")
    match.issue(0.0)
    assert match.left_ms(10.0**9) is None


def test_what_is_left_needs_an_open_request() -> None:
    match = with_limits("1+0")
    with pytest.raises(ValueError, match="no request is open"):
        match.left_ms(0.0)


def test_time_the_server_lost_is_given_back() -> None:
    match = with_limits("10+0")
    mover = mover_of(match)
    match.issue(100.0)
    match.credit(6.0)
    assert match.deadline() == 116.05
    assert match.left_ms(107.0) == 9_000
    answer(match, 107.0)
    assert match.spent == [1_000]
    assert match.time_ms(mover, 107.0) == 9_000


def test_a_credit_gives_no_more_than_was_used() -> None:
    match = with_limits("10+0")
    match.issue(100.0)
    match.credit(6.0)
    assert match.left_ms(101.0) == 10_000
    answer(match, 101.0)
    assert match.spent == [0]


def test_a_credit_needs_an_open_request_to_change_anything_and_is_never_negative() -> None:
    match = with_limits("10+0")
    match.credit(5.0)
    match.issue(100.0)
    match.credit(0.0)
    assert match.deadline() == 110.05
    match.credit(0.5)
    assert match.deadline() == 110.55
    with pytest.raises(ValueError, match="0 seconds or more"):
        match.credit(-1.0)


@settings(derandomize=True, database=None, deadline=None)
@given(st.floats(0, 1e7), st.integers(100, 86_400_000))
def test_an_answer_at_the_deadline_is_charged_no_more_than_budget_and_margin(
    issued: float, budget_ms: int
) -> None:
    match = new_match(controls=(TimeControl(None, 0, budget_ms),) * 2)
    match.issue(issued)
    deadline = match.deadline()
    assert deadline is not None
    answer(match, deadline)
    assert match.spent == [budget_ms + MARGIN_MS]
