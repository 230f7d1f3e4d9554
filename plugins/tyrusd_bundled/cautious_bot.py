"""The bot `cautious`: counts, spends what an election is worth, counters, concedes cheaply, bluffs."""

from __future__ import annotations

from collections.abc import Sequence

from tyrusd.sdk import Placement, Request, hookimpl

from .cautious.placing import choose


@hookimpl
def tyrusd_choose(requests: Sequence[Request]) -> Sequence[Placement]:
    """Answer all waiting requests."""
    return [choose(request) for request in requests]


@hookimpl
def tyrusd_about() -> str:
    """Tell what this bot is."""
    return "counts what it can know, counters, concedes cheaply, and bluffs"
