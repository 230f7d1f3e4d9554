"""Pairs of games as a crew plays them: each game once, both on one deal, never too many, and an end."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.core.crew_world import MACHINE, CrewWorld, bot, crew, task
from tests.core.match_world import well
from tests.core.world import Peer
from tyrusd.core.requests import Finished, GameOver, PairDone, StartBot
from tyrusd.core.seatspec import SeatSpec
from tyrusd.league.clock import TimeControl
from tyrusd.wire import messages as wire

BOARD = {"majority", "remaining-tiles", "three-in-a-row", "drawn"}


@pytest.mark.parametrize("concurrency", [1, 2, 3, 8])
@pytest.mark.parametrize("games", [1, 3])
def test_each_game_of_each_pair_is_played_once(concurrency: int, games: int) -> None:
    world = CrewWorld(crew(concurrency=concurrency), games)
    world.give(*[task(pair) for pair in range(1, 6)])
    world.finish()
    world.play_all()
    assert Counter(game.place.game_id for game in world.played) == Counter(
        f"p{pair}-{game}" for pair in range(1, 6) for game in (1, 2)
    )
    assert sorted(world.ends) == [PairDone(pair, 1) for pair in range(1, 6)]
    assert isinstance(world.news[-1], Finished)
    assert world.most == min(concurrency, 10)
    assert world.server.finished and world.crew.done
    assert all(peer.last(wire.Bye).reason == "bye" and peer.closed for peer in world.peers.values())


@pytest.mark.parametrize("concurrency", [1, 2])
def test_both_games_of_a_pair_have_one_deal_and_swapped_seats(concurrency: int) -> None:
    world = CrewWorld(crew(concurrency=concurrency))
    world.give(task(3), task(4))
    world.play_all()
    games = {record["id"]: record["game"] for record in world.records}
    one, two = games["p3-1"], games["p3-2"]
    assert one["deal"] == two["deal"] != games["p4-1"]["deal"]
    assert one["seats"] == {"ivory": "one", "brown": "two"}
    assert two["seats"] == {"ivory": "two", "brown": "one"}
    assert len({seed for game in (one, two) for seed in game["seeds"].values()}) == 4
    assert one["lenient"] == {"ivory": 0, "brown": 0}
    assert {game["number"] for game in (one, two)} == {3}
    assert [record["ladder"] for record in world.records if record["id"] == "p3-2"] == [
        {"pair": 3, "attempt": 1, "game": 2, "round": 1, "host": MACHINE[0], "cpu": MACHINE[1]}
    ]
    told = {start.game: start for peer in world.peers.values() for start in peer.got(wire.Start)}
    assert set(told) == {"p3-1", "p3-2", "p4-1", "p4-2"}


def test_another_attempt_at_a_pair_has_other_ids_and_another_deal() -> None:
    world = CrewWorld()
    world.give(task(3), task(3, attempt=2))
    world.play_all()
    games = {record["id"]: record["game"] for record in world.records}
    assert set(games) == {"p3-1", "p3-2", "p3-1-2", "p3-2-2"}
    assert games["p3-1"]["deal"] != games["p3-1-2"]["deal"] == games["p3-2-2"]["deal"]
    assert world.ends == [PairDone(3, 1), PairDone(3, 2)]


@pytest.mark.parametrize("games", [(1,), (2,)])
def test_of_a_pair_only_the_games_that_are_wanted_are_played(games: tuple[int, ...]) -> None:
    world = CrewWorld()
    world.give(task(1, games=games, twins=games == (2,)))
    world.finish()
    world.play_all()
    assert [game.place.game for game in world.played] == list(games)
    assert world.ends == [PairDone(1, 1)] and len(world.started) == 2


def test_what_a_game_shows_does_not_depend_on_what_runs_beside_it() -> None:
    found = []
    for concurrency, games in ((1, 1), (2, 1), (5, 3), (16, 2)):
        world = CrewWorld(crew(concurrency=concurrency), games)
        world.give(*[task(pair) for pair in range(1, 5)])
        world.play_all()
        found.append({record["id"]: record["game"] for record in world.records})
    assert found[0] == found[1] == found[2] == found[3] and len(found[0]) == 8


def test_each_bot_has_its_own_time_and_its_filling_is_recorded() -> None:
    quick, slow = TimeControl.parse("5+0.1", "2"), TimeControl.parse("60+1", "none")
    bots = (bot("one", control=quick), bot("two", "exec", slow))
    world = CrewWorld(crew(bots))
    world.give(task())
    world.play_all()
    by_id = {record["id"]: record["game"] for record in world.records}
    assert by_id["p1-1"]["controls"]["ivory"] == {"clock": "5+0.1", "cap": "2"}
    assert by_id["p1-1"]["controls"]["brown"] == {"clock": "60+1", "cap": "none"}
    assert by_id["p1-2"]["controls"]["brown"] == {"clock": "5+0.1", "cap": "2"}
    assert by_id["p1-2"]["fillings"] == {"ivory": "exec:two", "brown": "plugin:one"}
    assert repr(bots[0]._replace(key="hidden")).count("hidden") == 0


def test_first_and_second_games_are_played_by_different_programs() -> None:
    world = CrewWorld(crew(concurrency=4), games=2)
    world.give(*[task(pair) for pair in range(1, 9)])
    world.play_all()
    played = [{start.game[-1] for start in peer.got(wire.Start)} for peer in world.programs.values()]
    assert {"1"} in played and {"2"} in played and {"1", "2"} not in played
    names = [peer.last(wire.Welcome).name for peer in world.programs.values()]
    assert len(set(names)) == len(names) and {"one", "two", "one_2", "two_2"} <= set(names)
    own = {start.own for peer in world.programs.values() for start in peer.got(wire.Start)}
    assert own == {"one", "two"}  # which of several programs plays is nobody's business


def test_a_game_begins_once_somebody_is_here_for_every_game_of_its_pair() -> None:
    late: list[StartBot] = []

    def behave(world: CrewWorld, request: StartBot, number: int) -> Peer | None:
        if len(world.started) == 4 and request is world.started[-1]:
            late.append(request)
            return None
        return well(world, request, number)

    world = CrewWorld(crew(concurrency=1), behave=behave)  # type: ignore[arg-type]
    world.give(task())
    assert len(world.started) == 4 and world.crew.running == 0
    well(world, late[0], 0)
    assert world.crew.running == 1 and set(world.server.tables) == {"p1-1"}
    world.play_all()
    assert world.ends == [PairDone(1, 1)] and len(world.started) == 4


def test_with_one_game_at_a_time_the_second_follows_the_first() -> None:
    world = CrewWorld(crew(concurrency=1))
    world.give(task(1), task(2), task(3))
    world.play_all()
    assert [game.place.game_id for game in world.played] == ["p1-1", "p1-2", "p2-1", "p2-2", "p3-1", "p3-2"]
    assert world.most == 1


def test_the_news_of_a_pair_come_after_its_games() -> None:
    world = CrewWorld(crew(concurrency=3))
    world.give(*[task(pair) for pair in range(1, 7)])
    world.play_all()
    for pair in range(1, 7):
        done = world.news.index(PairDone(pair, 1))
        games = [
            place
            for place, item in enumerate(world.news)
            if isinstance(item, GameOver) and item.record["ladder"]["pair"] == pair
        ]
        assert len(games) == 2 and max(games) < done


@pytest.mark.parametrize(
    ("games", "concurrency", "least", "most"),
    [(1, 1, 4, 4), (2, 2, 4, 4), (8, 8, 4, 4), (1, 8, 16, 20), (3, 8, 8, 12)],
)
def test_no_more_programs_are_started_than_the_games_at_a_time_need(
    games: int, concurrency: int, least: int, most: int
) -> None:
    """Eight games at a time are four first and four second games at first, later five and three, say."""
    world = CrewWorld(crew(concurrency=concurrency), games)
    world.give(*[task(pair) for pair in range(1, 9)])
    world.play_all()
    assert least <= len(world.started) <= most
    names = Counter(request.name for request in world.started)
    assert names["one"] == names["two"]


# -- how many at once -------------------------------------------------------------------------------------


def test_more_games_may_be_allowed_while_it_runs() -> None:
    world = CrewWorld(crew(concurrency=1))
    world.give(*[task(pair) for pair in range(1, 6)])
    world.play(10)
    world.crew.limit(5, world.now)
    world.run()
    world.play(1)
    assert world.crew.running == 5 and world.crew.concurrency == 5
    world.play_all()
    assert world.most == 5 and len(world.played) == 10


def test_fewer_games_may_be_allowed_while_it_runs() -> None:
    world = CrewWorld(crew(concurrency=6))
    world.give(*[task(pair) for pair in range(1, 11)])
    world.play(20)
    assert world.crew.running == 6
    world.crew.limit(2, world.now)
    world.run()
    running = set(world.server.tables)
    while world.crew.running > 2:
        world.play(1)
        assert set(world.server.tables) <= running, "a game has begun though too many run already"
    while world.play(1):
        assert world.crew.running <= 2
    assert len(world.played) == 20 and world.crew.outstanding == 0


def test_with_no_game_allowed_nothing_begins_until_some_are() -> None:
    world = CrewWorld(crew(concurrency=1))
    world.give(task(1), task(2))
    world.play(5)
    world.crew.limit(0, world.now)
    world.play()
    assert [game.place.game_id for game in world.played] == ["p1-1"] and world.crew.outstanding == 2
    world.crew.finish(world.now)
    world.wait(100)
    assert not world.crew.done
    world.crew.limit(1, world.now)
    world.run()
    world.play_all()
    assert len(world.played) == 4 and world.crew.done


# -- giving back, finishing, stopping ---------------------------------------------------------------------


def test_pairs_that_have_not_begun_are_given_back() -> None:
    world = CrewWorld(crew(concurrency=1))
    tasks = [task(pair) for pair in range(1, 4)]
    world.give(*tasks)
    world.play(3)
    assert world.crew.withdraw(world.now) == (tasks[1], tasks[2])
    assert world.crew.outstanding == 1 and world.server.sealed == {"p1-1"}
    world.play_all()
    assert world.ends == [PairDone(1, 1)] and len(world.played) == 2
    assert world.crew.withdraw(world.now) == ()
    world.give(tasks[2])
    world.play_all()
    assert world.ends == [PairDone(1, 1), PairDone(3, 1)]


def test_second_games_that_have_not_begun_are_given_back_if_that_is_wanted() -> None:
    world = CrewWorld(crew(concurrency=1))
    world.give(task(1), task(2))
    world.play(3)
    halves = world.crew.withdraw(world.now, halves=True)
    assert [(half.pair, half.games) for half in halves] == [(1, (2,)), (2, (1, 2))]
    assert world.crew.running == 1 and world.ends == []
    world.finish()
    world.play_all()
    assert [game.place.game_id for game in world.played] == ["p1-1"]
    assert world.ends == [PairDone(1, 1)] and world.crew.done


def test_games_that_run_are_not_given_back() -> None:
    world = CrewWorld(crew(concurrency=2))
    world.give(task(1))
    assert world.crew.withdraw(world.now, halves=True) == () and world.crew.running == 2
    world.play_all()
    assert world.ends == [PairDone(1, 1)] and len(world.played) == 2


def test_a_second_game_that_waits_for_its_place_is_given_back_too() -> None:
    world = CrewWorld(crew(concurrency=1))
    world.give(task(1))
    world.crew.limit(0, world.now)
    world.play()
    assert world.crew.outstanding == 1 and world.crew.running == 0
    (half,) = world.crew.withdraw(world.now, halves=True)
    world.run()
    assert half.games == (2,)
    assert world.crew.outstanding == 0 and world.ends == [PairDone(1, 1)]


def test_a_crew_without_pairs_finishes_at_once() -> None:
    world = CrewWorld()
    world.finish()
    assert world.news == [Finished()] and world.server.finished and world.started == []


def test_a_crew_waits_for_more_until_it_is_told_that_none_will_come() -> None:
    world = CrewWorld()
    world.give(task(1))
    world.play_all()
    world.wait(1000)
    assert not world.crew.done
    world.give(task(2))
    world.play_all()
    world.finish()
    world.wait(2)
    assert world.crew.done and world.server.finished
    assert len(world.server.timers) == 0 and world.server.bots == {} and world.server.players == {}


def test_an_interrupted_crew_lets_running_games_end_and_begins_no_more() -> None:
    world = CrewWorld(crew(concurrency=3))
    world.give(*[task(pair) for pair in range(1, 5)])
    world.play(5)
    world.server.drain(world.now, 1000.0)
    world.run()
    world.play()
    assert {game.place.game_id for game in world.played} == {"p1-1", "p1-2", "p2-1"}
    assert {game.reason for game in world.played} <= BOARD
    assert world.server.finished and world.ends == [PairDone(1, 1)]
    assert world.crew.outstanding == 3 and not any(isinstance(item, Finished) for item in world.news)


def test_a_crew_that_is_stopped_aborts_what_runs() -> None:
    world = CrewWorld(crew(concurrency=2))
    world.give(task(1), task(2))
    world.play(5)
    world.server.drain(world.now, 0.0)
    world.wait(0.0)
    assert {game.reason for game in world.played} == {"aborted"} and world.server.finished
    assert "1 pairs" in repr(world.crew)


# -- what cannot be asked of it ---------------------------------------------------------------------------


def test_bots_need_different_names() -> None:
    with pytest.raises(ValueError, match="different names"):
        crew((bot("one"), bot("ONE")))


@pytest.mark.parametrize(("first", "second"), [("one", "three"), ("three", "one"), ("one", "one")])
def test_a_pair_is_of_two_bots_that_are_here(first: str, second: str) -> None:
    world = CrewWorld()
    with pytest.raises(ValueError, match="not two bots of here"):
        world.give(task(1, first, second))
    assert world.crew.outstanding == 0 and world.server.sealed == set()


@pytest.mark.parametrize("games", [(), (3,), (0, 1)])
def test_a_pair_has_first_and_second_games_only(games: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="it wants 1, 2 or both"):
        CrewWorld().give(task(games=games))


def test_a_pair_is_played_once_at_a_time() -> None:
    world = CrewWorld()
    world.give(task(1))
    with pytest.raises(ValueError, match="being played already"):
        world.give(task(1))


def test_nothing_comes_after_the_end() -> None:
    world = CrewWorld()
    world.give(task(1))
    world.finish()
    with pytest.raises(ValueError, match="after finish"):
        world.give(task(2))


def test_a_ladder_has_no_lobby() -> None:
    world = CrewWorld(crew((bot("one", "tcp", key="k" * 32), bot("two"))))
    peer = world.connect()
    peer.say(f"hello 0.1 x bot key={'k' * 32}\nwho\ngames\nwatch p1-1\nplay two\nseek")
    assert [error.code for error in peer.got(wire.Error)] == ["state"] * 5
    assert SeatSpec("tcp", "one") == world.crew.bots["one"].spec
