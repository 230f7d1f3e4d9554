"""Tells how the figures were reckoned, and what exactly was played by what on which machine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tyrusd.screen.report.facts import CONFIDENCE, Facts
from tyrusd.screen.report.markup import Child, Markup, join, tag
from tyrusd.screen.report.numbers import percent, plain
from tyrusd.screen.report.tables import Column, folded, listed, name, pairs, section, table, words

_DEEPEST: Final = 8
_LONGEST: Final = 400  # items of a list, signs of a text
_LEVELS: Final = {
    "bwrap": "Isolation: each bot's first and second games are played by two sets of programs in sandboxes "
    "of their own (bubblewrap), without network and without each other's files.",
    "none": "Isolation: each bot's first and second games are played by two sets of programs without a "
    "sandbox: they share no process, but a bot that wants to can leave itself files.",
}


def model(facts: Facts) -> Markup:
    """Return the model, its prior, and what an interval means."""
    told = facts.stats.get("model") or {}
    sentences = (
        "Ratings are those that make the results likeliest if the chance of a point is a logistic curve of "
        "the difference in strength (Bradley-Terry), a draw counting half a point; their mean is 0.",
        f"An interval is meant to hold the true value {percent(CONFIDENCE, 0)} of the time. It covers the "
        "chance of deals and play, not what is wrong with the model: a bot that beats some and loses to "
        "others for its style has no one true rating.",
        "The games of a deal are one observation, so that the luck they share is not counted twice.",
        "Whether one bot is better than another is told by the interval of their difference, not by whether "
        "the intervals of their ratings touch.",
    )
    return section("model", "Model", listed(sentences), _value(told) if told else None)


def manifest(facts: Facts) -> Markup | None:
    """Return versions, bots, machines and terms of each run."""
    parts: list[Child] = []
    for number, told in enumerate(facts.manifests, 1):
        title = "Manifest" if len(facts.manifests) == 1 else f"Manifest of run {number}"
        parts.append(tag("h3", title))
        parts.append(_value(told))
    for number, told in enumerate(facts.plans, 1):
        title = "Plan" if len(facts.plans) == 1 else f"Plan of run {number}"
        parts.append(folded(title, _value(told)))
    if not parts:
        return None
    if facts.machines:
        heads = [*words("host", "processor"), Column("games")]
        parts.append(table("Machines that games were played on", heads, facts.machines))
    return section("manifest", "What was played", _isolation(facts), *parts)


def _isolation(facts: Facts) -> Markup | None:
    """Tell plainly where the two games of a deal were not kept apart."""
    trusted = any(plan.get("trust_memory") for plan in facts.plans)
    unswapped = sorted({bot for plan in facts.plans for bot in plan.get("unswapped") or ()})
    levels = sorted({str(plan.get("sandbox")) for plan in facts.plans})
    sentences: list[Child] = [_LEVELS[level] for level in levels if level in _LEVELS]
    if trusted:
        sentences.append(
            "Bots that nobody can isolate played both games of a deal on trust (--trust-memory): one that "
            "remembers the first game knew the enemy's tiles in the second."
        )
    if unswapped:
        sentences.append(join(("Deals were played once only for: ", join(map(name, unswapped), ", "), ".")))
    if facts.open_seed:
        sentences.append("The run is over, so its seed is shown; whoever has it knows every deal.")
    return listed(sentences) if sentences else None


def _value(value: Any, depth: int = 0) -> Markup:
    """Return any plain data, as deep as it goes within reason."""
    if isinstance(value, Mapping) and depth < _DEEPEST:
        shown = list(value.items())[:_LONGEST]
        return pairs((str(key).replace("_", " "), _value(each, depth + 1)) for key, each in shown)
    if isinstance(value, list | tuple) and depth < _DEEPEST:
        if all(not isinstance(each, Mapping | list | tuple) for each in value):
            return join((_value(each, depth + 1) for each in value[:_LONGEST]), ", ") or join(("none",))
        return listed(_value(each, depth + 1) for each in value[:_LONGEST])
    if value is None:
        return join(("none",))
    if isinstance(value, bool):
        return join(("yes" if value else "no",))
    if isinstance(value, float):
        return join((plain(value, 4).rstrip("0").rstrip("."),))
    return tag("span", str(value)[:_LONGEST], class_="value")
