"""What is told of a pair's games: nothing of either before both are over, then everything, to both seats."""

from __future__ import annotations

import pytest

from tests.core.crew_world import CrewWorld, bot, crew, task
from tests.core.world import Peer
from tyrusd.core.requests import KeepLog, PairDone
from tyrusd.wire import messages as wire

QUESTIONS = ("record", "log", "why")


def ask(peer: Peer, verb: str, game: str) -> str:
    """What a question gets: ok, or the code of the error."""
    peer.forget()
    kind = {"record": wire.Record, "log": wire.Log, "why": wire.Why}[verb]
    peer.send(kind(game=game))
    errors = peer.got(wire.Error)
    return errors[-1].code if errors else peer.last(wire.Ok).re or ""


def listed(peer: Peer) -> list[str]:
    peer.forget()
    peer.send(wire.Results())
    return [result.game for result in peer.got(wire.Result)]


def programs(world: CrewWorld) -> list[Peer]:
    found = [peer for peer in world.programs.values() if not peer.closed]
    assert len(found) == 4
    return found


@pytest.mark.parametrize("verb", QUESTIONS)
@pytest.mark.parametrize("concurrency", [1, 2])
def test_a_first_game_is_told_of_once_the_second_is_over_too(verb: str, concurrency: int) -> None:
    world = CrewWorld(crew(concurrency=concurrency))
    world.give(task(1))
    while not world.played:
        assert world.play(1)
    first = world.played[0].place.game_id
    while world.crew.running:
        for peer in programs(world):
            world.wait(5)  # so that questions are no flood
            assert ask(peer, verb, first) == "unavailable"
            assert listed(peer) == []
        assert world.play(1)
    assert world.ends == [PairDone(1, 1)]
    for peer in programs(world):
        assert ask(peer, verb, "p1-1") == verb and ask(peer, verb, "p1-2") == verb
        assert listed(peer) == ["p1-2", "p1-1"] or listed(peer) == ["p1-1", "p1-2"]


def test_a_first_game_is_not_told_of_while_the_second_waits_to_begin() -> None:
    world = CrewWorld(crew(concurrency=1))
    world.give(task(1))
    world.crew.limit(0, world.now)
    world.play()
    assert [game.place.game_id for game in world.played] == ["p1-1"] and world.crew.running == 0
    for peer in programs(world):
        for verb in QUESTIONS:
            assert ask(peer, verb, "p1-1") == "unavailable"
            assert "still to be played" in peer.last(wire.Error).text
    world.crew.limit(1, world.now)
    world.run()
    world.play_all()
    assert [ask(peer, "record", "p1-1") for peer in programs(world)] == ["record"] * 4


def test_a_record_tells_both_seats_the_same_and_both_games_show_one_deal() -> None:
    world = CrewWorld(crew(concurrency=2))
    world.give(task(1))
    world.play_all()
    told = []
    for peer in programs(world):
        for game in ("p1-1", "p1-2"):
            assert ask(peer, "record", game) == "record"
            told.append(
                [(line.tiles, line.cards) for line in peer.got(wire.Recorded) if line.tiles or line.cards]
            )
    assert all(one == told[0] for one in told) and len(told[0]) == 3


def test_a_first_game_whose_second_is_given_back_is_never_told_of() -> None:
    world = CrewWorld(crew(concurrency=1))
    world.give(task(1))
    world.play(3)
    (half,) = world.crew.withdraw(world.now, halves=True)
    world.play()
    assert world.ends == [PairDone(1, 1)] and world.server.sealed == set()
    for peer in programs(world):
        assert [ask(peer, verb, "p1-1") for verb in QUESTIONS] == ["no-game"] * 3 and listed(peer) == []
    world.give(half)  # it may be played here all the same
    assert set(world.server.tables) == {"p1-2"}
    assert [ask(peer, "record", "p1-1") for peer in programs(world)] == ["no-game"] * 4
    world.play_all()
    assert {ask(peer, "record", "p1-2") for peer in programs(world)} == {"record"}
    assert len(world.server.archive) == 1


def test_an_aborted_game_whose_deal_is_needed_again_is_never_told_of() -> None:
    world = CrewWorld(crew(concurrency=1))
    world.give(task(1))
    world.play(3)
    world.server.tables["p1-1"].stop(None, "aborted", "by-hand", world.now)
    world.run()
    world.play_all()
    assert [game.reason == "aborted" for game in world.played] == [True, False]
    here = [peer for peer in world.programs.values() if not peer.closed]
    for game in ("p1-1", "p1-2"):
        assert [ask(peer, game=game, verb="record") for peer in here] == ["no-game"] * 2


@pytest.mark.parametrize("games", [1, 2])
def test_programs_that_know_a_deal_which_is_needed_again_play_no_more(games: int) -> None:
    world = CrewWorld(crew(concurrency=2), games=games)
    world.give(task(1, games=(1,)), task(2, games=(1,)))
    world.play(3)
    knowing = {peer.number for peer in world.here() if any(s.game == "p1-1" for s in peer.got(wire.Start))}
    world.server.tables["p1-1"].stop(None, "aborted", "by-hand", world.now)
    world.run()
    world.give(task(1, games=(1,)))
    world.play_all()
    again = {peer.number for peer in world.peers.values() for s in peer.got(wire.Start) if s.game == "p1-1"}
    assert len(knowing) == 2 and len(again) == 4 and knowing < again
    assert [game.reason == "aborted" for game in world.played] == [True, False, False]
    assert all(world.peers[number].last(wire.Bye).reason == "bye" for number in knowing)
    assert all(game.at_fault is None for game in world.played)


def test_the_files_of_a_pair_are_kept_like_those_of_other_games() -> None:
    world = CrewWorld(crew(concurrency=2))
    world.give(task(1))
    world.play_all()
    kept = [request for request in world.requests if isinstance(request, KeepLog)]
    assert sorted(request.dossier.game for request in kept) == ["p1-1", "p1-2"]
    assert {request.dossier.deal for request in kept} == {"p1-1"}
    assert {request.bots for request in kept} <= {
        (one, two) for one in world.programs for two in world.programs
    }


def test_strangers_learn_nothing_of_a_pair() -> None:
    world = CrewWorld(crew((bot("one"), bot("two"), bot("three", "tcp", key="k" * 32)), 2))
    peer = world.connect()
    peer.say(f"hello 0.1 x bot key={'k' * 32}")
    world.give(task(1))
    world.play_all()
    for verb in QUESTIONS:
        assert ask(peer, verb, "p1-1") == "no-game"
