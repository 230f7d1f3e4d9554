"""A finished game as tournaments and statistics see it: who played, on what deal, and how it ended."""

from __future__ import annotations

from typing import Final, NamedTuple

from tyrusd.league.match import FORFEITS
from tyrusd.league.schema import Payload
from tyrusd.league.tournament.task import Place
from tyrusd.rules.game import WITHOUT_RESULT

_SIDES: Final = ("ivory", "brown")


class Played(NamedTuple):
    """One game of a tournament; winner is a name, None for a draw or for a game without a result.

    opener: who opened the odd elections. spent: milliseconds of Ivory's and of Brown's placements, all of
    them; placed: how many those were.
    """

    place: Place
    ivory: str
    brown: str
    winner: str | None
    reason: str
    detail: str
    opener: str
    spent: tuple[int, int] = (0, 0)
    placed: tuple[int, int] = (0, 0)

    @property
    def counts(self) -> bool:
        """Whether the game has a result."""
        return self.reason not in WITHOUT_RESULT

    @property
    def at_fault(self) -> str | None:
        """Who lost without the board saying so, None where the board did."""
        if self.reason not in FORFEITS or self.winner is None:
            return None
        return self.brown if self.winner == self.ivory else self.ivory

    def score(self, name: str) -> float:
        """What the game gave a player: 1, 1/2 or 0. Call it only where the game counts."""
        return 0.5 if self.winner is None else float(self.winner == name)


def played_of(record: Payload) -> Played | None:
    """Read the record of a game; None where it belongs to no tournament."""
    part, game = record.get("ladder"), record["game"]
    if part is None:
        return None
    seats = game["seats"]
    spent, placed = [0, 0], [0, 0]
    for (side, _, _), cost in zip(game["placements"], record["timing"]["spent"], strict=True):
        index = _SIDES.index(side)
        spent[index] += cost
        placed[index] += 1
    return Played(
        Place(part["pair"], part["attempt"], part["game"], part["round"]),
        seats["ivory"],
        seats["brown"],
        None if game["winner"] is None else seats[game["winner"]],
        game["reason"],
        game["detail"],
        seats[game["deal"]["opener"]],
        (spent[0], spent[1]),
        (placed[0], placed[1]),
    )
