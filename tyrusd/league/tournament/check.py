"""Whether a plan can be played at all, said in one sentence before its first game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tyrusd.league.tournament.plan import KINDS, TournamentPlan
from tyrusd.rules.deal import game_secret

ENDLESS_KINDS: Final = frozenset({"roundrobin", "gauntlet"})
"""The kinds whose schedule does not depend on results: only these have shards, and a test of two bots."""


def check_plan(plan: TournamentPlan) -> None:
    """Raise ValueError, saying what to change, for a plan that cannot be played (docs/tournaments.md)."""
    for fault in _faults(plan):
        raise ValueError(fault)


def _faults(plan: TournamentPlan) -> Iterator[str]:
    names = plan.entrants
    if plan.kind not in KINDS:
        yield f"there is no tournament {plan.kind!r}; choose one of {', '.join(KINDS)}"
    if len(names) < 2:
        yield f"a tournament needs two bots or more, and there {_are(len(names))}; add {2 - len(names)} more"
    seen: dict[str, str] = {}
    for name in names:
        other = seen.get(name.lower())
        if other is not None:
            same = "two bots are" if other == name else f"{other} differs only by its case: two bots are"
            yield f"{same} called {name}; give each a name of its own"
        seen[name.lower()] = name
        if not name:
            yield "a bot has an empty name; give it one"
    unknown = sorted(plan.unswapped - set(names))
    if unknown:
        yield f"{unknown[0]} is not one of the bots, so its deals cannot be left unswapped; correct the name"
    if plan.games not in (1, 2):
        yield f"a deal is played once or twice, not {plan.games} times; choose 1 or 2"
    yield from _numbers(plan)
    yield from _combinations(plan)
    try:
        game_secret(plan.seed, 1)
    except ValueError as problem:
        yield str(problem)


def _numbers(plan: TournamentPlan) -> Iterator[str]:
    if plan.rounds is not None and plan.rounds < 1:
        yield f"each two that meet play 1 deal or more, not {plan.rounds}; choose another number of rounds"
    if plan.swiss_rounds is not None and plan.swiss_rounds < 1:
        yield f"a Swiss tournament has 1 round or more, not {plan.swiss_rounds}; choose another number"
    if plan.suspend_after < 1:
        yield f"a bot is suspended after 1 failure or more, not {plan.suspend_after}; choose another number"
    count = len(plan.entrants)
    if plan.kind == "gauntlet" and not 1 <= plan.seeds < count:
        yield f"a gauntlet of {count} bots has 1 to {count - 1} seeds, not {plan.seeds}; choose another"
    if plan.kind == "knockout" and not 0 <= plan.seeds <= count:
        yield f"a knock-out of {count} bots has 0 to {count} seeds, not {plan.seeds}; choose another"


def _combinations(plan: TournamentPlan) -> Iterator[str]:
    if plan.rounds is None and plan.sprt is None:
        yield "nothing says when to stop; give the number of rounds, or a sequential test that decides"
    if plan.sprt is not None and len(plan.entrants) != 2:
        yield f"a sequential test compares two bots, not {len(plan.entrants)}; leave out the others"
    if plan.sprt is not None and plan.kind not in ENDLESS_KINDS:
        yield f"a {plan.kind} cannot run a sequential test; choose roundrobin"
    if plan.shard is None:
        return
    share, shares = plan.shard
    if not 1 <= share <= shares:
        yield f"there is no share {share} of {shares}; the first number is 1 to the second"
    if plan.kind not in ENDLESS_KINDS or plan.rounds is None or plan.sprt is not None:
        yield (
            "only a round robin or a gauntlet with a number of rounds and no sequential test can be played "
            "in shares, since what comes next depends on results in all others; play it on one machine"
        )


def _are(count: int) -> str:
    return "is 1" if count == 1 else "are none"
