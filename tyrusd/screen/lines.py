"""Breaks what is told into lines that fit a terminal of eighty columns."""

import textwrap
from collections.abc import Iterable
from typing import Final

WIDTH: Final = 79  # the last column stays free: some terminals wrap as soon as it is written
_CONTINUED: Final = "    "


def fitted(lines: Iterable[str]) -> list[str]:
    """Return the lines, those that are too long broken between words and continued with a deeper indent."""
    short: list[str] = []
    for line in lines:
        if len(line) <= WIDTH:
            short.append(line)
            continue
        indent = line[: len(line) - len(line.lstrip(" "))] + _CONTINUED
        short.extend(textwrap.wrap(line, WIDTH, subsequent_indent=indent, break_on_hyphens=False))
    return short
