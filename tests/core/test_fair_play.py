"""Promises on fair play: no operator, no fault of the server and no guess decides for the players."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest

from tests.core.accounts_world import STRANGER, Door
from tests.core.stage import Stage, begin
from tests.core.world import Peer
from tyrusd.core import operator_words as words
from tyrusd.core.accounts import Account, Accounts, Key
from tyrusd.core.keys import key_digest
from tyrusd.core.ladder_terms import LadderTerms
from tyrusd.core.lobby import Lobby
from tyrusd.core.operator import OperatorError
from tyrusd.core.restoring import Recovered
from tyrusd.core.settings import DEFAULTS
from tyrusd.league.clock import TimeControl
from tyrusd.rules.game import WITHOUT_RESULT
from tyrusd.wire import messages as wire

NAMES: Final = ("ada", "bob")
CLOCK: Final = TimeControl.parse("60+1", "none")
KEYS: Final = {name: f"T0kenOf{name}" + "k" * 33 for name in NAMES}
ACCOUNTS: Final = Accounts(
    [Account(name, "bot") for name in NAMES],
    [Key(key_digest(key), name, "token") for name, key in KEYS.items()],
)


def rated_pair() -> tuple[Stage, Peer, Peer]:
    """Two accounts in a rated game g1, on a server with a ladder."""
    stage = Stage(lobby=Lobby({}, ACCOUNTS, True, LadderTerms(CLOCK)), recovered=Recovered())
    peers = []
    for name, host in zip(NAMES, ("192.0.2.1", "192.0.2.2"), strict=True):
        peer = stage.connect(host)
        peer.say(f"hello 0.1 {name} bot key={KEYS[name]}\nseek rated=yes")
        peers.append(peer)
    assert stage.server.tables["g1"].match.rated is not None
    return stage, peers[0], peers[1]


def lobby_of(stage: Stage) -> Lobby:
    assert isinstance(stage.server.director, Lobby)
    return stage.server.director


@pytest.mark.parametrize("winner", ["I", "B", "draw"])
def test_d9_nobody_decides_a_rated_game_for_its_players(winner: str) -> None:
    """An operator can end it, and then it has no result that could count."""
    stage, ada, bob = rated_pair()
    operator = lobby_of(stage).operator
    word = words.read_word(f'{{"do":"adjudicate","game":"g1","winner":"{winner}"}}'.encode())
    with pytest.raises(OperatorError, match=r"^g1 is rated, so only its players decide it: `abort` ends it"):
        operator.do(word, stage.now)
    stage.run()
    assert not ada.got(wire.Over) and stage.server.tables["g1"].ending is None
    operator.do(words.Abort("g1"), stage.now)
    stage.run()
    assert bob.last(wire.Over).reason == "aborted" and bob.last(wire.Over).reason in WITHOUT_RESULT


def test_d9_control_a_game_that_is_not_rated_can_be_decided() -> None:
    stage = Stage()
    pair = begin(stage)
    lobby_of(stage).operator.do(words.Adjudicate(pair.game, "I"), stage.now)
    stage.run()
    assert pair.other.last(wire.Over).reason == "adjudicated"


@pytest.mark.parametrize("trouble", ["shutdown", "shutdown at once", "storage"])
def test_d8_no_fault_of_the_server_loses_anybody_a_game(trouble: str) -> None:
    """Whoever is on the move while the server closes, or cannot store, has lost nothing by that."""
    stage, ada, bob = rated_pair()
    if trouble == "storage":
        stage.failing = 3
        ada.say("resign g1")
        stage.wait(2.0)
        assert not bob.got(wire.Over)  # not told before it is kept
        stage.wait(10.0)
        assert bob.last(wire.Over).reason == "resigned"
    else:
        stage.server.drain(stage.now, 0.0 if "once" in trouble else 5.0)
        stage.run()
        stage.wait(20.0)
        assert {peer.last(wire.Over).winner for peer in (ada, bob)} == {"-"}
        assert {peer.last(wire.Over).reason for peer in (ada, bob)} == {"aborted"}


def test_d8_the_server_standing_still_times_nobody_out() -> None:
    stage = Stage()
    pair = begin(stage, terms="clock=30+0")
    stage.wait(3.0)
    stage.jump(300.0)  # as under SIGSTOP
    stage.wait(1.0)
    assert not pair.mover.got(wire.Over)
    stage.wait(40.0)
    assert pair.mover.last(wire.Over).reason == "timeout"


def test_d4_an_unknown_account_and_a_wrong_key_get_the_same_bytes_at_the_same_moment() -> None:
    """Nothing tells whether there is such an account, nor whether a key of it is of the other sort."""
    answers = set()
    for line in (
        "hello 0.1 ada bot key=wrong",
        "hello 0.1 nobody bot key=wrong",
        f"hello 0.1 nobody bot key={KEYS['ada']}",
        f"hello 0.1 bob bot key={KEYS['ada']}",
        f"hello 0.1 ADA human key={'x' * 43}",
        "hello 0.1 ada bot key=ABCD-EFGH-JKLM-NPQ2",
    ):
        door = Door(ACCOUNTS, settings=replace(DEFAULTS, resume_delay=0.7))
        peer = door.connect(STRANGER)
        peer.forget()
        began = door.now
        peer.say(line)
        assert peer.raw == b""
        while not peer.raw:
            door.wait(0.001)
        answers.add((peer.raw, round(door.now - began, 3)))
    assert len(answers) == 1
    ((told, after),) = answers
    assert told.startswith(b"error auth retry re=hello :") and after == pytest.approx(0.7, abs=0.002)
