"""What is known of guesses, logins and steps of the last minute is bounded, whoever makes them."""

from __future__ import annotations

import pytest

from tests.core.accounts_world import TOKEN, Door
from tests.core.stage import Stage
from tyrusd.core.allowances import MOST, Allowances
from tyrusd.wire import messages as wire


@pytest.mark.parametrize(("others", "known"), [(MOST - 2, True), (MOST - 1, True), (MOST, False)])
def test_limit_counted(others: int, known: bool) -> None:
    """Who did something longest ago is forgotten for the one that is too many."""
    allowances: Allowances[int | str] = Allowances()
    assert allowances.spend("first", 1.0, 0.0)
    for number in range(others):
        allowances.spend(number, 1.0, 1.0)
    assert len(allowances) == min(others + 1, MOST)
    assert allowances.has("first", 1.0) is not known


def test_who_does_it_again_is_not_the_oldest_any_more() -> None:
    allowances: Allowances[int | str] = Allowances()
    allowances.spend("first", 2.0, 0.0)
    allowances.spend("second", 2.0, 0.0)
    allowances.spend("first", 2.0, 0.0)
    for number in range(MOST - 1):
        allowances.spend(number, 1.0, 0.0)
    assert not allowances.has("first", 0.0) and allowances.has("second", 0.0)


def test_whoever_has_everything_again_is_forgotten() -> None:
    allowances: Allowances[int] = Allowances()
    for number in range(50):
        allowances.spend(number, 30.0, float(number))
    assert len(allowances) <= 3  # one of thirty comes back in two seconds


def test_a_changed_size_holds_at_once() -> None:
    allowances: Allowances[str] = Allowances()
    assert allowances.spend("ada", 1.0, 0.0) and not allowances.spend("ada", 1.0, 0.0)
    assert allowances.spend("ada", 2.0, 0.0) and allowances.spend("ada", 2.0, 0.0)
    assert not allowances.spend("ada", 2.0, 0.0)
    assert not allowances.has("ada", 29.9) and allowances.has("ada", 30.0)


def test_guesses_of_any_number_of_networks_take_bounded_memory() -> None:
    door = Door()
    for number in range(MOST + 50):
        host = f"198.{18 + number // 65536}.{number // 256 % 256}.{number % 256}"
        door.log_in("wrong", host=host).lose()
    admission, presence = door.lobby.admission, door.server.presence
    assert len(admission.guessed) == len(presence._wrong) == MOST
    assert ("ada", "198.18.0.0") not in admission.guessed and ("ada", "198.18.4.49") in admission.guessed


def test_of_ipv6_a_network_is_one_host_for_wrong_keys_and_secrets() -> None:
    door = Door()
    for number in range(30):
        door.log_in("wrong", host=f"2001:db8:0:7::{number:x}").lose()
    assert not door.log_in(TOKEN, host="2001:db8:0:7:ffff::1").got(wire.Welcome)
    assert door.log_in(TOKEN, host="2001:db8:0:8::1").got(wire.Welcome)
    assert len(door.server.presence._wrong) == 1


def test_of_ipv6_a_network_is_one_host_for_connections_and_all_places_come_back() -> None:
    stage = Stage()
    peers = [stage.connect(f"2001:db8:0:7::{number:x}") for number in range(33)]
    assert [peer.closed for peer in peers] == [False] * 32 + [True]
    assert not stage.connect("2001:db8:0:8::1").closed
    assert not stage.connect("192.0.2.1").closed and not stage.connect("192.0.2.2").closed
    for peer in peers:
        peer.lose()
    assert not stage.connect("2001:db8:0:7:ffff::1").closed
