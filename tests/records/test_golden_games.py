"""The golden games, one by one: every figure, replay-ties, and the round trip of every sightline."""

from collections import Counter
from typing import Any

import pytest

from tests.rules.golden import compare, compare_replay_ties, golden_deal, golden_games, golden_placements
from tests.rules.rows import load_rules

RULES: Any = load_rules("tyrusd.rules")
GAMES = golden_games()
PARTS = 8


def test_all_golden_games_are_there() -> None:
    assert [game["game"] for game in GAMES] == list(range(1, 201))
    assert Counter(game["reason"] for game in GAMES) == {
        "three-in-a-row": 60, "majority": 60, "remaining-tiles": 50, "drawn": 30,
    }  # fmt: skip


@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game['game']:03}-{game['reason']}")
def test_a_golden_game_gives_every_figure(game: dict[str, Any]) -> None:
    compare(RULES, game)
    compare_replay_ties(RULES, game)


@pytest.mark.parametrize("part", range(PARTS))
def test_every_sightline_of_every_viewer_comes_back(part: int) -> None:
    longest = 0
    for record in GAMES[part::PARTS]:
        game = RULES.Game(golden_deal(RULES, record))
        for placement in [None, *golden_placements(RULES, record)]:
            if placement is not None:
                game.place(*placement)
            for viewer in (*RULES.Side, None):
                view = RULES.view(game, viewer)
                line = RULES.write_view(view)
                assert RULES.read_view(line) == view
                assert line.isascii()
                longest = max(longest, len(line))
    # A request must leave room for its other words within a line of 4096 bytes.
    assert 500 < longest < 1000


def test_events_are_told_again_as_they_happened() -> None:
    for record in GAMES[::20]:
        game = RULES.Game(golden_deal(RULES, record))
        happened = list(game.events)
        assert happened == [RULES.ElectionOpened(1, game.kind, game.opener_now)]
        for placement in golden_placements(RULES, record):
            happened += game.place(*placement)
            assert game.event_count == len(happened)
        assert game.events == happened
        assert game.placements == golden_placements(RULES, record)
        assert game.placed_count == len(record["placements"])
