"""Each limit is counted when it is met, as docs/limits.md says, and not just below it."""

from __future__ import annotations

import re

import pytest

from tests.core.limit_rows import rows
from tests.core.meetings_games import ALSO, MEETINGS
from tests.core.stage import Stage
from tyrusd.core.bans import Ban
from tyrusd.core.counts import COUNTED, Counts

HERE = [name for name, row in rows().items() if row.metric is not None and not row.test.startswith("host/")]


def value(counts: Counts, metric: str) -> int:
    """How often something was counted; metric as the page writes it."""
    if not metric.startswith("tyrusd_"):
        return counts.limits[metric]
    if metric == "tyrusd_heartbeats_total":
        return counts.heartbeats
    match = re.fullmatch(r'tyrusd_(results|errors|goodbyes)_total\{[a-z]+="([a-z-]+)"\}', metric)
    assert match is not None, f"this test does not know how to read {metric}"
    return int(getattr(counts, match[1])[match[2]])


def words(counts: Counts, row: str) -> set[str]:
    """The limits that were met, without those that have to be met on the way."""
    return {word for word, times in counts.limits.items() if times} - ALSO.get(row, frozenset())


@pytest.mark.parametrize("name", HERE)
def test_who_meets_a_limit_moves_its_metric_and_no_other(name: str) -> None:
    assert name in MEETINGS, f"tests/core/meetings_games.py has no function that meets the limit {name}"
    metric = rows()[name].metric
    assert metric is not None
    within, beyond = MEETINGS[name](False), MEETINGS[name](True)
    assert (value(within, metric), words(within, name)) == (0, set())
    assert value(beyond, metric) >= 1
    assert words(beyond, name) == (set() if metric.startswith("tyrusd_") else {metric})
    assert words(beyond, name) <= COUNTED


def test_every_meeting_is_of_a_row() -> None:
    assert set(MEETINGS) == set(HERE)


def test_who_is_banned_is_counted() -> None:
    stage = Stage()
    stage.connect("10.0.0.1")
    assert stage.server.counts.limits["bans"] == 0
    stage.server.presence.bans.add(Ban("10.0.0.1"))
    stage.connect("10.0.0.1")
    assert stage.server.counts.limits["bans"] == 1
