"""Everything that a run of a ladder is: its tournament, its bots, and how far those are kept apart."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, TypeAlias

from tyrusd.core.seatspec import SeatSpec
from tyrusd.league.clock import TimeControl
from tyrusd.league.tournament.plan import TournamentPlan
from tyrusd.rules.deal import Deal
from tyrusd.rules.variants import STANDARD, Variant

SandboxWord: TypeAlias = Literal["none", "bwrap"]

PLAN_FILE: Final = "ladder.json"


@dataclass(frozen=True, slots=True)
class LadderEntrant:
    """One bot of a ladder: its name, its filling, and the time it gets in each game."""

    name: str
    seat: SeatSpec
    control: TimeControl


@dataclass(frozen=True, slots=True)
class LadderPlan:
    """What is played, and under what terms: all that must not change while a run is resumed.

    deals: the deals of a file, in its order, one for each attempt at a pair; None: they derive from the
    seed. deals_hash: hexadecimal SHA-256 of that file. deals_file: where it was, which is no term.
    typed_seed: the seed was chosen by a person, so that it may be guessed. sandbox, memory (MiB), processor
    (seconds), start (seconds until hello): terms of each bot's process. wait: seconds for a tcp bot to come
    or to come back. trust_memory: deals of bots that cannot be isolated are swapped all the same.
    """

    tournament: TournamentPlan
    entrants: tuple[LadderEntrant, ...]
    variant: Variant = STANDARD
    deals: tuple[Deal, ...] | None = field(default=None, repr=False)
    deals_hash: str | None = None
    deals_file: Path | None = field(default=None, compare=False)
    typed_seed: bool = False
    sandbox: SandboxWord = "none"
    memory: int = 512
    processor: int | None = None
    start: float = 10.0
    wait: float = 60.0
    ponder: bool = True
    trust_memory: bool = False


@dataclass(frozen=True, slots=True)
class Pace:
    """How a run is played: this may differ from one resumption to the next.

    concurrency: games at a time, all workers together. workers: processes. affinity: each worker and its
    bots keep to processors of their own.
    """

    concurrency: int
    workers: int
    affinity: bool = False
