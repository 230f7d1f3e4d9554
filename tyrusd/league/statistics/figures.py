"""Figures as plain data: what an estimate, a cell of a table and the block for two players consist of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from tyrusd.league.statistics.encounters import Encounter
from tyrusd.league.statistics.pairs import Pair, Results
from tyrusd.league.statistics.pentanomial import Counts, games_each, moments
from tyrusd.league.statistics.plan import SprtPlan
from tyrusd.league.statistics.sprt import Sequential, SprtState, sprt
from tyrusd.league.statistics.strength import (
    CONFIDENCE,
    Estimate,
    elo,
    likelihood_of_superiority,
    normalized_elo,
)
from tyrusd.league.statistics.tables import Table

_DIGITS: Final = 6


def plain(value: Any) -> Any:
    """The same data with numbers as short as they are meant: what different processors add is cut off."""
    if isinstance(value, float):
        return round(value, _DIGITS) + 0.0  # which turns -0.0 into 0.0
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, (list, tuple)) else value


def estimate_data(estimate: Estimate) -> Table:
    """A figure with its interval."""
    return estimate._asdict()


def cell_data(encounter: Encounter | None) -> Table | None:
    """A cell of the crosstable; None for two who did not meet."""
    if encounter is None:
        return None
    losses, draws, wins = encounter.results.games
    games = losses + draws + wins
    points = wins + draws / 2
    return {
        "games": games,
        "pairs": sum(encounter.results.pairs) + sum(encounter.results.singles),
        "wins": wins,
        "losses": losses,
        "draws": draws,
        "points": points,
        "score": points / games,
        "pentanomial": list(encounter.results.pairs),
        "elo": encounter.elo.value,
        "low": encounter.elo.low,
        "high": encounter.elo.high,
        "los": encounter.los,
    }


def strength_data(found: Results) -> Table:
    """All figures of the results of one player against another."""
    losses, draws, wins = found.games
    return {
        "games": losses + draws + wins,
        "pairs": sum(found.pairs) + sum(found.singles),
        "wins": wins,
        "losses": losses,
        "draws": draws,
        "pentanomial": list(found.pairs),
        "unpaired": [wins, losses, draws],
        "elo": estimate_data(elo(found.counts)),
        "nelo": estimate_data(normalized_elo(found.counts)),
        "los": likelihood_of_superiority(found.counts),
        "elo_unpaired": estimate_data(elo(found.games)),
        "nelo_unpaired": estimate_data(normalized_elo(found.games)),
        "los_unpaired": likelihood_of_superiority(found.games),
        "variance_ratio": variance_ratio(found.pairs, found.games),
    }


def counts_data(counts: Counts, plan: SprtPlan | None = None) -> Table:
    """The figures of bare counts as plain data; each figure of an interval has a key of its own."""
    total = sum(counts)
    found: Table = {
        "schema": 1,
        "games": total * games_each(counts),
        "pairs" if len(counts) == 5 else "singles": total,
        "pentanomial" if len(counts) == 5 else "trinomial": list(counts),
        "score": moments(counts).mean if total else None,
        "variance": moments(counts).variance if total else None,
    }
    for name, figure in (("elo", elo(counts)), ("nelo", normalized_elo(counts))):
        found |= {name: figure.value, f"{name}_low": figure.low, f"{name}_high": figure.high}
    state = None if plan is None else sprt(counts, plan)
    found |= {"los": likelihood_of_superiority(counts), "confidence": CONFIDENCE}
    tested_keys = ("llr", "lower", "upper", "decision")
    found |= {key: None if state is None else getattr(state, key) for key in tested_keys}
    found["sprt"] = None if plan is None else plan._asdict()
    data: Table = plain(found)
    return data


def variance_ratio(pairs: Counts, games: Counts) -> float | None:
    """How much of the variance of independent games is left in pairs; None where nothing varies."""
    single = moments(games).variance
    return 2 * moments(pairs).variance / single if single and any(pairs) else None


def sprt_data(state: SprtState, plan: SprtPlan) -> Table:
    """A sequential test: its terms and how it stands."""
    return {**plan._asdict(), **state._asdict()}


def two_data(
    first: str,
    second: str,
    met: Mapping[tuple[str, str], Encounter],
    looked_at: Sequence[Pair],
    plan: SprtPlan | None,
) -> Table | None:
    """The block for two players; None as long as they have not met. looked_at: the pairs of the test."""
    encounter = met.get((first, second))
    if encounter is None:
        return None
    return {
        "first": first,
        "second": second,
        **strength_data(encounter.results),
        "sprt": None if plan is None else sprt_data(tested(looked_at, first, plan), plan),
    }


def tested(pairs: Sequence[Pair], first: str, plan: SprtPlan) -> SprtState:
    """Where a test of the first player's strength ends or stands after these pairs in their order.

    Deals that were played once are a test of single games; where both kinds are there, the pairs are tested.
    """
    twins = [pair for pair in pairs if len(pair.games) == 2]
    test = Sequential(plan, 5 if twins or not pairs else 3)
    return test.extend(pair.cell(first) for pair in twins or pairs)
