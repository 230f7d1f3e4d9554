"""The director of a match: how many games, on which deals, in which colours, and when it cannot go on."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from tests.core.match_world import (
    Behaviour,
    MatchWorld,
    connect,
    dies,
    entry,
    fails,
    first_time,
    never,
    schedule,
    well,
)
from tests.core.world import Peer
from tyrusd.core.requests import Finished, GameOver, StartBot
from tyrusd.core.settings import DEFAULTS
from tyrusd.rules.deal import deal_from_bytes, game_secret
from tyrusd.rules.pieces import Side
from tyrusd.wire import messages as wire

KEY = "k" * 43


def deals(world: MatchWorld) -> dict[object, object]:
    return {game["number"]: game["deal"] for game in world.results}


@pytest.mark.parametrize("games", [1, 2, 3, 7])
@pytest.mark.parametrize("concurrency", [1, 2, 5])
def test_a_match_plays_each_game_once_and_says_when_it_is_done(games: int, concurrency: int) -> None:
    world = MatchWorld(schedule(games=games, concurrency=concurrency), games=concurrency)
    world.play()
    assert Counter(game["number"] for game in world.results) == Counter(range(1, games + 1))
    assert isinstance(world.news[-1], Finished) and world.halted is None
    for peer in world.peers.values():
        assert peer.last(wire.Bye).reason == "bye" and peer.closed
    assert world.server.finished and world.schedule.done and not world.schedule.halted


def test_seat_one_is_ivory_in_odd_games() -> None:
    world = MatchWorld(schedule(games=4))
    world.play()
    assert [game["seats"] for game in world.results] == [
        {"ivory": "one", "brown": "two"}, {"ivory": "two", "brown": "one"},
    ] * 2  # fmt: skip


@pytest.mark.parametrize(("concurrency", "games"), [(1, 1), (3, 1), (3, 3), (2, 4), (16, 2)])
def test_deals_do_not_depend_on_what_runs_beside_them(concurrency: int, games: int) -> None:
    world = MatchWorld(schedule(games=6, concurrency=concurrency), games=games)
    world.play()
    found = deals(world)
    for number in range(1, 7):
        deal = deal_from_bytes(game_secret("s", number))
        told = found[number]
        assert isinstance(told, dict) and told["ivory"] == [str(tile) for tile in deal.tiles(Side.IVORY)]
    other = MatchWorld(schedule(games=6, seed="t"))
    other.play()
    assert len({str(deal) for deal in [*found.values(), *deals(other).values()]}) == 12


@pytest.mark.parametrize("concurrency", [1, 2, 3, 10])
def test_as_many_games_run_as_may_and_no_more(concurrency: int) -> None:
    world = MatchWorld(schedule(games=9, concurrency=concurrency))
    most = 0
    while world.play(1):
        most = max(most, len(world.server.tables))
        assert len(world.server.tables) <= concurrency
    assert most == min(concurrency, 9) and len(world.results) == 9
    starts = Counter(request.name for request in world.started)
    assert starts == {"one": min(concurrency, 9), "two": min(concurrency, 9)}


def test_one_program_may_play_many_games_at_once() -> None:
    world = MatchWorld(schedule(games=8, concurrency=4), games=4)
    assert len(world.server.tables) == 4
    world.play()
    assert len(world.started) == 2 and len(world.results) == 8


def test_programs_of_one_seat_get_numbered_names_and_records_the_name_of_the_seat() -> None:
    two = entry("one_2")
    world = MatchWorld(schedule(entry("one"), two, games=3, concurrency=3))
    here = {player.name for player in world.server.players.values()}
    assert here == {"one", "one_3", "one_4", "one_2", "one_2_2", "one_2_3"}
    world.play()
    assert {str(game["seats"]) for game in world.results} == {
        "{'ivory': 'one', 'brown': 'one_2'}", "{'ivory': 'one_2', 'brown': 'one'}",
    }  # fmt: skip
    assert {start.own for peer in world.peers.values() for start in peer.got(wire.Start)} == {"one", "one_2"}


def test_the_longest_name_still_has_room_for_a_number() -> None:
    world = MatchWorld(schedule(entry("n" * 32), games=3, concurrency=3))
    assert len(world.server.players) == 6 and world.halted is None
    assert all(len(player.name) <= 32 for player in world.server.players.values())


@pytest.mark.parametrize("names", [("same", "same"), ("same", "SAME")])
def test_two_seats_need_two_names(names: tuple[str, str]) -> None:
    with pytest.raises(ValueError, match="different names"):
        schedule(entry(names[0]), entry(names[1]))


def test_the_first_illegal_placement_loses() -> None:
    world = MatchWorld(schedule(games=1))
    peer = next(peer for peer in world.here() if world.open_request(peer) is not None)
    request = world.open_request(peer)
    assert request is not None and peer.last(wire.Start).lenient == 0
    held = request.view.split("hand=")[1].split(" ")[0].split(",")
    tile = next(f"S{number}" for number in range(1, 11) if f"S{number}" not in held)
    peer.send(wire.Place(game=request.game, request=1, tile=tile, building="IC"))
    assert world.results[0]["reason"] == "illegal"


@pytest.mark.parametrize("bad", [fails, dies])
def test_a_seat_whose_program_fails_once_is_started_again(bad: Behaviour) -> None:
    world = MatchWorld(schedule(games=2), behave=first_time(bad))
    world.play()
    assert len(world.results) == 2 and world.halted is None
    assert Counter(request.name for request in world.started) == {"one": 2, "two": 1}


@pytest.mark.parametrize(
    ("bad", "told"),
    [(fails, "there is no such file"),
     (dies, "it ended before it was ready (exit status 3); its last words: "),
     (never, "it did not say hello within 10 s (does it flush that line? `tyrusd check` tells)")],
)  # fmt: skip
def test_a_seat_whose_programs_fail_twice_in_a_row_halts_the_match(bad: Behaviour, told: str) -> None:
    world = MatchWorld(schedule(games=2), behave=first_time(bad, times=99))
    world.wait(10)
    world.start_programs()
    world.wait(10)
    assert world.halted is not None and world.halted.startswith("one (plugin:one) cannot play: ")
    assert told in world.halted
    assert [type(item).__name__ for item in world.news] == ["Halted", "Finished"]
    assert Counter(request.name for request in world.started)["one"] == 2
    assert world.server.finished and world.server.bots == {}


def test_failures_count_in_a_row_only() -> None:
    """One program fails at the start, one in the middle: a game lies between, so the match goes on."""
    failing = {1, 3}
    count = [0]

    def behave(world: MatchWorld, request: StartBot, number: int) -> Peer | None:
        if request.name == "one":
            count[0] += 1
            if count[0] in failing:
                return fails(world, request, number)
        return well(world, request, number)

    world = MatchWorld(schedule(games=3), behave=behave)
    world.play(5)
    one = next(peer for peer in world.here() if peer.last(wire.Welcome).name == "one")
    one.lose("exit status 1")
    world.start_programs()
    world.play()
    assert world.halted is None and len(world.results) == 3
    assert world.results[0]["reason"] == "crashed"


def test_a_program_that_ends_before_it_has_a_game_has_failed() -> None:
    world = MatchWorld(schedule(games=2), behave=first_time(never, times=9, name="two"))
    one = world.here()[0]
    one.lose("exit status 0")
    world.start_programs()
    assert world.halted is None
    world.here()[0].lose("exit status 0")
    assert world.halted == "one (plugin:one) cannot play: it ended before it had a game"


@pytest.mark.parametrize("cause", ["exit status 3", "killed by signal 9", ""])
def test_a_crash_loses_the_programs_games_and_a_new_one_plays_on(cause: str) -> None:
    world = MatchWorld(schedule(games=4, concurrency=2), games=2)
    world.play(7)
    victim = world.here()[0]
    name = victim.last(wire.Welcome).name
    victim.lose(cause, "its last words\n")
    crashed = world.results
    assert len(crashed) == 2 and {game["reason"] for game in crashed} == {"crashed"}
    for game in crashed:
        seats, winner = game["seats"], game["winner"]
        assert isinstance(seats, dict) and isinstance(winner, str) and seats[winner] != name
        assert game["detail"] == (cause or "end of output")
    assert {item.note for item in world.news if isinstance(item, GameOver)} == {"its last words\n"}
    world.play()
    assert len(world.results) == 4 and world.halted is None and len(world.started) == 3


def test_a_program_that_nobody_waits_for_any_more_is_no_player() -> None:
    late: list[StartBot] = []

    def slow(world: MatchWorld, request: StartBot, number: int) -> Peer | None:
        late.append(request)
        return None

    world = MatchWorld(
        schedule(games=1), behave=first_time(slow), settings=replace(DEFAULTS, hello_pipe=60.0)
    )
    early = connect(world, late[0])
    world.wait(10.1)
    early.send(wire.Hello(version="0.1", name="x", kind="bot"))
    assert early.last(wire.Bye).reason == "bye" and not early.got(wire.Welcome)
    never_seen = connect(world, late[0])
    assert never_seen.last(wire.Bye).reason == "bye" and len(never_seen.inbox) == 1
    world.play()
    assert len(world.results) == 1


def test_a_drained_match_lets_its_games_end_and_starts_no_more() -> None:
    world = MatchWorld(schedule(games=5, concurrency=2), games=2)
    world.play(3)
    world.server.drain(world.now, 1000.0)
    world.run()
    world.play()
    assert len(world.results) == 2 and {game["reason"] for game in world.results} <= {
        "majority", "remaining-tiles", "three-in-a-row", "drawn",
    }  # fmt: skip
    assert world.server.finished and not any(isinstance(item, Finished) for item in world.news)


def test_a_drawn_game_of_a_match_is_not_played_again() -> None:
    for number in range(40):
        world = MatchWorld(schedule(games=1, seed=f"d{number}"))
        world.play()
        if world.results[0]["reason"] == "drawn":
            assert len(world.results) == 1 and world.server.finished
            return
    raise AssertionError("none of forty games was drawn; choose other seeds")
