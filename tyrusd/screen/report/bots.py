"""Tells of each bot how its games ended, and what it did with its time."""

from __future__ import annotations

from typing import Final

from tyrusd.screen.report import charts
from tyrusd.screen.report.charts import label, rectangle
from tyrusd.screen.report.facts import Data, Facts
from tyrusd.screen.report.markup import Child, Markup, join, tag
from tyrusd.screen.report.numbers import duration, percent, plain
from tyrusd.screen.report.standings import forfeits, ranked
from tyrusd.screen.report.tables import Cell, Column, name, section, table

FAULTS: Final = ("crashed", "timeout", "illegal", "protocol", "disconnected", "walkover")
_BOARD: Final = ("three-in-a-row", "majority", "remaining-tiles", "drawn", "resigned")
_OUTSIDE: Final = ("adjudicated",)
_ROW: Final = 30
_UNANSWERED: Final = (
    "Only answers are counted: a request that was left without one, by a timeout, a crash or a bot that went "
    "away, is in none of these times."
)


def endings(facts: Facts) -> Markup:
    """Return how games ended, all together and for each bot."""
    entrants = [facts.stats["entrants"][place] for place in ranked(facts.stats)]
    known = dict.fromkeys((*_BOARD, *FAULTS, *_OUTSIDE))
    found = [
        *known,
        *sorted(
            {reason for each in entrants for key in ("won_by", "lost_by") for reason in each.get(key, ())}
            - {*known}
        ),
    ]
    used = [
        reason
        for reason in found
        if any(each.get(key, {}).get(reason) for each in entrants for key in ("won_by", "lost_by"))
    ]
    columns = [Column("bot", number=False)]
    columns += [Column(reason, meaning=f"won and lost by {reason}") for reason in used]
    columns += [Column("forfeits"), Column("never ready", meaning="pairs that had to be dealt again")]
    rows: list[list[Child | Cell]] = []
    for each in entrants:
        row: list[Child | Cell] = [name(each["name"])]
        for reason in used:
            won, lost = each.get("won_by", {}).get(reason, 0), each.get("lost_by", {}).get(reason, 0)
            row.append(Cell(f"{plain(won)} : {plain(lost)}" if won or lost else "", won - lost))
        row.append(Cell(plain(forfeits(each)), forfeits(each), "bad" if forfeits(each) else None))
        row.append(each.get("unready", 0))
        rows.append(row)
    return section(
        "endings",
        "How games ended",
        _bar(facts.stats.get("endings") or {}),
        table("Games won : lost by each ending", columns, rows),
        _sides(facts.stats.get("sides") or {}),
    )


def time_used(facts: Facts) -> Markup | None:
    """Return what placements cost each bot, None where nothing is known of it."""
    order = [facts.stats["entrants"][place] for place in ranked(facts.stats)]
    rows: list[list[Child | Cell]] = []
    for entrant in order:
        use = facts.time.get(entrant["name"]) or entrant.get("time") or {}
        late = entrant.get("lost_by", {}).get("timeout", 0)
        if not use.get("placements") and not late:
            continue
        slow = use.get("slowest_ms")
        rows.append(
            [
                name(entrant["name"]),
                use.get("placements", 0),
                Cell(duration(use.get("mean_ms")), use.get("mean_ms")),
                Cell(duration(use.get("cpu_mean_ms")), use.get("cpu_mean_ms")),
                Cell(percent(use.get("budget_share"), 2), use.get("budget_share")),
                Cell(percent(use.get("budget_most"), 2), use.get("budget_most")),
                Cell(duration(slow), slow),
                use.get("slowest_game"),
                Cell(duration(use.get("total_ms")), use.get("total_ms")),
                Cell(plain(late), late, "bad" if late else None),
            ]
        )
    if not rows:
        return None
    columns = [
        Column("bot", number=False),
        Column("placements"),
        Column("mean", meaning="time charged for a placement"),
        Column("processor", meaning="processor time of the bot's program for a placement, where it is known"),
        Column(
            "share of budget",
            meaning="of the bank with its increments, without a bank of the caps; mean of games",
        ),
        Column("most in one game", meaning="the largest share of the budget that one game took"),
        Column("slowest placement"),
        Column("in game", number=False),
        Column("total"),
        Column(
            "timeouts", meaning="games lost on time; what the last request of such a game took is left out"
        ),
    ]
    return section(
        "time",
        "Time",
        table("Time that placements took", columns, rows),
        tag("p", _UNANSWERED) if any(_unanswered(entrant) for entrant in order) else None,
    )


def _unanswered(entrant: Data) -> bool:
    """Whether a bot has left requests without an answer."""
    return any(entrant.get("lost_by", {}).get(word) for word in ("timeout", "crashed", "disconnected"))


def _bar(counts: Data) -> Markup | None:
    total = sum(counts.values())
    if not total:
        return None
    order = {reason: place for place, reason in enumerate((*_BOARD, *FAULTS, *_OUTSIDE))}
    shown = sorted(
        (reason for reason in counts if counts[reason]), key=lambda reason: (order.get(reason, 99), reason)
    )
    left, width = 150.0, charts.WIDTH - 290.0
    most = max(counts.values())
    shapes = []
    for number, reason in enumerate(shown):
        y, length = _ROW * number, max(width * counts[reason] / most, 1)
        shapes.append(label(left - 10, y + 19, reason, "who", "end"))
        shapes.append(rectangle(left, y + 4, length, _ROW - 10, "bar" if reason in _BOARD else "bar fault"))
        told = f"{plain(counts[reason])} ({percent(counts[reason] / total)})"
        shapes.append(label(left + length + 8, y + 19, told, "mark"))
    told = ", ".join(f"{reason} {plain(counts[reason])}" for reason in shown)
    return charts.figure("Endings of all games", f"{told}.", _ROW * len(shown), *shapes)


def _sides(sides: Data) -> Markup | None:
    decided = sides.get("ivory_wins", 0) + sides.get("brown_wins", 0)
    if not decided:
        return None
    parts: list[Child] = []
    for one, other, told in (
        ("ivory_wins", "brown_wins", "Ivory"),
        ("opener_wins", "answerer_wins", "The opener"),
    ):
        won, lost = sides.get(one, 0), sides.get(other, 0)
        if won + lost:
            share = percent(won / (won + lost))
            parts.append(f"{told} won {plain(won)} of {plain(won + lost)} decided games ({share}). ")
    parts.append(f"{plain(sides.get('draws', 0))} were drawn.")
    return tag("p", "Over all bots: ", join(parts))
