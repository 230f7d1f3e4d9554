"""Tells of every game that ended by a fault: whose, the line that broke it, and where its log is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tyrusd.screen.report.facts import Facts, Failure
from tyrusd.screen.report.markup import Markup, join, short, tag
from tyrusd.screen.report.numbers import counted, plain
from tyrusd.screen.report.replays import called
from tyrusd.screen.report.selection import spread
from tyrusd.screen.report.tables import folded, name, section

MOST: Final = 200  # failures told one by one, evenly spread
_LINES: Final = 8  # of each failure
_LETTERS: Final = 300  # of each line
_BREAK: Final = Markup("\n")


def failures(facts: Facts) -> Markup:
    """Return the failures of a run."""
    found = facts.failures
    if not found:
        return section("failures", "Failures", tag("p", "None: every game was decided on the board."))
    shown = spread(found, MOST)
    rest = len(found) - len(shown)
    parts = [tag("p", f"{counted(rest, 'failure')} left out here, evenly over the run.")] if rest else []
    count = tag("p", f"{counted(len(found), 'failure')}, in the order in which they became known.")
    links = {called(run, game): f"#game-{number}" for number, (run, game) in enumerate(facts.games)}
    items = (tag("li", _failure(failure, links.get(failure.game))) for failure in shown)
    return section("failures", "Failures", count, *parts, tag("ol", *items, class_="failures"))


def _failure(failure: Failure, link: str | None) -> Markup:
    side = f" ({failure.side})" if failure.side else ""
    against = join((" against ", name(failure.opponent))) if failure.opponent else None
    head = tag(
        "p",
        tag("b", short(failure.game) if link is None else tag("a", failure.game, href=link)),
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
    ends = [lines[-1].strip() for lines in (failure.lines, failure.words) if lines]
    if ends:
        parts.append(tag("pre", join(map(_cut, ends), _BREAK)))
    if failure.lines:
        parts.append(_quoted("The last request and what followed it", failure.lines))
    if failure.words:
        parts.append(_quoted("The end of its error output", failure.words))
    if failure.log:
        parts.append(tag("p", "log: ", tag("code", failure.log)))
    return join((head, *parts))


def _quoted(title: str, lines: Sequence[str]) -> Markup:
    return folded(title, tag("pre", join((_cut(line) for line in lines[-_LINES:]), _BREAK)))


def _cut(line: str) -> str:
    return line if len(line) <= _LETTERS else f"{line[:_LETTERS]}… ({plain(len(line))} signs)"
