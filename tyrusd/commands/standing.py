"""What `tyrusd serve` is asked for a standing ladder: whether, which clock, and whose ratings are given."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tyrusd.core.ladder_terms import LadderTerms
    from tyrusd.host.configuration.reading import Configuration


def ladder_of(config: Configuration, houses: Iterable[str]) -> LadderTerms | None:
    """The ladder that is asked for, None for none; an anchor that is no bot of the server is refused.

    Without numpy, which the ratings want, the command ends with a sentence as well.
    """
    from tyrusd.commands.running import Missing, usage
    from tyrusd.core.ladder_terms import LadderTerms
    from tyrusd.host.configuration.reading import ANCHORS
    from tyrusd.league.clock import NONE, TimeControl

    known = {name.lower(): name for name in houses}
    anchors = {}
    for name, elo in config[ANCHORS].items():
        if name.lower() not in known:
            place = config.places[ANCHORS][name]
            what = f"{place} {name}={elo}" if place.startswith("-") else f"{place}: [{ANCHORS}] {name}"
            bots = ", ".join(sorted(known.values(), key=str.lower))
            usage(f"{what}: an anchor is a bot of this server; there are {bots}")
        anchors[known[name.lower()]] = elo
    if not config["ladder.on"]:
        return None
    if find_spec("numpy") is None:
        raise Missing("a standing ladder wants numpy; install: pip install 'tyrusd[ladder]'")
    clock = config["ladder.clock"]
    return LadderTerms(None if clock is None else TimeControl.parse(clock, NONE), anchors)
