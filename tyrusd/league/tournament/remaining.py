"""How many games a tournament will still play, as far as that is known: fewer where bots have gone."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tyrusd.league.tournament.tournament import Tournament


def games_left(tournament: Tournament) -> int | None:
    """The games that are to be played, running ones included, if nothing is dealt again.

    None where nobody knows before the end. In a share it may be a few games off once a bot has gone.
    """
    if tournament.over:
        return 0
    later = _later(tournament)
    return None if later is None else later + _scheduled(tournament)


def _scheduled(tournament: Tournament) -> int:
    """The missing games of the pairs that are known."""
    return sum(
        len(pair.games) - len(pair.current.games)
        for pair in tournament.pairs
        if not pair.complete and tournament.mine(pair.number) and not tournament.in_vain(pair.number)
    )


def _later(tournament: Tournament) -> int | None:
    """The games of the pairs that are not known yet."""
    plan = tournament.plan
    if plan.kind == "swiss":
        return _later_rounds(tournament)
    if plan.kind == "knockout" or plan.rounds is None:
        return None
    gone, halted = tournament.verdicts.gone, tournament.verdicts.halted
    total = tournament.total_pairs
    if total is not None and not gone and not halted and not plan.unswapped:
        return (total - sum(tournament.mine(pair.number) for pair in tournament.pairs)) * plan.games
    known = Counter(pair.names for pair in tournament.pairs)
    games = 0
    for names in _meetings(tournament):
        both = frozenset(names)
        if not both & gone and both not in halted:
            games += (plan.rounds - known[both]) * (2 if tournament.twins(names) else 1)
    return games if plan.shard is None else round(games / plan.shard[1])


def _later_rounds(tournament: Tournament) -> int | None:
    plan, rounds = tournament.plan, tournament.form.rounds
    if plan.unswapped or rounds is None or plan.rounds is None:
        return None
    here = len(set(plan.entrants) - tournament.verdicts.gone)
    to_come = rounds - (tournament.pairs[-1].round if tournament.pairs else 0)
    return to_come * (here // 2) * plan.rounds * plan.games


def _meetings(tournament: Tournament) -> Iterable[tuple[str, str]]:
    plan = tournament.plan
    if plan.kind == "roundrobin":
        return combinations(plan.entrants, 2)
    seeds, others = plan.entrants[: plan.seeds], plan.entrants[plan.seeds :]
    return ((one, other) for one in seeds for other in others)
