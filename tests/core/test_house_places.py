"""Nobody takes all places of a house bot, and an anchor keeps half of its own for rated games."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.core.rated_world import come, door, refusal
from tests.core.stage import Stage
from tests.core.standing_world import ROCK, LadderWorld
from tests.core.world import Peer
from tyrusd.core.houses import Houses
from tyrusd.core.lobby import Lobby
from tyrusd.core.requests import StartBot
from tyrusd.core.seatspec import SeatSpec
from tyrusd.core.settings import DEFAULTS
from tyrusd.wire import messages as wire

PLACES = 16  # of the anchor
ANCHORS = {ROCK: 1000}
PROMISED = 7.0  # seconds: a round, and the wait for a bot before anchors are fetched


def opened(stage: Stage, name: str, games: int) -> None:
    """The house bot that is wanted has started."""
    *_, request = [request for request in stage.requests if isinstance(request, StartBot)]
    stage.connect("pipe", bot=request.id).say(f"hello 0.1 {name} bot games={games}")


@pytest.mark.parametrize("verb", ["play", "challenge"])
@pytest.mark.parametrize(("games", "begun"), [(7, 7), (8, 8), (9, 8)])
def test_limit_house_games_per_player(verb: str, games: int, begun: int) -> None:
    house = {name: SeatSpec("plugin", name) for name in ("house", "other")}
    stage = Stage(lobby=Lobby(house))
    ada, bob = stage.join("ada", "bot", "games=20"), stage.join("bob", "bot", "games=20")
    ada.say("play house")
    opened(stage, "house", 20)
    for _ in range(games - 1):
        ada.say(f"{verb} house clock=1000000+0")
    assert len(ada.got(wire.Start)) == begun
    assert [error.code for error in ada.got(wire.Error)] == ["unavailable"] * (games - begun)
    assert stage.server.counts.limits["house_games_per_player"] == games - begun
    bob.say("play house")  # somebody else, and with another one
    ada.say("play other")
    opened(stage, "other", 20)
    assert bob.got(wire.Start) and ada.last(wire.Start).enemy == "other"
    if games > begun:
        assert refusal(ada) == ("unavailable", "You play 8 games with house already; finish one first.")
        ada.say(f"resign {ada.got(wire.Start)[0].game}")
        ada.say(f"{verb} house")
        assert ada.last(wire.Start).enemy == "house"


# -- an anchor ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("places", "unrated"), [(1, 0), (2, 1), (3, 1), (4, 2), (5, 2)])
def test_half_of_the_places_of_an_anchor_are_for_rated_games(places: int, unrated: int) -> None:
    place = door()
    bob, echo = come(place, "bob", "games=9"), come(place, "echo", "games=9")
    for peer in (bob, echo):
        peer.say("play Steady")
    opened(place, "Steady", places)
    for _ in range(places):
        bob.say("play Steady")
    sentence = "Steady keeps its other places for rated games; play it with rated=yes, or later."
    assert len(bob.got(wire.Start)) + len(echo.got(wire.Start)) == unrated
    assert refusal(bob) == ("unavailable", sentence)
    if unrated < 2:  # who has waited for its start is told as well
        assert refusal(echo) == ("unavailable", sentence) and echo.last(wire.Error).cost == "ignored"
    for _ in range(places - unrated + 1):
        echo.say("play Steady rated=yes")
    assert [start.rated for start in echo.got(wire.Start)].count("yes") == places - unrated
    assert refusal(echo) == ("unavailable", f"Steady plays its {places} games already; try again later.")


@pytest.mark.parametrize(("ladder", "name"), [(True, "plain"), (False, "Steady")])
def test_who_is_no_anchor_keeps_no_places(ladder: bool, name: str) -> None:
    place = door() if ladder else door(None)
    bob = come(place, "bob", "games=9")
    bob.say(f"play {name}")
    opened(place, name, 3)
    bob.say(f"play {name}\nplay {name}")
    assert len(bob.got(wire.Start)) == 3


def lock_up(world: LadderWorld, clock: str) -> list[Peer]:
    """Two guests play the anchor as often as they can, and never answer."""
    stage, guests = world.stage, []
    for name in ("eve", "mallory"):
        guest = stage.join(name, "human", f"games={PLACES}")
        guest.say(f"play rock clock={clock}")
        world.play(1.0)
        for _ in range(PLACES):
            guest.say(f"play rock clock={clock}")
        world.play(5.0)
        guests.append(guest)
    return guests


@pytest.mark.parametrize("clock", ["1000000+0", "none"])
@pytest.mark.parametrize(
    ("a_player", "kept", "plays"),
    [(True, True, True), (False, True, True), (True, False, False), (False, False, False)],
)
def test_guests_cannot_lock_an_anchor_away_from_the_ladder(
    monkeypatch: pytest.MonkeyPatch, clock: str, a_player: bool, kept: bool, plays: bool
) -> None:
    settings = replace(DEFAULTS, games_per_connection=PLACES)
    if not a_player:
        settings = replace(settings, house_games_per_player=256)
    if not kept:
        monkeypatch.setattr(Houses, "_kept", lambda houses, house: 0)
    world = LadderWorld(["ada"], ANCHORS, settings)
    guests = lock_up(world, clock)
    held = len(world.stage.server.players[ROCK].seats)
    assert held == sum(len(guest.got(wire.Start)) for guest in guests) == (PLACES // 2 if kept else PLACES)
    ada = world.join("ada")
    world.play(PROMISED if plays else 3600.0)
    assert [start.enemy for start in ada.starts] == ([ROCK] if plays else [])
