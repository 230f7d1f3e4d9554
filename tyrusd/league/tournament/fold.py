"""A tournament as its journal left it."""

from __future__ import annotations

from collections.abc import Iterable

from tyrusd.league.schema import Payload
from tyrusd.league.tournament.dealing import Deals
from tyrusd.league.tournament.plan import TournamentPlan
from tyrusd.league.tournament.played import played_of
from tyrusd.league.tournament.tournament import Tournament


def tournament_of(plan: TournamentPlan, records: Iterable[Payload], deals: Deals | None = None) -> Tournament:
    """Return the tournament after the records of its journal, in their order; nothing of it is handed out.

    Records that are of no tournament change nothing. Raises ValueError, saying which, where a record
    contradicts the plan or another one: the journal is that of another run, or damaged.
    """
    tournament = Tournament(plan, deals)
    for record in records:
        kind = record["kind"]
        if kind == "game":
            played = played_of(record)
            if played is not None:
                tournament.take(played)
        elif kind == "run" and record.get("stops") is not None:
            tournament.stop_on_crash(record["stops"])
        elif kind == "unready":
            tournament.unready(record["pair"], record["attempt"], record["bot"], record["why"])
        elif kind == "dropped":
            tournament.drop(record["bot"])
    return tournament
