"""What goes wrong with a ladder's bots: each fault has its word and costs its own games only."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from tests.core.crew_world import CrewWorld, Policy, bot, crew, first_tile, task
from tests.core.match_world import Behaviour, MatchWorld, dies, fails, first_time, never, well
from tests.core.world import Peer
from tyrusd.core.requests import GameOver, PairDone, StartBot, Unready
from tyrusd.core.settings import DEFAULTS
from tyrusd.rules.notation import read_view
from tyrusd.wire import messages as wire

BOTS = (bot("bad"), bot("good"), bot("fine"))


def crash(world: CrewWorld, peer: Peer, request: wire.Choose) -> wire.Place | None:
    peer.lose("exit status 3", "its last words\n")
    return None


def hang(world: CrewWorld, peer: Peer, request: wire.Choose) -> wire.Place | None:
    return None


def cheat(world: CrewWorld, peer: Peer, request: wire.Choose) -> wire.Place | None:
    held = {str(tile) for tile in read_view(request.view).hand}
    tile = next(f"S{number}" for number in range(1, 11) if f"S{number}" not in held)
    return wire.Place(game=request.game, request=request.request, tile=tile, building="IC")


def babble(world: CrewWorld, peer: Peer, request: wire.Choose) -> wire.Place | None:
    peer.send_bytes(b"\x00\x00\x00\x01\xc1" * 30)
    return None


def give_up(world: CrewWorld, peer: Peer, request: wire.Choose) -> wire.Place | None:
    peer.send(wire.Resign(game=request.game))
    return None


def only_in(games: set[str], fault: Policy, request_number: int = 0) -> Policy:
    """A bot that is all right but in some games, from one of its requests on."""

    def policy(world: CrewWorld, peer: Peer, request: wire.Choose) -> wire.Place | None:
        bad = request.game in games and request.request >= request_number
        return (fault if bad else first_tile)(world, peer, request)

    return policy


FAULTS: dict[str, tuple[Policy, str]] = {
    "crashed": (crash, "exit status 3"),
    "timeout": (hang, "move-cap"),
    "illegal": (cheat, "not-in-hand"),
    "protocol": (babble, "error-budget"),
}


@pytest.mark.parametrize("reason", FAULTS)
@pytest.mark.parametrize("concurrency", [1, 2, 4])
def test_each_fault_has_its_word_and_loses_its_game_only(reason: str, concurrency: int) -> None:
    fault, detail = FAULTS[reason]
    world = CrewWorld(crew(BOTS, concurrency), policies={"bad": only_in({"p1-2"}, fault, 5)})
    world.give(task(1, "bad", "good"), task(2, "good", "bad"), task(3, "fine", "good"))
    world.finish()
    world.play_all()
    found = {game.place.game_id: game for game in world.played}
    assert (found["p1-2"].reason, found["p1-2"].detail) == (reason, detail)
    assert found["p1-2"].at_fault == "bad" and found["p1-2"].winner == "good"
    others = [game for name, game in found.items() if name != "p1-2"]
    assert len(others) == 5 and all(game.at_fault is None for game in others)
    assert sorted(world.ends) == [PairDone(pair, 1) for pair in (1, 2, 3)]


@pytest.mark.parametrize("reason", FAULTS)
def test_a_bot_that_fails_in_every_game_ends_nothing_but_its_games(reason: str) -> None:
    fault, _ = FAULTS[reason]
    tasks = [task(1, "bad", "good"), task(2, "good", "fine"), task(3, "fine", "bad"), task(4, "fine", "good")]
    world = CrewWorld(crew(BOTS, 3), policies={"bad": fault})
    world.give(*tasks)
    world.finish()
    world.play_all()
    assert sorted(world.ends) == [PairDone(pair, 1) for pair in (1, 2, 3, 4)] and world.crew.done
    assert [game.at_fault for game in world.played if "bad" in (game.ivory, game.brown)] == ["bad"] * 4
    calm = CrewWorld(crew(BOTS, 3))
    calm.give(*tasks)
    calm.play_all()
    expected = {record["id"]: record["game"] for record in calm.records if record["id"][1] in "24"}
    assert {record["id"]: record["game"] for record in world.records if record["id"][1] in "24"} == expected


def test_a_crash_tells_the_last_words_and_costs_the_games_of_that_program_only() -> None:
    world = CrewWorld(crew(BOTS, 6), games=2, policies={"bad": only_in({"p2-1"}, crash, 3)})
    world.give(task(1, "bad", "good"), task(2, "good", "bad"), task(3, "bad", "fine"))
    world.play_all()
    lost = {game.place.game_id for game in world.played if game.reason == "crashed"}
    assert lost == {"p1-1", "p2-1"}, "one program played two first games, another played all the rest"
    notes = {item.record["id"]: item.note for item in world.news if isinstance(item, GameOver)}
    assert notes["p2-1"] == "its last words\n" and notes["p3-1"] == ""


def test_who_gives_up_has_not_failed() -> None:
    world = CrewWorld(crew(BOTS), policies={"bad": give_up})
    world.give(task(1, "bad", "good"))
    world.play_all()
    assert [game.reason for game in world.played] == ["resigned", "resigned"] and len(world.started) == 4


def test_an_answer_after_the_end_of_a_game_is_stale_and_costs_nothing() -> None:
    late: list[tuple[Peer, wire.Choose]] = []

    def dawdle(world: CrewWorld, peer: Peer, request: wire.Choose) -> wire.Place | None:
        late.append((peer, request))
        return None

    world = CrewWorld(crew(BOTS), policies={"bad": dawdle})
    world.give(task(7, "bad", "good"), task(8, "bad", "good", attempt=2))
    world.play_all()
    assert [game.reason for game in world.played] == ["timeout"] * 4
    assert [request.game for _, request in late] == ["p7-1", "p7-2", "p8-1-2", "p8-2-2"]
    for peer, request in late:
        for _ in range(30):
            peer.forget()
            peer.send(wire.Place(game=request.game, request=request.request, tile="S1", building="IC"))
            error = peer.last(wire.Error)
            assert (error.code, error.cost) == ("stale", "ignored")
            world.wait(1)
    assert not any(peer.closed for peer, _ in late)
    peer.forget()
    peer.send(wire.Place(game="p9-1", request=1, tile="S1", building="IC"))
    assert peer.last(wire.Error).code == "no-game"


@pytest.mark.parametrize(
    ("game", "begun"),
    [("p7-2", True), ("p6-1-3", True), ("p8-1", False), ("p", False), ("p0-1", False), ("p07-1", False),
     ("p-1", False), ("q7-1", False), ("g1", False)],
)  # fmt: skip
def test_ids_of_pairs_up_to_the_highest_that_has_begun_are_known(game: str, begun: bool) -> None:
    world = CrewWorld(crew(BOTS))
    world.give(task(7, "bad", "good"), task(8, "bad", "good"))
    assert world.server.has_opened(game) is begun


# -- starting again ---------------------------------------------------------------------------------------


def starts(world: CrewWorld, name: str) -> int:
    return sum(request.name == name for request in world.started)


def test_a_bot_that_crashes_again_and_again_is_started_after_growing_pauses() -> None:
    world = CrewWorld(crew(BOTS, 1), policies={"bad": crash})
    world.give(*[task(pair, "bad", "good", (1,), twins=False) for pair in range(1, 20)])
    world.play()
    assert starts(world, "bad") == 2 and len(world.played) == 2  # after its first crash at once
    for pause in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10):
        begun = starts(world, "bad")
        world.wait(pause - 0.001)
        world.play()
        assert starts(world, "bad") == begun, f"started before {pause} s are over"
        world.wait(0.001)
        world.play()
        assert starts(world, "bad") == begun + 1
    assert starts(world, "good") == 1


def test_a_game_that_is_got_through_forgives_crashes() -> None:
    odd = {f"p{pair}-1" for pair in range(1, 20, 2)}
    world = CrewWorld(crew(BOTS, 1), policies={"bad": only_in(odd, crash)})
    world.give(*[task(pair, "bad", "good", (1,), twins=False) for pair in range(1, 20)])
    began = world.now
    world.play()
    assert len(world.played) == 19 and world.now == began


def test_while_one_bot_is_paused_the_others_play() -> None:
    world = CrewWorld(crew(BOTS, 1), policies={"bad": crash})
    world.give(*[task(pair, "bad", "good", (1,), twins=False) for pair in range(1, 4)])
    world.give(task(4, "good", "fine"))
    began = world.now
    world.play()
    assert [game.place.game_id for game in world.played] == ["p1-1", "p2-1", "p4-1", "p4-2"]
    assert world.now == began and world.crew.outstanding == 1
    world.play_all()
    assert [game.place.game_id for game in world.played][-1] == "p3-1" and world.now == began + 1


# -- never ready ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        (fails, "there is no such file"),
        (dies, "it ended before it was ready (exit status 3); its last words: "),
        (never, "it did not say hello within 10 s (does it flush that line? `tyrusd check` tells)"),
    ],
)
def test_a_bot_that_never_becomes_ready_voids_its_pairs_and_no_others(bad: Behaviour, told: str) -> None:
    world = CrewWorld(crew(BOTS, 2), behave=first_time(bad, 999, "bad"))
    world.give(task(1, "bad", "good"), task(2, "good", "fine"), task(3, "fine", "bad", attempt=4))
    world.finish()
    world.play_all()
    assert Counter(world.ends)[PairDone(2, 1)] == 1 and len(world.ends) == 3
    unready = [item for item in world.ends if isinstance(item, Unready)]
    assert [(item.pair, item.attempt, item.bot) for item in unready] == [(1, 1, "bad"), (3, 4, "bad")]
    assert all(item.why.startswith(told) for item in unready)
    assert {game.place.pair for game in world.played} == {2}
    assert world.server.finished and world.server.sealed == set()


@pytest.mark.parametrize("bad", [fails, dies, never])
@pytest.mark.parametrize("number", [1, 2])
def test_a_bot_that_fails_to_start_once_is_started_again(bad: Behaviour, number: int) -> None:
    count = [0]

    def behave(world: MatchWorld, request: StartBot, which: int) -> Peer | None:
        if request.name == "bad":
            count[0] += 1
            if count[0] == number:  # of the first set, or of the second
                return bad(world, request, which)
        return well(world, request, which)

    world = CrewWorld(crew(BOTS), behave=behave)
    world.give(task(1, "bad", "good"))
    world.play_all()
    assert world.ends == [PairDone(1, 1)] and starts(world, "bad") == 3


@pytest.mark.parametrize("most", [1, 2, 3])
def test_so_many_failures_in_a_row_void_one_pair(most: int) -> None:
    """A pair that is given up says nothing of the next one: that is started for anew."""
    world = CrewWorld(crew(BOTS, 4, max_failures=most), behave=first_time(fails, 2 * most, "bad"))
    world.give(*[task(pair, "bad", "good", (1,), twins=False) for pair in range(1, 5)])
    world.finish()
    world.play_all()
    assert [type(item).__name__ for item in world.ends] == ["Unready", "Unready", "PairDone", "PairDone"]
    assert [item.pair for item in world.ends[:2]] == [1, 2]


@pytest.mark.parametrize("bad", [dies, never])
def test_what_stops_many_programs_at_once_counts_as_one_failure(bad: Behaviour) -> None:
    """Such as a machine that is too busy for all of them to start in time."""
    doomed: set[int] = set()

    def behave(world: MatchWorld, request: StartBot, which: int) -> Peer | None:
        return (bad if request.id in doomed else well)(world, request, which)

    world = CrewWorld(crew(BOTS, 1), behave=behave)
    world.give(*[task(pair, "bad", "good", (1,), twins=False) for pair in range(1, 9)])
    world.play(3)
    world.crew.limit(8, world.now)
    world.run()
    doomed.update(request.id for request in world.waiting)
    assert len(doomed) == 14
    world.play_all()
    assert world.ends == [PairDone(pair, 1) for pair in range(1, 9)]
    assert len(world.server.bots) == 16


def test_idle_programs_that_end_at_once_are_one_failure() -> None:
    hold = first_time(never, 1, "good")
    world = CrewWorld(crew(BOTS, 1), behave=hold)
    world.give(task(1, "bad", "good"))
    for peer in [peer for peer in world.here() if world.name_of(peer) == "bad"]:
        peer.lose("killed by signal 9")
    world.start_programs()
    world.play_all()
    assert world.ends == [PairDone(1, 1)]


def test_failures_that_nobody_waits_for_void_nothing() -> None:
    world = CrewWorld(crew(BOTS, max_failures=1), behave=first_time(never, 1, "bad"))
    world.give(task(1, "bad", "good"))
    assert len(world.crew.withdraw(world.now)) == 1
    world.wait(11)
    assert world.ends == [] and starts(world, "bad") == 2
    world.give(task(2, "bad", "good"))
    world.play_all()
    assert world.ends == [PairDone(2, 1)]


def test_a_program_that_ends_without_having_had_a_game_was_not_ready() -> None:
    hold = first_time(never, 1, "good")  # so that the programs of the other wait for a game
    world = CrewWorld(crew(BOTS), behave=hold)
    world.give(task(1, "bad", "good"))
    for _ in range(2):
        newest = [peer for peer in world.here() if world.name_of(peer) == "bad"][-1]
        newest.lose("exit status 0")
        world.start_programs()
    assert world.ends == [Unready(1, 1, "bad", "it ended before it had a game")]


def second_set_dies(world: CrewWorld) -> None:
    """Each program for second games ends, and no other can be started."""
    world.behave = first_time(fails, 999, "bad")
    for peer in world.here():
        if world.name_of(peer) == "bad" and not peer.got(wire.Start):
            peer.lose("exit status 1")
    world.start_programs()


def test_a_pair_whose_second_game_cannot_begin_ends_with_that_even_if_the_first_runs() -> None:
    world = CrewWorld(crew(BOTS, 1, max_failures=3))
    world.give(task(1, "bad", "good"), task(2, "fine", "good"))
    world.play(7)
    assert world.crew.running == 1
    second_set_dies(world)
    assert world.ends == [] and not world.played
    world.crew.limit(4, world.now)
    world.run()
    world.start_programs()
    world.wait(5)
    world.start_programs()
    world.wait(5)
    assert [game.reason for game in world.played] == ["aborted"]
    place = [type(item).__name__ for item in world.news]
    assert place[:2] == ["GameOver", "Unready"]
    assert world.ends == [Unready(1, 1, "bad", "there is no such file")]
    assert "p1-1" not in world.server.sealed


def test_a_pair_whose_second_game_cannot_begin_after_the_first_is_void_too() -> None:
    world = CrewWorld(crew(BOTS, 1))
    world.give(task(1, "bad", "good"))
    world.play(7)
    second_set_dies(world)
    world.play_all()
    assert [game.place.game_id for game in world.played] == ["p1-1"]
    assert world.ends == [Unready(1, 1, "bad", "there is no such file")]


# -- the world around it ----------------------------------------------------------------------------------


def test_a_result_that_cannot_be_kept_leaves_its_game_without_one_and_its_record_untold() -> None:
    world = CrewWorld(crew(BOTS, 1), settings=replace(DEFAULTS, store_attempts=2))
    world.store_at_once = False
    world.give(task(1, "bad", "good"))
    world.play_all()
    assert world.played == [] and world.ends == [PairDone(1, 1)]
    assert [peer.last(wire.Over).reason for peer in world.programs.values()] == ["aborted"] * 4
    assert len(world.server.archive) == 0 and world.server.sealed == set()


@pytest.mark.parametrize("seconds", [0.0, 0.5, 30.0])
def test_a_result_that_is_slow_to_be_kept_holds_its_place(seconds: float) -> None:
    world = CrewWorld(crew(BOTS, 1))
    world.store_at_once = False
    world.give(task(1, "bad", "good"))
    world.play()
    assert world.crew.running == 1 and len(world.stored) == 1
    world.wait(min(seconds, 29.0))
    assert world.crew.running == 1 and set(world.server.tables) == {"p1-1"}
