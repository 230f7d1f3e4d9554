"""How many games are told to be to play follows bots that are dropped, suspended or do not meet any more."""

from __future__ import annotations

import pytest

from tests.commands.test_ladder_telling import Clock, Heard, game, kept
from tyrusd.commands.ladder_progress import Meter
from tyrusd.host.ladder import news
from tyrusd.league.tournament import happenings


@pytest.mark.parametrize(
    "gone",
    [
        news.Dropped("B"),
        news.Happened(happenings.Suspended("B", 10)),
        news.Happened(happenings.PairingHalted("A", "B", "x")),
    ],
)
def test_totals_follow_who_has_gone(gone: news.News) -> None:
    heard = Heard(total=60, outcome=0)
    heard.telling.take(kept(game(1, 1, "A")))
    assert heard.telling._meter.total == 60
    heard.telling.take(gone)
    heard.telling.take(kept(game(1, 2, "A")))
    assert heard.telling._meter.total == 2 + 3
    heard.left = None
    heard.telling.take(kept(game(2, 1, "A")))
    assert heard.telling._meter.total == 5


def test_games_in_vain_are_not_more_than_all() -> None:
    meter = Meter(1, 2, Clock())
    assert meter.parts()[0] == "2 of 2 games"
