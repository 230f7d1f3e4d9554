"""Matches in memory whose seats are sockets with keys."""

from __future__ import annotations

from tests.core.world import Peer, World
from tyrusd.core.schedule import Entry, Schedule
from tyrusd.core.seatspec import parse_seat
from tyrusd.league.clock import BOTS
from tyrusd.rules.variants import STANDARD


def match_world(games: int = 2) -> tuple[World, Peer, Peer]:
    """A match of two bots, Ada and Bob, both here."""
    entries = (Entry("ada", parse_seat("tcp:ada"), "one"), Entry("bob", parse_seat("tcp:bob"), "two"))
    world = World(Schedule(entries, games, "a seed", STANDARD, BOTS))
    peers = world.connect(), world.connect()
    for peer, key in zip(peers, ("one", "two"), strict=True):
        peer.say(f"hello 0.1 some bot key={key}")
    return world, *peers
