"""Where everybody in a tournament stands, as plain JSON data; names are never formatted into anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tyrusd.league.pairing.ranking import Row, ranked, table
from tyrusd.league.tournament.forms import scores_of
from tyrusd.league.tournament.winning import halts_of, names_winner, no_winner

if TYPE_CHECKING:
    from tyrusd.league.tournament.tournament import Tournament

_TIE_RULES: Final = {
    "roundrobin": ("sonneborn_berger", "wins"),
    "gauntlet": (),
    "swiss": ("buchholz", "sonneborn_berger", "wins"),
    "knockout": (),
}


def standing_of(tournament: Tournament) -> dict[str, Any]:
    """Return the standing of a tournament; see docs/tournaments.md#standing for its keys."""
    plan, form, verdicts = tournament.plan, tournament.form, tournament.verdicts
    counted = [pair for pair in tournament.pairs if pair.complete and verdicts.cut_of(pair) is None]
    rows = table(plan.entrants, scores_of(counted, plan.games), form.given, form.byes)
    if plan.kind == "knockout":
        rows.sort(key=lambda row: -form.reached(row.name))
    else:
        rows = ranked(rows, by_share=plan.kind == "gauntlet", buchholz=plan.kind == "swiss")
    rows.sort(key=lambda row: row.games == 0)  # who has not played stands nowhere, whatever was given
    missing = no_winner(tournament, rows)
    champion: str | None = None
    if tournament.over and missing is None and names_winner(tournament):
        champion = form.champion if plan.kind == "knockout" else rows[0].name
    return {
        "kind": plan.kind,
        "round": tournament.round,
        "rounds": form.rounds,
        "table": [_line(tournament, place, row) for place, row in enumerate(rows, 1)],
        "bracket": form.bracket(),
        "champion": champion,
        "no_winner": missing,
        "finalists": list(form.finalists),
        "halted": _halted(tournament),
        "suspended": list(verdicts.suspended),
        "dropped": list(verdicts.dropped),
        "over": tournament.why_over,
        "pairs": _pairs(tournament, len(counted)),
        "sprt": verdicts.test and verdicts.test._asdict(),
    }


def _halted(tournament: Tournament) -> list[dict[str, Any]]:
    """The pairings that go no further, by the pair at which they ended."""
    return [{"pairing": [halt.first, halt.second], "why": halt.why} for halt in halts_of(tournament)]


def _line(tournament: Tournament, place: int, row: Row) -> dict[str, Any]:
    rules = _TIE_RULES[tournament.plan.kind]
    return {
        "name": row.name,
        "place": place if row.games else None,
        "points": row.points,
        "games": row.games,
        "tiebreaks": {rule: getattr(row, rule) for rule in rules},
        "byes": tournament.form.byes.get(row.name, 0),
        "state": _state(tournament, row.name),
    }


def _state(tournament: Tournament, name: str) -> str:
    verdicts = tournament.verdicts
    if name in verdicts.dropped:
        return "dropped"
    if name in verdicts.suspended:
        return "suspended"
    return "out" if name in tournament.form.out else "playing"


def _pairs(tournament: Tournament, complete: int) -> dict[str, Any]:
    """How many pairs there are of each sort; `void` counts attempts, `void_games` their games."""
    cut, begun, void, void_games, uncounted = 0, 0, 0, 0, 0
    for pair in tournament.pairs:
        if not tournament.mine(pair.number):
            continue
        gone = tournament.verdicts.cut_of(pair) is not None
        cut += gone
        begun += not gone and not pair.complete and bool(pair.current.games)
        uncounted += len(pair.current.games) if gone else 0
        for attempt in pair.attempts:
            if attempt.ending not in (None, "complete"):
                void += 1
                void_games += len(attempt.games)
    return {
        "total": tournament.total_pairs,
        "complete": complete,
        "incomplete": begun,
        "not_played": cut,
        "uncounted_games": uncounted,
        "void": void,
        "void_games": void_games,
    }
