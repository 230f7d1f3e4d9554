"""Programs of one seat that end though nobody told them to: how many in a row, when the next one starts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tyrusd.league.match import FORFEITS
from tyrusd.rules.game import Outcome
from tyrusd.rules.pieces import Side

FAILURES: Final = 2  # programs in a row that end before they have played: nothing can be played with them
_LONGEST_PAUSE: Final = 10  # seconds before a program that ends again and again is started once more
_UNSETTLED: Final = frozenset({"aborted", "void"})  # ends that tell nothing of the programs


@dataclass(slots=True)
class Restarts:
    """The bad luck of one seat's programs.

    failures: in a row, ended before they had a game. crashes: in a row, ended after that, and no game got
    through in between.
    """

    failures: int = 0
    crashes: int = 0

    @property
    def pause(self) -> int:
        """Seconds before the next start: none after the first crash, then one, then two, and so on."""
        return min(max(0, self.crashes - 1), _LONGEST_PAUSE)


def got_through(outcome: Outcome | None) -> tuple[Side, ...]:
    """Return the sides whose programs a game speaks for: all that did not lose it by a fault."""
    if outcome is None or outcome.reason in _UNSETTLED:
        return ()
    return tuple(side for side in Side if outcome.reason not in FORFEITS or outcome.winner is side)
