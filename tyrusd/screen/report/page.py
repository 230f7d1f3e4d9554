"""Puts the page of a run together: one file that needs nothing else and asks nobody."""

from __future__ import annotations

from tyrusd.screen.report.facts import Facts
from tyrusd.screen.report.markup import short, tag


def report_page(facts: Facts) -> str:
    """Return the page as one HTML text, the same for the same facts."""
    body = tag("body", tag("h1", f"Ladder {short(facts.title)}"))
    head = tag("head", tag("meta", charset="utf-8"), tag("title", short(facts.title)))
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"
