"""Names as a terminal may see them: clean, and no longer than leaves room for what stands beside them."""

from __future__ import annotations

from typing import Final
from unicodedata import combining, east_asian_width

from tyrusd.screen.clean import printable

LONGEST_NAME: Final = 32  # columns


def shown_name(name: str) -> str:
    """A name as a terminal may see it, shortened."""
    clean = printable(name)
    if columns(clean) <= LONGEST_NAME:
        return clean
    kept, used = "", 0
    for sign in clean:
        used += _column(sign)
        if used > LONGEST_NAME - 3:
            break
        kept += sign
    return f"{kept}..."


def columns(text: str) -> int:
    """How many columns of a terminal a text fills: some signs two, marks on others none."""
    return sum(map(_column, text))


def _column(sign: str) -> int:
    if combining(sign):
        return 0
    return 2 if east_asian_width(sign) in ("W", "F") else 1
