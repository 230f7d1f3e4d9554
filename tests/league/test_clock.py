"""Time controls are spelled one way, and a clock is exact at each of its edges."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tyrusd.league.clock import BOTS, MARGIN_MS, PEOPLE, Clock, TimeControl, seconds_text

ALLOWED = [
    ("600+5", "none", TimeControl(600_000, 5_000, None)),
    ("none", "60", TimeControl(None, 0, 60_000)),
    ("none", "none", TimeControl(None, 0, None)),
    ("0.5+0.01", "0.1", TimeControl(500, 10, 100)),
    ("0+1", "86400", TimeControl(0, 1_000, 86_400_000)),
    ("0+0.001", "none", TimeControl(0, 1, None)),
    ("1+0", "none", TimeControl(1_000, 0, None)),
    ("0.1+3600", "none", TimeControl(100, 3_600_000, None)),
    ("1000000+0", "none", TimeControl(1_000_000_000, 0, None)),
    ("1.125+0", "2.5", TimeControl(1_125, 0, 2_500)),
]
REFUSED_CLOCKS = [
    *("", "600", "600+", "+5", "600+5 ", " 600+5", "600 + 5", "0600+5", "600+05", "6_00+5", "-1+5", "600+-1"),
    *("1.0000+0", "1.+0", ".5+0", "1e3+0", "600+5+5", "None", "NONE", "none+5", "٦+5", "600+5\n", "inf+0"),
    *("0+0", "0.099+0", "1000000.001+0", "1000001+0", "10000000+0", "1+3600.001", "1+3601"),
]
REFUSED_CAPS = [
    *("", "0", "0.099", "86400.001", "86401", "60s", "060", "6_0", "-60", "+60", "60.", "60.0000", "６０"),
    *("60\n", "None", "1e2", "10000000"),
]
controls = st.builds(
    TimeControl,
    st.integers(100, 1_000_000_000),
    st.integers(0, 3_600_000),
    st.none() | st.integers(100, 86_400_000),
)


@pytest.mark.parametrize(("clock", "cap", "control"), ALLOWED)
def test_each_allowed_spelling_is_read_and_printed_back(clock: str, cap: str, control: TimeControl) -> None:
    assert TimeControl.parse(clock, cap) == control
    assert (control.clock_text, control.cap_text) == (clock, cap)


@pytest.mark.parametrize("clock", REFUSED_CLOCKS)
def test_any_other_clock_is_refused_with_what_is_allowed(clock: str) -> None:
    with pytest.raises(ValueError, match=r"a clock is .*base 0\.1 to 1000000 .*increment 0 to 3600"):
        TimeControl.parse(clock, "none")


@pytest.mark.parametrize("cap", REFUSED_CAPS)
def test_any_other_cap_is_refused_with_what_is_allowed(cap: str) -> None:
    with pytest.raises(ValueError, match=r"a cap is .*0\.1 to 86400"):
        TimeControl.parse("none", cap)


@pytest.mark.parametrize(
    ("base", "increment", "cap"),
    [(None, 1, None), (-1, 1, None), (99, 0, None), (0, 0, None), (1000, -1, None), (1000, 0, 99)],
)
def test_no_control_out_of_range_can_be_made(base: int | None, increment: int, cap: int | None) -> None:
    with pytest.raises(ValueError, match=r"a clock is|a cap is"):
        TimeControl(base, increment, cap)


def test_decimals_that_are_not_needed_are_not_printed() -> None:
    control = TimeControl.parse("0.500+0.010", "60.0")
    assert (control.clock_text, control.cap_text) == ("0.5+0.01", "60")
    assert seconds_text(1_050) == "1.05"


@settings(derandomize=True, database=None, deadline=None)
@given(controls)
def test_every_control_survives_its_own_text(control: TimeControl) -> None:
    assert TimeControl.parse(control.clock_text, control.cap_text) == control


def test_the_defaults() -> None:
    assert TimeControl.parse("none", "60") == BOTS
    assert TimeControl.parse("600+5", "none") == PEOPLE


@pytest.mark.parametrize(
    ("clock", "cap", "left"),
    [
        ("1+0", "none", 1_000),
        ("0+1", "none", 1_000),  # a bank of 0 starts with one increment
        ("1000000+0", "none", 1_000_000_000),
        ("1+5", "none", 1_000),  # the increment comes after the placement, not before
        ("none", "60", 60_000),
        ("10+0", "2", 2_000),
        ("2+0", "10", 2_000),
        ("none", "none", None),
    ],
)
def test_the_first_answer_has_its_whole_budget(clock: str, cap: str, left: int | None) -> None:
    assert Clock(TimeControl.parse(clock, cap)).left_ms() == left


@pytest.mark.parametrize(
    ("spent", "in_time", "time"),
    [
        (0, True, 1_200),
        (400, True, 800),
        (999, True, 201),
        (1_000, True, 200),
        (1_001, True, 200),
        (1_000 + MARGIN_MS - 1, True, 200),
        (1_000 + MARGIN_MS, True, 200),
        (1_000 + MARGIN_MS + 1, False, 200),
        (10**12, False, 200),
    ],
)
def test_the_margin_is_exact_and_the_bank_shows_zero_before_the_increment(
    spent: int, in_time: bool, time: int
) -> None:
    clock = Clock(TimeControl.parse("1+0.2", "none"))
    assert clock.charge(spent) is in_time
    assert clock.time_ms == time


@pytest.mark.parametrize(("spent", "in_time"), [(2_000, True), (2_050, True), (2_051, False)])
def test_a_cap_binds_although_the_bank_holds_more(spent: int, in_time: bool) -> None:
    clock = Clock(TimeControl.parse("10+1", "2"))
    assert clock.charge(spent) is in_time
    assert clock.time_ms == 11_000 - spent


@pytest.mark.parametrize(("spent", "in_time"), [(60_050, True), (60_051, False)])
def test_without_a_bank_nothing_is_taken(spent: int, in_time: bool) -> None:
    clock = Clock(BOTS)
    assert clock.charge(spent) is in_time
    assert clock.time_ms is None


def test_without_a_limit_everything_is_in_time() -> None:
    assert Clock(TimeControl(None, 0, None)).charge(10**15)


def test_stopping_adds_no_increment() -> None:
    clock = Clock(PEOPLE)
    clock.stop(600_001)
    assert clock.time_ms == 0


@settings(derandomize=True, database=None, deadline=None)
@given(controls, st.lists(st.integers(0, 2_000_000_000), max_size=60))
def test_a_bank_is_never_below_zero_and_every_millisecond_is_accounted(
    control: TimeControl, times: list[int]
) -> None:
    clock = Clock(control)
    for spent in times:
        before, left = clock.time_ms, clock.left_ms()
        assert before is not None and left is not None
        in_time = clock.charge(spent)
        assert in_time == (spent <= left + MARGIN_MS)
        assert clock.time_ms == max(0, before - spent) + control.increment_ms
