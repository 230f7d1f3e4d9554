"""How simulated peers behave: which faults they commit, how often, and what may cost them a game."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Persona:
    """Chances from 0 to 1, of an answer (first group) or of an idle moment (the others)."""

    name: str
    good: bool = False
    """Whether this peer commits nothing that may cost it a game."""
    # Of each answer:
    late: float = 0.0  # comes after the time is up
    edge: float = 0.0  # comes at, just before or just after the last millisecond
    silent: float = 0.0  # does not come
    illegal: float = 0.0  # is not in the hand
    twice: float = 0.0  # comes twice in one packet, the second time perhaps with another tile
    stale: float = 0.0  # is preceded by an answer to an old, a future or somebody else's request
    unseen: float = 0.0  # is preceded by an answer that cannot be right before the right one is known
    resign: float = 0.0
    # Of each idle moment:
    ask: float = 0.3  # who, games, help, ping, look, watch, unwatch
    garbage: float = 0.0  # lines that are none
    flood: float = 0.0
    too_long: float = 0.0  # a line over the limit
    drop: float = 0.0  # the stream is gone
    half: float = 0.0  # half-closes
    quit: float = 0.0
    deaf: float = 0.0  # stops reading
    again: float = 0.0  # resumes from a second connection while the first is still there
    hang: float = 0.0  # begins a line and does not end it
    # Of each return:
    returns: float = 1.0  # comes back after its stream is gone
    wrong: float = 0.0  # tries a wrong secret first


GOOD = Persona("good", good=True)
STILL = Persona("still", good=True, ask=0.0)
CHATTY = Persona("chatty", good=True, ask=0.9, stale=0.1, twice=0.1, garbage=0.02)
SLOW = Persona("slow", late=0.01, silent=0.005)
EDGE = Persona("edge", edge=0.15)
CHEAT = Persona("cheat", illegal=0.03, stale=0.1, twice=0.1, unseen=0.1)
GARBLER = Persona("garbler", garbage=0.6, too_long=0.01, hang=0.01)
FLOODER = Persona("flooder", flood=0.05, ask=0.5)
DROPPER = Persona("dropper", drop=0.08, half=0.03, wrong=0.2, again=0.05, returns=0.9)
DEAF = Persona("deaf", ask=0.9, deaf=0.05, returns=0.8)
QUITTER = Persona("quitter", quit=0.03, resign=0.02, returns=0.3)
CHAOS = Persona(
    "chaos", late=0.003, edge=0.02, silent=0.002, illegal=0.01, twice=0.05, stale=0.05, unseen=0.02,
    resign=0.002, ask=0.5, garbage=0.05, flood=0.01, too_long=0.005, drop=0.02, half=0.01, quit=0.01,
    deaf=0.01, again=0.02, hang=0.005, returns=0.8, wrong=0.1,
)  # fmt: skip

GUESTS = (GOOD, STILL, CHATTY, SLOW, EDGE, CHEAT, GARBLER, FLOODER, DROPPER, DEAF, QUITTER, CHAOS)

PROGRAM = replace(GOOD, name="program", ask=0.0)
CRASHER = replace(PROGRAM, name="crasher", good=False, drop=0.05)
PROGRAMS = (
    PROGRAM, PROGRAM, CRASHER,
    replace(CHEAT, name="wild program", ask=0.05),
    replace(GARBLER, name="garbling program", ask=0.05, garbage=0.2),
    replace(SLOW, name="slow program", ask=0.0),
    replace(DEAF, name="deaf program", ask=0.0),
)  # fmt: skip

# What a side must have done before it may lose for this reason.
NEEDS: dict[str, frozenset[str]] = {
    "resigned": frozenset({"resign"}),
    "timeout": frozenset({"late", "edge", "silent", "gone", "deaf", "flood", "hang", "illegal", "paused"}),
    "illegal": frozenset({"illegal"}),
    "disconnected": frozenset({"gone", "deaf", "flood", "hang", "garbage"}),
    "void": frozenset({"gone", "deaf", "flood", "hang", "garbage"}),
    "crashed": frozenset({"gone", "deaf"}),
    "protocol": frozenset({"garbage", "deaf", "flood", "hang"}),
}
