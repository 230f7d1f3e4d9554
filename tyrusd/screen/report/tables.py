"""Tables of the page: a caption, heads that say what they head, rows that a script may sort."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tyrusd.screen.report.markup import Child, Markup, join, short, tag


class Column(NamedTuple):
    """A column: its head, whether it holds numbers, and what the head means where that is not plain."""

    head: str
    number: bool = True
    meaning: str | None = None


class Cell(NamedTuple):
    """A cell whose order is another than that of its text."""

    shown: Child
    order: float | str | None = None
    class_: str | None = None


Row = Sequence[Child | Cell]


def words(*heads: str) -> list[Column]:
    """Columns of text."""
    return [Column(head, number=False) for head in heads]


def table(
    caption: str, columns: Sequence[Column], rows: Iterable[Row], *, sortable: bool = True, head: int = 0
) -> Markup:
    """Return a table that can be scrolled sideways by itself; column `head` names each row."""
    heads = (
        tag("th", column.head, scope="col", class_="n" if column.number else None, title=column.meaning)
        for column in columns
    )
    body = (
        tag("tr", *(_cell(cell, columns[place], place == head) for place, cell in enumerate(row)))
        for row in rows
    )
    whole = tag(
        "table",
        tag("caption", caption),
        tag("thead", tag("tr", *heads)),
        tag("tbody", *body),
        class_="sortable" if sortable else None,
    )
    return scrolling(whole, caption)


def scrolling(content: Markup, label: str) -> Markup:
    """Return content that scrolls sideways where it is wider than the page, by keyboard as well."""
    return tag("div", content, class_="wide", tabindex=0, role="group", aria_label=label)


def name(words: str) -> Markup:
    """Return a bot's name: it keeps its own direction of writing, and does not grow without bounds."""
    return tag("bdi", short(words), class_="bot")


def section(identity: str, title: str, *parts: Child) -> Markup:
    """Return a section of the page."""
    head = tag("h2", title, id=f"{identity}-title")
    return tag("section", head, *parts, id=identity, aria_labelledby=f"{identity}-title")


def folded(summary: str, content: Markup) -> Markup:
    """Return content that is folded away at first."""
    return tag("details", tag("summary", summary), content)


def listed(items: Iterable[Child]) -> Markup:
    """Return a list."""
    return tag("ul", *(tag("li", item) for item in items))


def pairs(items: Iterable[tuple[Child, Child]]) -> Markup:
    """Return names with their values."""
    return tag("dl", join(join((tag("dt", key), tag("dd", value))) for key, value in items))


def _cell(cell: Child | Cell, column: Column, is_head: bool) -> Markup:
    shown, order, class_ = cell if isinstance(cell, Cell) else (cell, None, None)
    classes = " ".join(word for word in ("n" if column.number else None, class_) if word) or None
    return tag(
        "th" if is_head else "td", shown, scope="row" if is_head else None, class_=classes, data_order=order
    )
