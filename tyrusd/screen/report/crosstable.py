"""Shows each pairing by itself: who beat whom how clearly, in a table or, for many bots, a map of colours."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from tyrusd.screen.report import charts
from tyrusd.screen.report.charts import label
from tyrusd.screen.report.facts import Data, Facts
from tyrusd.screen.report.markup import Child, Markup, join, short, tag
from tyrusd.screen.report.numbers import chance, counted, interval, percent, plain, points
from tyrusd.screen.report.standings import ranked
from tyrusd.screen.report.tables import Cell, Column, folded, name, scrolling, section, table, words

MOST_CELLS: Final = 24  # bots up to which every cell is written out
MOST_ROWS: Final = 2000  # of the list of pairings
HEATS: Final = 9  # classes h0 (lost everything) to h8 (won everything) of the page's style


def heat(score: float | None) -> str:
    """Return the class of a score from 0 to 1: orange below a half, blue above it, by steps of lightness."""
    return "none" if score is None else f"h{min(max(round(score * (HEATS - 1)), 0), HEATS - 1)}"


def crosstable(facts: Facts) -> Markup | None:
    """Return all pairings, None where nobody has met."""
    stats = facts.stats
    cells, order = stats.get("crosstable") or (), ranked(stats)
    met = list(_met(cells, order))
    if not met:
        return None
    names = [entrant["name"] for entrant in stats["entrants"]]
    whole = _written(cells, order, names) if len(order) <= MOST_CELLS else _map(cells, order)
    return section(
        "crosstable",
        "Crosstable",
        tag("p", "Each row is read from the left: how much of the points that bot took from the one above."),
        _legend(),
        whole,
        _list(cells, met, names),
    )


def cycles(facts: Facts) -> Markup:
    """Return what rating by one number hides: three bots of which each beats the next."""
    found = facts.stats.get("cycles") or ()
    rows: list[list[Child | Cell]] = []
    for cycle in found:
        chain = join((name(each) for each in (*cycle["names"], cycle["names"][0])), " > ")
        edges = " · ".join(_edge(edge) for edge in cycle.get("edges", ()))
        rows.append([chain, edges, "yes" if cycle.get("significant") else "no"])
    told = "No three bots beat each other in a circle: one number per bot tells their order."
    return section(
        "cycles",
        "Non-transitivity",
        table(
            "Circles: each beats the next",
            words("circle", "Elo of each step, likelihood of superiority", "significant"),
            rows,
        )
        if rows
        else tag("p", told),
    )


def _edge(edge: Data) -> str:
    return f"{interval(edge, key='value')}, {chance(edge.get('los'), 0)}"


def _met(cells: Sequence[Sequence[Data | None]], order: Sequence[int]) -> Iterator[tuple[int, int]]:
    for above, one in enumerate(order):
        for other in order[above + 1 :]:
            if cells[one][other] and (cells[one][other] or {}).get("games"):
                yield one, other


def _written(cells: Sequence[Sequence[Data | None]], order: Sequence[int], names: Sequence[str]) -> Markup:
    head = [tag("th", "bot", scope="col")] + [
        tag("th", tag("span", plain(number), title=short(names[place])), scope="col", class_="n")
        for number, place in enumerate(order, 1)
    ]
    rows = []
    for number, one in enumerate(order, 1):
        row = [tag("th", join((plain(number), " ", name(names[one]))), scope="row")]
        row += [_cell(cells[one][other], one == other, names[one], names[other]) for other in order]
        rows.append(tag("tr", *row))
    caption = "Crosstable: points of games, and the difference in Elo with its 95 % interval"
    whole = tag(
        "table", tag("caption", caption), tag("thead", tag("tr", *head)), tag("tbody", *rows), class_="cross"
    )
    return scrolling(whole, caption)


def _cell(cell: Data | None, own: bool, row: str, column: str) -> Markup:
    if own or not cell or not cell.get("games"):
        return tag(
            "td",
            tag("span", "not met" if not own else "itself", class_="unseen"),
            class_="own" if own else "none",
        )
    return tag(
        "td",
        tag("b", f"{points(cell['points'])}/{plain(cell['games'])}"),
        tag("small", interval(cell)),
        class_=heat(cell.get("score")),
        title=f"{short(row)} against {short(column)}: {percent(cell.get('score'))}",
    )


def _map(cells: Sequence[Sequence[Data | None]], order: Sequence[int]) -> Markup:
    """Return one drawing of all cells: a path for each colour, since thousands of elements are slow."""
    left, top = 40.0, 24.0
    size = round((charts.WIDTH - left - 4) / len(order), 2)
    squares: dict[str, list[str]] = defaultdict(list)
    for down, one in enumerate(order):
        for right, other in enumerate(order):
            cell = cells[one][other]
            if one != other and cell and cell.get("games"):
                squares[heat(cell.get("score"))].append(f"M{right} {down}h1v1h-1z")
    shapes = [tag("path", d="".join(squares[class_]), class_=class_) for class_ in sorted(squares)]
    grid = tag("g", *shapes, transform=f"translate({left:g} {top:g}) scale({size:g})")
    marks = [
        mark
        for number in range(0, len(order), max(1, len(order) // 10))
        for mark in (
            label(left + size * (number + 0.5), top - 6, plain(number + 1), "mark", "middle"),
            label(left - 6, top + size * (number + 0.5) + 4, plain(number + 1), "mark", "end"),
        )
    ]
    told = (
        f"{len(order)} bots in the order of the standings; blue: the row scores above a half, orange: below."
    )
    return charts.figure(
        "Map of the crosstable", told, top + size * len(order) + 4, grid, *marks, caption=told
    )


def _list(
    cells: Sequence[Sequence[Data | None]], met: Sequence[tuple[int, int]], names: Sequence[str]
) -> Markup:
    columns = [
        *words("bot", "against"),
        *(Column(head) for head in ("points", "games", "pairs", "score", "Elo", "won, lost, drawn")),
        Column("LL LD WL+DD WD WW", meaning="pairs by what the two games gave together"),
    ]
    rows: list[list[Child | Cell]] = []
    for one, other in met[:MOST_ROWS]:
        cell = cells[one][other] or {}
        rows.append(
            [
                name(names[one]),
                name(names[other]),
                Cell(points(cell["points"]), cell["points"]),
                cell["games"],
                cell.get("pairs"),
                Cell(percent(cell.get("score")), cell.get("score")),
                Cell(interval(cell), cell.get("elo")),
                f"{cell['wins']}, {cell['losses']}, {cell['draws']}",
                " ".join(plain(count) for count in cell.get("pentanomial") or ()) or None,
            ]
        )
    rest = len(met) - len(rows)
    note = tag("p", f"{counted(rest, 'more pairing')} are in the JSON export.") if rest else None
    return folded(f"All {counted(len(met), 'pairing')}", join((table("All pairings", columns, rows), note)))


def _legend() -> Markup:
    steps = (tag("span", class_=f"h{step}") for step in range(HEATS))
    return tag(
        "p", "lost all ", tag("span", *steps, class_="legend", aria_hidden="true"), " won all", class_="key"
    )
