"""What a tournament is to play, settled before its first game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from tyrusd.league.statistics.plan import SprtPlan

Kind: TypeAlias = Literal["roundrobin", "gauntlet", "swiss", "knockout"]
Draws: TypeAlias = Literal["half", "replay"]

KINDS: Final = ("roundrobin", "gauntlet", "swiss", "knockout")


@dataclass(frozen=True, slots=True)
class TournamentPlan:
    """A tournament's terms (docs/tournaments.md).

    entrants: names, unique ignoring case, in the order of their seeding. rounds: deals for each pairing; None
    with an SPRT: until it has decided. games: 2, each deal is played twice with the seats swapped; 1, once.
    unswapped: entrants whose deals are played once in any case, since nobody can make them forget.
    seeds: gauntlet: the first so many play all others; knock-out: so many of the first are seeded.
    swiss_rounds: None for as many as single out a winner. draws: what a drawn game counts for; in a
    knock-out it is always dealt again. suspend_after: failures in a row after which an entrant's remaining
    games are not played. stop_on_crash: the first crash of an entrant ends everything, unless another
    choice is made later. shard: (K, N) plays only the K-th of N fixed shares of the pairs.
    """

    kind: Kind
    entrants: tuple[str, ...]
    seed: str
    rounds: int | None = 1
    games: Literal[1, 2] = 2
    unswapped: frozenset[str] = frozenset()
    seeds: int = 1
    swiss_rounds: int | None = None
    draws: Draws = "half"
    suspend_after: int = 10
    stop_on_crash: bool = False
    sprt: SprtPlan | None = None
    shard: tuple[int, int] | None = None
