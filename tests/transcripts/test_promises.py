"""What protocol.md promises of requests, games, seeks, clocks and seeds is true of the core."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tests.core.world import World
from tests.transcripts.seats import match_world
from tyrusd.core.lobby import Lobby
from tyrusd.core.seatspec import SeatSpec
from tyrusd.rules.notation import read_view
from tyrusd.wire import LIMITS
from tyrusd.wire import messages as wire


class CountingWorld(World):
    """A world that counts how many batches of output each peer is written."""

    def __init__(self, director: Lobby) -> None:
        self.batches: Counter[int] = Counter()
        super().__init__(director)

    def _write(self, number: int) -> None:
        self.batches[number] += 1
        super()._write(number)


# -- requests ----------------------------------------------------------------------------------------------


def _place(choose: wire.Choose, building: str = "IC") -> wire.Place:
    hand = read_view(choose.view).hand
    return wire.Place(game=choose.game, request=choose.request, tile=str(hand[0]), building=building)


def test_a_complete_request_is_enough_to_play_on() -> None:
    """A bot that remembers nothing plays a whole match from its newest line alone."""
    world, ada, bob = match_world(games=4)
    chance = random.Random(2)
    for _ in range(1000):
        peers = [peer for peer in (ada, bob) if not peer.closed and peer.got(wire.Choose)]
        if not peers:
            break
        for peer in peers:
            choose = peer.got(wire.Choose)[-1]
            peer.forget()
            seen = read_view(choose.view)
            assert seen.to_move is seen.viewer
            peer.send(_place(choose, chance.choice(("IC", "IM", "IT", "BC", "BM", "BT"))))
    assert ada.closed
    assert "bye bye :" in ada.text
    assert [type(item).__name__ for item in world.news] == ["GameOver"] * 4 + ["Finished"]


def test_a_late_repeated_or_foreign_answer_costs_nothing_however_old_its_game_is() -> None:
    world = World(Lobby({}))
    ada, bob, eve = (world.join(name) for name in ("ada", "bob", "eve"))
    for _ in range(300):
        ada.say("seek side=I")
        bob.say("seek")
        ada.say(f"resign {ada.last(wire.Start).game}")
        world.wait(1.0)
    for peer in (ada, bob, eve):
        peer.forget()
        for game in ("g1", "g2", "g150", "g299", "g300"):
            for line in (f"place {game} 1 S1 IC", f"place {game} 1 S1 IC", f"place {game} 54 S1 IC"):
                peer.say(line)
                world.wait(0.2)
        assert {(error.code, error.cost) for error in peer.got(wire.Error)} == {("stale", "ignored")}
        # The whole budget is still there.
        for _ in range(int(LIMITS["error-budget"].value)):
            peer.say("nonsense")
            world.wait(0.05)
        assert not peer.got(wire.Bye)
        peer.say("nonsense")
        assert peer.last(wire.Bye).reason == "protocol"


def test_answers_to_open_requests_are_free_and_what_follows_leaves_in_one_write() -> None:
    """Two hundred and fifty-six games, each answered in one write: no pause, and one write to the other."""
    world = CountingWorld(Lobby({}))
    ada, bob = (world.join(name, "bot", "games=256") for name in ("ada", "bob"))
    for _ in range(256):
        bob.say("seek side=B clock=none")
        ada.say("seek side=I clock=none")
        world.wait(1.0)
    for _ in range(8):  # no game can be over yet
        for peer, other in ((ada, bob), (bob, ada)):
            requests = {choose.game: choose for choose in peer.got(wire.Choose)}
            peer.forget()
            data = b"".join(peer.connection.encode(_place(choose)) for choose in requests.values())
            world.batches.clear()
            peer.send_bytes(data)
            # The sender is told something, too, when it opens the next election itself.
            assert set(world.batches.values()) <= {1}
            assert (other.number in world.batches) or not data or bool(peer.got(wire.Choose))
            assert peer.got(wire.Error) == []
    assert ada.got(wire.Choose)


def test_no_connection_ever_has_more_games_than_it_declared() -> None:
    """However it seeks, challenges, resigns and draws."""
    world, chance = World(Lobby({"random": SeatSpec("plugin", "random")})), random.Random(9)
    limits = {"ada": 1, "bob": 2, "eve": 3}
    peers = {name: world.join(name, "bot", f"games={games}") for name, games in limits.items()}
    most: Counter[str] = Counter()
    for _ in range(600):
        name = chance.choice(sorted(peers))
        peer = peers[name]
        if peer.closed:
            break
        other = chance.choice(sorted(peers))
        games = list(world.server.players[name].seats)
        lines = ["seek", "seek side=I", f"play {other}", "cancel", "play random"]
        lines += [f"resign {chance.choice(games)}"] if games and chance.random() < 0.5 else []
        peer.say(chance.choice(lines))
        for each in limits:
            most[each] = max(most[each], len(world.server.players[each].seats))
        world.wait(0.5)
    assert most == limits


# -- seeks -------------------------------------------------------------------------------------------------


def test_a_seek_stays_open_beside_another_game_while_there_is_room() -> None:
    world = World(Lobby({}))
    ada, bob, eve = world.join("ada", "bot", "games=2"), world.join("bob", "bot"), world.join("eve", "bot")
    bob.say("seek clock=9+0")
    ada.say("seek")
    ada.say("play bob clock=9+0")
    assert len(ada.got(wire.Start)) == 1
    assert not ada.got(wire.Error)
    eve.say("seek")
    assert [start.enemy for start in ada.got(wire.Start)] == ["bob", "eve"]


def test_a_seek_for_which_no_room_is_left_is_taken_back_with_a_word() -> None:
    world = World(Lobby({}))
    ada, bob, eve = (world.join(name, "bot") for name in ("ada", "bob", "eve"))
    bob.say("seek clock=9+0")
    ada.say("seek")
    ada.say("play bob clock=9+0 tag=t")
    error = ada.last(wire.Error)
    assert (error.code, error.cost, error.re, error.tag) == ("too-many-games", "ignored", "seek", None)
    eve.say("seek")
    assert not eve.got(wire.Start)
    assert len(ada.got(wire.Start)) == 1


# -- clocks, resuming --------------------------------------------------------------------------------------


@pytest.mark.parametrize("want", ["", "want=events", "want=events,full"])
def test_a_resume_repeats_the_request_with_its_number_and_the_time_truly_left(want: str) -> None:
    world = World(Lobby({}))
    ada, bob = world.join("ada", "human", want), world.join("bob", "human", want)
    ada.say("seek clock=90+0")
    bob.say("seek clock=90+0")
    asked = next(peer for peer in (ada, bob) if len(peer.got(wire.Choose)) + len(peer.got(wire.Turn)))
    world.wait(7.25)
    asked.lose()
    world.wait(11.5)
    again = world.connect()
    again.say(f"resume {asked.last(wire.Welcome).secret}")
    request = again.last(wire.Turn) if want == "want=events" else again.last(wire.Choose)
    assert (request.request, request.left, request.time) == (1, 71_250, 71_250)
    snapshot = again.last(wire.Snapshot)
    assert snapshot.seq == 1
    assert sorted((snapshot.ivory_time or 0, snapshot.brown_time or 0)) == [71_250, 90_000]
    assert again.inbox.index(snapshot) < again.inbox.index(request)


# -- seeds -------------------------------------------------------------------------------------------------


def _seeds() -> list[str]:
    world, ada, bob = match_world(games=5)
    for number in range(1, 6):
        ada.say(f"resign g{number}")
    del world
    return [start.seed for peer in (ada, bob) for start in peer.got(wire.Start)]


def test_each_seat_of_each_game_has_a_seed_of_its_own_which_a_repeated_match_repeats() -> None:
    assert len(set(_seeds())) == 10
    assert _seeds() == _seeds()
    world = World(Lobby({}))
    ada, bob = world.join("ada"), world.join("bob")
    for peer in (ada, bob):
        peer.say("seek")
    assert ada.last(wire.Start).seed != bob.last(wire.Start).seed
