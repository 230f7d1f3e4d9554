"""Decides what an election is worth: how much more often the game is won after it is won than lost."""

from __future__ import annotations

from functools import cache
from typing import Final

from tyrusd.sdk import Side, View, own_side

ELECTIONS: Final = 9
ROW: Final = 3  # so many wins in a row end the game


@cache
def chance_of_game(lead: int, row: int, left: int) -> float:
    """Return the chance (0..1) to win a game between equals from here.

    `lead` is our representatives minus the enemy's, `row` the length of the row of wins that runs now
    (negative: of the enemy's), `left` the elections still to come; a tie at the end is an even chance.
    """
    if abs(row) >= ROW:
        return float(row > 0)
    if left == 0:
        return 0.5 if lead == 0 else float(lead > 0)
    won = chance_of_game(lead + 1, max(row, 0) + 1, left - 1)
    lost = chance_of_game(lead - 1, min(row, 0) - 1, left - 1)
    return (won + lost) / 2


def stakes(view: View) -> float:
    """Return the share of games (0..1) that hangs on the election at hand."""
    lead, row = standing(own_side(view), view.winners)
    left = ELECTIONS - view.election
    won = chance_of_game(lead + 1, max(row, 0) + 1, left)
    lost = chance_of_game(lead - 1, min(row, 0) - 1, left)
    return won - lost


def standing(side: Side, winners: tuple[Side | None, ...]) -> tuple[int, int]:
    """Return our lead in representatives, and the row of wins that runs now (negative: the enemy's)."""
    lead = row = 0
    for winner in winners:
        if winner is None:
            row = 0
        elif winner == side:
            lead, row = lead + 1, max(row, 0) + 1
        else:
            lead, row = lead - 1, min(row, 0) - 1
    return lead, row
