"""Plans of small ladders for the tests of this room."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tyrusd.core.seatspec import SeatSpec
from tyrusd.host.ladder.plan import LadderEntrant, LadderPlan
from tyrusd.league.clock import BOTS
from tyrusd.league.tournament.plan import TournamentPlan

SEED = "a seed for tests"


def plan_of(*names: str, seat: str = "plugin:random", **terms: Any) -> LadderPlan:
    """A round robin of bundled bots under these names; terms: those of the tournament that differ."""
    kind, _, text = seat.partition(":")
    entrants = tuple(LadderEntrant(name, SeatSpec(kind, text), BOTS) for name in names)
    tournament = replace(TournamentPlan("roundrobin", names, SEED), **terms)
    return LadderPlan(tournament, entrants)
