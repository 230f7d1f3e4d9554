"""Who joins and withdraws without end is stopped before the journal is full of it; nobody else notices."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.core.club_world import ClubWorld
from tests.core.world import Peer
from tyrusd.core.settings import DEFAULTS
from tyrusd.wire import messages as wire

STRANGER = "2001:db8:0:7::{:x}"


def event(most: float = DEFAULTS.event_steps_per_minute) -> ClubWorld:
    club = ClubWorld(replace(DEFAULTS, event_steps_per_minute=most))
    club.open()
    return club


def steps(peer: Peer, count: int) -> None:
    """Join, withdraw and so on, so many times."""
    for number in range(count):
        peer.say("withdraw cup" if number % 2 else "join cup")


def joins(peer: Peer) -> bool:
    peer.forget()
    peer.say("join cup")
    return bool(peer.got(wire.Ok))


@pytest.mark.parametrize(("done", "allowed"), [(4, True), (6, False), (8, False)])
def test_limit_event_steps_per_minute(done: int, allowed: bool) -> None:
    club = event(5.0)  # so the first after four is within it, at its edge, and the next pair is beyond
    ana = club.stage.join("ana")
    steps(ana, done)
    assert joins(ana) is allowed
    if not allowed:
        assert (ana.last(wire.Error).code, ana.last(wire.Error).re) == ("unavailable", "join")
        assert club.stage.server.counts.limits["event_steps_per_minute"] >= 1
        club.stage.wait(12)  # one step comes back
        assert joins(ana)


def test_nobody_is_kept_from_going() -> None:
    club = event(2.0)
    ana = club.stage.join("ana")
    steps(ana, 2)
    club.stage.wait(30)
    assert joins(ana) and not club.stage.server.counts.limits["event_steps_per_minute"]
    ana.say("withdraw cup")
    assert ana.last(wire.Ok).re == "withdraw" and not club.table()


@pytest.mark.parametrize(("others", "allowed"), [(3, True), (4, True), (5, False)])
def test_a_host_with_many_names_and_addresses_is_one(others: int, allowed: bool) -> None:
    club = event(5.0)
    for number in range(others):
        assert joins(club.stage.join(f"guest{number}", host=STRANGER.format(number)))
    assert joins(club.stage.join("last", host=STRANGER.format(0xFFFF))) is allowed
    assert joins(club.stage.join("else", host="2001:db8:0:8::1"))
    assert joins(club.stage.join("here", host="127.0.0.1"))


def test_all_who_may_come_from_one_host_may_enter_at_once_change_their_minds_and_go() -> None:
    club = event()
    people = [
        club.stage.join(f"guest{number}", host=STRANGER.format(number))
        for number in range(DEFAULTS.connections_per_host)
    ]
    assert all(joins(peer) for peer in people)
    for peer in people[:3]:
        peer.say("withdraw cup")
        assert joins(peer)
    assert not club.stage.server.counts.limits["event_steps_per_minute"]


def test_thirty_guests_who_do_nothing_else_write_little() -> None:
    club = event()
    people = [club.stage.join(f"guest{number}", "bot") for number in range(30)]
    before = len(club.stage.kept)
    for _ in range(100):
        for peer in people:
            peer.say("join cup")
            peer.say("withdraw cup")
        club.stage.wait(0.6)
    # A minute, 200 steps of each: what they had, and twice what came back, since whoever is in may go. Each
    # step is one record, and a player is known by one.
    assert len(club.stage.kept) - before <= 30 * (3 * DEFAULTS.event_steps_per_minute + 2)
