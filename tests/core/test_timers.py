"""Deadlines in one heap, and allowances that grow back."""

from __future__ import annotations

import random

import pytest

from tyrusd.core.allowance import Allowance
from tyrusd.core.timers import Timers


class Alarm:
    """Remembers which keys came up, and when."""

    def __init__(self, timers: Timers) -> None:
        self.timers = timers
        self.rang: list[tuple[object, float]] = []

    def set(self, key: object, at: float) -> None:
        self.timers.set(key, at, lambda now: self.rang.append((key, now)))

    def run(self, now: float) -> list[object]:
        self.rang.clear()
        self.timers.run(now)
        return [key for key, _ in self.rang]


def test_deadlines_come_up_in_order_and_once() -> None:
    alarm = Alarm(Timers())
    for key, at in (("c", 3.0), ("a", 1.0), ("b", 2.0), ("d", 2.0)):
        alarm.set(key, at)
    assert alarm.timers.next() == 1.0 and len(alarm.timers) == 4 and "a" in alarm.timers
    assert alarm.run(0.999) == []
    assert alarm.run(2.0) == ["a", "b", "d"]
    assert alarm.run(2.0) == [] and "a" not in alarm.timers
    assert alarm.run(9.0) == ["c"] and alarm.timers.next() is None and len(alarm.timers) == 0


@pytest.mark.parametrize("moves", [[5.0], [1.0], [5.0, 1.0], [1.0, 5.0], [0.5, 9.0, 2.0], [3.0, 3.0]])
def test_a_key_has_one_deadline_the_last_that_was_set(moves: list[float]) -> None:
    alarm = Alarm(Timers())
    alarm.set("x", 2.0)
    for at in moves:
        alarm.set("x", at)
    assert len(alarm.timers) == 1 and alarm.timers.next() == moves[-1]
    assert alarm.run(moves[-1] - 0.001) == []
    assert alarm.run(10.0) == ["x"] and alarm.run(20.0) == []


def test_a_forgotten_deadline_never_comes_up() -> None:
    alarm = Alarm(Timers())
    alarm.set("x", 1.0)
    alarm.timers.clear("x")
    alarm.timers.clear("never there")
    assert alarm.timers.next() is None
    alarm.set("x", 1.0)
    alarm.timers.clear("x")
    alarm.set("x", 2.0)
    assert alarm.run(1.5) == [] and alarm.run(2.0) == ["x"]


def test_an_action_may_set_its_own_key_again() -> None:
    timers = Timers()
    rang: list[float] = []

    def again(now: float) -> None:
        rang.append(now)
        if len(rang) < 3:
            timers.set("x", now + 1, again)

    timers.set("x", 1.0, again)
    for now in (1.0, 2.0, 3.0, 4.0):
        timers.run(now)
    assert rang == [1.0, 2.0, 3.0]


def test_all_deadlines_can_be_moved_at_once() -> None:
    alarm = Alarm(Timers())
    alarm.set("a", 1.0)
    alarm.set("b", 2.0)
    alarm.set("b", 3.0)
    alarm.timers.shift(10.0)
    assert alarm.timers.next() == 11.0
    assert alarm.run(12.9) == ["a"] and alarm.run(13.0) == ["b"]


def test_forgotten_deadlines_days_ahead_take_no_room() -> None:
    timers = Timers()
    for number in range(100_000):
        timers.set(number, 1e6 + number, lambda now: None)
        if number >= 10:
            timers.clear(number)
    assert len(timers) == 10 and len(timers._heap) <= 300 and len(timers._queued) <= 300
    assert timers.next() == 1e6


@pytest.mark.parametrize("seed", range(20))
def test_the_heap_does_what_a_plain_table_would(seed: int) -> None:
    chance = random.Random(seed)
    alarm, plain = Alarm(Timers()), {}
    now = 0.0
    for _ in range(2000):
        key = chance.randrange(12)
        what = chance.random()
        if what < 0.5:
            plain[key] = now + chance.randrange(50)
            alarm.set(key, plain[key])
        elif what < 0.65:
            plain.pop(key, None)
            alarm.timers.clear(key)
        elif what < 0.67:
            plain = {key: at + 7.0 for key, at in plain.items()}
            alarm.timers.shift(7.0)
        else:
            now += chance.randrange(4)
            due = {key for key, at in plain.items() if at <= now}
            assert set(alarm.run(now)) == due
            times = [plain.pop(key) for key in [key for key, _ in alarm.rang]]  # type: ignore[call-overload]
            assert times == sorted(times)
        assert alarm.timers.next() == min(plain.values(), default=None)
        assert len(alarm.timers) == len(plain)


def test_an_allowance_is_spent_and_grows_back() -> None:
    allowance = Allowance(3, 0.5, 100.0)
    assert [allowance.spend(100.0) for _ in range(4)] == [True, True, True, False]
    assert not allowance.spend(101.99) and allowance.spend(102.0) and not allowance.full(102.0)
    assert allowance.left(104.0) == 1.0 and allowance.left(103.0) == 1.0
    assert allowance.left(1000.0) == 3 and allowance.full(1000.0)


def test_an_allowance_tells_when_it_will_be_enough() -> None:
    allowance = Allowance(10, 2.0, 0.0)
    for _ in range(10):
        allowance.spend(0.0)
    assert allowance.when(6, 0.0) == 3.0
    assert allowance.when(6, 2.0) == 3.0
    assert allowance.when(6, 50.0) == 50.0
    assert Allowance(10, 2.0, 0.0).when(99, 0.0) == 0.0  # never more than there can be


def test_a_grant_may_exceed_the_size_and_does_not_grow() -> None:
    allowance = Allowance(10, 2.0, 0.0)
    allowance.grant(30.0)
    assert allowance.left(0.0) == 70.0 and allowance.left(1000.0) == 70.0
    for _ in range(65):
        assert allowance.spend(1000.0)
    assert allowance.left(1001.0) == 7.0
