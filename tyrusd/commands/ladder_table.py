"""The statistics of a run that is open, and the table that is printed of them."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, TextIO

from tyrusd.commands.running import usage
from tyrusd.screen.placing import placed, placing_lines
from tyrusd.screen.standings import columns_of, standings

if TYPE_CHECKING:
    from tyrusd.host.ladder.run import LadderRun

WIDE: Final = 1000  # columns where nobody says how many there are


def check_format(text: str) -> None:
    """Refuse a --resultformat that cannot be printed."""
    try:
        columns_of(text)
    except ValueError as error:
        usage(f"--resultformat: {error}")


def statistics_of(run: LadderRun, *, progress: bool = False) -> dict[str, Any]:
    """What the games that count tell, as `tyrusd stats --json` has it; progress: also how it came about."""
    from tyrusd.league.statistics.runs import stats_of

    unready = Counter(
        attempt.unready[0]
        for pair in run.tournament.pairs
        for attempt in pair.attempts
        if attempt.unready is not None
    )
    return stats_of(run.tournament, unready, progress=progress)


def page_of(statistics: Mapping[str, Any], text: str, stream: TextIO) -> list[str]:
    """The standings as they fit the stream, and all else that the games tell."""
    from tyrusd.screen.stats_table import details, two_lines

    return [
        *table_of(statistics, text, stream),
        *placing_lines(statistics["tournament"]),
        *two_lines(statistics["two"]),
        *details(statistics),
    ]


def table_of(statistics: Mapping[str, Any], text: str, stream: TextIO) -> list[str]:
    """The standings as they fit the stream."""
    return standings(placed(statistics), columns_of(text), width_of(stream))


def width_of(stream: TextIO) -> int:
    """The columns of a terminal; a pipe takes lines of any length."""
    if not stream.isatty():
        return WIDE
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except (OSError, ValueError):
        return shutil.get_terminal_size().columns
