"""Many honest people behind one address: nobody is refused, and what happens when there are too many."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.core.accounts_world import ADA, BOB, Door
from tests.core.honest import Quick, QuickBot, at_once
from tests.core.stage import Stage, again, begin
from tests.core.test_limits import codes, goodbye
from tests.core.world import Peer
from tyrusd.core.accounts import Account, Accounts, Key
from tyrusd.core.keys import key_digest
from tyrusd.core.settings import DEFAULTS
from tyrusd.wire import messages as wire

CLUB = "203.0.113.9"  # an address that many share
HERE = "127.0.0.1"


def bots_of(stage: Quick, count: int, host: str) -> tuple[QuickBot, ...]:
    return tuple(stage.bot(f"bot{number}", host=host) for number in range(count))


@pytest.mark.parametrize(("clients", "host"), [(30, CLUB), (32, CLUB), (30, HERE), (60, HERE)])
def test_clients_behind_one_address_play_and_meet_no_limit(clients: int, host: str) -> None:
    stage = Quick()
    bots = bots_of(stage, clients, host)
    at_once(stage, bots, 1, 200, 0.05)
    assert all(bot.ended >= 3 for bot in bots) and not any(bot.peer.closed for bot in bots)
    assert [bot.said for bot in bots] == [[]] * clients
    assert not +stage.server.counts.limits and not stage.server.counts.goodbyes


def test_the_thirty_third_is_told_busy_the_others_play_on_and_who_leaves_makes_room() -> None:
    stage = Quick()
    bots = bots_of(stage, 32, CLUB)
    at_once(stage, bots, 1, 20, 0.05)
    late = [stage.connect(CLUB) for _ in range(3)]
    for peer in late:
        assert peer.closed and peer.raw.startswith(b"bye busy :Your host has its 32 connections")
    assert stage.server.counts.limits == {"connections_per_host": 3}
    assert not stage.connect("203.0.113.10").closed  # the neighbour may come
    at_once(stage, bots, 1, 60, 0.05)
    assert all(bot.ended >= 1 for bot in bots) and [bot.said for bot in bots] == [[]] * 32

    # One of the 32 loses the line: its place is free at once, for it or for another.
    lost = next(bot for bot in bots if bot.sides)
    lost.peer.lose()
    lost.peer = stage.connect(CLUB)
    lost.peer.send_bytes(b"resume %s\n" % lost.secret)
    at_once(stage, bots, 1, 60, 0.05)
    assert lost.said == [] and not lost.peer.closed
    next(bot for bot in bots if bot is not lost).peer.say("quit")
    assert not stage.connect(CLUB).closed
    assert stage.connect(CLUB).closed


@pytest.mark.parametrize("host", [HERE, "::1"])
def test_this_machine_is_in_the_list_of_open_hosts_until_that_is_changed(host: str) -> None:
    stage = Stage()
    assert [goodbye(stage.connect(host)) for _ in range(33)] == [None] * 33
    stage.server.settings = replace(DEFAULTS, open_hosts=frozenset({"pipe"}))
    assert goodbye(stage.connect(host)) == "busy"
    stage.server.settings = replace(DEFAULTS, open_hosts=frozenset({"pipe", host, CLUB}))
    assert goodbye(stage.connect(host)) is None
    assert [goodbye(stage.connect(CLUB)) for _ in range(100)] == [None] * 100


def members(count: int) -> Accounts:
    """Accounts with a token each."""
    accounts = [Account(f"member-{number}", "human") for number in range(count)]
    keys = [Key(key_digest(token_of(number)), f"member-{number}", "token") for number in range(count)]
    return Accounts([ADA, BOB, *accounts], keys)


def token_of(number: int) -> str:
    return f"{number:03}".ljust(43, "t")


def come(door: Door, number: int, key: str | None = None) -> Peer:
    return door.log_in(key or token_of(number), f"member-{number}", host=CLUB)


def test_thirty_members_behind_one_address_log_in_at_once_and_come_back_when_their_line_fails() -> None:
    door = Door(members(30))
    for _ in range(10):  # ten times within a minute their router starts again
        peers = [come(door, number) for number in range(30)]
        assert [len(peer.got(wire.Welcome)) for peer in peers] == [1] * 30
        for peer in peers:
            peer.lose()
        door.wait(5)
    assert not +door.server.counts.limits and not door.server.counts.errors


@pytest.mark.parametrize(("typos", "lets_in"), [(29, True), (30, False)])
def test_typos_of_all_behind_one_address_are_forgiven_up_to_thirty_a_minute(
    typos: int, lets_in: bool
) -> None:
    """More is a guesser: other hosts do not notice it, and time heals it."""
    door = Door(members(31))
    for number in range(typos):
        come(door, number, "wrong").lose()
    there = come(door, 30)
    elsewhere = door.log_in(token_of(29), "member-29", host="203.0.113.10")
    door.wait(1.1)
    assert bool(there.got(wire.Welcome)) is lets_in and elsewhere.got(wire.Welcome)
    if not lets_in:
        assert codes(there) == ["auth"]
        door.wait(4)  # the place gets one try back every two seconds
        there.forget()
        there.say(f"hello 0.1 member-30 human key={token_of(30)}")
        assert there.got(wire.Welcome)


def test_an_account_that_is_guessed_from_behind_the_address_is_still_its_owner_s() -> None:
    """The limit of an account is for those who have guessed it, so that nobody is shut out by others."""
    door = Door(members(3), settings=replace(DEFAULTS, resume_failures_per_minute=1000.0))
    for number in range(40):
        door.log_in("wrong", "member-1", host=f"198.51.100.{number}").lose()
    assert come(door, 1).got(wire.Welcome)
    assert door.server.counts.limits["account_failures_per_minute"] == 10


def test_one_who_floods_costs_the_others_behind_the_address_nothing() -> None:
    stage = Stage()
    pair = begin(stage, ("human", "human"), hosts=(CLUB, CLUB))
    flood = stage.connect(CLUB)
    flood.say("hello 0.1 mallory human")
    for _ in range(10):
        flood.send_bytes(b"who\n" * 200)
        stage.wait(0.9)
    assert goodbye(flood) == "slow-down"
    pair.mover.say(f"resign {pair.game}")
    assert pair.other.got(wire.Over)
    again(pair.mover, pair.other)
    assert goodbye(pair.mover) is goodbye(pair.other) is None
    assert codes(pair.mover) == codes(pair.other) == []
