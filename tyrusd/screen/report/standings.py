"""Tells who leads and whether that means anything, and how all stand, with error bars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from tyrusd.screen.report import charts
from tyrusd.screen.report.charts import circle, label, line
from tyrusd.screen.report.facts import Data, Facts
from tyrusd.screen.report.markup import Child, Markup, join, short, tag
from tyrusd.screen.report.numbers import (
    between,
    chance,
    counted,
    interval,
    known,
    percent,
    plain,
    points,
    signed,
)
from tyrusd.screen.report.tables import Cell, Column, folded, name, section, table

FARTHEST: Final = 2000.0  # Elo; what is farther out is drawn at the edge
_LEVEL: Final = 0.5  # Elo; less would be written as 0
_ROW: Final = 22
_NAME: Final = 22  # letters of a name in the drawing
_COLUMNS: Final = (
    Column("#"),
    Column("bot", number=False),
    Column("Elo", meaning="maximum likelihood rating; the mean of all bots is 0"),
    Column("95 % interval"),
    Column("points", meaning="a win gives 1, a draw a half"),
    Column("games"),
    Column("score"),
    Column("won"),
    Column("lost"),
    Column("drawn"),
    Column("forfeits", meaning="games lost by a crash, time, an illegal placement, the protocol or absence"),
)
_FURTHER: Final = (
    Column("bot", number=False),
    Column("without forfeits", meaning="rating from the pairs that no forfeit decided"),
    Column("against the field", meaning="Elo of the own score alone, with its interval"),
    Column("normalized Elo", meaning="the score's distance from a half, in deviations of a game"),
)


def ranked(stats: Data) -> list[int]:
    """Return the places of the entrants in the statistics, the best first."""
    entrants = stats.get("entrants", ())
    return sorted(range(len(entrants)), key=lambda place: (entrants[place].get("rank") or 10**9, place))


def overview(facts: Facts) -> Markup:
    """Return the head of the page: what was played, who leads, and how sure that is."""
    stats, entrants = facts.stats, facts.stats.get("entrants", ())
    games = sum(entrant["games"] for entrant in entrants) // 2
    pairs = stats.get("pairs", {})
    tiles = [
        (plain(len(entrants)), "bot" if len(entrants) == 1 else "bots"),
        (plain(games), "games that count"),
        (plain(pairs.get("complete", 0)), "complete pairs"),
        (plain(sum(forfeits(entrant) for entrant in entrants)), "forfeits"),
        (plain(pairs.get("void", 0)), "void pairs"),
    ]
    shown = (tag("div", tag("b", figure), tag("span", what)) for figure, what in tiles)
    return tag(
        "header",
        tag("p", "tyrusd ladder", class_="kind"),
        tag("h1", short(facts.title)),
        *(tag("p", sentence, class_="lead") for sentence in _sentences(stats)),
        tag("div", *shown, class_="tiles"),
    )


def standings(facts: Facts) -> Markup:
    """Return all entrants with their ratings, as a table and as a drawing."""
    entrants = [facts.stats["entrants"][place] for place in ranked(facts.stats)]
    return section(
        "standings",
        "Standings",
        _bars(entrants),
        table("Standings, the best first", _COLUMNS, [_row(entrant) for entrant in entrants], head=1),
        _further(entrants),
        _splits(entrants),
    )


def forfeits(entrant: Data) -> int:
    """Return how many games an entrant lost without the board saying so."""
    return sum(entrant.get("forfeits", {}).values())


def _sentences(stats: Data) -> list[Child]:
    entrants, order = stats.get("entrants", ()), ranked(stats)
    if not any(entrant["games"] for entrant in entrants):
        return ["No game has a result yet."]
    found: list[Child] = []
    event = stats.get("tournament") or {}
    if event.get("champion"):
        found.append(join((name(event["champion"]), " wins the tournament.")))
    found.append(_lead(stats, entrants, order))
    found.extend(_test(stats.get("two") or {}))
    unfinished = stats.get("pairs", {}).get("incomplete", 0)
    if unfinished:
        found.append(
            f"{counted(unfinished, 'pair')} begun and not complete; no game of those is shown below."
        )
    return found


def _lead(stats: Data, entrants: Sequence[Data], order: Sequence[int]) -> Child:
    first = entrants[order[0]]
    if len(order) == 1:
        return join((name(first["name"]), " played alone."))
    second = entrants[order[1]]
    gap = _difference(stats, order[0], order[1])
    if gap is None:
        return join((name(first["name"]), " leads."))
    certain = known(gap.get("low")) and gap["low"] > 0
    behind = sum(
        1 for place in order[1:] if ((_difference(stats, order[0], place) or {}).get("low") or 0) > 0
    )
    los = f", likelihood of superiority {chance(gap['los'])}" if known(gap.get("los")) else ""
    verdict = "significant" if certain else "not significant: more games may turn it"
    more = ""
    if len(order) > 2:
        more = f" It is significantly ahead of {plain(behind)} of {counted(len(order) - 1, 'other')}."
    elo = f"{plain(abs(gap['elo']))} Elo (95 % interval {between(gap.get('low'), gap.get('high'))}{los})"
    if abs(gap["elo"]) < _LEVEL:
        both = (tag("strong", name(first["name"])), " and ", tag("strong", name(second["name"])))
        return join((*both, f" are level: {elo} between them.{_others(more, first)}"))
    return join(
        (
            tag("strong", name(first["name"])),
            " leads. It is ahead of ",
            tag("strong", name(second["name"])),
            f" by {elo}; that is {verdict}.{more}",
        )
    )


def _others(more: str, first: Data) -> str:
    """What the first of two that are level is to the rest, by its name."""
    return more.replace(" It is ", f" {short(first['name'])} is ", 1)


def _test(two: Data) -> list[Child]:
    test = two.get("sprt")
    if not test:
        return []
    figures = (
        f"log-likelihood ratio {plain(test['llr'], 2)}, bounds {between(test['lower'], test['upper'], 2)}"
    )
    verdicts = {
        "H1": f"The sequential test accepts H1 (at least {plain(test['elo1'], 1)} Elo)",
        "H0": f"The sequential test accepts H0 (at most {plain(test['elo0'], 1)} Elo)",
    }
    verdict = verdicts.get(test.get("decision"), "The sequential test has not decided")
    return [f"{verdict} after {counted(test.get('pairs', 0), 'pair')}: {figures}."]


def _difference(stats: Data, one: int, other: int) -> Any:
    table_of = stats.get("differences") or ()
    return table_of[one][other] if one < len(table_of) and other < len(table_of[one]) else None


def _row(entrant: Data) -> list[Child | Cell]:
    rating = (entrant.get("rating") or {}) if entrant["games"] else {}  # without a game it is the prior alone
    return [
        entrant.get("rank"),
        name(entrant["name"]),
        Cell(signed(rating.get("elo")), rating.get("elo")),
        Cell(between(rating.get("low"), rating.get("high")), rating.get("low")),
        Cell(points(entrant["points"]), entrant["points"]),
        entrant["games"],
        Cell(percent(entrant.get("score")), entrant.get("score")),
        entrant["wins"],
        entrant["losses"],
        entrant["draws"],
        forfeits(entrant),
    ]


def _further(entrants: Sequence[Data]) -> Markup:
    """Return other figures of strength, which tell how far the ratings depend on the model."""
    rows: list[list[Child | Cell]] = []
    states = any(entrant.get("state") not in (None, "playing") for entrant in entrants)
    for entrant in entrants:
        bare = entrant.get("rating_without_forfeits") or {}
        row: list[Child | Cell] = [name(entrant["name"]), Cell(interval(bare), bare.get("elo"))]
        for key in ("elo", "nelo"):
            found = entrant.get(key) or {}
            row.append(Cell(interval(found, key="value"), found.get("value")))
        row += [entrant.get("state", "")] if states else []
        rows.append(row)
    columns = [*_FURTHER, Column("state", number=False)] if states else _FURTHER
    return folded("Further figures", table("Further figures of strength", columns, rows))


def _bars(entrants: Sequence[Data]) -> Markup | None:
    drawn = [entrant for entrant in entrants if entrant["games"]]
    if not drawn:
        return None
    longest = max(min(len(entrant["name"]), _NAME) for entrant in drawn)
    left, right, top = 30 + 7.5 * longest, charts.WIDTH - 60.0, 8.0
    bottom = top + _ROW * len(drawn)
    ends = [entrant["rating"][key] for entrant in drawn for key in ("elo", "low", "high")]
    scale = charts.scale((end for end in ends if known(end)), left, right, most=FARTHEST)
    shapes = charts.across(scale, top, bottom, [(mark, signed(mark)) for mark in scale.marks()])
    if scale.low < 0 < scale.high:
        shapes.append(line(scale.at(0), top, scale.at(0), bottom, "zero"))
    for number, entrant in enumerate(drawn):
        shapes.extend(_bar(entrant["name"], entrant["rating"], top + _ROW * (number + 0.5), scale, left))
    shapes.append(label((left + right) / 2, bottom + 34, "Elo, with 95 % intervals", "mark", "middle"))
    best = drawn[0]
    told = (
        f"{counted(len(drawn), 'bot')}, the best first: {short(best['name'])} at {interval(best['rating'])}."
    )
    return charts.figure("Ratings with error bars", told, bottom + 42, *shapes)


def _bar(bot: str, rating: Data, y: float, scale: charts.Scale, left: float) -> list[Markup]:
    at = scale.at(rating["elo"])
    shown = bot if len(bot) <= _NAME else f"{bot[: _NAME - 1]}…"
    parts = [label(left - 12, y + 4, shown, "who", "end")]
    if known(rating.get("low")) and known(rating.get("high")):
        low, high = scale.at(rating["low"]), scale.at(rating["high"])
        parts += [line(low, y, high, y, "error")]
        parts += [line(end, y - 5, end, y + 5, "error") for end in (low, high)]
    parts.append(circle(at, y, 4.5, "dot", f"{short(bot)}: {interval(rating)}"))
    parts.append(label(charts.WIDTH - 4, y + 4, signed(rating["elo"]), "mark", "end"))
    return parts


def _splits(entrants: Sequence[Data]) -> Markup:
    """Return the scores by colour and by who opened."""
    splits = (
        ("ivory", "as Ivory"),
        ("brown", "as Brown"),
        ("opened", "opening"),
        ("answered", "not opening"),
    )
    columns = [Column("bot", number=False)]
    for _, told in splits:
        columns += [Column(told, meaning="score of the games that count"), Column("won, lost, drawn")]
    rows: list[list[Child | Cell]] = []
    for entrant in entrants:
        row: list[Child | Cell] = [name(entrant["name"])]
        for key, _ in splits:
            part = entrant.get(key) or {}
            games, score = part.get("games", 0), part.get("wins", 0) + part.get("draws", 0) / 2
            row.append(Cell(percent(score / games if games else None), score / games if games else None))
            row.append(f"{part.get('wins', 0)}, {part.get('losses', 0)}, {part.get('draws', 0)}")
        rows.append(row)
    return folded("Scores by colour and opener", table("Scores by colour and by who opened", columns, rows))
