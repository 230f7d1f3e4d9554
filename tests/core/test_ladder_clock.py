"""All rated games are on the one clock of the ladder: nobody chooses a clock to win by."""

from __future__ import annotations

from typing import Final

import pytest

from tests.core.accounts_world import Door
from tests.core.rated_world import come, door, refusal
from tests.core.world import Peer
from tyrusd.core.ladder_terms import LadderTerms
from tyrusd.core.requests import StartBot
from tyrusd.league.clock import TimeControl
from tyrusd.wire import messages as wire

FAST: Final = LadderTerms(TimeControl.parse("30+0.5", "none"), {"steady": 1500})
BARE: Final = LadderTerms(None, {"steady": 1500})
SHOWN: Final = [(FAST, ("30+0.5", "none")), (BARE, ("none", "60"))]
ASKING: Final = ["seek rated=yes", "play Steady rated=yes", "challenge bob rated=yes"]
OTHERS: Final = ["clock=0+0.001", "clock=1000000+0", "clock=none", "cap=0.1", "clock=30+0.5 cap=1"]


def clocks(peer: Peer) -> tuple[str, str, str, str]:
    start = peer.last(wire.Start)
    return start.clock, start.cap, start.enemy_clock, start.enemy_cap


def comes(place: Door) -> None:
    """The anchor has started."""
    (request,) = [request for request in place.requests if isinstance(request, StartBot)]
    place.connect("pipe", bot=request.id).say("hello 0.1 Steady bot games=4")


@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("line", ASKING)
@pytest.mark.parametrize(("ladder", "clock"), SHOWN)
def test_another_clock_is_refused_and_the_ladders_is_told(
    ladder: LadderTerms, clock: tuple[str, str], line: str, other: str
) -> None:
    place = door(ladder)
    come(place, "bob")
    echo = come(place, "echo")
    echo.say(f"{line} {other}")
    assert refusal(echo) == (
        "config",
        f"All rated games are on the ladder's clock, clock={clock[0]} cap={clock[1]}: leave both keys out.",
    )
    assert not place.server.tables and not [one for one in place.requests if isinstance(one, StartBot)]


@pytest.mark.parametrize("stated", [False, True])
@pytest.mark.parametrize(("ladder", "clock"), SHOWN)
def test_the_anchor_and_a_person_are_on_it_as_well(
    ladder: LadderTerms, clock: tuple[str, str], stated: bool
) -> None:
    place = door(ladder)
    ada = come(place, "ada")  # a person, whose own default is another one
    ada.say("play Steady rated=yes" + (f" clock={clock[0]} cap={clock[1]}" if stated else ""))
    comes(place)
    assert clocks(ada) == clock * 2


def test_a_seek_and_an_offer_tell_it_and_those_who_agree_need_not_say_it() -> None:
    place = door(FAST)
    ada, bob = come(place, "ada"), come(place, "bob")
    ada.say("seek rated=yes side=I")
    bob.say("who\nplay ada")
    (seeker,) = [player for player in bob.got(wire.Player) if player.name == "ada"]
    assert (seeker.clock, seeker.cap) == ("30+0.5", "none")
    assert refusal(bob)[1] == "ada seeks a game on other terms; `play ada side=B rated=yes` agrees."
    bob.say("play ada side=B rated=yes")
    assert clocks(ada) == clocks(bob) == ("30+0.5", "none") * 2
    bob.say("resign g1")
    bob.say("challenge ada rated=yes")
    assert ada.last(wire.Offer).clock == "30+0.5"


def test_a_rematch_is_on_it_and_one_of_an_unrated_game_keeps_its_own() -> None:
    place = door(FAST)
    bob, echo = come(place, "bob"), come(place, "echo")
    for rated, clock in (("yes", "30+0.5"), ("no", "9+1")):
        own = "" if rated == "yes" else f" clock={clock}"
        bob.say(f"seek rated={rated}{own}")
        echo.say(f"seek rated={rated}{own}")
        game = bob.last(wire.Start).game
        bob.say(f"resign {game}")
        bob.say(f"rematch {game}")
        echo.say(f"rematch {game}")
        again = bob.last(wire.Start)
        assert (again.game != game, again.rated, clocks(bob)) == (True, rated, (clock, "none") * 2)
        bob.say(f"resign {again.game}")
