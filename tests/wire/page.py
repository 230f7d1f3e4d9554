"""Reads protocol.md: its sections, tables and fenced blocks."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "protocol.md").read_text(encoding="utf-8")


def anchor(heading: str) -> str:
    """The fragment that a heading gets."""
    return re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-")


def _outside_blocks(text: str) -> str:
    return re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)


@cache
def sections() -> dict[str, str]:
    """The text under each heading of the second level, by anchor."""
    parts = re.split(r"^## (.+)$", PAGE, flags=re.MULTILINE)
    return {anchor(heading): text for heading, text in zip(parts[1::2], parts[2::2], strict=True)}


def anchors() -> set[str]:
    return {
        anchor(heading) for heading in re.findall(r"^#+ (.+)$", _outside_blocks(PAGE), flags=re.MULTILINE)
    }


def table(section: str, number: int = 0) -> list[list[str]]:
    """The rows of a section's table (the first one unless told otherwise), without its head."""
    tables: list[list[list[str]]] = []
    inside = False
    for line in sections()[section].splitlines():
        if not line.startswith("|"):
            inside = False
            continue
        if not inside:
            tables.append([])
        inside = True
        tables[-1].append([cell.strip() for cell in line.strip("|").split("|")])
    head, rule, *rows = tables[number]
    assert set("".join(rule)) == {"-"} and all(len(row) == len(head) for row in rows)
    return rows


def blocks(kind: str) -> list[tuple[str, str]]:
    """The fenced blocks of a kind: what follows the kind in its info string, and its text."""
    return re.findall(rf"^```{kind}(?: ([^\n]*))?\n(.*?)^```$", PAGE, flags=re.DOTALL | re.MULTILINE)


def word(cell: str) -> str:
    """The word in a cell that is only a word in code quotes."""
    assert re.fullmatch(r"`[^`]+`", cell), cell
    return cell[1:-1]
