"""Decides an election: what each tile in a building is worth, and which side's score is higher."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from tyrusd.rules.pieces import BLOCKER_OF, VOTERS_OF, Kind, Side, Tile


class Count(NamedTuple):
    """The sums of one side in its own building, and the score they give."""

    votes: int
    blocks: int
    counters: int
    score: int


_VOTES, _BLOCKS, _COUNTERS, _NOTHING = range(4)


def _roles(kind: Kind, own: bool) -> tuple[int, ...]:
    voters = VOTERS_OF[kind]
    blockers = BLOCKER_OF[voters]
    roles = [_NOTHING, _NOTHING, _NOTHING]
    if own:
        roles[voters] = _VOTES
        roles[BLOCKER_OF[blockers]] = _COUNTERS
    else:
        roles[blockers] = _BLOCKS
    return tuple(roles)


# What a tile does: by kind of election, whether it lies in its owner's building (0 or 1), and profession.
ROLES: Final = tuple((_roles(kind, own=False), _roles(kind, own=True)) for kind in Kind)


def score(votes: int, blocks: int, counters: int) -> int:
    """Return the votes that remain: a counter lifts a block, and never adds a vote (Counting the Votes)."""
    return max(0, votes - max(0, blocks - counters))


def count(kind: Kind, side: Side, tiles: Iterable[tuple[Side, Tile]]) -> Count:
    """Return the count of a side, from the tiles lying in its own building of the election's kind."""
    sums = [0, 0, 0, 0]
    roles = ROLES[kind]
    for owner, (profession, number) in tiles:
        sums[roles[owner == side][profession]] += number
    votes, blocks, counters, _ = sums
    return Count(votes, blocks, counters, score(votes, blocks, counters))


def winner(ivory: Count, brown: Count) -> Side | None:
    """Return the side with the higher score, or None: equal scores make a null election (Null Elections)."""
    if ivory.score == brown.score:
        return None
    return Side.IVORY if ivory.score > brown.score else Side.BROWN
