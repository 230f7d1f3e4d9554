"""The bot `cautious`: counts, spends what an election is worth, counters, concedes cheaply, bluffs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from tyrusd.sdk import Option, OptionValue, Placement, Request, hookimpl

from .cautious.placing import BLUFF, choose

_settings: Final[dict[str, int]] = {"bluff": BLUFF}


@hookimpl
def tyrusd_options() -> Sequence[Option]:
    """Let a seat decide how it bluffs."""
    return [
        Option(
            "bluff",
            int,
            BLUFF,
            "how many of a hundred low spare tiles it lays into its own building, to look like strength",
            low=0,
            high=100,
        )
    ]


@hookimpl
def tyrusd_configure(options: Mapping[str, OptionValue]) -> None:
    """Take what the seat has decided."""
    _settings["bluff"] = int(options["bluff"])


@hookimpl
def tyrusd_choose(requests: Sequence[Request]) -> Sequence[Placement]:
    """Answer all waiting requests."""
    return [choose(request, _settings["bluff"]) for request in requests]


@hookimpl
def tyrusd_about() -> str:
    """Tell what this bot is."""
    return "counts what it can know, counters, concedes cheaply, and bluffs"
