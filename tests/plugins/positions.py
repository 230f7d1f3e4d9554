"""Asks a bot about a named position: one sightline, many seeds, and how often it chose what."""

from __future__ import annotations

from collections import Counter

from tests.plugins.arena import Choose
from tyrusd.sdk import Request, read_view

SEEDS = tuple(f"seed {number}" for number in range(100))


def asked(line: str, seed: str = "seed") -> Request:
    """The request in which this sightline is asked about."""
    view = read_view(line)
    number = 6 * (view.election - 1) + view.turn
    return Request("g1", number, None, None, None, view, seed, "enemy")


def answers(choose: Choose, line: str) -> Counter[str]:
    """How often each placement, written like `S7 IM`, is chosen over a hundred seeds."""
    placements = [choose(asked(line, seed)) for seed in SEEDS]
    return Counter([f"{tile} {building.name}" for tile, building in placements])
