"""Programs that nothing waits for: so many are kept, the others are ended, those used least lately first."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.core.crew_world import CrewWorld, bot, crew, task
from tests.core.match_world import well
from tyrusd.core.requests import PairDone
from tyrusd.wire import messages as wire

NAMES = ("ada", "bob", "cleo", "dan", "eve", "fay")
BOTS = tuple(bot(name) for name in NAMES)
PAIRINGS = [(one, two) for place, one in enumerate(NAMES) for two in NAMES[place + 1 :]]


def here(world: CrewWorld) -> Counter[str]:
    return Counter(world.name_of(peer) for peer in world.here())


@pytest.mark.parametrize("idle", [0, 1, 3, 4, 7, 100])
@pytest.mark.parametrize("concurrency", [1, 3])
def test_no_more_programs_are_kept_than_wanted_and_all_pairs_are_played(idle: int, concurrency: int) -> None:
    world = CrewWorld(crew(BOTS, concurrency, idle=idle))
    world.give(*[task(number, *pairing) for number, pairing in enumerate(PAIRINGS * 2, 1)])
    most = 0
    while world.play(1):
        most = max(most, sum(here(world).values()))
    assert {*world.ends} == {PairDone(number, 1) for number in range(1, 31)}
    assert most <= 4 * concurrency + idle
    assert sum(here(world).values()) == min(idle, 12 if concurrency == 1 else len(world.started))
    assert len(world.stopped) == len(world.started) - sum(here(world).values())
    assert len(world.started) >= (12 if idle == 100 else 13)


def test_the_programs_that_were_used_last_stay() -> None:
    world = CrewWorld(crew(BOTS, 1, idle=4))
    world.give(task(1, "ada", "bob"), task(2, "cleo", "dan"), task(3, "ada", "dan"))
    world.play_all()
    assert here(world) == {"ada": 2, "dan": 2} and len(world.started) == 8 + 1
    ended = [peer for peer in world.programs.values() if peer.closed]
    assert all(peer.last(wire.Bye).reason == "bye" for peer in ended) and len(ended) == 5


def test_a_program_that_is_told_to_go_has_not_crashed() -> None:
    world = CrewWorld(crew(BOTS, 1, idle=0))
    began = world.now
    world.give(*[task(number, "ada", other) for number, other in enumerate(NAMES[1:] * 5, 1)])
    world.play()
    assert world.now == began and len(world.ends) == 25  # no pause, no failure


def test_programs_that_wait_for_the_rest_of_their_pair_are_not_ended() -> None:
    world = CrewWorld(crew(BOTS, 1, idle=0))
    world.give(task(1, "ada", "bob"))
    world.play(3)
    assert sum(here(world).values()) == 4  # the second set waits
    world.crew.limit(0, world.now)
    world.play()
    assert sum(here(world).values()) == 2 and len(world.played) == 1
    world.crew.limit(1, world.now)
    world.run()
    world.play_all()
    assert sum(here(world).values()) == 0 and len(world.started) == 4


def test_a_program_that_comes_when_nothing_waits_any_more_is_ended() -> None:
    world = CrewWorld(crew(BOTS, 1, idle=0), behave=lambda world, request, number: None)
    world.give(task(1, "ada", "bob"))
    assert len(world.crew.withdraw(world.now)) == 1
    world.run()
    for request in world.started:
        peer = well(world, request, 0)
        assert peer is not None and peer.closed and peer.last(wire.Bye).reason == "bye"
    assert world.server.bots == {} and world.server.players == {}
    assert sorted(world.stopped) == sorted(request.id for request in world.started)
