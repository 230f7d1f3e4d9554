"""The limits of logins: wrong keys of a host, wrong keys of an account, logins of an account."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.core.accounts_world import BOBS, STRANGER, TOKEN, Door
from tyrusd.core.settings import DEFAULTS
from tyrusd.wire import messages as wire


def wrong(door: Door, times: int, name: str = "ada", hosts: str = STRANGER) -> None:
    """So many wrong keys at the same moment; `hosts` may have a {} for a number."""
    for number in range(times):
        door.log_in("wrong", name, host=hosts.format(number))


def lets_in(door: Door, host: str, key: str = TOKEN, name: str = "ada") -> bool:
    peer = door.log_in(key, name, host=host)
    door.wait(1.001)
    return bool(peer.got(wire.Welcome))


@pytest.mark.parametrize(("guesses", "allowed"), [(2, True), (3, False), (4, False)])
def test_limit_resume_failures_per_minute_counts_keys_as_well(guesses: int, allowed: bool) -> None:
    door = Door(settings=replace(DEFAULTS, resume_failures_per_minute=3.0))
    wrong(door, guesses, "nobody-here")
    assert lets_in(door, STRANGER) is allowed
    assert lets_in(door, "192.0.2.8")
    door.wait(30)
    assert lets_in(door, STRANGER)


def test_wrong_keys_and_wrong_secrets_of_a_host_are_counted_together() -> None:
    door = Door(settings=replace(DEFAULTS, resume_failures_per_minute=3.0))
    wrong(door, 1)
    for _ in range(2):
        door.connect(STRANGER).say("resume wrong")
    assert not lets_in(door, STRANGER)


@pytest.mark.parametrize(("guesses", "allowed"), [(2, True), (3, False), (4, False)])
def test_limit_account_failures_per_minute(guesses: int, allowed: bool) -> None:
    door = Door(settings=replace(DEFAULTS, account_failures_per_minute=3.0))
    wrong(door, guesses, hosts="198.51.100.{}")
    assert lets_in(door, "198.51.100.0") is allowed
    assert lets_in(door, "198.51.100.0", BOBS, "bob")  # another account


def test_nobody_can_shut_the_owner_of_an_account_out() -> None:
    door = Door(settings=replace(DEFAULTS, account_failures_per_minute=3.0))
    wrong(door, 50, hosts="198.51.100.{}")
    assert lets_in(door, STRANGER) and lets_in(door, "127.0.0.1")
    assert not lets_in(door, "198.51.100.7")
    assert door.server.counts.limits["account_failures_per_minute"] == 48
    door.wait(60)
    assert lets_in(door, "198.51.100.7")


def test_wrong_keys_of_this_machine_and_of_no_account_leave_nothing() -> None:
    door = Door(settings=replace(DEFAULTS, account_failures_per_minute=3.0))
    wrong(door, 40, hosts="127.0.0.1")
    wrong(door, 20, "nobody-here")
    assert lets_in(door, "127.0.0.1")
    assert not door.lobby.admission.guessed


def test_what_is_remembered_of_guesses_is_forgotten_after_a_minute() -> None:
    door = Door()
    wrong(door, 50, hosts="198.51.100.{}")
    assert len(door.lobby.admission.guessed) == 50
    door.wait(60)
    wrong(door, 1)
    assert len(door.lobby.admission.guessed) == 1


@pytest.mark.parametrize(("logins", "allowed"), [(2, True), (3, False), (4, False)])
def test_limit_logins_per_minute(logins: int, allowed: bool) -> None:
    door = Door(settings=replace(DEFAULTS, logins_per_minute=3.0))
    for _ in range(logins):
        door.log_in(TOKEN)
    last = door.log_in(TOKEN)
    assert bool(last.got(wire.Welcome)) is allowed
    if not allowed:
        assert last.last(wire.Error).code == "unavailable"
        assert door.log_in(BOBS, "bob", "bot").got(wire.Welcome)
        door.wait(20)
        last.say(f"hello 0.1 ada human key={TOKEN}")
        assert last.got(wire.Welcome)
