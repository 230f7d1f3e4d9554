"""Keys that were given out in this moment: who says one before the server knows it need not say it again."""

from __future__ import annotations

import pytest

from tests.core.accounts_world import ADA, BOB, KEYS, Door
from tests.core.world import Peer
from tyrusd.core.accounts import Accounts, Key
from tyrusd.core.keys import key_digest
from tyrusd.core.settings import DEFAULTS
from tyrusd.wire import messages as wire

NEW = "N3wOfAda___" + "n" * 32


def code(peer: Peer) -> str:
    return peer.last(wire.Error).code


def newer(sort: str = "token") -> Accounts:
    return Accounts((ADA, BOB), (*KEYS, Key(key_digest(NEW), "Ada", sort)))


@pytest.mark.parametrize("sort", ["token", "code"])
def test_a_key_that_becomes_known_before_its_refusal_is_told_lets_in_at_once(sort: str) -> None:
    door, looks = Door(), list[float]()
    door.lobby.admission.unknown = lambda: looks.append(door.now)
    peer = door.log_in(NEW)
    assert len(looks) == 1 and not peer.got(wire.Error)
    door.change(newer(sort))
    assert peer.last(wire.Welcome).name == "Ada" and not peer.got(wire.Error)
    door.wait(DEFAULTS.resume_delay + 1)
    peer.say("ping alive")
    assert peer.last(wire.Pong).word == "alive" and not peer.got(wire.Error)
    assert len(peer.got(wire.Welcome)) == 1


def test_a_key_that_becomes_known_after_its_refusal_has_to_be_said_again() -> None:
    door = Door()
    peer = door.log_in(NEW)
    door.wait(DEFAULTS.resume_delay + 0.1)
    assert code(peer) == "auth"
    peer.forget()
    door.change(newer())
    assert not peer.got(wire.Welcome)
    peer.say(f"hello 0.1 ada human key={NEW}")
    assert peer.last(wire.Welcome).name == "Ada"


def test_who_is_gone_or_has_another_key_is_not_let_in_by_a_change() -> None:
    door = Door()
    gone, wrong, others = door.log_in(NEW), door.log_in("wrong"), door.log_in(NEW, "bob", "bot")
    gone.lose()
    door.change(newer())
    for peer in (gone, wrong, others):
        assert not peer.got(wire.Welcome)
    assert not door.server.players
    door.wait(DEFAULTS.resume_delay + 0.1)
    assert code(wrong) == code(others) == "auth"
