"""Rated games: who may ask for one, and that both must want it."""

from __future__ import annotations

import pytest

from tests.core.rated_world import come, door, ended, opened, refusal, two
from tyrusd.core.requests import StartBot
from tyrusd.core.terms import Terms, agree
from tyrusd.wire import messages as wire

# -- who may ask for one ------------------------------------------------------------------------------------

ASKING = ["seek rated=yes", "play bob rated=yes", "challenge bob rated=yes", "play Steady rated=yes"]


@pytest.mark.parametrize("line", ASKING)
def test_a_server_without_a_ladder_rates_nothing(line: str) -> None:
    place = door(None)
    come(place, "bob").say("seek")
    echo = come(place, "echo")
    echo.say(line)
    assert refusal(echo) == ("unavailable", "This server rates no games.")
    assert not place.server.tables


@pytest.mark.parametrize("line", ASKING)
def test_a_guest_cannot_have_a_game_rated(line: str) -> None:
    place = door()
    come(place, "bob").say("seek rated=yes")
    guest = place.join("guest", "bot")
    guest.say(line)
    assert refusal(guest) == ("unavailable", "guest has no account; only games of accounts are rated.")
    assert not place.server.tables


@pytest.mark.parametrize("line", ["play guest rated=yes", "challenge guest rated=yes"])
def test_nobody_can_have_a_game_with_a_guest_rated(line: str) -> None:
    place = door()
    place.join("guest", "bot").say("seek")
    bob = come(place, "bob")
    bob.say(line)
    assert refusal(bob) == ("unavailable", "guest has no account; only games of accounts are rated.")
    assert not place.server.tables


@pytest.mark.parametrize("line", ASKING)
def test_only_the_standard_variant_is_rated(line: str) -> None:
    place = door()
    come(place, "bob").say("seek rated=yes")
    echo = come(place, "echo")
    echo.say(f"{line} variant=replay-ties")
    assert refusal(echo) == ("config", "Only games of variant standard are rated.")
    echo.say(f"{line} variant=standard")
    assert len(echo.got(wire.Error)) == 1


@pytest.mark.parametrize("line", ["seek", "play bob", "challenge bob"])
def test_a_deal_that_was_played_before_is_not_rated(line: str) -> None:
    place = door()
    bob, echo = two(place)
    bob.say("resign g1")
    echo.say(f"{line} rated=yes deal=g1")
    assert refusal(echo) == ("config", "A game on a deal that was played before is not rated.")
    assert not place.server.tables


@pytest.mark.parametrize("verb", ["play", "challenge"])
def test_a_bot_of_the_house_that_is_no_anchor_is_not_rated(verb: str) -> None:
    place = door()
    bob = come(place, "bob")
    bob.say(f"{verb} plain rated=yes")
    assert refusal(bob) == ("unavailable", "plain has no rating of its own, so no game with it is rated.")
    assert not [request for request in place.requests if isinstance(request, StartBot)]


def test_rated_is_yes_or_no() -> None:
    bob = come(door(), "bob")
    bob.say("seek rated=maybe")
    assert bob.last(wire.Error).code == "syntax"


# -- both want it -------------------------------------------------------------------------------------------


def test_two_agree_only_if_both_want_it_rated_or_neither() -> None:
    plain = Terms(None, "standard", None)
    lobby, ladder = plain._replace(rated="lobby"), plain._replace(rated="ladder")
    assert agree(plain, plain) and agree(lobby, lobby) and agree(ladder, lobby)
    assert not agree(plain, lobby) and not agree(lobby, plain) and not agree(ladder, plain)


def test_a_rated_seek_is_shown_and_met_by_one_of_its_kind_only() -> None:
    place = door()
    bob, echo = come(place, "bob"), come(place, "echo")
    bob.say("seek rated=yes")
    echo.say("who")
    (seeker,) = [player for player in echo.got(wire.Player) if player.name == "bob"]
    assert (seeker.state, seeker.rated) == ("seeking", "yes")
    echo.say("play bob")
    assert refusal(echo) == (
        "unavailable", "bob seeks a game on other terms; `play bob rated=yes` agrees."
    )  # fmt: skip
    echo.say("seek")
    assert not place.server.tables
    echo.say("cancel")
    echo.say("seek rated=yes")
    assert echo.last(wire.Start).rated == "yes"
    assert opened(place) == {"ivory": None, "brown": None, "by": "lobby", "flags": []}


def test_a_game_that_nobody_wants_rated_has_no_such_part() -> None:
    place = door()
    bob, echo = come(place, "bob"), come(place, "echo")
    bob.say("seek rated=no")
    echo.say("play bob")
    assert bob.last(wire.Start).rated == "no"
    assert "rated" not in bob.text.partition("start")[2]
    assert opened(place) is None
    bob.say("resign g1")
    assert ended(place) is None
    bob.say("results")
    assert bob.last(wire.Result).rated == "no"


def test_a_rated_challenge_says_so_to_both_and_each_of_its_games_is_rated() -> None:
    place = door()
    bob, echo = come(place, "bob"), come(place, "echo")
    bob.say("challenge echo rated=yes rounds=2 side=I")
    assert bob.last(wire.Offer).rated == echo.last(wire.Offer).rated == "yes"
    echo.say("accept c-1")
    bob.say("resign g1")
    assert [start.rated for start in bob.got(wire.Start)] == ["yes", "yes"]
    assert [opened(place, game)["by"] for game in ("g1", "g2")] == ["lobby", "lobby"]


@pytest.mark.parametrize("rated", ["yes", "no"])
def test_a_rematch_is_what_the_game_was(rated: str) -> None:
    place = door()
    bob, echo = come(place, "bob"), come(place, "echo")
    bob.say(f"seek rated={rated}")
    echo.say(f"seek rated={rated}")
    bob.say("resign g1")
    bob.say("rematch g1")
    assert echo.last(wire.Offer).rated == rated
    echo.say("rematch g1")
    assert echo.last(wire.Start).game == "g2"
    assert echo.last(wire.Start).rated == rated
    assert (opened(place, "g2") is not None) == (rated == "yes")


def test_games_results_and_a_resumed_seat_tell_that_a_game_is_rated() -> None:
    place = door()
    _, echo = two(place)
    echo.say("games")
    assert echo.last(wire.Table).rated == "yes"
    echo.lose()
    back = come(place, "echo")
    assert back.last(wire.Start).rated == "yes"
    back.say("resign g1")
    back.say("results")
    assert back.last(wire.Result).rated == "yes"
    assert ended(place) == {"ivory": None, "brown": None, "by": "lobby", "flags": []}
