"""The deal of a finished game is played again: who may ask, on what terms, and what does not follow."""

from __future__ import annotations

import random

import pytest

from tests.core.owners import asked, begin, pair, play_out, refusal
from tests.core.world import World
from tyrusd.core.lobby import Lobby
from tyrusd.league.record import read_frame
from tyrusd.rules.deal import deal_from_bytes
from tyrusd.rules.game import Game
from tyrusd.rules.pieces import Building
from tyrusd.rules.variants import VARIANTS
from tyrusd.wire import Result, Start
from tyrusd.wire import messages as wire


def test_a_deal_is_played_again_with_the_same_sides_and_seeds() -> None:
    world = World(Lobby({}))
    anna, bob = pair(world)
    game = begin(anna, bob)
    play_out(world, game, anna, bob)
    first = anna.last(Start)
    anna.say(f"seek deal={game} clock=300+2")
    bob.say(f"seek deal={game} clock=300+2")
    again = anna.last(Start)
    assert again == wire.Start(
        again.game, "I", "anna", "bob", "standard", "300+2", "none", "300+2", "none", 2, first.seed,
        first.opener, first.ponder,
    )  # fmt: skip
    one = world.server.tables[again.game].match.game.deal
    play_out(world, again.game, anna, bob)
    assert (
        read_frame(world.stored[0].payload)["game"]["deal"]
        == read_frame(world.stored[1].payload)["game"]["deal"]
    )
    assert one.opener.letter == first.opener
    # A repeat of a repeat is still on the first deal.
    assert asked(anna, "results")[0].__class__ is Result
    found = asked(anna, "results")[0]
    assert isinstance(found, Result) and found.deal == game


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("play bob deal=g9", "no-game"),
        ("play carl deal=g1", "unavailable"),
        ("play bob deal=g1", "unavailable"),  # he does not seek that
        ("play bob deal=g1 side=B", "config"),
        ("seek deal=g1 side=B", "config"),
        ("seek deal=g1 variant=replay-ties", "config"),
        ("seek deal=g1 clock=0+0", "config"),
        ("seek deal=nothing.here", "syntax"),
    ],
)
def test_what_cannot_be_played_again_is_refused(line: str, code: str) -> None:
    world = World(Lobby({}))
    anna, bob = pair(world)
    world.join("carl").say("seek")
    bob.say(f"resign {begin(anna, bob)}")
    bob.say("seek side=B")
    anna.forget()
    if code == "unavailable" and "carl" not in line:
        bob.say("cancel")
    assert refusal(anna, line) == code


def test_somebody_elses_deal_cannot_be_asked_for() -> None:
    world = World(Lobby({}))
    anna, bob = pair(world)
    bob.say(f"resign {begin(anna, bob)}")
    assert refusal(world.join("eve"), "seek deal=g1") == "no-game"
    assert refusal(anna, "play anna deal=g1") == "unavailable"


def test_seeks_for_a_deal_and_for_any_do_not_meet() -> None:
    world = World(Lobby({}))
    anna, bob = pair(world)
    bob.say(f"resign {begin(anna, bob)}")
    anna.say("seek deal=g1")
    bob.say("seek")
    assert world.server.tables == {}
    assert refusal(bob, "play anna") == "unavailable"


def _drawn() -> Game:
    """A game of random placements that is drawn; few are, so some hundred are played."""
    for seed in range(5000):
        chance = random.Random(seed)
        game = Game(deal_from_bytes(chance.randbytes(32)), VARIANTS["replay-ties"])
        while game.to_move is not None:
            game.place(game.to_move, chance.choice(game.hand(game.to_move)), chance.choice(tuple(Building)))
        if game.outcome is not None and game.outcome.reason == "drawn":
            return game
    raise AssertionError("no game was drawn")


def test_a_drawn_game_on_a_repeated_deal_is_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = _drawn()
    monkeypatch.setattr("tyrusd.core.lobby.deal_from_bytes", lambda secret: drawn.deal)
    world = World(Lobby({}))
    anna, bob = pair(world)

    def play(game: str) -> wire.Over:
        for number, (side, tile, building) in enumerate(drawn.placements, 1):
            (anna, bob)[side].say(f"place {game} {number} {tile} {building.name}")
        return anna.last(wire.Over)

    assert play(begin(anna, bob, "variant=replay-ties")) == wire.Over("g1", 105, "-", "drawn", None, "g2")
    bob.say("resign g2")
    anna.say("seek deal=g1")
    bob.say("seek deal=g1")
    assert play("g3") == wire.Over("g3", 105, "-", "drawn", None, None)
    assert world.server.tables == {}
