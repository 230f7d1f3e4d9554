"""Ratings of a standing ladder as lines of text: the table, and whom one version has met."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

from tyrusd.screen.names import columns, shown_name

Row: TypeAlias = Mapping[str, Any]

_COUNTS: Final = ("games", "won", "drawn", "lost")
_APART: Final = ("forfeits", "forfeited", "flagged")  # columns that are left out where nobody has any
_HEADS: Final = {"forfeits": "lost by forfeit", "forfeited": "won by forfeit"}


def rating_lines(rows: Sequence[Row]) -> list[str]:
    """The table of objects of docs/standing.md#reading-them; names are cleaned, and shortened where long."""
    apart = [key for key in _APART if any(row[key] for row in rows)]
    marked = any(row["provisional"] or row["anchor"] for row in rows)
    head = ["rank", "version", "Elo", "95 % interval", *_COUNTS, *(_HEADS.get(key, key) for key in apart)]
    lines = [[*head, "mark"] if marked else head]
    for row in rows:
        cells = [
            "-" if row["rank"] is None else str(row["rank"]),
            version_text(row),
            "-" if row["elo"] is None else f"{row['elo']:.0f}",
            "-" if row["elo"] is None or row["anchor"] else f"[{row['low']:.0f}, {row['high']:.0f}]",
            *(str(row[key]) for key in (*_COUNTS, *apart)),
        ]
        lines.append([*cells, _mark(row)] if marked else cells)
    return _aligned(lines, {1, len(head)})


def versus_lines(rows: Sequence[Row]) -> list[str]:
    """Whom a version has met, with what came of that."""
    apart = [key for key in _APART if any(row[key] for row in rows)]
    lines = [["against", *_COUNTS, "score", *(_HEADS.get(key, key) for key in apart)]]
    for row in rows:
        score = f"{100 * (row['won'] + row['drawn'] / 2) / row['games']:.1f} %" if row["games"] else "-"
        counts = [str(row[key]) for key in _COUNTS]
        lines.append([version_text(row), *counts, score, *(str(row[key]) for key in apart)])
    return _aligned(lines, {0})


def merge_lines(merges: Sequence[Row]) -> list[str]:
    """Which versions count for another, below an empty line; nothing where none does."""
    lines = []
    for merge in merges:
        by = f"settled by {shown_name(merge['by'])}, {merge['at']}"
        lines.append(f"{version_text(merge)} counts for {version_text(merge['new'])} ({by})")
    return ["", *lines] if lines else []


def version_text(row: Row) -> str:
    """A version as a terminal may see it."""
    name = shown_name(row["name"])
    return name if row["agent"] is None else f"{name}/{shown_name(row['agent'])}"


def _mark(row: Row) -> str:
    return "anchor" if row["anchor"] else "provisional" if row["provisional"] else ""


def _aligned(lines: Sequence[Sequence[str]], texts: set[int]) -> list[str]:
    widths = [max(map(columns, cells)) for cells in zip(*lines, strict=True)]
    found = []
    for line in lines:
        cells = []
        for index, (cell, width) in enumerate(zip(line, widths, strict=True)):
            space = " " * (width - columns(cell))
            cells.append(cell + space if index in texts else space + cell)
        found.append("  ".join(cells).rstrip())
    return found
