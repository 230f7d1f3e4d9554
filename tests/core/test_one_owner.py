"""A game of two accounts of one owner never counts, and who plays one is told so."""

from __future__ import annotations

import pytest

from tests.core.rated_world import HOME, come, door, ended, two
from tyrusd.core.earlier import Finished, dossier_from
from tyrusd.league.record import read_frame
from tyrusd.wire import messages as wire

RELATED = [("ada", "deep"), ("deep", "ada"), ("deep", "dull"), ("echo", "foxy")]


@pytest.mark.parametrize(("one", "other"), RELATED)
def test_two_seeks_of_one_owner_wait_for_somebody_else(one: str, other: str) -> None:
    place = door()
    first, second, bob = come(place, one), come(place, other), come(place, "bob", "games=2")
    first.say("seek rated=yes")
    second.say("seek rated=yes")
    assert not first.got(wire.Start) and not second.got(wire.Start)
    assert second.last(wire.Ok).re == "seek"
    bob.say("seek rated=yes")  # the older seek first
    bob.say("seek rated=yes")
    assert [first.last(wire.Start).enemy, second.last(wire.Start).enemy] == ["bob", "bob"]
    assert {start.rated for start in bob.got(wire.Start)} == {"yes"}


@pytest.mark.parametrize(("one", "other"), RELATED)
def test_two_seeks_of_one_owner_agree_where_nothing_is_to_count(one: str, other: str) -> None:
    place = door()
    first, second = come(place, one), come(place, other)
    first.say("seek")
    second.say("seek")
    assert first.last(wire.Start).rated == second.last(wire.Start).rated == "no"


@pytest.mark.parametrize(("one", "other"), RELATED)
def test_a_game_of_one_owner_says_everywhere_that_it_does_not_count(one: str, other: str) -> None:
    place = door()
    first, second = two(place, one, other)  # by `play` on a seek; looks at `start`
    first.say("games")
    assert first.last(wire.Table).rated == "flagged"
    second.say("resign g1")
    assert ended(place)["flags"] == ["owner"]
    second.say("results")
    assert second.last(wire.Result).rated == "flagged"
    (stored,) = [frame for frame in place.kept if read_frame(frame)["kind"] == "game"]
    assert dossier_from(Finished("g1", stored)).rated == "flagged"  # what a later server tells


@pytest.mark.parametrize(("one", "other"), RELATED)
def test_an_offer_between_two_of_one_owner_says_that_it_does_not_count(one: str, other: str) -> None:
    place = door()
    first, second = come(place, one), come(place, other)
    first.say(f"challenge {other} rated=yes")
    assert first.last(wire.Offer).rated == second.last(wire.Offer).rated == "flagged"
    second.say("accept c-1")
    assert first.last(wire.Start).rated == second.last(wire.Start).rated == "flagged"
    second.say("resign g1")
    first.say("rematch g1")
    assert second.last(wire.Offer).rated == "flagged"


def test_a_game_of_two_from_one_host_counts_and_says_so() -> None:
    place = door()
    bob, echo = two(place, hosts=(HOME, HOME))
    bob.say("games")
    assert bob.last(wire.Table).rated == "yes"
    bob.say("resign g1")
    assert ended(place)["flags"] == ["host"]
    echo.say("results")
    assert echo.last(wire.Result).rated == "yes"
    echo.say("challenge bob rated=yes")
    assert bob.last(wire.Offer).rated == "yes"
