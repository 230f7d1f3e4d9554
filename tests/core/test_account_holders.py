"""Logins, resumes and losses in whatever order: a seat has exactly one holder, who misses nothing."""

from __future__ import annotations

import random

import pytest

from tests.core.accounts_world import CODE, SPARE, TOKEN, Door
from tests.core.stage import play_on
from tests.core.test_rows_resume import numbers
from tests.core.world import Peer
from tyrusd.core.settings import DEFAULTS
from tyrusd.wire import messages as wire

WANT = "want=events,full"


def resumed(door: Door, secret: str) -> Peer:
    peer = door.connect()
    peer.say(f"resume {secret}")
    return peer


def holders(door: Door) -> list[int]:
    """The open connections that play as Ada."""
    player = door.server.players["ada"]
    return [
        number
        for number, session in door.server.sessions.items()
        if session.player is player and not session.closing and player.session is session
    ]


@pytest.mark.parametrize("seed", range(30))
def test_row_30_a_seat_has_one_holder_and_its_events_have_no_gap(seed: int) -> None:
    chance = random.Random(seed)
    door = Door()
    ada, cleo = door.log_in(CODE, extra=WANT), door.join("cleo", "human", WANT)
    ada.say("seek side=I clock=none cap=none")
    cleo.say("seek side=B clock=none cap=none")
    game, connections, told = ada.last(wire.Start).game, [ada], list[int]()
    while game in door.server.tables:
        play_on(ada, cleo, game, 1)
        step = chance.randrange(8)
        if step < 4 and game in door.server.tables:
            told += numbers(ada, game)
            if step == 1:
                ada.lose("reset")
                door.wait(chance.random() * 50)
            ada = (
                resumed(door, ada.last(wire.Welcome).secret)
                if chance.random() < 0.3
                else door.log_in(chance.choice((TOKEN, SPARE, CODE)) if step == 3 else TOKEN, extra=WANT)
            )
            if not ada.got(wire.Welcome):  # the code is only good for who came with it last
                door.wait(1.001)
                assert ada.last(wire.Error).code == "auth"
                ada = door.log_in(TOKEN, extra=WANT)
            connections.append(ada)
            door.wait(2.1)  # so that an account does not come too often
        assert holders(door) == [ada.number]
        for old in connections[:-1]:
            assert old.closed
    told += numbers(ada, game)
    assert told == list(range(1, told[-1] + 1))
    assert cleo.last(wire.Over) == ada.last(wire.Over)
    assert len(connections) > 5 and len(door.server.players["ada"].secrets) <= 2


@pytest.mark.parametrize("order", [(TOKEN, SPARE), (SPARE, TOKEN)])
def test_row_30_of_two_logins_in_one_moment_the_later_one_holds(order: tuple[str, str]) -> None:
    door = Door()
    one, two = door.connect(), door.connect()
    for peer, key in zip((one, two), order, strict=True):
        door.server.receive(peer.number, f"hello 0.1 ada human key={key}\n".encode(), door.now)
    door.run()
    assert one.last(wire.Bye).reason == "replaced" and holders(door) == [two.number]


def test_d4_a_login_issues_the_next_secret_and_the_old_one_works_until_the_first_line() -> None:
    door = Door()
    ada, cleo = door.log_in(TOKEN), door.join("cleo")
    ada.say("seek")
    cleo.say("play ada")
    first = ada.last(wire.Welcome).secret
    second = door.log_in(TOKEN)
    assert resumed(door, first).got(wire.Welcome)
    third = door.log_in(TOKEN)
    third.say("ping here")
    for secret in (first, second.last(wire.Welcome).secret):
        thief = resumed(door, secret)
        door.wait(1.001)
        assert thief.last(wire.Error).code == "auth" and not third.got(wire.Bye)
    assert resumed(door, third.last(wire.Welcome).secret).got(wire.Welcome)


def test_d4_a_secret_is_worth_nothing_when_the_player_has_left() -> None:
    door = Door()
    ada = door.log_in(TOKEN)
    ada.lose("reset")
    ghost = resumed(door, ada.last(wire.Welcome).secret)
    door.wait(DEFAULTS.resume_delay)
    assert ghost.last(wire.Error).code == "auth"
    assert door.log_in(TOKEN).got(wire.Welcome)
