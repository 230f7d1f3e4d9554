"""What must hold of a match at its end: each game of the schedule once, on its deal, in the right colours."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tyrusd.core.requests import Finished, GameOver, Halted
from tyrusd.core.schedule import Schedule
from tyrusd.rules.deal import deal_from_bytes, game_secret

if TYPE_CHECKING:
    from tests.core.simulation.run import Simulation


def check_schedule(sim: Simulation, schedule: Schedule) -> None:
    """Compare the games that were begun and the news with the schedule."""
    begun = Counter(game.number for game in sim.truth.games.values())
    assert begun.keys() <= set(range(1, schedule.games + 1)), f"games {sorted(begun)} of {schedule.games}"
    assert not begun or max(begun.values()) == 1, f"a game was begun twice: {begun}"
    one, two = (entry.name for entry in schedule.entries)
    for game in sim.truth.games.values():
        assert game.deal == deal_from_bytes(game_secret(schedule.seed, game.number))
        assert game.seats == ((one, two) if game.number % 2 else (two, one))
    told = [item.record["game"]["number"] for item in sim.news if isinstance(item, GameOver)]
    assert len(set(told)) == len(told), f"the result of a game is told twice: {told}"
    halted = [item for item in sim.news if isinstance(item, Halted)]
    finished = [item for item in sim.news if isinstance(item, Finished)]
    assert len(halted) <= 1 and len(finished) <= 1
    sim.tally["matches halted"] += len(halted)
    if finished:
        assert sim.news[-1] == finished[0], "something came after the last of the news"
        assert halted or len(begun) == schedule.games, f"only {len(begun)} of {schedule.games} were begun"
        sim.tally["matches finished"] += 1
    else:
        assert sim.draining, "the match has neither finished nor been interrupted"
