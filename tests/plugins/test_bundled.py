"""The bundled bots are plugins like anyone's: listed by metadata, loaded, legal, repeatable."""

from __future__ import annotations

from importlib.metadata import entry_points

import pytest

from tests.plugins.arena import bot
from tests.sdk.peer import start
from tyrusd.rules.deal import deal_from_bytes, game_secret
from tyrusd.rules.game import Game
from tyrusd.rules.notation import read_view, write_view
from tyrusd.rules.view import view
from tyrusd.sdk import Request
from tyrusd.sdk.events import start_of
from tyrusd.sdk.loading import load

BUNDLED = {
    "random": "tyrusd_bundled.random_bot",
    "greedy": "tyrusd_bundled.greedy_bot",
    "cautious": "tyrusd_bundled.cautious_bot",
}


def test_the_metadata_lists_them() -> None:
    ours = [
        entry for entry in entry_points(group="tyrusd_bots") if entry.dist and entry.dist.name == "tyrusd"
    ]
    assert {entry.name: entry.value for entry in ours} == BUNDLED


@pytest.mark.parametrize("name", BUNDLED)
def test_each_loads_and_tells_what_it_is(name: str) -> None:
    assert len(load(BUNDLED[name]).about()) > 20


@pytest.mark.parametrize("name", BUNDLED)
def test_each_plays_whole_games_of_legal_placements_in_batches(name: str) -> None:
    brain = load(BUNDLED[name]).brain()
    brain.started(start_of(start("g1")))
    games = [Game(deal_from_bytes(game_secret("bundled", number))) for number in range(40)]
    while running := [game for game in games if game.outcome is None]:
        requests = []
        for game in running:
            assert game.to_move is not None
            # What a bot is given went through text: it may rest on nothing else.
            seen = read_view(write_view(view(game, game.to_move)))
            requests.append(Request("g1", game.placed_count + 1, None, None, None, seen, "s", "enemy"))
        for game, (tile, building) in zip(running, brain.choose(requests), strict=True):
            assert game.to_move is not None
            game.place(game.to_move, tile, building)
    assert all(game.outcome for game in games)


@pytest.mark.parametrize("name", BUNDLED)
def test_each_answers_a_request_the_same_way_whenever_it_is_asked(name: str) -> None:
    choose = bot(name)
    game = Game(deal_from_bytes(game_secret("bundled", 1)))
    asked, first = [], []
    while game.to_move is not None:
        request = Request(
            "g1", game.placed_count + 1, None, None, None, view(game, game.to_move), "s", "enemy"
        )
        asked.append(request)
        first.append(choose(request))
        game.place(game.to_move, *first[-1])
    # In another order, as after a restart or a repeated request: no bot remembers anything.
    again = [choose(request) for request in reversed(asked)]
    assert again[::-1] == first
