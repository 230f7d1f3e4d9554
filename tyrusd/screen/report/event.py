"""Tells of the tournament itself: its table with tie rules and byes, its bracket, who was stopped."""

from __future__ import annotations

from typing import Any, Final

from tyrusd.screen.report.bracket import bracket
from tyrusd.screen.report.facts import Data, Facts
from tyrusd.screen.report.markup import Child, Markup, join, tag
from tyrusd.screen.report.numbers import plain, points
from tyrusd.screen.report.tables import Cell, Column, listed, name, section, table

_KINDS: Final = {
    "roundrobin": "round robin", "gauntlet": "gauntlet", "swiss": "Swiss system", "knockout": "knock-out"
}  # fmt: skip

_CAPTION: Final = "Table of the tournament, with what decides between equal points"
_CAPTIONS: Final = {
    "knockout": "Table of the knock-out: who came farther stands higher, whatever the points",
    "gauntlet": "Table of the gauntlet, by points for each game",
}
_TIES: Final = {"sonneborn_berger": "Sonneborn-Berger", "buchholz": "Buchholz"}


def tournament(facts: Facts) -> Markup | None:
    """Return the tournament's own table, None for figures that are of no tournament."""
    event = facts.stats.get("tournament")
    if not event:
        return None
    kind = _KINDS.get(event.get("kind", ""), event.get("kind", ""))
    rounds = event.get("rounds")
    of = f" of {plain(rounds)}" if rounds else ""
    over = "" if event.get("over") else "; it is not over"
    facts_told: list[Child] = [f"{kind}, round {plain(event.get('round'))}{of}{over}"]
    if event.get("champion"):
        facts_told.append(join(("winner: ", tag("strong", name(event["champion"])))))
    elif event.get("no_winner"):
        facts_told.append(join(("no winner: ", str(event["no_winner"]))))
    if event.get("finalists"):
        facts_told.append(join(("finalists: ", join(map(name, event["finalists"]), ", "))))
    if event.get("suspended"):
        facts_told.append(
            join(("stopped after too many failures: ", join(map(name, event["suspended"]), ", ")))
        )
    if event.get("dropped"):
        facts_told.append(join(("taken out by the operator: ", join(map(name, event["dropped"]), ", "))))
    facts_told += [_halted(each) for each in event.get("halted") or ()]
    return section(
        "tournament",
        "Tournament",
        listed(facts_told),
        bracket(event.get("bracket") or (), event.get("no_winner")),
        _table(event),
    )


def _halted(halted: Data) -> Child:
    return join(
        ("not played on: ", join(map(name, halted["pairing"]), " against "), f" ({halted.get('why', '')})")
    )


def _table(event: Data) -> Markup | None:
    rows = event.get("table") or ()
    if not rows:
        return None
    ties = list(dict.fromkeys(key for row in rows for key in row.get("tiebreaks") or {}))
    byes = any(row.get("byes") for row in rows)
    columns = [Column("place"), Column("bot", number=False), Column("points")]
    columns += [Column(_TIES.get(tie, tie)) for tie in ties]
    columns += [Column("byes")] if byes else []
    states = any(row.get("state") not in (None, "playing") for row in rows)
    columns += [Column("state", number=False)] if states else []
    body: list[list[Child | Cell]] = []
    for number, row in enumerate(rows, 1):
        place = row.get("place", number)
        breaks = row.get("tiebreaks") or {}
        cells: list[Child | Cell] = [
            row.get("place", place),
            name(row["name"]),
            Cell(points(row.get("points")), row.get("points")),
        ]
        cells += [_tie(breaks.get(tie)) for tie in ties]
        cells += [row.get("byes", 0)] if byes else []
        cells += [str(row.get("state", ""))] if states else []
        body.append(cells)
    return table(_CAPTIONS.get(event.get("kind", ""), _CAPTION), columns, body, head=1)


def _tie(value: Any) -> Child:
    return (
        plain(value, 0 if float(value).is_integer() else 2)
        if isinstance(value, int | float)
        else value and str(value)
    )
