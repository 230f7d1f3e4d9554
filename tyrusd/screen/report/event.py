"""Tells of the tournament itself: its table with tie rules and byes, its bracket, who was stopped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from tyrusd.screen.report import charts
from tyrusd.screen.report.charts import course, label, rectangle
from tyrusd.screen.report.facts import Data, Facts
from tyrusd.screen.report.markup import Child, Markup, join, tag
from tyrusd.screen.report.numbers import plain, points
from tyrusd.screen.report.tables import Cell, Column, listed, name, section, table

_KINDS: Final = {
    "roundrobin": "round robin", "gauntlet": "gauntlet", "swiss": "Swiss system", "knockout": "knock-out"
}  # fmt: skip


def tournament(facts: Facts) -> Markup | None:
    """Return the tournament's own table, None for figures that are of no tournament."""
    event = facts.stats.get("tournament")
    if not event:
        return None
    kind = _KINDS.get(event.get("kind", ""), event.get("kind", ""))
    rounds = event.get("rounds")
    of = f" of {plain(rounds)}" if rounds else ""
    facts_told: list[Child] = [f"{kind}, round {plain(event.get('round'))}{of}"]
    if event.get("champion"):
        facts_told.append(join(("winner: ", tag("strong", name(event["champion"])))))
    if event.get("finalists"):
        facts_told.append(join(("finalists: ", join(map(name, event["finalists"]), ", "))))
    if event.get("suspended"):
        facts_told.append(
            join(("stopped after too many failures: ", join(map(_who, event["suspended"]), ", ")))
        )
    facts_told += [_halted(each) for each in event.get("halted") or ()]
    return section(
        "tournament", "Tournament", listed(facts_told), _bracket(event.get("bracket")), _table(event)
    )


def _halted(halted: Data) -> Child:
    return join(
        ("not played on: ", join(map(name, halted["pairing"]), " against "), f" ({halted.get('why', '')})")
    )


def _who(entry: Any) -> Child:
    return name(entry if isinstance(entry, str) else str(entry.get("name", entry.get("bot", ""))))


def _table(event: Data) -> Markup | None:
    rows = event.get("table") or ()
    if not rows:
        return None
    ties = list(dict.fromkeys(key for row in rows for key in row.get("tiebreaks") or {}))
    byes = any(row.get("byes") for row in rows)
    columns = [Column("place"), Column("bot", number=False), Column("points")]
    columns += [Column(tie.replace("_", " ")) for tie in ties]
    columns += [Column("byes")] if byes else []
    columns += [Column("state", number=False)]
    body: list[list[Child | Cell]] = []
    for place, row in enumerate(rows, 1):
        breaks = row.get("tiebreaks") or {}
        cells: list[Child | Cell] = [
            place,
            name(row["name"]),
            Cell(points(row.get("points")), row.get("points")),
        ]
        cells += [_tie(breaks.get(tie)) for tie in ties]
        cells += [row.get("byes", 0)] if byes else []
        cells.append(str(row.get("state", "")))
        body.append(cells)
    return table("Table of the tournament, with what decides between equal points", columns, body, head=1)


def _tie(value: Any) -> Child:
    return (
        plain(value, 0 if float(value).is_integer() else 2)
        if isinstance(value, int | float)
        else value and str(value)
    )


def _bracket(rounds: Any) -> Markup | None:
    """Return the bracket of a knock-out as a drawing, its meetings as text for who cannot see it."""
    return None if not rounds else listed(_meeting(each) for each in rounds)


def _meeting(each: Any) -> Child:
    if isinstance(each, Mapping):
        return join(
            (
                join((str(key), ": ", _meeting(value)))
                for key, value in each.items()
                if value not in (None, [])
            ),
            "; ",
        )
    if isinstance(each, Sequence) and not isinstance(each, str):
        return join(map(_meeting, each), ", ")
    return name(each) if isinstance(each, str) else str(each)


_ = (charts, course, label, rectangle)
