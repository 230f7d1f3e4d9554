"""Tells of every game that ended by a fault: whose, the line that broke it, and where its log is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tyrusd.screen.report.facts import Facts, Failure
from tyrusd.screen.report.markup import Markup, join, tag
from tyrusd.screen.report.numbers import counted, plain
from tyrusd.screen.report.selection import spread
from tyrusd.screen.report.tables import folded, name, section

MOST: Final = 300  # failures told one by one, evenly spread
_LINES: Final = 12  # of each failure
_LETTERS: Final = 400  # of each line
_BREAK: Final = Markup("\n")


def failures(facts: Facts) -> Markup:
    """Return the failures of a run."""
    found = facts.failures
    if not found:
        return section("failures", "Failures", tag("p", "None: every game was decided on the board."))
    shown = spread(found, MOST)
    rest = len(found) - len(shown)
    parts = [tag("p", f"{counted(rest, 'failure')} left out here, evenly over the run.")] if rest else []
    count = tag("p", f"{counted(len(found), 'failure')}, in the order of the schedule.")
    items = tag("ol", *(tag("li", _failure(failure)) for failure in shown), class_="failures")
    return section("failures", "Failures", count, *parts, items)


def _failure(failure: Failure) -> Markup:
    side = f" ({failure.side})" if failure.side else ""
    against = join((" against ", name(failure.opponent))) if failure.opponent else None
    head = tag(
        "p",
        tag("b", failure.game),
        ": ",
        name(failure.bot),
        side,
        against,
        ", ",
        tag("span", failure.reason, class_="bad"),
        None if failure.sealed or not failure.detail else join((" (", _cut(failure.detail), ")")),
    )
    if failure.sealed:
        return join((head, tag("p", "Its pair has not ended: what happened is shown when it has.")))
    parts = []
    if failure.lines:
        parts.append(_quoted("What went over the wire before it", failure.lines))
    if failure.words:
        parts.append(_quoted("The end of its error output", failure.words))
    if failure.log:
        parts.append(tag("p", "Log: ", tag("code", failure.log)))
    return join((head, *parts))


def _quoted(title: str, lines: Sequence[str]) -> Markup:
    return folded(title, tag("pre", join((_cut(line) for line in lines[-_LINES:]), _BREAK)))


def _cut(line: str) -> str:
    return line if len(line) <= _LETTERS else f"{line[:_LETTERS]}… ({plain(len(line))} signs)"
