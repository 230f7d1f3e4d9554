"""Tournaments as statistics see them: what counts of each, several joined, and what may not be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tyrusd.league.statistics.pairs import Twins
from tyrusd.league.statistics.plan import SprtPlan
from tyrusd.league.statistics.summary import Run, summary_of
from tyrusd.league.statistics.tables import Table
from tyrusd.league.tournament.plan import TournamentPlan
from tyrusd.league.tournament.tournament import Tournament


class Source(NamedTuple):
    """A run to be joined with others: its tournament, what it is called, and by what its bots are known.

    unready: how often each bot never became ready. made_of: for each bot a text that is another one when the
    bot is another one; a bot that is missing there is known by its name alone.
    """

    tournament: Tournament
    name: str
    unready: Mapping[str, int] = {}
    made_of: Mapping[str, str] = {}


class Overlap(ValueError):  # noqa: N818 -- what was found
    """The same pair of games stands in two runs; the text is a sentence that names both."""


def twins_of(plan: TournamentPlan) -> Twins:
    """Which deals of a tournament are played twice."""
    return lambda first, second: plan.games == 2 and plan.unswapped.isdisjoint((first, second))


def run_of(tournament: Tournament, unready: Mapping[str, int] | None = None) -> Run:
    """What counts of a tournament so far."""
    standing = tournament.standing()
    told = standing["pairs"]
    return Run(
        tournament.counted_games(),
        twins_of(tournament.plan),
        numbers=_schedule(tournament),
        unready=unready or {},
        states={row["name"]: row["state"] for row in standing["table"]},
        beside=(told["incomplete"], told["void"], told["void_games"]),
    )


def stats_of(
    tournament: Tournament, unready: Mapping[str, int] | None = None, *, progress: bool = True
) -> Table:
    """The statistics of one tournament so far (`summary_of`); progress: also how the ratings came about."""
    plan = tournament.plan
    return summary_of(
        [run_of(tournament, unready)],
        entrants=plan.entrants,
        sprt=plan.sprt,
        tournament=tournament.standing(),
        progress=progress,
    )


def joined_stats(
    sources: Sequence[Source], manifests: Sequence[Table] = (), sprt: SprtPlan | None = None
) -> Table:
    """The statistics of several runs together; raises Overlap where they hold the same pair of games.

    sprt: a test of two bots instead of that of the runs, which counts where all have the same.

    A bot that was another one in another run is a player of its own, called NAME@RUN.
    """
    refuse_overlaps(sources)
    names = new_names(sources)
    runs = [
        _renamed(run_of(source.tournament, source.unready), new)
        for source, new in zip(sources, names, strict=True)
    ]
    plans = [source.tournament.plan for source in sources]
    entrants = list(
        dict.fromkeys(new[name] for plan, new in zip(plans, names, strict=True) for name in plan.entrants)
    )
    tests = {plan.sprt for plan in plans}
    return summary_of(
        runs,
        entrants=entrants,
        sprt=sprt or (tests.pop() if len(tests) == 1 else None),
        tournament=sources[0].tournament.standing() if len(sources) == 1 else None,
        manifests=manifests,
    )


def refuse_overlaps(sources: Sequence[Source]) -> None:
    """Raise Overlap where two runs hold the same pair: the same seed, number and bots."""
    seen: dict[tuple[str, int, frozenset[str]], int] = {}
    for index, source in enumerate(sources):
        plan = source.tournament.plan
        for pair in source.tournament.pairs:
            if not any(attempt.games for attempt in pair.attempts):
                continue
            other = seen.setdefault((plan.seed, pair.number, pair.names), index)
            if other != index:
                raise Overlap(
                    f"pair {pair.number} of one schedule stands in {sources[other].name} and in "
                    f"{source.name}: name each run once, and of runs that overlap only one"
                )


def new_names(sources: Sequence[Source]) -> list[dict[str, str]]:
    """For each run: what its bots are called among all; the same name for what is the same bot."""
    kinds: dict[str, dict[str, str]] = {}
    for source in sources:
        for name in source.tournament.plan.entrants:
            kinds.setdefault(name, {}).setdefault(source.made_of.get(name, ""), f"{name}@{source.name}")
    return [
        {
            name: name if len(kinds[name]) == 1 else kinds[name][source.made_of.get(name, "")]
            for name in source.tournament.plan.entrants
        }
        for source in sources
    ]


def unready_counts(records: Sequence[Mapping[str, object]]) -> Counter[str]:
    """How often each bot never became ready, according to a journal."""
    return Counter(str(record["bot"]) for record in records if record["kind"] == "unready")


def _schedule(tournament: Tournament) -> list[int]:
    """The numbers of the pairs that are, or will be, played and count."""
    return [
        pair.number
        for pair in tournament.pairs
        if tournament.mine(pair.number) and tournament.verdicts.cut_of(pair) is None
    ]


def _renamed(run: Run, new: Mapping[str, str]) -> Run:
    if all(name == other for name, other in new.items()):
        return run
    old = {other: name for name, other in new.items()}
    return run._replace(
        games=[
            game._replace(
                ivory=new[game.ivory],
                brown=new[game.brown],
                opener=new[game.opener],
                winner=None if game.winner is None else new[game.winner],
            )
            for game in run.games
        ],
        twins=lambda first, second: run.twins(old[first], old[second]),
        unready={new[name]: count for name, count in run.unready.items()},
        states={new[name]: state for name, state in run.states.items()},
    )
