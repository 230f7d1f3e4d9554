"""Whoever watches a running game, a player's second account or a friend, gets what anybody would get."""

from __future__ import annotations

import re

import pytest

from tests.core.accounts_world import BOBS, TOKEN, Door
from tests.core.world import Peer
from tyrusd.rules.notation import read_view
from tyrusd.rules.pieces import Side
from tyrusd.wire import messages as wire

FACE = re.compile(r"(?<![A-Za-z])[SMP](?:10|[1-9])(?![0-9])")
VERBS = ("record g1", "log g1", "why g1")


BUILDINGS = ("IC", "BM", "IT", "BC", "IM", "BT")


def seated(door: Door, extra: str = "") -> tuple[dict[Side, Peer], Peer, Peer]:
    """Ada plays Cleo; the second account of Ada's, and a stranger, who do not."""
    ada, cleo = door.log_in(TOKEN, extra=extra), door.join("cleo", extra=extra)
    second, stranger = door.log_in(BOBS, "bob", "bot"), door.join("eve")
    bob = door.lobby.admission.accounts.find("bob")
    assert bob is not None and bob.owner == "Ada"
    ada.say("seek side=I clock=none")
    cleo.say("seek side=B clock=none")
    return {Side.IVORY: ada, Side.BROWN: cleo}, second, stranger


def public(peer: Peer, since: int) -> list[str]:
    """The lines a peer was sent after so many letters of them."""
    return peer.text[since:].splitlines()


def answers(peer: Peer, *lines: str) -> list[str]:
    """The codes of the errors with which lines are answered, `ok` for none."""
    found = []
    for line in lines:
        peer.inbox.clear()
        peer.say(line)
        errors = peer.got(wire.Error)
        found.append(errors[-1].code if errors else "ok")
    return found


@pytest.mark.parametrize("again", [False, True], ids=["watching", "looking again and again"])
def test_f107_a_second_account_that_watches_its_owners_game_sees_what_strangers_see(again: bool) -> None:
    """Cockatrice/Cockatrice#1678: a second account watched its owner's game, with all hands open."""
    door = Door()
    players, *watchers = seated(door, "want=events,full")
    since = [len(peer.text) for peer in watchers]
    for peer in watchers:
        peer.say("watch g1")
    match = door.server.tables["g1"].match
    while "g1" in door.server.tables:
        request = match.open_request
        assert request is not None
        tile, building = match.game.hand(request.side)[0], BUILDINGS[request.number % 6]
        players[request.side].say(f"place g1 {request.number} {tile} {building}")
        for peer in watchers if again else []:
            peer.say("look g1")
    own, strange = (public(peer, start) for peer, start in zip(watchers, since, strict=True))
    assert own == strange and len(own) > 30
    pictures = [read_view(item.view) for peer in watchers for item in peer.got(wire.Snapshot)]
    assert len(pictures) > (30 if again else 1)
    for seen in pictures:
        assert seen.viewer is None and seen.hand == () and all(tile.tile is None for tile in seen.board)
    assert {item.face for item in watchers[0].got(wire.Placed)} == {"?"}
    assert {item.tiles for item in watchers[0].got(wire.Drew)} == {"?,?,?"}


def test_f107_records_and_logs_of_a_running_game_are_for_nobody() -> None:
    """Cockatrice/Cockatrice#1678: a second account watched its owner's game, with all hands open."""
    door = Door()
    players, second, stranger = seated(door)
    ada, cleo = players.values()
    assert answers(second, *VERBS) == answers(stranger, *VERBS) == ["no-game"] * 3
    assert answers(ada, *VERBS) == answers(cleo, *VERBS) == ["unavailable"] * 3
    for peer in (second, stranger):
        assert FACE.search(peer.text) is None
    ada.say("resign g1")
    assert answers(second, *VERBS) == answers(stranger, *VERBS) == ["no-game"] * 3
    assert answers(ada, "record g1") == answers(cleo, "record g1") == ["ok"]
    for peer in (second, stranger):
        assert FACE.search(peer.text) is None
