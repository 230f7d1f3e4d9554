"""Writes a run's figures for other programs: JSON with everything, CSV with the standings."""

from __future__ import annotations

import json

from tyrusd.screen.report.facts import Facts
from tyrusd.screen.stats_csv import csv_lines


def report_json(facts: Facts) -> str:
    """Return the statistics, the manifests of the runs with them, and the plans as one JSON object in ASCII.

    `<`, `>` and `&` are escaped as well, so that the text may be put into a page.
    """
    whole = {**facts.stats, "runs": list(facts.manifests), "plans": list(facts.plans)}
    text = json.dumps(whole, ensure_ascii=True, indent=1, allow_nan=False)
    for letter in "<>&":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return f"{text}\n"


def standings_csv(facts: Facts) -> str:
    """Return the standings as RFC 4180 has them: see `stats_csv`, of which this makes a file."""
    return "".join(f"{line}\r\n" for line in csv_lines(facts.stats))
