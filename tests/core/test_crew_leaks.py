"""Thousands of pairs leave nothing behind: no player, program, timer, sealed deal, or object at all."""

from __future__ import annotations

import gc
from dataclasses import replace

from tests.core.crew_world import CrewWorld, bot, crew, task
from tests.core.test_crew_faults import crash, give_up
from tests.core.world import Peer
from tyrusd.core.requests import PairDone
from tyrusd.core.settings import DEFAULTS
from tyrusd.wire import messages as wire

NAMES = ("ada", "bob", "cleo", "dan", "eve", "fay")
PAIRINGS = [(one, two) for place, one in enumerate(NAMES) for two in NAMES[place + 1 :]]


def quick(world: CrewWorld, peer: Peer, request: wire.Choose) -> wire.Place | None:
    """Give up, and in each 500th pair crash."""
    pair = int(request.game[1:].partition("-")[0])
    return (crash if pair % 500 == 0 else give_up)(world, peer, request)


def test_thousands_of_pairs_leave_nothing_behind() -> None:
    settings = replace(DEFAULTS, lines_burst=1e9, lines_per_second=1e9, own_results=20)
    world = CrewWorld(
        crew([bot(name) for name in NAMES], 6, idle=8),
        games=2,
        policies=dict.fromkeys(NAMES, quick),
        settings=settings,
        forgetful=True,
    )

    def play(first: int, last: int) -> int:
        for number in range(first, last):
            world.give(task(number, *PAIRINGS[number % len(PAIRINGS)]))
            world.play_all()
            assert world.ends == [PairDone(number, 1)] and len(world.records) == 2
            for forgotten in (world.news, world.journal, world.stored, world.requests):
                forgotten.clear()
            world.started.clear()
            world.stopped.clear()
            for programs in (world.programs, world.peers):
                for key in [key for key, peer in programs.items() if peer.closed]:
                    del programs[key]
        gc.collect()
        return len(gc.get_objects())

    early = play(1, 400)  # then what is remembered of finished games has its size
    late = play(400, 2600)
    assert late - early < 500  # of each pair left behind there would be several
    assert world.server.sealed == set() and len(world.server.archive) <= 20 * len(NAMES)
    assert len(world.server.players) == len(world.server.bots) <= 8 + 1
    world.finish()
    world.wait(30)
    server = world.server
    assert (server.players, server.bots, server.tables, server.sessions) == ({}, {}, {}, {})
    assert len(server.timers) == 0 and len(server.storing) == 0 and server.finished
