"""The table of docs/limits.md, row by row."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
_ROW = re.compile(
    r"\| `(?P<name>[a-z-]+)` \| (?P<default>\S+) \| (?P<unit>[^|]+) \| (?:`(?P<key>[a-z.-]+)` )?"
    r"\| (?P<meaning>[^|]+) \| (?P<metric>`[^|`]+`|no: [^|]{20,}) \| `(?P<test>[^|`]+)` \|"
)
_HELP = (
    "| `NAME` | DEFAULT | UNIT | `KEY` | what a peer meets | `METRIC` or no: REASON | `FILE::TEST` |;"
    " METRIC is a word of tyrusd_limits_total (core/counts.py, host/met.py), or another metric"
)


class Row(NamedTuple):
    """One limit; metric: a word of tyrusd_limits_total or a whole metric, None where none can be."""

    name: str
    default: str
    unit: str
    key: str | None
    meaning: str
    metric: str | None
    test: str


@cache
def rows() -> dict[str, Row]:
    """Every row by its name; a line of the table that is no row fails."""
    found: dict[str, Row] = {}
    for line in (ROOT / "docs" / "limits.md").read_text("utf-8").splitlines():
        if line.startswith("| `"):
            match = _ROW.fullmatch(re.sub(r" +", " ", line))
            assert match is not None, f"docs/limits.md: this is no row: {line}\na row is {_HELP}"
            cells = match.groupdict()
            metric = None if cells["metric"].startswith("no:") else cells["metric"].strip("`")
            row = Row(**(cells | {"metric": metric}))
            assert row.name not in found, f"docs/limits.md has {row.name} twice"
            found[row.name] = row
    return found
