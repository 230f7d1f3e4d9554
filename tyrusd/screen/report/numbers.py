"""Writes numbers as people read them; what is not known is a dash."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any, Final

NONE: Final = "–"
_MINUS: Final = "−"
_HALF: Final = "½"


def known(value: object) -> bool:
    """Tell whether a value is a number that can be drawn."""
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def plain(value: float | None, digits: int = 0) -> str:
    """Return a number with a minus sign that is as wide as a plus."""
    if value is None or not known(value):
        return NONE
    shown = f"{value:,.{digits}f}".replace(",", "\u202f")
    return shown.replace("-", _MINUS) if shown.strip("-0.") else shown.strip("-")


def signed(value: float | None, digits: int = 0) -> str:
    """Return a number with its sign, such as +12."""
    shown = plain(value, digits)
    return shown if shown.startswith((_MINUS, NONE)) or not shown.strip("0.") else f"+{shown}"


def between(low: float | None, high: float | None, digits: int = 0) -> str:
    """Return an interval of signed numbers."""
    return f"{signed(low, digits)} to {signed(high, digits)}"


def interval(figure: Mapping[str, Any] | None, digits: int = 0, key: str = "elo") -> str:
    """Return a figure with `low` and `high` as one text; a dash where there is none."""
    if not figure or not known(figure.get(key)):
        return NONE
    return f"{signed(figure[key], digits)} ({between(figure.get('low'), figure.get('high'), digits)})"


def percent(share: float | None, digits: int = 1) -> str:
    """Return a share as percent."""
    return NONE if share is None or not known(share) else f"{100 * share:.{digits}f}\u202f%"


def chance(share: float | None, digits: int = 1) -> str:
    """Return a probability as percent; one that is not certain is not written as 100 or 0."""
    shown = percent(share, digits)
    if share is None or not 0 < share < 1 or shown not in (percent(0, digits), percent(1, digits)):
        return shown
    edge = 10.0 ** -(digits + 2)
    return f"> {percent(1 - edge, digits)}" if share > 0.5 else f"< {percent(edge, digits)}"


def points(value: float | None) -> str:
    """Return points, of which a draw gives a half."""
    if value is None or not known(value):
        return NONE
    whole, rest = divmod(value, 1)
    if rest not in (0, 0.5):
        return plain(value, 2)
    return f"{int(whole) if whole or not rest else ''}{_HALF if rest else ''}"


def duration(milliseconds: float | None) -> str:
    """Return a time in the unit that suits it."""
    if milliseconds is None or not known(milliseconds):
        return NONE
    if milliseconds < 1000:
        return f"{milliseconds:.{0 if milliseconds >= 10 else 1}f}\u202fms"
    seconds = milliseconds / 1000
    if seconds < 100:
        return f"{seconds:.{1 if seconds < 10 else 0}f}\u202fs"
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}\u202fh {minutes:02}\u202fmin" if hours else f"{minutes}\u202fmin {seconds:02}\u202fs"


def counted(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun."""
    return f"{plain(number)} {one if number == 1 else many or f'{one}s'}"
