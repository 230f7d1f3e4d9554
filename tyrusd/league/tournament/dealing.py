"""What one attempt at a pair is played with: its deal and the seeds of its seats."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from tyrusd.league.tournament.pair import Pair
from tyrusd.league.tournament.task import PairTask
from tyrusd.rules.deal import Deal, deal_from_bytes, pair_secret, seat_seed, twin_secret
from tyrusd.rules.pieces import Side

Deals: TypeAlias = Callable[[int], Deal | None]
"""The deal of a pair by its number where deals come from a file, None past its end."""


def task_of(pair: Pair, seed: str, deals: Deals | None) -> PairTask:
    """Return the games of a pair that can be handed out now, as a task; they are out then."""
    attempt, games = pair.current.number, pair.missing
    secret = pair_secret(seed, pair.number, attempt)
    # A deal of a file is used once: what is dealt again derives from the seed in any case.
    deal = deals(pair.number) if deals is not None and attempt == 1 else None
    pair.out.update(games)
    return PairTask(
        pair.number,
        attempt,
        pair.round,
        pair.first,
        pair.second,
        games,
        len(pair.games) == 2,
        deal or deal_from_bytes(secret),
        (_seeds(secret, 1), _seeds(secret, 2)),
    )


def _seeds(secret: bytes, game: int) -> tuple[str, str]:
    twin = twin_secret(secret, game)
    return seat_seed(twin, Side.IVORY), seat_seed(twin, Side.BROWN)
