"""How a person leaves a running game, or a server that is not there, and what is done meanwhile."""

from __future__ import annotations

import pytest

from tests.clients.people import settle
from tests.clients.test_client_session import pair
from tests.core.world import World
from tyrus_client.session import DONE, EARLY, FAILED
from tyrusd.core.lobby import Lobby
from tyrusd.wire import messages as wire


@pytest.fixture
def world() -> World:
    return World(Lobby({}))


def test_who_quits_a_running_game_is_told_first_what_becomes_of_it(world: World) -> None:
    ann, bob = pair(world)
    assert ann.type("quit")[0] == "Game g1 against bob still runs."
    assert "kept for a minute" in ann.text and "or resign to give the game up." in ann.text
    assert "--key" not in ann.text, "without an account nothing brings her back"
    assert wire.Quit() not in ann.sent
    ann.type("hand")
    ann.type("quit")
    assert wire.Quit() not in ann.sent, "she has done something else meanwhile"
    assert ann.type("quit") == ["Goodbye."]
    assert ann.session.status == DONE
    assert bob.type("resign") and bob.type("quit") == ["Goodbye."]


def test_the_end_of_the_input_leaves_a_running_game_at_once_and_says_so(world: World) -> None:
    ann, _ = pair(world)
    told = ann.type(None)
    assert told[0] == "Game g1 against bob still runs." and told[-1] == "Goodbye."
    assert not any("once more" in line for line in told)


def test_a_server_that_is_full_for_a_moment_is_asked_again(world: World) -> None:
    ann, _ = pair(world)
    ann.session.broken()
    ann.session.hear(wire.Bye("busy", "Come again later."))
    assert ann.session.turned_away and ann.session.status is None
    assert ann.session.broken() and not ann.session.turned_away
    ann.session.waiting(1.0, None, last=False)
    assert "(Come again later.)" in " ".join(ann.session.take()[0])
    ann.session.give_up()
    assert ann.session.status == FAILED


def test_a_server_that_closes_over_a_running_game_is_looked_for_again(world: World) -> None:
    ann, bob = pair(world)
    ann.session.hear(wire.Bye("shutdown", "No room on the disk."))
    assert ann.session.status is None and ann.session.turned_away
    bob.type("resign")
    settle(ann, bob)
    bob.session.hear(wire.Bye("shutdown", "No room on the disk."))
    assert bob.session.status == FAILED


@pytest.mark.parametrize("last", ["quit", "Q", None])
def test_who_leaves_while_the_server_is_away_is_let_go(world: World, last: str | None) -> None:
    ann, _ = pair(world)
    ann.session.broken()
    ann.session.type("who")
    assert ann.session.status is None
    ann.session.type(last)
    assert ann.session.status == DONE
    assert "You leave. The server was not told" in "\n".join(ann.session.take()[0])


def test_what_a_pipe_says_meanwhile_is_not_kept_without_end(world: World) -> None:
    ann, _ = pair(world)
    ann.session.broken()
    for _ in range(10_000):
        ann.session.type("who")
    told = [line for line in ann.session.take()[0] if line.startswith("Too much was typed")]
    assert len(told) == 1
    ann.peer.lose()
    ann.peer, ann._heard = world.connect(), 0
    ann.settle()
    assert ann.sent.count(wire.Who()) == EARLY
