"""What a server counts of its own work: logins, results, errors and goodbyes by their words."""

from __future__ import annotations

from tests.core.stage import Stage, begin, play_on
from tyrusd.core.counts import Counts
from tyrusd.core.requests import Stored
from tyrusd.wire import messages as wire


def counts(stage: Stage) -> Counts:
    return stage.server.counts


def test_logins_and_results_are_counted_as_they_are_told() -> None:
    stage = Stage()
    pair = begin(stage, ("human", "bot"))
    assert counts(stage).connections == 2
    assert counts(stage).logins == {("human", "guest"): 1, ("bot", "guest"): 1}
    stage.store_at_once = False
    pair.mover.say(f"resign {pair.game}")
    assert not counts(stage).results
    store = stage.stored[-1]
    stage.server.answer(Stored(store.id), stage.now)
    assert counts(stage).results == {"resigned": 1}


def test_every_game_of_a_series_is_counted_once() -> None:
    stage = Stage()
    pair = begin(stage)
    while stage.server.tables:
        game = next(iter(stage.server.tables))
        play_on(pair.mover, pair.other, game)
    assert sum(counts(stage).results.values()) == len(stage.stored)


def test_errors_and_goodbyes_are_counted_by_their_words() -> None:
    stage = Stage()
    peer = stage.connect()
    peer.say("nonsense")
    peer.say("hello 0.1 ada human")
    peer.say("quit")
    assert counts(stage).errors == {"syntax": 1}
    assert counts(stage).goodbyes == {"bye": 1}


def test_who_keeps_to_the_limits_is_counted_nowhere() -> None:
    stage = Stage()
    pair = begin(stage, ("human", "human"))
    play_on(pair.mover, pair.other, pair.game)
    assert pair.mover.got(wire.Over)
    assert not counts(stage).limits and not counts(stage).errors and not counts(stage).goodbyes
