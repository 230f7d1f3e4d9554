"""Programs that end again and again: started anew after a growing pause, and given up after so many."""

from __future__ import annotations

import pytest

from tests.core.match_world import MatchWorld, entry
from tests.core.world import Peer
from tyrusd.core.requests import Finished
from tyrusd.core.schedule import Schedule
from tyrusd.league.clock import BOTS
from tyrusd.rules.variants import STANDARD
from tyrusd.wire import messages as wire


def match(games: int, max_crashes: int = 10, concurrency: int = 1) -> MatchWorld:
    director = Schedule(
        (entry("one"), entry("two")), games, "s", STANDARD, BOTS, concurrency, max_crashes=max_crashes
    )
    return MatchWorld(director)


def starts(world: MatchWorld, name: str = "one") -> int:
    return sum(request.name == name for request in world.started)


def program(world: MatchWorld, name: str = "one") -> Peer:
    """The newest program of a seat."""
    number = next(request.id for request in reversed(world.started) if request.name == name)
    return world.programs[number]


def crash(world: MatchWorld, name: str = "one") -> None:
    program(world, name).lose("exit status 1")
    world.start_programs()


def test_row_44_the_pause_before_a_start_grows_by_a_second() -> None:
    world = match(games=12)
    for crashes, pause in enumerate((0, 1, 2, 3, 4, 5, 6, 7, 8), 1):
        crash(world)
        if pause:
            assert starts(world) == crashes
            world.wait(pause - 0.001)
            world.start_programs()
            assert starts(world) == crashes, f"after {crashes} crashes it is started too early"
            world.wait(0.001)
            world.start_programs()
        assert starts(world) == crashes + 1
    assert world.halted is None


def test_row_44_the_pause_has_an_end() -> None:
    world = match(games=40, max_crashes=40)
    for _ in range(15):
        crash(world)
        world.wait(10)
        world.start_programs()
    assert starts(world) == 16


@pytest.mark.parametrize("most", [1, 2, 10])
def test_row_44_one_crash_below_the_limit_the_match_goes_on_and_at_it_halts(most: int) -> None:
    world = match(games=20, max_crashes=most)
    for _ in range(most - 1):
        crash(world)
        world.wait(10)
        world.start_programs()
    assert world.halted is None
    crash(world)
    assert world.halted is not None
    assert world.halted.startswith("one (plugin:one) ended ")
    assert "--max-restarts" in world.halted
    assert [game["reason"] for game in world.results] == ["crashed"] * most
    assert isinstance(world.news[-1], Finished)
    assert starts(world) == most


def test_row_44_a_game_that_is_got_through_forgives_all_crashes() -> None:
    world = match(games=20, max_crashes=3)
    for _ in range(5):
        crash(world)
        crash(world)
        world.wait(1)
        world.start_programs()
        games = len(world.results)
        while len(world.results) == games:
            assert world.play(1)
    assert world.halted is None


def test_row_44_a_game_that_the_other_seat_loses_by_its_crash_is_got_through_too() -> None:
    world = match(games=20, max_crashes=3)
    crash(world)
    crash(world, "two")  # from here on the first seat's crashes count anew
    for _ in range(2):
        crash(world)
        world.wait(2)
        world.start_programs()
    assert world.halted is None
    crash(world)
    assert world.halted is not None


def test_row_44_crashes_in_the_last_games_end_no_match() -> None:
    world = match(games=2, max_crashes=2)
    crash(world)
    crash(world)
    assert world.halted is None
    assert [game["number"] for game in world.results] == [1, 2]
    assert isinstance(world.news[-1], Finished)


def test_a_program_that_is_asked_to_leave_has_not_crashed() -> None:
    world = match(games=3, max_crashes=1)
    world.play()
    assert world.halted is None
    assert len(world.results) == 3


@pytest.mark.parametrize("ponder", [True, False])
def test_both_seats_are_told_whether_they_may_ponder(ponder: bool) -> None:
    world = MatchWorld(Schedule((entry("one"), entry("two")), 2, "s", STANDARD, BOTS, ponder=ponder))
    world.play()
    for peer in world.programs.values():
        assert [start.ponder for start in peer.got(wire.Start)] == ["on" if ponder else "off"] * 2
