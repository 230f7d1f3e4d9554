"""The arena plays whole games of every kind of bot by the rules, repeatably, and tells what is illegal."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from tests.sdk import bots
from tyrusd.sdk import Placement, Request, Side, View, own_side
from tyrusd.sdk.arena import IllegalChoiceError, Results, installed, play_games
from tyrusd.sdk.loading import BrokenPlugin
from tyrusd.sdk.options import WrongOptionError

KINDS = {
    "a function of the view": bots.by_view,
    "a function of the request": bots.by_request,
    "a class, an object a game": bots.PerGame,
    "a class that follows the events": bots.Following,
    "a class that gets both": bots.Watching,
    "an async function": bots.awaited,
    "an object for all games": bots.shared,
    "the name of one": "tests.sdk.bots:by_view",
    "the name of a class": "tests.sdk.bots:PerGame",
    "a class with options left alone": bots.WithOption,
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_bot_plays_the_same_game(kind: str) -> None:
    bot = KINDS[kind]
    assert play_games(bot, installed("greedy"), 70, "kinds") == play_games(
        bots.by_view, installed("greedy"), 70, "kinds"
    )
    assert play_games(bot, bot, 4).games == 4


def test_every_deal_is_played_from_both_sides() -> None:
    seen: list[tuple[Side, tuple[object, ...]]] = []

    def watched(view: View) -> Placement:
        if view.election == 1 and view.turn < 3:
            seen.append((own_side(view), view.hand))
        return bots.by_view(view)

    results = play_games(watched, bots.by_view, 6)
    assert [side for side, _ in seen].count(Side.IVORY) == 3
    assert len({hand for _, hand in seen}) == 6
    # One bot against itself, each deal both ways: every win on one side is a loss on the other.
    assert results.wins == results.losses
    assert results.games == 6 == sum(results.reasons.values())


def test_the_seed_decides_the_deals() -> None:
    def played(seed: str) -> Results:
        return play_games(installed("random"), installed("greedy"), 40, seed)

    assert played("one") == played("one")
    assert played("one").reasons != played("two").reasons


def test_the_variant_decides_ties() -> None:
    greedy = installed("greedy")
    standard = play_games(greedy, greedy, 60, "ties")
    replayed = play_games(greedy, greedy, 60, "ties", variant="replay-ties")
    assert standard.reasons["remaining-tiles"] > 0
    assert "remaining-tiles" not in replayed.reasons
    assert replayed.draws == standard.reasons["remaining-tiles"] + standard.draws


def test_all_games_that_wait_are_one_call_of_the_hook() -> None:
    sizes: list[int] = []
    bot: Any = ModuleType("batching")
    from tyrusd.sdk import hookimpl

    @hookimpl
    def tyrusd_choose(requests: list[Request]) -> list[Placement]:
        sizes.append(len(requests))
        return [Placement(*bots.by_request(request)) for request in requests]

    bot.tyrusd_choose = tyrusd_choose
    play_games(bot, bots.by_view, 100)
    assert max(sizes) > 30
    assert sum(sizes) / len(sizes) > 10


def test_an_illegal_choice_is_told_with_all_it_takes_to_see_it_again() -> None:
    with pytest.raises(IllegalChoiceError) as caught:
        play_games(bots.by_view, bots.cheats, 2, "illegal")
    text = str(caught.value)
    assert text.startswith("bot_b (")
    assert " in game " in text and ", election 1, turn " in text and "but its hand is " in text
    assert "You do not hold " in text and " It saw: side=" in text and " past=-" in text


def test_what_a_bot_raises_comes_with_what_it_saw() -> None:
    def fails(view: View) -> Placement:
        raise LookupError("no idea")

    async def fails_later(view: View) -> Placement:
        raise LookupError("no idea")

    for bot in (fails, fails_later):
        with pytest.raises(LookupError, match="no idea") as caught:
            play_games(bot, bots.by_view, 2)
        assert "It was asked in 1 games; what it saw in the first:\nside=" in caught.value.__notes__[0]


def test_options_are_values_here() -> None:
    first = play_games(bots.WithOption, bots.by_view, 20)
    last = play_games(bots.WithOption, bots.by_view, 20, options_a={"last": True})
    assert first != last
    with pytest.raises(WrongOptionError, match="there is no option 'lst'"):
        play_games(bots.WithOption, bots.by_view, 2, options_a={"lst": True})
    with pytest.raises(WrongOptionError, match="last=3 is not possible: last takes true or false"):
        play_games(bots.WithOption, bots.by_view, 2, options_b={}, options_a={"last": 3})


def test_one_module_is_not_given_two_sets_of_options() -> None:
    cautious = installed("cautious")
    with pytest.raises(ValueError, match="tyrusd_configure takes options only once"):
        play_games(cautious, cautious, 2, options_a={"bluff": 0})
    assert play_games(cautious, cautious, 2, options_a={"bluff": 0}, options_b={"bluff": 0}).games == 2


def test_what_is_no_bot_is_told() -> None:
    with pytest.raises(BrokenPlugin, match="is no function, no class and has no method choose"):
        play_games(3, bots.by_view, 2)
    with pytest.raises(ValueError, match=r"no variant 'chess'; there are standard, replay-ties"):
        play_games(bots.by_view, bots.by_view, 2, variant="chess")
    with pytest.raises(ValueError, match=r"no bot 'nobody' is installed; there are .*greedy"):
        installed("nobody")
