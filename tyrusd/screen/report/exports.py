"""Writes a run's figures for other programs: JSON with everything, CSV with the standings."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

from tyrusd.screen.clean import printable
from tyrusd.screen.report.facts import Data, Facts
from tyrusd.screen.report.standings import forfeits, ranked

_Value: TypeAlias = str | int | float | None

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def report_json(facts: Facts) -> str:
    """Return the statistics with the manifests and plans of the runs as one JSON object in ASCII.

    `<`, `>` and `&` are escaped as well, so that the text may be put into a page.
    """
    whole = {**facts.stats, "manifests": list(facts.manifests), "plans": list(facts.plans)}
    text = json.dumps(whole, ensure_ascii=True, indent=1, allow_nan=False)
    for letter in "<>&":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return f"{text}\n"


def standings_csv(facts: Facts) -> str:
    """Return the standings as RFC 4180 has them, the best first: CRLF, quotes where they are needed.

    A name that a spreadsheet would take for a formula gets a quote (') in front.
    """
    entrants = [facts.stats["entrants"][place] for place in ranked(facts.stats)]
    rows: list[Sequence[_Value]] = [[head for head, _ in _COLUMNS]]
    rows += [[read(entrant) for _, read in _COLUMNS] for entrant in entrants]
    return "".join(",".join(map(_written, row)) + "\r\n" for row in rows)


def _figure(part: str, key: str) -> Callable[[Data], Any]:
    return lambda entrant: (entrant.get(part) or {}).get(key)


def _plain(key: str) -> Callable[[Data], Any]:
    return lambda entrant: entrant.get(key)


_COLUMNS: Final[Sequence[tuple[str, Callable[[Data], Any]]]] = (
    *(
        (key, _plain(key))
        for key in ("rank", "name", "games", "pairs", "wins", "losses", "draws", "points", "score")
    ),
    ("elo", _figure("rating", "elo")),
    ("elo_low", _figure("rating", "low")),
    ("elo_high", _figure("rating", "high")),
    ("elo_without_forfeits", _figure("rating_without_forfeits", "elo")),
    ("forfeits", forfeits),
    ("unready", _plain("unready")),
    ("placements", _figure("time", "placements")),
    ("mean_ms", _figure("time", "mean_ms")),
    ("state", _plain("state")),
)


def _written(value: _Value) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        return repr(value) if isinstance(value, float) else str(value)
    words = printable(value)
    # Spaces in front do not keep a spreadsheet from seeing a formula.
    if words.lstrip().startswith(_FORMULA):
        words = f"'{words}"
    return '"' + words.replace('"', '""') + '"' if set(words) & set('",\r\n ') else words
