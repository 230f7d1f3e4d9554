"""Seat codes: used once, used up before the welcome, and good for coming back while the seat is kept."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.core.accounts_world import ADA, BOB, CODE, KNOWN, TOKEN, Door, without
from tests.core.stage import play_on
from tests.core.world import Peer
from tyrusd.core.accounts import Accounts, Key
from tyrusd.core.keys import key_digest
from tyrusd.core.requests import CodeUsed
from tyrusd.core.settings import DEFAULTS
from tyrusd.wire import messages as wire


def waiting() -> Door:
    door = Door()
    door.answers_at_once = False
    return door


def refused(door: Door, peer: Peer) -> bool:
    door.wait(1.001)
    return bool(peer.got(wire.Error)) and peer.last(wire.Error).code == "auth" and not peer.got(wire.Welcome)


def in_a_game(door: Door) -> tuple[Peer, Peer, str]:
    """Ada, who came by her code, plays a guest."""
    ada, cleo = door.log_in(CODE), door.join("cleo", "bot")
    ada.say("seek side=I")
    cleo.say("seek side=B")
    return ada, cleo, ada.last(wire.Start).game


def test_nobody_is_welcomed_before_the_code_is_marked_as_used() -> None:
    door = waiting()
    peer = door.log_in(CODE, extra="tag=t")
    peer.say("who")
    door.wait(5)
    assert peer.raw == b"" and "ada" not in door.server.players
    door.answer(door.asked[0])
    kinds = [type(item) for item in peer.inbox]
    assert kinds == [wire.Welcome, wire.Ok, wire.Player, wire.Ok]
    assert door.used == {key_digest(CODE)}


@pytest.mark.parametrize("first", [0, 1])
def test_of_two_logins_with_one_code_at_the_same_moment_exactly_one_wins(first: int) -> None:
    door = waiting()
    peers = [door.log_in(CODE), door.log_in(CODE)]
    assert len(door.asked) == 2
    door.answer(door.asked[first])
    door.answer(door.asked[1 - first])
    door.wait(1.001)
    assert [bool(peer.got(wire.Welcome)) for peer in peers] == [first == 0, first == 1]
    assert peers[1 - first].last(wire.Error).code == "auth" and not peers[first].got(wire.Bye)
    assert len(door.server.players) == 1


def test_a_used_code_opens_nothing_when_its_player_has_left() -> None:
    door = Door()
    door.log_in(CODE).say("quit")
    assert refused(door, door.log_in(CODE))
    assert len(door.asked) == 1  # what is known to be used is not asked for


def test_the_same_code_comes_back_while_the_player_is_here() -> None:
    door = Door()
    one = door.log_in(CODE)
    two = door.log_in(CODE.lower().replace("-", ""))
    assert one.last(wire.Bye).reason == "replaced" and two.got(wire.Welcome)
    assert len(door.asked) == 1


def test_the_same_code_comes_back_while_the_seat_is_kept_and_not_later() -> None:
    door = Door()
    ada, cleo, game = in_a_game(door)
    play_on(ada, cleo, game, 5)
    ada.lose("reset")
    door.wait(59)
    back = door.log_in(CODE)
    assert back.last(wire.Start).game == game
    back.lose("reset")
    door.wait(61)
    assert cleo.last(wire.Over).reason in ("disconnected", "timeout")
    assert refused(door, door.log_in(CODE))


def test_another_code_of_the_same_account_does_not_come_back_by_the_first_ones_right() -> None:
    other = "QRST-UVWX-YZ23-4567"
    used = Key(key_digest(other), "Ada", "code", used=True)
    door = Door(Accounts((ADA, BOB), [Key(key_digest(CODE), "Ada", "code"), used]))
    door.log_in(CODE)
    assert refused(door, door.log_in(other))


def test_the_code_is_no_good_for_another_name() -> None:
    door = Door()
    assert refused(door, door.log_in(CODE, "bob"))
    assert not door.asked and door.log_in(CODE).got(wire.Welcome)


def test_a_peer_that_has_gone_before_the_answer_has_not_used_its_code_up() -> None:
    door = waiting()
    door.log_in(CODE).lose("reset")
    door.answer(door.asked[0])
    assert "ada" not in door.server.players
    again = door.log_in(CODE)
    assert again.got(wire.Welcome) and len(door.asked) == 1
    again.say("quit")
    assert refused(door, door.log_in(CODE))


def test_a_code_whose_account_has_come_too_often_is_not_lost() -> None:
    door = Door(settings=replace(DEFAULTS, logins_per_minute=1.0))
    door.log_in(TOKEN).say("quit")
    one = door.log_in(CODE)
    assert one.last(wire.Error).code == "unavailable"
    assert door.server.counts.limits["logins_per_minute"] == 1
    two = door.log_in(CODE)
    assert two.last(wire.Error).code == "unavailable"
    door.wait(61)
    two.say(f"hello 0.1 ada human key={CODE}")
    assert two.got(wire.Welcome) and len(door.asked) == 1
    two.say("quit")
    assert refused(door, door.log_in(CODE))


def test_a_peer_that_is_gone_when_the_code_is_refused_changes_nothing() -> None:
    door = waiting()
    door.used.add(key_digest(CODE))
    door.log_in(CODE).lose("reset")
    door.answer(door.asked[0])
    door.wait(5)
    assert not door.server.players


def test_a_code_that_cannot_be_marked_now_is_not_lost() -> None:
    door = Door()
    door.trouble = "the disk is full"
    peer = door.log_in(CODE)
    error = peer.last(wire.Error)
    assert (error.code, error.cost, error.re) == ("storage", "retry", "hello")
    assert "disk" not in error.text
    door.trouble = ""
    peer.say(f"hello 0.1 ada human key={CODE}")
    assert peer.got(wire.Welcome)


def test_a_code_that_is_revoked_while_it_is_being_marked_opens_nothing() -> None:
    door = waiting()
    peer = door.log_in(CODE)
    door.change(without(CODE))
    door.answer(door.asked[0])
    assert peer.last(wire.Error).code == "auth" and not door.server.players


def test_an_answer_that_nobody_waits_for_changes_nothing() -> None:
    door = waiting()
    door.log_in(CODE)
    door.answer(door.asked[0])
    door.server.answer(CodeUsed(door.asked[0].id), door.now)
    door.server.answer(CodeUsed(4711), door.now)
    door.run()
    assert len(door.server.players) == 1


def test_a_peer_whose_hello_came_too_late_is_gone_when_its_code_is_marked() -> None:
    door = waiting()
    peer = door.connect()
    door.wait(119)
    peer.say(f"hello 0.1 ada human key={CODE}")
    door.wait(2)
    assert peer.last(wire.Bye).reason == "timeout"
    door.answer(door.asked[0])
    assert not door.server.players


def test_who_has_half_closed_is_welcomed_and_let_go() -> None:
    door = waiting()
    peer = door.log_in(CODE)
    door.server.end_of_input(peer.number, door.now)
    door.run()
    assert not peer.closed
    door.answer(door.asked[0])
    assert peer.got(wire.Welcome) and peer.last(wire.Bye).reason == "bye"


def test_killed_between_marking_a_code_and_the_welcome_the_code_is_spent() -> None:
    door = waiting()
    door.log_in(CODE)
    door.used.add(door.asked[0].digest)  # marked, and then the server is killed
    spent = Accounts((ADA, BOB), [Key(key_digest(CODE), "Ada", "code", used=True)])
    new = door.restarted(spent)
    assert refused(new, new.log_in(CODE))


@pytest.mark.parametrize("key", [TOKEN, CODE])
def test_after_a_restart_the_same_key_comes_back_into_the_running_game(key: str) -> None:
    door = Door()
    ada, cleo = door.log_in(key), door.join("cleo", "bot")
    ada.say("seek side=I clock=900+0")
    cleo.say("seek side=B clock=900+0")
    game = ada.last(wire.Start).game
    play_on(ada, cleo, game, 7)
    marked = [known._replace(used=known.digest in door.used) for known in
              (Key(key_digest(TOKEN), "Ada", "token"), Key(key_digest(CODE), "Ada", "code"))]  # fmt: skip
    new = door.restarted(Accounts((ADA, BOB), marked))
    back = new.log_in(key)
    assert back.last(wire.Start).game == game and back.last(wire.Snapshot).seq >= 7
    secret = cleo.last(wire.Welcome).secret
    other = new.connect()
    other.say(f"resume {secret}")
    play_on(back, other, game)
    assert back.got(wire.Over)


def test_after_a_restart_a_key_that_was_revoked_meanwhile_opens_nothing() -> None:
    door = Door()
    ada, cleo = door.log_in(TOKEN), door.join("cleo", "bot")
    ada.say("seek")
    cleo.say("seek")
    new = door.restarted(without(TOKEN))
    peer = new.connect()
    peer.say(f"resume {ada.last(wire.Welcome).secret}")
    assert refused(new, peer)
    assert refused(new, new.log_in(TOKEN))
    stillin = door.restarted(KNOWN).log_in(TOKEN)
    assert stillin.got(wire.Start)
