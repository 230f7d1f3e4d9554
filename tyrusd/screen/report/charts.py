"""Draws with SVG: scales with round marks, frames that say what they show, bars, lines and bands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, floor, log10
from typing import Final, NamedTuple

from tyrusd.screen.report.markup import Child, Markup, tag
from tyrusd.screen.report.tables import scrolling

WIDTH: Final = 720
COLOURS: Final = 8  # classes c0 to c7 of the page's style; they differ in lightness as well as in hue


class Scale(NamedTuple):
    """Maps values from low to high onto the range from start to end."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Where a value is drawn; what lies outside is drawn at the edge."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 1)

    def marks(self, most: int = 7) -> list[float]:
        """Round values to mark, at most so many and some."""
        step = _step((self.high - self.low) / most)
        first, last = ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9)
        return [round(number * step, 10) for number in range(first, last + 1)]


def scale(values: Iterable[float], start: float, end: float, *, most: float | None = None) -> Scale:
    """Return a scale that has room for all values; `most`: none is farther from zero than this."""
    found = [value if most is None else min(max(value, -most), most) for value in values] or [0.0, 1.0]
    low, high = min(found), max(found)
    margin = (high - low) * 0.05 or max(abs(high) * 0.1, 1.0)
    return Scale(low - margin, high + margin, start, end)


def figure(
    title: str, told: str, height: float, *shapes: Child, width: int = WIDTH, caption: Child = None
) -> Markup:
    """Return a drawing with its title and what it tells, in words, for who cannot see it."""
    drawing = tag(
        "svg",
        tag("title", title),
        tag("desc", told),
        *shapes,
        viewBox=f"0 0 {width} {height:g}",
        role="img",
        aria_label=f"{title}. {told}",
    )
    below = None if caption is None else tag("figcaption", caption)
    return tag("figure", scrolling(drawing, title), below)


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> Markup:
    """Return a straight line."""
    return tag("line", x1=_n(x1), y1=_n(y1), x2=_n(x2), y2=_n(y2), class_=class_)


def rectangle(
    x: float, y: float, width: float, height: float, class_: str, told: str | None = None
) -> Markup:
    """Return a rectangle; `told` is what it says when it is pointed at."""
    content = [] if told is None else [tag("title", told)]
    return tag("rect", *content, x=_n(x), y=_n(y), width=_n(max(width, 0)), height=_n(height), class_=class_)


def circle(x: float, y: float, radius: float, class_: str, told: str | None = None) -> Markup:
    """Return a dot."""
    return tag(
        "circle",
        *([] if told is None else [tag("title", told)]),
        cx=_n(x),
        cy=_n(y),
        r=_n(radius),
        class_=class_,
    )


def label(x: float, y: float, words: str, class_: str = "", anchor: str = "start") -> Markup:
    """Return words in a drawing."""
    return tag("text", words, x=_n(x), y=_n(y), class_=class_ or None, text_anchor=anchor)


def course(points: Sequence[tuple[float, float]], class_: str) -> Markup:
    """Return a line through points."""
    return tag("path", d=_path(points), class_=class_)


def area(points: Sequence[tuple[float, float]], class_: str) -> Markup:
    """Return a filled shape with these corners."""
    return tag("path", d=f"{_path(points)}Z", class_=class_)


def across(values: Scale, top: float, bottom: float, shown: Iterable[tuple[float, str]]) -> list[Markup]:
    """Return upright grid lines with their marks below."""
    parts = []
    for value, words in shown:
        place = values.at(value)
        parts += [line(place, top, place, bottom, "grid"), label(place, bottom + 16, words, "mark", "middle")]
    return parts


def upward(values: Scale, left: float, right: float, shown: Iterable[tuple[float, str]]) -> list[Markup]:
    """Return level grid lines with their marks at the left."""
    parts = []
    for value, words in shown:
        place = values.at(value)
        parts += [line(left, place, right, place, "grid"), label(left - 6, place + 4, words, "mark", "end")]
    return parts


def _path(points: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in points)


def _n(value: float) -> str:
    return f"{round(value, 1):g}"


def _step(rough: float) -> float:
    power = 10.0 ** floor(log10(rough))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * 0.999)
