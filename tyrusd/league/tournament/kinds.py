"""Which form each kind of tournament has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tyrusd.league.pairing.gauntlet import gauntlet
from tyrusd.league.pairing.roundrobin import round_robin
from tyrusd.league.tournament.circuit import Circuit
from tyrusd.league.tournament.forms import Form
from tyrusd.league.tournament.knockout_form import Knockout
from tyrusd.league.tournament.plan import TournamentPlan
from tyrusd.league.tournament.swiss_form import Swiss


def form_of(plan: TournamentPlan) -> Form:
    """Return the form of a plan that was checked, before its first pair."""
    return _FORMS[plan.kind](plan)


def _round_robin(plan: TournamentPlan) -> Form:
    return Circuit(lambda cycle: round_robin(plan.entrants, cycle), plan.rounds)


def _gauntlet(plan: TournamentPlan) -> Form:
    return Circuit(lambda cycle: gauntlet(plan.entrants, plan.seeds, cycle), plan.rounds)


_FORMS: Final[dict[str, Callable[[TournamentPlan], Form]]] = {
    "roundrobin": _round_robin,
    "gauntlet": _gauntlet,
    "swiss": Swiss,
    "knockout": Knockout,
}
