"""Reads the election at hand: own tiles by name, the enemy's by place and expected strength."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final, NamedTuple

from tyrusd.sdk import (
    BLOCKER_OF,
    Building,
    Kind,
    Profession,
    SeenTile,
    Side,
    Tile,
    View,
    building_of,
    own_side,
    turns_left,
    unseen_tiles,
)

MEAN_NUMBER: Final = 5.5  # of all ten tiles of a profession

# What is believed of an enemy before anything of it has been seen, and how many tiles that belief weighs.
VOTES_A_TILE: Final = 5.5  # in its own building, of each of its tiles there
BLOCKS_A_TILE: Final = 4.5  # in our building
COUNTERS_A_TILE: Final = 0.5  # in its own building
TO_OWN_BUILDING: Final = 0.7  # of the tiles it places in an election
TO_OUR_BUILDING: Final = 0.3
WEIGHT_OF_BELIEF: Final = 3.0

SPREAD_ALWAYS: Final = 1.5  # how far a margin is off even with nothing hidden that we can see
SPREAD_A_TILE: Final = 2.6  # for one hidden tile; several add up like independent errors


class Roles(NamedTuple):
    """What each profession does in elections of one kind."""

    voters: Profession
    blockers: Profession
    counters: Profession


def roles(kind: Kind) -> Roles:
    """Return who votes in elections of this kind, who blocks them and who counters the block."""
    blockers = BLOCKER_OF[kind.voters]
    return Roles(kind.voters, blockers, BLOCKER_OF[blockers])


ROLES: Final = tuple(roles(kind) for kind in Kind)


class Habits(NamedTuple):
    """What a tile of the enemy is worth by place, and where it tends to place them."""

    votes: float
    counters: float
    blocks: float
    to_own: float
    to_ours: float


class Reading(NamedTuple):
    """The sums expected when this election is counted, without the tiles we are still to place."""

    votes: int
    counters: int
    blocks: int
    enemy_votes: float
    enemy_counters: float
    enemy_blocks: float
    spread: float

    def chance(self, votes: int, counters: int, blocks: int) -> float:
        """Return the chance (0..1) to win with that much more of each from our hand; a null is half a win."""
        ours = _score(self.votes + votes, self.enemy_blocks, self.counters + counters)
        theirs = _score(self.enemy_votes, self.blocks + blocks, self.enemy_counters)
        chance = 1 / (1 + math.exp((theirs - ours) / self.spread))
        # Without a single vote the best that blocks can bring is a null.
        return chance if self.votes + votes else chance / 2


def _score(votes: float, blocks: float, counters: float) -> float:
    return max(0.0, votes - max(0.0, blocks - counters))


def read(view: View) -> Reading:
    """Return what is known and expected of the election at hand."""
    side = own_side(view)
    voters, blockers, counterers = ROLES[view.kind]
    own, theirs = building_of(side, view.kind), building_of(side.other, view.kind)
    habits = habits_of(side.other, view)
    _, to_come = turns_left(view)
    in_theirs = _hidden(view.board, theirs) + to_come * habits.to_own
    in_ours = _hidden(view.board, own) + to_come * habits.to_ours
    # The enemy cannot place what it has no more: what is left unseen bounds what is expected.
    left = unseen_tiles(view, side.other)
    return Reading(
        votes=_sum(view.board, own, voters),
        counters=_sum(view.board, own, counterers),
        blocks=_sum(view.board, theirs, blockers),
        enemy_votes=_expected(in_theirs, habits.votes, left, voters),
        enemy_counters=_expected(in_theirs, habits.counters, left, counterers),
        enemy_blocks=_expected(in_ours, habits.blocks, left, blockers),
        spread=SPREAD_ALWAYS + SPREAD_A_TILE * math.sqrt(in_theirs + in_ours),
    )


def habits_of(enemy: Side, view: View) -> Habits:
    """Return the enemy's habits: the belief above, corrected by each tile it had to show."""
    votes, counters, blocks = (
        each * WEIGHT_OF_BELIEF for each in (VOTES_A_TILE, COUNTERS_A_TILE, BLOCKS_A_TILE)
    )
    to_own, to_ours = TO_OWN_BUILDING * WEIGHT_OF_BELIEF, TO_OUR_BUILDING * WEIGHT_OF_BELIEF
    in_own = in_ours = placed = WEIGHT_OF_BELIEF
    for number, group in enumerate(view.past, 1):
        placed += 3
        voters, blockers, counterers = ROLES[view.cards[number - 1]]
        for building, election, _, side, tile in group:
            if side != enemy or tile is None:
                continue
            fresh = election == number
            if building.side == enemy:
                in_own += 1
                to_own += fresh
                votes += tile.number * (tile.profession == voters)
                counters += tile.number * (tile.profession == counterers)
            else:
                in_ours += 1
                to_ours += fresh
                blocks += tile.number * (tile.profession == blockers)
    return Habits(votes / in_own, counters / in_own, blocks / in_ours, to_own / placed, to_ours / placed)


def _hidden(board: Iterable[SeenTile], building: Building) -> int:
    return sum(1 for seen in board if seen[0] == building and seen[4] is None)


def _sum(board: Iterable[SeenTile], building: Building, profession: Profession) -> int:
    return sum(
        tile.number
        for place, _, _, _, tile in board
        if place == building and tile is not None and tile.profession == profession
    )


def _expected(tiles: float, each: float, left: Iterable[Tile], profession: Profession) -> float:
    numbers = [tile.number for tile in left if tile.profession == profession]
    if not numbers:
        return 0.0
    return min(tiles * each * (sum(numbers) / len(numbers)) / MEAN_NUMBER, float(sum(numbers)))
