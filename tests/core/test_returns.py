"""Who comes back again and again has the journal written each time, so that has a limit, which time heals."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.core.club_world import ClubWorld
from tests.core.stage import Stage, begin
from tests.core.world import Peer
from tyrusd.core.settings import DEFAULTS
from tyrusd.wire import messages as wire


def returned(stage: Stage, peer: Peer) -> Peer:
    """Resume on a new connection, from another host each time."""
    new = stage.connect(f"198.51.100.{len(stage.peers) % 250}")
    new.say(f"resume {peer.last(wire.Welcome).secret}")
    return new


@pytest.mark.parametrize(("returns", "allowed"), [(2, True), (3, False), (4, False)])
def test_limit_returns_of_one_player(returns: int, allowed: bool) -> None:
    stage = Stage(replace(DEFAULTS, logins_per_minute=3.0))
    pair = begin(stage, ("human", "human"), "clock=1000+0")
    peer = pair.mover
    for _ in range(min(returns, 3)):
        peer = returned(stage, peer)
    last = returned(stage, peer)
    assert bool(last.got(wire.Welcome)) is allowed
    assert returned(stage, pair.other).got(wire.Welcome)  # somebody else is not limited by that
    if not allowed:
        error = last.last(wire.Error)
        assert (error.code, error.re, last.closed) == ("unavailable", "resume", False)
        assert stage.server.counts.limits["logins_per_minute"] == 1
        assert not peer.closed  # who was there stays
        stage.wait(20)
        last.say(f"resume {peer.last(wire.Welcome).secret}")
        assert last.got(wire.Welcome)


def test_coming_back_without_end_writes_little() -> None:
    club = ClubWorld()
    club.open()
    club.join("ana")
    before, peer = len(club.stage.kept), club.people["ana"]
    for _ in range(600):
        new = returned(club.stage, peer)
        peer = new if new.got(wire.Welcome) else peer
        club.stage.wait(0.1)
    # A minute: those that it had and those that came back; each leaves a record, and one when it is used.
    assert len(club.stage.kept) - before <= 2 * 2 * DEFAULTS.logins_per_minute
