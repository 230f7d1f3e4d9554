"""Draws the bracket of a knock-out, and tells its meetings in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tyrusd.screen.report import charts
from tyrusd.screen.report.charts import course, label, rectangle
from tyrusd.screen.report.facts import Data
from tyrusd.screen.report.markup import Child, Markup, join, short
from tyrusd.screen.report.numbers import counted, points
from tyrusd.screen.report.tables import Cell, folded, name, table, words

_WIDTH: Final = 170.0  # of a box
_GAP: Final = 34.0
_LINE: Final = 19.0
_SLOT: Final = 2 * _LINE + 14
_TOP: Final = 26.0
_NAME: Final = 18  # letters
_ENDS: Final = ("final", "semifinals", "quarterfinals")


def bracket(rounds: Sequence[Sequence[Data]], no_winner: str | None = None) -> Markup | None:
    """Return the bracket of these rounds, None where there is none; the last need not be known yet.

    no_winner: why nobody has won, though it is over.
    """
    if not rounds or not rounds[0]:
        return None
    total = max(len(rounds), len(rounds[0]).bit_length())
    shapes: list[Child] = []
    for column in range(total):
        shapes.append(label(_left(column), 14, _title(column, total), "mark"))
    for column, ties in enumerate(rounds):
        for place, tie in enumerate(ties):
            if column:
                shapes += [_link(column, place, 2 * place + one) for one in (0, 1)]
            shapes += _box(_left(column), _middle(column, place), tie)
    width = round(_left(total - 1) + _WIDTH + 2)
    height = _TOP + _SLOT * len(rounds[0]) + 4
    last = rounds[-1][0] if len(rounds) == total and rounds[-1] else {}
    winner = None if no_winner else last.get("winner")
    told = f"{counted(total, 'round')}; " + (
        f"the winner is {short(winner)}."
        if winner
        else "it has no winner."
        if no_winner
        else "the winner is not known yet."
    )
    drawing = charts.figure("Bracket", told, height, *shapes, width=max(width, charts.WIDTH))
    rows = [_row(_title(column, total), tie) for column, ties in enumerate(rounds) for tie in ties]
    heads = words("round", "bot", "against", "points", "winner", "how")
    return join((drawing, folded("All meetings of the bracket", table("Meetings", heads, rows, head=1))))


def _title(column: int, total: int) -> str:
    to_go = total - 1 - column
    return _ENDS[to_go] if to_go < len(_ENDS) else f"round {column + 1}"


def _row(title: str, tie: Data) -> list[Child | Cell]:
    first, second, winner = tie.get("first"), tie.get("second"), tie.get("winner")
    sums = " : ".join(points(each) for each in tie.get("points") or ())
    return [
        title,
        name(first) if first else "not known yet",
        name(second) if second else "–",
        sums if second else "–",
        name(winner) if winner else "–",
        str(tie.get("how") or ""),
    ]


def _box(x: float, y: float, tie: Data) -> list[Markup]:
    shapes = []
    sums = tie.get("points") or (None, None)
    for line, key in enumerate(("first", "second")):
        bot, top = tie.get(key), y - _LINE + line * _LINE
        won = bot is not None and bot == tie.get("winner")
        shapes.append(rectangle(x, top, _WIDTH, _LINE, "box winner" if won else "box", bot and short(bot)))
        if bot is None:
            bye = key == "second" and tie.get("how") == "bye"
            shapes.append(label(x + 7, top + 14, "bye" if bye else "", "mark"))
            continue
        shown = bot if len(bot) <= _NAME else f"{bot[: _NAME - 1]}…"
        shapes.append(label(x + 7, top + 14, shown, "strong" if won else ""))
        if tie.get("second") is not None:
            shapes.append(label(x + _WIDTH - 7, top + 14, points(sums[line]), "mark", "end"))
    return shapes


def _link(column: int, place: int, before: int) -> Markup:
    start, end = _left(column - 1) + _WIDTH, _left(column)
    y1, y2 = _middle(column - 1, before), _middle(column, place)
    half = (start + end) / 2
    return course([(start, y1), (half, y1), (half, y2), (end, y2)], "link")


def _left(column: int) -> float:
    return 2 + column * (_WIDTH + _GAP)


def _middle(column: int, place: int) -> float:
    return _TOP + _SLOT * (1 << column) * (place + 0.5)
