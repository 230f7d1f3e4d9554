"""Statistics as a table of comma-separated values, one line for each entrant (RFC 4180)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tyrusd.screen.clean import printable

_FIGURES: Final = ("games", "pairs", "wins", "losses", "draws", "points", "score")
_FAULTS: Final = ("crashed", "timeout", "illegal", "protocol", "disconnected", "walkover")

COLUMNS: Final = (
    "rank", "name", "elo", "elo_low", "elo_high", "elo_without_forfeits",
    *_FIGURES, *_FAULTS, "unready", "state",
)  # fmt: skip

# A spreadsheet takes a cell that begins so for a formula, and runs it.
_FORMULA: Final = ("=", "+", "-", "@")


def csv_lines(stats: Mapping[str, Any]) -> list[str]:
    """The head and one line for each entrant, the best first, without line ends."""
    return [",".join(COLUMNS), *(",".join(map(_cell, _row(entrant))) for entrant in stats["entrants"])]


def _row(entrant: Mapping[str, Any]) -> list[object]:
    rating, clean = entrant["rating"], entrant["rating_without_forfeits"]
    return [
        entrant["rank"],
        entrant["name"],
        *(rating[key] for key in ("elo", "low", "high")),
        None if clean is None else clean["elo"],
        *(entrant[key] for key in _FIGURES),
        *(entrant["forfeits"][word] for word in _FAULTS),
        entrant["unready"],
        entrant["state"],
    ]


def _cell(value: object) -> str:
    """Numbers as they are; texts cleaned, quoted, and never a formula: those get a ' in front."""
    if not isinstance(value, str):
        return "" if value is None else str(value)
    text = printable(value)
    if text.lstrip().startswith(_FORMULA):
        text = f"'{text}"
    return '"' + text.replace('"', '""') + '"'
