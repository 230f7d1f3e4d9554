"""What `tyrusd serve` is asked for a standing ladder: whether, which clock, and whose ratings are given."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tyrusd.core.ladder_terms import LadderTerms
    from tyrusd.host.configuration.reading import Configuration


def ladder_of(config: Configuration, houses: Iterable[str]) -> LadderTerms | None:
    """The ladder that is asked for, None for none; its anchors are bots of the server.

    Without numpy, which the ratings want, the command ends with a sentence.
    """
    from tyrusd.commands.running import Missing
    from tyrusd.core.ladder_terms import LadderTerms
    from tyrusd.host.configuration.reading import ANCHORS
    from tyrusd.league.clock import NONE, TimeControl

    if not config["ladder.on"]:
        return None
    if find_spec("numpy") is None:
        raise Missing("a standing ladder wants numpy; install: pip install 'tyrusd[ladder]'")
    known = {name.lower(): name for name in houses}
    anchors = {known[name.lower()]: elo for name, elo in config[ANCHORS].items()}
    clock = config["ladder.clock"]
    return LadderTerms(None if clock is None else TimeControl.parse(clock, NONE), anchors)
