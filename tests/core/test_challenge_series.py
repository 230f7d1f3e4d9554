"""Several games of one offer, two offers that cross each other, and what neither of them is for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.core.rated_world import come, door
from tests.core.stage import Stage
from tests.core.test_challenges import clean, codes, ends, two
from tyrusd.core.settings import DEFAULTS
from tyrusd.wire import messages as wire


@pytest.mark.parametrize("rounds", [2, 3])
def test_the_end_of_the_last_game_of_several_is_told_to_both(rounds: int) -> None:
    stage, ada, bob = two()
    ada.say(f"challenge bob side=I rounds={rounds}")
    bob.say("accept c-1")
    for number in range(1, rounds + 1):
        assert not ends(ada) and not ends(bob)
        ada.say(f"resign g{number}")
    assert ends(ada) == ends(bob) == [("c-1", "played")] and clean(stage)
    assert [start.side for start in ada.got(wire.Start)] == ["I", "B", "I"][:rounds]


def test_one_game_alone_is_no_series() -> None:
    stage, ada, bob = two()
    ada.say("challenge bob")
    bob.say("accept c-1\nresign g1")
    assert not ends(ada) and not ends(bob) and clean(stage)


def test_in_the_last_game_nothing_is_left_to_take_back() -> None:
    stage = Stage()
    ada, bob = stage.join("ada"), stage.join("bob")
    ada.say("challenge bob rounds=2")
    bob.say("accept c-1\nresign g1")
    bob.say("cancel challenge=c-1")
    assert codes(bob) == ["unavailable"] and not ends(ada)
    bob.say("quit")
    stage.wait(DEFAULTS.reconnect_window + 1)
    assert ends(ada) == [("c-1", "played")] and clean(stage)


@pytest.mark.parametrize(("played", "told"), [(0, [("c-1", "shutdown")]), (1, [])])
def test_games_that_are_left_end_with_the_server(played: int, told: list[tuple[str, str]]) -> None:
    stage, ada, bob = two()
    ada.say("challenge bob rounds=2")
    bob.say("accept c-1")
    for number in range(played):
        ada.say(f"resign g{number + 1}")
    stage.server.drain(stage.now, 5.0)
    stage.run()
    assert ends(ada) == ends(bob) == told and clean(stage)


def test_a_pause_after_the_last_game_changes_nothing() -> None:
    stage, ada, bob = two()
    ada.say("challenge bob rounds=2")
    bob.say("accept c-1\nresign g1")
    lobby = stage.server.director
    lobby.paused = True  # type: ignore[attr-defined]
    bob.say("resign g2")
    assert ends(ada) == ends(bob) == [("c-1", "played")]


# -- offers that cross each other --------------------------------------------------------------------------

AGREE = [
    ("", "", None),
    ("side=I", "", "I"),
    ("", "side=B", "I"),
    ("side=B", "side=I", "B"),
    ("clock=300+2 cap=20", "clock=300+2 cap=20", None),
    ("variant=replay-ties rounds=3", "rounds=3 variant=replay-ties side=I", "B"),
]


@pytest.mark.parametrize(("ones", "others", "side"), AGREE)
def test_two_offers_of_the_same_begin_the_game(ones: str, others: str, side: str | None) -> None:
    stage, ada, bob = two()
    ada.say(f"challenge bob {ones}".strip())
    bob.say(f"challenge ada {others}".strip())
    assert ada.last(wire.Accepted) == bob.last(wire.Accepted) == wire.Accepted("c-1", "g1")
    assert len(ada.got(wire.Offer)) == 1 and bob.last(wire.Ok).re == "challenge"
    assert side in (None, ada.last(wire.Start).side)
    lobby = stage.server.director
    assert not lobby.challenges.open  # type: ignore[attr-defined]


DIFFER = [
    ("side=I", "side=I"),
    ("clock=300+2", ""),
    ("variant=replay-ties", ""),
    ("rounds=2", ""),
    ("", "rounds=2"),
]


@pytest.mark.parametrize(("ones", "others"), DIFFER)
def test_two_offers_on_other_terms_are_two_offers(ones: str, others: str) -> None:
    _, ada, bob = two()
    ada.say(f"challenge bob {ones}".strip())
    bob.say(f"challenge ada {others}".strip())
    assert [offer.challenge for offer in ada.got(wire.Offer)] == ["c-1", "c-2"]
    assert not ada.got(wire.Start) and not codes(bob)


def test_two_offers_agree_only_if_both_are_rated_or_neither() -> None:
    place = door()
    bob, echo = come(place, "bob"), come(place, "echo")
    bob.say("challenge echo rated=yes")
    echo.say("challenge bob")
    assert not bob.got(wire.Start)
    echo.say("cancel challenge=c-2")
    echo.say("challenge bob rated=yes")
    assert bob.last(wire.Start).rated == echo.last(wire.Start).rated == "yes"


def test_an_offer_that_crosses_one_of_somebody_without_room_is_refused_as_an_acceptance_is() -> None:
    stage, ada, bob = two()
    cleo = stage.join("cleo", "bot")
    ada.say("challenge bob\nchallenge cleo")
    bob.say("accept c-1")
    cleo.say("challenge ada")
    assert codes(cleo) == ["unavailable"] and ends(ada) == [("c-2", "busy")] and clean(stage)


def test_an_offer_that_crosses_needs_no_room_among_those_that_one_may_receive() -> None:
    stage = Stage(replace(DEFAULTS, challenges_received=1))
    ada, bob, cleo = stage.join("ada"), stage.join("bob"), stage.join("cleo")
    cleo.say("challenge ada")
    ada.say("challenge bob")
    bob.say("challenge ada")
    assert not codes(bob) and bob.last(wire.Start).enemy == "ada"


# -- what is refused ---------------------------------------------------------------------------------------


def test_without_room_of_ones_own_an_offer_stays_open() -> None:
    stage, ada, bob = two()
    cleo = stage.join("cleo", "bot")
    cleo.say("challenge bob")
    ada.say("challenge bob")
    bob.say("accept c-2\naccept c-1")
    assert codes(bob) == ["too-many-games"] and not ends(cleo) and not ends(bob)
    bob.say("resign g1")
    bob.say("accept c-1")
    assert bob.last(wire.Start).enemy == "cleo" and clean(stage)


def test_a_deal_that_was_played_before_is_one_game() -> None:
    _, ada, bob = two()
    ada.say("challenge bob side=I")
    bob.say("accept c-1\nresign g1")
    heard = len(bob.got(wire.Offer))
    ada.say("challenge bob deal=g1 rounds=2")
    assert codes(ada) == ["config"] and len(bob.got(wire.Offer)) == heard
    ada.say("challenge bob deal=g1 rounds=1")
    assert bob.last(wire.Offer).deal == "g1"
