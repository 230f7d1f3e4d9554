"""Who plays under a name, with all it has done that may cost it a game."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.core.simulation.persona import Persona


@dataclass
class Party:
    """A guest, or all programs of one seat; sins are words of `persona.NEEDS`."""

    name: str
    persona: Persona
    sins: set[str] = field(default_factory=set)
