"""What a seed makes of a simulation: who comes, on what terms, and what goes wrong around them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scenario:
    """The frame of one simulation; chances from 0 to 1, times in seconds."""

    lobby: bool
    games: int
    store_trouble: float = 0.0
    program_trouble: float = 0.0
    program_games: int = 1
    may_halt: bool = False  # a schedule that cannot go on aborts what is running
    longest: float = 3600.0
