"""How long a client waits before it tries again: longer and longer, and not for ever."""

from __future__ import annotations

from tyrus_client.pauses import PAUSES, SETTLED, WINDOW, Pauses


def until_the_end(pauses: Pauses, now: float) -> list[float]:
    """The pauses from a break on, when every attempt fails at once."""
    found = []
    while (pause := pauses.next(now)) is not None:
        found.append(pause)
        now += pause
    return found


def test_the_first_attempt_is_at_once_and_the_others_are_further_and_further_apart() -> None:
    found = until_the_end(Pauses(), 50.0)
    assert tuple(found[: len(PAUSES)]) == PAUSES and found[0] == 0
    assert found == sorted(found) and set(found[len(PAUSES) :]) == {PAUSES[-1]}


def test_the_seats_of_a_restarted_server_are_looked_for_as_long_as_they_may_be_kept() -> None:
    found = until_the_end(Pauses(), 50.0)
    assert WINDOW - PAUSES[-1] < sum(found) <= WINDOW == 300
    assert max(PAUSES) < 60, "somebody else's lost connection is kept for a minute only"


def test_a_connection_that_held_begins_a_new_count_and_one_that_breaks_at_once_does_not() -> None:
    pauses = Pauses()
    assert [pauses.next(0.0), pauses.next(0.0)] == [0.0, 1.0]
    pauses.back(1.0)
    assert pauses.next(1.5) == 2.0
    pauses.back(4.0)
    assert pauses.next(4.0 + SETTLED) == 0.0


def test_a_connection_that_never_holds_is_given_up_in_the_end() -> None:
    pauses, now = Pauses(), 0.0
    while (pause := pauses.next(now)) is not None:
        now += pause
        pauses.back(now)
    assert now > WINDOW - PAUSES[-1]
