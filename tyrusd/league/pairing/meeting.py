"""Who meets whom in one round of a tournament, and who has the first seat."""

from __future__ import annotations

from typing import NamedTuple


class Meeting(NamedTuple):
    """Two entrants who are to play; `first` has Ivory in the first game of their first deal."""

    first: str
    second: str

    @property
    def swapped(self) -> Meeting:
        """The same two with the other one first."""
        return Meeting(self.second, self.first)


class Round(NamedTuple):
    """The meetings of a round in their order, and who has nobody to play."""

    meetings: tuple[Meeting, ...]
    byes: tuple[str, ...] = ()
