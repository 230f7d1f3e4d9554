"""What a simulation is made of: its frame, and who plays under each name."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.core.simulation.persona import Persona


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


@dataclass
class Party:
    """A guest, or all programs of one seat; sins are words of `persona.NEEDS`."""

    name: str
    persona: Persona
    sins: set[str] = field(default_factory=set)
