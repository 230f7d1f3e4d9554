"""All that the games of one or more runs tell, as one object of plain data (docs/statistics.md#object).

Nothing in it depends on the order of the games. Names stand in it as they are; whoever shows them cleans.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from tyrusd.league.statistics.encounters import Circle, Encounter, circles, encounters
from tyrusd.league.statistics.figures import cell_data, estimate_data, plain, two_data
from tyrusd.league.statistics.pairs import Pair, Paired, Results, Twins, pair_up, prefix, twice
from tyrusd.league.statistics.pentanomial import Pentanomial, Trinomial
from tyrusd.league.statistics.plan import SprtPlan
from tyrusd.league.statistics.rating import FEW_PAIRS, PRIOR_DEVIATION, Ratings, rate
from tyrusd.league.statistics.strength import CONFIDENCE, elo, normalized_elo
from tyrusd.league.statistics.tables import (
    Table,
    endings_table,
    lost_by_forfeit,
    player_table,
    sides_table,
)
from tyrusd.league.tournament.played import Played

SCHEMA: Final = 1
MOST_POINTS: Final = 60


class Run(NamedTuple):
    """The games of one run and what must be known to count them (`pair_up`).

    numbers: the pairs of its schedule in order, where they are not 1, 2, 3 and so on. unready: how often each
    player never became ready. states: playing where nothing else is said. beside: how many incomplete pairs,
    void attempts and games of those there were besides these games, where whoever gave them left them out.
    """

    games: Sequence[Played]
    twins: Twins = twice
    void: Collection[tuple[int, int]] = ()
    replay_draws: bool = False
    numbers: Sequence[int] | None = None
    unready: Mapping[str, int] = {}
    states: Mapping[str, str] = {}
    beside: tuple[int, int, int] = (0, 0, 0)


def summary(
    games: Iterable[Played],
    *,
    entrants: Sequence[str] = (),
    twins: Twins = twice,
    void: Collection[tuple[int, int]] = (),
    replay_draws: bool = False,
    unready: Mapping[str, int] | None = None,
    states: Mapping[str, str] | None = None,
    sprt: SprtPlan | None = None,
    tournament: Table | None = None,
) -> Table:
    """Everything that the games of one run tell; see `Run` for the arguments, and `summary_of`."""
    run = Run(tuple(games), twins, void, replay_draws, None, unready or {}, states or {})
    return summary_of([run], entrants=entrants, sprt=sprt, tournament=tournament)


def summary_of(
    runs: Sequence[Run],
    *,
    entrants: Sequence[str] = (),
    sprt: SprtPlan | None = None,
    tournament: Table | None = None,
    manifests: Sequence[Table] = (),
    progress: bool = True,
) -> Table:
    """Everything that the games of several runs tell together.

    entrants: also those who have not played. sprt: the test to report where there are two players: whether
    the first of the entrants (without them: of the alphabet) is stronger.
    tournament, manifests: what others tell of the runs, passed on. progress: with the ratings after parts of
    the schedule, which takes most of the time. Raises ImportError for more than two
    players where numpy (the extra `ladder`) is not installed.
    """
    found = [pair_up(run.games, run.twins, void=run.void, replay_draws=run.replay_draws) for run in runs]
    pairs = [pair for paired in found for pair in paired.complete]
    counted = [game for pair in pairs for game in pair.games]
    names = sorted({*entrants, *(name for game in counted for name in (game.ivory, game.brown))})
    ratings = rate(names, pairs)
    clean = [pair for pair in pairs if not any(map(lost_by_forfeit, pair.games))]
    unforced = ratings if len(clean) == len(pairs) else rate(names, clean)
    met = encounters(pairs)
    rows = [
        {
            "name": name,
            **_of_player(pairs, counted, name),
            "rating": _rating(ratings, index),
            "rating_without_forfeits": _rating(unforced, index) if unforced.pairs[index] else None,
            "unready": sum(run.unready.get(name, 0) for run in runs),
            "state": next((run.states[name] for run in runs if name in run.states), "playing"),
        }
        for index, name in enumerate(names)
    ]
    rows.sort(key=lambda row: (not row["games"], -row["rating"]["elo"], -(row["score"] or 0), row["name"]))
    order = [row["name"] for row in rows]
    two = [name for name in entrants if name in names] if len(entrants) == 2 else names
    spot = [names.index(name) for name in order]
    total, rings = circles(names, met)
    found_data: Table = plain(
        {
            "schema": SCHEMA,
            "entrants": [
                {"name": row.pop("name"), "rank": rank if row["games"] else None, **row}
                for rank, row in enumerate(rows, 1)
            ],
            "pairs": _pairs_data(runs, found),
            "two": two_data(two[0], two[1], met, _looked_at(runs, found), sprt) if len(names) == 2 else None,
            "crosstable": [[cell_data(met.get((a, b))) for b in order] for a in order],
            "differences": [
                [None if i == j else ratings.difference(i, j)._asdict() for j in spot] for i in spot
            ],
            "cycles": [_circle(ring) for ring in rings],
            "model": {
                "method": "Bradley-Terry, maximum likelihood with a prior, covariance robust to pairs",
                "prior_deviation": PRIOR_DEVIATION,
                "confidence": CONFIDENCE,
                "few_pairs": FEW_PAIRS,
                "mean": 0.0,
                "draws": "half a win",
                "cycles_found": total,
            },
            "endings": endings_table(counted),
            "sides": sides_table(counted),
            "progress": _progress(names, pairs) if progress else [],
            "tournament": tournament,
            "runs": list(manifests),
        }
    )
    return found_data


def _of_player(pairs: Sequence[Pair], games: Sequence[Played], name: str) -> Table:
    table = player_table(games, name)
    pentanomial, singles, each = [0] * 5, [0] * 3, [0] * 3
    for pair in pairs:
        if name in (pair.first, pair.second):
            (pentanomial if len(pair.games) == 2 else singles)[pair.cell(name)] += 1
            for game in pair.games:
                each[round(2 * game.score(name))] += 1
    all_of = Results(Pentanomial(*pentanomial), Trinomial(*singles), Trinomial(*each))
    return {
        **table,
        "pairs": sum(pentanomial) + sum(singles),
        "elo": estimate_data(elo(all_of.counts)),
        "nelo": estimate_data(normalized_elo(all_of.counts)),
    }


def _rating(ratings: Ratings, index: int) -> Table:
    value, low, high = ratings.estimate(index)
    return {"elo": value, "low": low, "high": high, "deviation": ratings.deviation(index)}


def _pairs_data(runs: Sequence[Run], found: Sequence[Paired]) -> Table:
    beside = [sum(counts) for counts in zip(*(run.beside for run in runs), strict=True)] or [0, 0, 0]
    return {
        "complete": sum(len(paired.complete) for paired in found),
        "incomplete": sum(len(paired.incomplete) for paired in found) + beside[0],
        "void": sum(paired.void for paired in found) + beside[1],
        "void_games": sum(paired.void_games for paired in found) + beside[2],
    }


def _looked_at(runs: Sequence[Run], found: Sequence[Paired]) -> list[Pair]:
    """What a sequential test looks at, in its order: of each run the beginning that is finished."""
    return [
        pair for run, paired in zip(runs, found, strict=True) for pair in prefix(paired.complete, run.numbers)
    ]


def _circle(ring: Circle) -> Table:
    return {
        "names": list(ring.names),
        "edges": [_edge(edge) for edge in ring.edges],
        "los": ring.los,
        "significant": ring.significant,
    }


def _edge(edge: Encounter) -> Table:
    return {**edge.elo._asdict(), "los": edge.los}


def _progress(names: Sequence[str], pairs: Sequence[Pair]) -> list[Table]:
    """Ratings after more and more of the schedule, for a picture of how they settled."""
    points = min(MOST_POINTS, max(10, 3000 // max(1, len(names))), len(pairs))
    found = []
    for point in range(1, points + 1):
        so_far = pairs[: len(pairs) * point // points]
        ratings = rate(names, so_far)
        found.append(
            {
                "games": sum(len(pair.games) for pair in so_far),
                "ratings": {name: list(ratings.estimate(index)) for index, name in enumerate(names)},
            }
        )
    return found
