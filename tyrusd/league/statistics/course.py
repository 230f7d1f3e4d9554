"""How a sequential test went on: its log-likelihood ratio after more and more pairs, for a picture."""

from __future__ import annotations

from tyrusd.league.statistics.pairs import pair_up, prefix
from tyrusd.league.statistics.plan import SprtPlan
from tyrusd.league.statistics.sprt import Sequential
from tyrusd.league.statistics.summary import Run

MOST_POINTS = 400


def course_of(run: Run, first: str, plan: SprtPlan) -> list[tuple[int, float]]:
    """Return numbers of pairs with the ratio after them, at most some hundred, the last one among them.

    first: whose strength is tested. It ends where the test has decided.
    """
    paired = pair_up(run.games, run.twins, void=run.void, replay_draws=run.replay_draws)
    pairs = prefix(paired.complete, run.numbers)
    twins = [pair for pair in pairs if len(pair.games) == 2]
    test = Sequential(plan, 5 if twins or not pairs else 3)
    states = [(0, test.state.llr)]
    for pair in twins or pairs:
        if test.state.decision is not None:
            break
        state = test.add(pair.cell(first))
        states.append((state.pairs, state.llr))
    step = max(1, -(-len(states) // MOST_POINTS))
    found = states[::step]
    return found if found[-1] == states[-1] else [*found, states[-1]]
