"""What an operator settles for the standing ladder of a server: the clock of its games, and its anchors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tyrusd.league.clock import BOTS, TimeControl


class LadderTerms(NamedTuple):
    """Of a ladder that is held.

    control: of all rated games, None for what bots play by default; anchors: the fixed Elo of house bots, by
    name.
    """

    control: TimeControl | None = None
    anchors: Mapping[str, int] = {}

    @property
    def time(self) -> TimeControl:
        """The one clock of both seats in all rated games: who chose it could choose one to win by."""
        return BOTS if self.control is None else self.control

    def anchor(self, name: str) -> int | None:
        """Return the fixed rating of a house bot, whatever the case of its name; None if it has none."""
        return next((elo for anchor, elo in self.anchors.items() if anchor.lower() == name.lower()), None)
