"""How much time an answer may take: time controls, their spelling, and one side's running clock."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

MARGIN_MS: Final = 50
"""Milliseconds given on top of every limit, for the way between the two ends."""

NONE: Final = "none"

_MIN_MS: Final = 100
_MAX_BASE_MS: Final = 1_000_000_000
_MAX_INCREMENT_MS: Final = 3_600_000
_MAX_CAP_MS: Final = 86_400_000

_SECONDS: Final = r"(0|[1-9][0-9]{0,6})(?:\.([0-9]{1,3}))?"
_CLOCK: Final = re.compile(rf"{_SECONDS}\+{_SECONDS}", re.ASCII)
_CAP: Final = re.compile(_SECONDS, re.ASCII)

_CLOCK_HELP: Final = (
    'a clock is "none" or BASE+INCREMENT in seconds with at most three decimals, such as "600+5": '
    "base 0.1 to 1000000 (or 0 with an increment above 0), increment 0 to 3600"
)
_CAP_HELP: Final = 'a cap is "none" or seconds with at most three decimals, such as "60": 0.1 to 86400'


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The limits of one side: a bank with an increment per placement, and a cap on each answer.

    base_ms: the bank in milliseconds, None for no bank; increment_ms: added after each placement;
    cap_ms: the most one answer may take whatever the bank holds, None for no cap.
    Raises ValueError, with what is allowed, for values out of range.
    """

    base_ms: int | None
    increment_ms: int
    cap_ms: int | None

    def __post_init__(self) -> None:
        base, increment, cap = self.base_ms, self.increment_ms, self.cap_ms
        if not 0 <= increment <= _MAX_INCREMENT_MS or (base is None and increment):
            raise ValueError(_CLOCK_HELP)
        if base is not None and not _MIN_MS <= base <= _MAX_BASE_MS and (base or not increment):
            raise ValueError(_CLOCK_HELP)
        if cap is not None and not _MIN_MS <= cap <= _MAX_CAP_MS:
            raise ValueError(_CAP_HELP)

    @classmethod
    def parse(cls, clock: str, cap: str) -> TimeControl:
        """The time control of two texts, such as parse("600+5", "none").

        Raises ValueError, with what is allowed, for any other spelling or a value out of range.
        """
        base: int | None = None
        increment = 0
        limit: int | None = None
        if clock != NONE:
            found = _CLOCK.fullmatch(clock)
            if found is None:
                raise ValueError(_CLOCK_HELP)
            base, increment = _milliseconds(found[1], found[2]), _milliseconds(found[3], found[4])
        if cap != NONE:
            found = _CAP.fullmatch(cap)
            if found is None:
                raise ValueError(_CAP_HELP)
            limit = _milliseconds(found[1], found[2])
        return cls(base, increment, limit)

    @property
    def clock_text(self) -> str:
        """The bank as text, such as "600+5" or "none"; `parse` reads it back."""
        if self.base_ms is None:
            return NONE
        return f"{seconds_text(self.base_ms)}+{seconds_text(self.increment_ms)}"

    @property
    def cap_text(self) -> str:
        """The cap as text, such as "60" or "none"; `parse` reads it back."""
        return NONE if self.cap_ms is None else seconds_text(self.cap_ms)


BOTS: Final = TimeControl(None, 0, 60_000)
"""The default between bots: no bank, at most a minute for each answer."""

PEOPLE: Final = TimeControl(600_000, 5_000, None)
"""The default where a person plays: ten minutes and five seconds more per placement."""


def seconds_text(milliseconds: int) -> str:
    """Milliseconds written as seconds with as few decimals as are needed."""
    whole, rest = divmod(milliseconds, 1000)
    return f"{whole}.{rest:03d}".rstrip("0") if rest else str(whole)


def _milliseconds(whole: str, decimals: str | None) -> int:
    return int(whole) * 1000 + int((decimals or "").ljust(3, "0"))


class Clock:
    """One side's clock in one game; it knows no time of day and is told what was spent.

    A bank of 0 starts with one increment, because the first answer would have no time at all otherwise.
    """

    __slots__ = ("control", "time_ms")

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self.time_ms: int | None = control.increment_ms if control.base_ms == 0 else control.base_ms
        """What the bank holds in milliseconds, never below 0; None without a bank."""

    def left_ms(self) -> int | None:
        """Milliseconds the next answer may take: the smaller of bank and cap; None for no limit."""
        time, cap = self.time_ms, self.control.cap_ms
        if time is None or cap is None:
            return cap if time is None else time
        return min(time, cap)

    def charge(self, spent_ms: int) -> bool:
        """Takes the time of one answer from the bank, then adds the increment.

        Returns whether the answer was in time: at most MARGIN_MS above what was left.
        """
        left = self.left_ms()
        self.stop(spent_ms)
        if self.time_ms is not None:
            self.time_ms += self.control.increment_ms
        return left is None or spent_ms <= left + MARGIN_MS

    def stop(self, spent_ms: int) -> None:
        """Takes time from the bank without an increment: the game ended while this side thought."""
        if self.time_ms is not None:
            self.time_ms = max(0, self.time_ms - spent_ms)
