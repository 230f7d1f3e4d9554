"""A finished game as one row of the index: who met whom, how it ended, and what it counts as."""

from __future__ import annotations

from typing import NamedTuple

from tyrusd.league.schema import Payload


class GameRow(NamedTuple):
    """What the index tells of a game; everything follows from the records of the journal.

    deal: the game on whose deal it was played, itself if that was new. rated: 1 or 0. by, the agents and
    flags (words with commas) are those of a rated game. opener: who opened the odd elections.
    """

    id: str
    started: str
    variant: str
    ivory: str
    brown: str
    winner: str | None
    reason: str
    placed: int
    deal: str
    rated: int
    by: str | None
    ivory_agent: str | None
    brown_agent: str | None
    opener: str
    flags: str


def row_of(record: Payload, repeats: str | None) -> GameRow:
    """Return the row of a finished game; repeats: the game whose deal it was played on, if not its own."""
    head, rated = record["game"], record.get("rated")
    return GameRow(
        record["id"],
        record["timing"]["started"],
        head["variant"],
        head["seats"]["ivory"],
        head["seats"]["brown"],
        head["winner"],
        head["reason"],
        len(head["placements"]),
        record["id"] if repeats is None else repeats,
        int(rated is not None),
        None if rated is None else rated["by"],
        None if rated is None else rated["ivory"],
        None if rated is None else rated["brown"],
        head["deal"]["opener"],
        "" if rated is None else ",".join(rated["flags"]),
    )
