"""Who has no connection is told of as away, and what becomes of the games of somebody who has quit."""

from __future__ import annotations

import pytest

from tests.core.stage import Pair, Stage, begin
from tests.core.world import Peer
from tyrusd.core.settings import DEFAULTS
from tyrusd.wire import messages as wire

TICK = 1e-6


def state(peer: Peer, name: str) -> str:
    peer.forget()
    peer.say("who")
    return next(player.state for player in peer.got(wire.Player) if player.name == name)


def pair(games: int = 1) -> tuple[Stage, Pair, Peer, str]:
    """A game without a clock of two bots, somebody who looks on, and the name of who is to move."""
    stage = Stage()
    watcher = stage.join("wanda", "human")
    two = begin(stage, extra=f"games={games}", terms="clock=none cap=none")
    return stage, two, watcher, two.mover.last(wire.Welcome).name


@pytest.mark.parametrize("games", [1, 2])
@pytest.mark.parametrize("how", ["lost", "quit"])
def test_who_says_of_somebody_without_a_connection_that_it_is_away(how: str, games: int) -> None:
    stage, two, watcher, name = pair(games)
    before = "full" if games == 1 else "playing"
    assert state(watcher, name) == before
    secret = two.mover.last(wire.Welcome).secret
    if how == "lost":
        two.mover.lose()
    else:
        two.mover.say("quit")
    assert state(watcher, name) == "away"
    back = stage.connect()
    back.say(f"resume {secret}")
    assert state(watcher, name) == before


@pytest.mark.parametrize(("seconds", "over"), [(-TICK, False), (TICK, True)])
def test_who_quits_loses_its_games_when_nobody_has_resumed_in_time(seconds: float, over: bool) -> None:
    stage, two, _, _ = pair()
    side = two.mover.last(wire.Start).side
    two.other.say("quit")
    assert two.other.last(wire.Bye).reason == "bye" and two.mover.last(wire.Away).game == two.game
    stage.wait(DEFAULTS.reconnect_window + seconds)
    assert [(end.winner, end.reason) for end in two.mover.got(wire.Over)] == (
        [(side, "disconnected")] if over else []
    )


def test_look_at_a_game_that_is_over_is_stale() -> None:
    _, two, _, _ = pair()
    two.mover.say(f"resign {two.game}")
    two.mover.say(f"look {two.game} tag=l")
    assert two.mover.last(wire.Error).code == "stale"


def test_no_log_of_a_game_of_people_says_which_are_kept() -> None:
    stage = Stage()
    ada, bob = stage.join("ada", "human"), stage.join("bob", "human")
    ada.say("seek")
    bob.say("seek")
    ada.say("resign g1")
    ada.say("log g1")
    assert ada.last(wire.Error).text == (
        "No log of g1 is kept, which ended as resigned: of people's games those are kept that end as "
        "aborted, crashed, disconnected, illegal, protocol, timeout, void, walkover; of bots all."
    )
