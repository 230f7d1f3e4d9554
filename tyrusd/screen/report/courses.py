"""Draws what changed while games were played: the ratings, and a sequential test between its bounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tyrusd.screen.report import charts
from tyrusd.screen.report.charts import area, course, label, line
from tyrusd.screen.report.facts import Data, Facts
from tyrusd.screen.report.markup import Markup, short, tag
from tyrusd.screen.report.numbers import counted, known, percent, plain, signed
from tyrusd.screen.report.standings import FARTHEST, ranked
from tyrusd.screen.report.tables import listed, name, section

_LEFT: Final = 56.0
_RIGHT: Final = charts.WIDTH - 150.0
_TOP: Final = 10.0
_BOTTOM: Final = 290.0
_GAP: Final = 14.0  # between the names at the right


def ratings_over_games(facts: Facts) -> Markup | None:
    """Return the ratings as the run went on, None where there are not two points in time."""
    moments = facts.stats.get("progress") or []
    order = [facts.stats["entrants"][place]["name"] for place in ranked(facts.stats)]
    if len(moments) < 2:
        return None
    lines = {bot: _points(moments, bot) for bot in order}
    lines = {bot: points for bot, points in lines.items() if len(points) > 1}
    if not lines:
        return None
    coloured = list(lines)[: charts.COLOURS]
    across = charts.scale((moment["games"] for moment in moments), _LEFT, _RIGHT)
    settled = [point for bot in lines for point in lines[bot][len(lines[bot]) // 4 :]]
    ends = [end for _, elo, low, high in settled for end in (elo, low, high)]
    up = charts.scale((end for end in ends if known(end)), _BOTTOM, _TOP, most=FARTHEST)
    shapes = charts.across(across, _TOP, _BOTTOM, [(mark, plain(mark)) for mark in across.marks()])
    shapes += charts.upward(up, _LEFT, _RIGHT, [(mark, signed(mark)) for mark in up.marks()])
    for bot in lines:
        if bot not in coloured:
            shapes.append(course([(across.at(x), up.at(elo)) for x, elo, _, _ in lines[bot]], "faint"))
    for number, bot in enumerate(coloured):
        shapes += _band(lines[bot], across, up, number)
    shapes += _names({bot: up.at(lines[bot][-1][1]) for bot in coloured})
    shapes.append(label((_LEFT + _RIGHT) / 2, _BOTTOM + 34, "games that count", "mark", "middle"))
    first, last = (plain(moments[place]["games"]) for place in (0, -1))
    told = f"From {first} to {last} games; best at the end: {short(order[0])}."
    more = len(lines) - len(coloured)
    caption = "Elo with 95 % intervals as bands." + (
        f" {counted(more, 'bot')} further down in grey." if more else ""
    )
    drawing = charts.figure("Ratings over games", told, _BOTTOM + 44, *shapes, caption=caption)
    return section("progress", "Rating over games", drawing)


def test_course(facts: Facts) -> Markup | None:
    """Return the course of the sequential test, None without one."""
    two = facts.stats.get("two") or {}
    test = two.get("sprt")
    if not test:
        return None
    decision = test.get("decision") or "undecided"
    terms = listed(
        (
            f"H0: {plain(test['elo0'], 2)}, H1: {plain(test['elo1'], 2)} Elo; model: {test.get('model')}",
            f"error rates: alpha {plain(test['alpha'], 3)}, beta {plain(test['beta'], 3)}",
            f"log-likelihood ratio {plain(test['llr'], 3)} between {plain(test['lower'], 3)} and "
            f"{plain(test['upper'], 3)} after {counted(test.get('pairs', 0), 'pair')}: {decision}",
        )
    )
    return section("sprt", "Sequential test", _ratio(facts.course or (), test), terms)


def pentanomial(facts: Facts) -> Markup | None:
    """Return how often a pair gave which points, where two bots played."""
    two = facts.stats.get("two")
    if not two or not any(two.get("pentanomial") or ()):
        return None
    counts = two["pentanomial"]
    heads = ("0", "½", "1", "1½", "2")
    across, most, top, bottom = 84.0, max(counts), 24.0, 184.0
    shapes = []
    for number, count in enumerate(counts):
        height = (bottom - top) * count / most
        x = 40 + number * (across + 40)
        shapes.append(charts.rectangle(x, bottom - height, across, height, f"column h{2 * number}"))
        shapes.append(label(x + across / 2, bottom - height - 6, plain(count), "mark", "middle"))
        shapes.append(label(x + across / 2, bottom + 18, f"{heads[number]} of 2", "mark", "middle"))
    shapes.append(line(30, bottom, 640, bottom, "zero"))
    told = ", ".join(
        f"{counted(count, 'pair')} gave {head}" for head, count in zip(heads, counts, strict=True)
    )
    drawing = charts.figure("Points of a pair", f"{told}.", bottom + 30, *shapes)
    wins, losses, draws = (two.get("unpaired") or (0, 0, 0))[:3]
    ratio = two.get("variance_ratio")
    facts_told = [
        f"Games by themselves: {plain(wins)} won, {plain(draws)} drawn, {plain(losses)} lost.",
        f"Variance of pairs as a share of that of independent games: {percent(ratio)}.",
    ]
    return section(
        "pairs",
        "Pairs",
        tag(
            "p",
            "What ",
            name(two["first"]),
            " took from ",
            name(two["second"]),
            " in the two games of a deal.",
        ),
        drawing,
        listed(facts_told),
    )


def _points(moments: Sequence[Data], bot: str) -> list[tuple[float, float, float, float]]:
    found = []
    for moment in moments:
        rating = moment["ratings"].get(bot)
        if rating and known(rating[0]):
            elo, low, high = rating
            found.append((moment["games"], elo, low if known(low) else elo, high if known(high) else elo))
    return found


def _band(
    points: Sequence[tuple[float, float, float, float]], across: charts.Scale, up: charts.Scale, number: int
) -> list[Markup]:
    there = [(across.at(x), up.at(high)) for x, _, _, high in points]
    back = [(across.at(x), up.at(low)) for x, _, low, _ in reversed(points)]
    middle = [(across.at(x), up.at(elo)) for x, elo, _, _ in points]
    return [area(there + back, f"band c{number}"), course(middle, f"course c{number}")]


def _names(ends: dict[str, float]) -> list[Markup]:
    """Return the names at the ends of their lines, moved apart where they would lie over each other."""
    parts, lowest = [], _TOP - _GAP
    colours = {bot: number for number, bot in enumerate(ends)}
    room = _BOTTOM - _GAP * len(ends)
    for number, (bot, y) in enumerate(sorted(ends.items(), key=lambda item: item[1])):
        lowest = max(min(y, room + _GAP * (number + 1)), lowest + _GAP)
        shown = bot if len(bot) <= 18 else f"{bot[:17]}…"
        parts.append(line(_RIGHT + 2, y, _RIGHT + 12, lowest, f"course c{colours[bot]}"))
        parts.append(label(_RIGHT + 16, lowest + 4, shown, f"who c{colours[bot]}"))
    return parts


def _ratio(points: Sequence[tuple[int, float]], test: Data) -> Markup | None:
    if len(points) < 2:
        return None
    across = charts.scale((pairs for pairs, _ in points), _LEFT, _RIGHT)
    bounds = [test["lower"], test["upper"]]
    up = charts.scale([*bounds, *(llr for _, llr in points)], _BOTTOM, _TOP)
    shapes = charts.across(across, _TOP, _BOTTOM, [(mark, plain(mark)) for mark in across.marks()])
    shapes += charts.upward(up, _LEFT, _RIGHT, [(mark, plain(mark, 1)) for mark in up.marks()])
    for bound, told in zip(bounds, ("accept H0", "accept H1"), strict=True):
        shapes.append(line(_LEFT, up.at(bound), _RIGHT, up.at(bound), "bound"))
        shapes.append(label(_RIGHT + 8, up.at(bound) + 4, told, "mark"))
    shapes.append(course([(across.at(pairs), up.at(llr)) for pairs, llr in points], "course c0"))
    shapes.append(
        label((_LEFT + _RIGHT) / 2, _BOTTOM + 34, "pairs in the order of the schedule", "mark", "middle")
    )
    told = f"It stands at {plain(points[-1][1], 2)} after {counted(points[-1][0], 'pair')}."
    return charts.figure("Log-likelihood ratio", told, _BOTTOM + 44, *shapes)
