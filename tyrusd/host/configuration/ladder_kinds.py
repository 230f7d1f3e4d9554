"""Kinds of values for the standing ladder: the clock of its games, and bots whose ratings are given."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from tyrusd.host.configuration.kinds import EntriesError, checked_entries, refuse, shown
from tyrusd.league.clock import NONE, TimeControl

MOST_ELO: Final = 10_000  # of an anchor, up or down
_ELO: Final = re.compile(r"-?[0-9]{1,6}")


@dataclass(frozen=True, slots=True)
class LadderClock:
    """The bank of both bots and what each placement adds to it."""

    allowed: str = (
        'a BASE+INC in seconds as text in quotes, as in "60+0.5" (base 0.1 to 1000000, or 0 with an '
        "increment; increment 0 to 3600)"
    )

    def take(self, value: Any) -> str:
        """Check a clock."""
        if not isinstance(value, str) or value == NONE:
            raise refuse(self, value)
        try:
            TimeControl.parse(value, NONE)
        except ValueError:
            raise refuse(self, value) from None
        return value

    read = take


@dataclass(frozen=True, slots=True)
class Anchors:
    """Elo by the names of house bots; in the environment one `NAME=ELO` a line."""

    allowed: str = f"a table of house bots, each NAME = ELO, a whole number from -{MOST_ELO} to {MOST_ELO}"

    def take(self, value: Any) -> dict[str, int]:
        """Check names and numbers; whether these bots exist is found out when the server starts."""
        if not isinstance(value, Mapping):
            raise refuse(self, value)
        checked_entries(value, _elo_fault)
        return dict(value)

    def read(self, text: str) -> dict[str, int]:
        """Read one anchor a line."""
        found: dict[str, int] = {}
        for line in text.splitlines():
            name, equals, elo = line.strip().partition("=")
            if not equals or _ELO.fullmatch(elo) is None:
                raise ValueError(f"wants one NAME=ELO a line, not {shown(line)}")
            if name in found:
                raise EntriesError([(name, "is there twice")])
            found[name] = int(elo)
        return self.take(found)


def _elo_fault(elo: Any) -> str | None:
    if isinstance(elo, int) and not isinstance(elo, bool) and -MOST_ELO <= elo <= MOST_ELO:
        return None
    return f"wants a whole number from -{MOST_ELO} to {MOST_ELO}, not {shown(elo)}"
