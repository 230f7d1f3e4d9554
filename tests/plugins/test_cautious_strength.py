"""`cautious` beats `greedy` by more than chance explains, and thinks for less than a millisecond."""

from __future__ import annotations

from tests.plugins.arena import bot, play


def test_cautious_beats_greedy() -> None:
    standing = play(bot("cautious"), bot("greedy"), 2000)
    assert standing.games == 2000
    assert standing.lower_bound > 0.55, str(standing)
    # Processor time of this thread's work, ten times what it takes on a small machine.
    assert standing.seconds / standing.decisions < 0.001, str(standing)
