"""Standings as a text table with the columns that are wanted, in the width that there is."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from tyrusd.screen.clean import printable

Row = Mapping[str, Any]


class Column(NamedTuple):
    """A column: its heading, what a row has in it, and whether that is words (left) or a number (right)."""

    head: str
    cell: Callable[[Row], str]
    words: bool = False


def _signed(value: float | None) -> str:
    return "-" if value is None else f"{value:+.0f}"


def _interval(row: Row, figure: str, key: str) -> str:
    """A figure and the wider half of its interval; who has won, or lost, everything has a bound only."""
    found = row[figure]
    if found is None or found.get(key) is None or not row["games"]:
        return "-"
    value, low, high = found[key], found["low"], found["high"]
    if value == high > low:
        return f"> {low:+.0f}"
    if value == low < high:
        return f"< {high:+.0f}"
    return f"{value:+.0f} ±{max(value - low, high - value):.0f}"


def _share(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f} %"


def _side(key: str) -> Callable[[Row], str]:
    return lambda row: "-".join(str(row[key][result]) for result in ("wins", "losses", "draws"))


def _fault(word: str) -> Callable[[Row], str]:
    return lambda row: str(row["forfeits"].get(word, 0))


COLUMNS: Final[dict[str, Column]] = {
    "rank": Column("rank", lambda row: "-" if row["rank"] is None else str(row["rank"])),
    "name": Column("name", lambda row: printable(row["name"]), words=True),
    "elo": Column("Elo", lambda row: _interval(row, "rating", "elo")),
    "nelo": Column("nElo", lambda row: _interval(row, "nelo", "value")),
    "games": Column("games", lambda row: str(row["games"])),
    "points": Column("points", lambda row: f"{row['points']:.1f}"),
    "score": Column("score", lambda row: _share(row["score"])),
    "wins": Column("wins", lambda row: str(row["wins"])),
    "losses": Column("losses", lambda row: str(row["losses"])),
    "draws": Column("draws", lambda row: str(row["draws"])),
    "ivory": Column("ivory", _side("ivory")),
    "brown": Column("brown", _side("brown")),
    "opened": Column("opened", _side("opened")),
    "answered": Column("answered", _side("answered")),
    "crashed": Column("crashed", _fault("crashed")),
    "timeout": Column("timeout", _fault("timeout")),
    "illegal": Column("illegal", _fault("illegal")),
    "protocol": Column("protocol", _fault("protocol")),
    "disconnected": Column("disconn.", _fault("disconnected")),
    "unready": Column("unready", lambda row: str(row["unready"])),
    "faults": Column("faults", lambda row: str(sum(row["forfeits"].values()) + row["unready"])),
    "state": Column("state", lambda row: printable(row["state"]), words=True),
}

FORMATS: Final[dict[str, tuple[str, ...]]] = {
    "default": (
        "rank", "name", "elo", "games", "points", "score", "wins", "losses", "draws", "faults", "state",
    ),
    "minimal": ("rank", "name", "points", "games"),
    "per-side": ("rank", "name", "elo", "games", "score", "ivory", "brown", "opened", "answered"),
    "wide": (
        "rank", "name", "elo", "nelo", "games", "points", "score", "wins", "losses", "draws", "ivory",
        "brown", "crashed", "timeout", "illegal", "protocol", "disconnected", "unready", "state",
    ),
}  # fmt: skip

# What is left out first where there is no room.
_LEFT_OUT: Final = (
    "answered", "opened", "brown", "ivory", "unready", "disconnected", "protocol", "illegal", "timeout",
    "crashed", "nelo", "state", "draws", "losses", "wins", "faults", "score", "games", "points", "elo",
    "rank",
)  # fmt: skip
_SHORTEST_NAME: Final = 8


def columns_of(text: str) -> tuple[str, ...]:
    """The columns of a format's word or of a list with commas; ValueError tells what there is."""
    if text in FORMATS:
        return FORMATS[text]
    names = tuple(text.split(","))
    for name in names:
        if name not in COLUMNS:
            raise ValueError(
                f"{name!r} is no column; there are {', '.join(COLUMNS)}, or {', '.join(FORMATS)}"
            )
    if len(set(names)) != len(names):
        raise ValueError("a column is there twice")
    return names


def standings(rows: Sequence[Row], columns: Sequence[str], width: int) -> list[str]:
    """The lines of the table; columns that do not fit into the width are left out, then names are cut."""
    wanted = list(columns)
    order: tuple[str, ...] = _LEFT_OUT
    if any(row["state"] != "playing" for row in rows):
        # Who was dropped or suspended must be seen before anything else is counted.
        order = (*(name for name in _LEFT_OUT if name not in ("state", "rank")), "state", "rank")
    while True:
        table = _cells(rows, wanted)
        widths = [max(map(text_width, cells)) for cells in zip(*table, strict=True)]
        over = sum(widths) + 2 * (len(widths) - 1) - width
        droppable = [name for name in order if name in wanted]
        if over <= 0 or not droppable or len(wanted) == 1:
            break
        wanted.remove(droppable[0])
    if over > 0 and "name" in wanted:
        place = wanted.index("name")
        widths[place] = max(_SHORTEST_NAME, widths[place] - over)
    return [
        "  ".join(
            _padded(cell, room, words=COLUMNS[name].words)
            for cell, room, name in zip(line, widths, wanted, strict=True)
        ).rstrip()
        for line in table
    ]


def text_width(text: str) -> int:
    """How many columns of a terminal a text fills: some signs two, marks on others none."""
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1
        for sign in text
    )


def _cells(rows: Sequence[Row], columns: Sequence[str]) -> list[list[str]]:
    head = [COLUMNS[name].head for name in columns]
    return [head, *([COLUMNS[name].cell(row) for name in columns] for row in rows)]


def _padded(text: str, room: int, *, words: bool) -> str:
    if text_width(text) > room:
        kept = ""
        for sign in text:
            if text_width(kept + sign) > room - 1:
                break
            kept += sign
        text = kept + "…"
    space = " " * (room - text_width(text))
    return text + space if words else space + text
