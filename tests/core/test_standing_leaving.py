"""Ends of games on the standing ladder, who is taken off it, and who comes back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.core.standing_world import LadderWorld, accounts_of
from tests.core.test_standing_games import errors, never, notices, pair
from tyrusd.core.operator_words import Abort
from tyrusd.core.settings import DEFAULTS


def test_an_aborted_game_is_taken_out_of_the_balances() -> None:
    world, _, _ = pair(gives_up=never)
    (game,) = world.stage.server.tables
    assert world.standing.book.balances("ada") != (0, 0)
    world.lobby.operator.do(Abort(game), world.stage.now)
    world.stage.run()
    world.look()
    assert world.standing.book.balances("ada") == (0, 0)
    world.play(30)
    world.audit()


def test_a_result_that_cannot_be_kept_counts_for_nothing() -> None:
    world = LadderWorld(["ada", "bob"], settings=replace(DEFAULTS, store_attempts=3))
    ada, _ = world.join("ada"), world.join("bob")
    world.play(1.5)
    world.say(ada, "ladder off")
    world.stage.failing = 3
    world.play(60)
    assert [over.reason for over in ada.overs] == ["aborted"]
    assert world.standing.book.balances("ada") == (0, 0)


def test_who_loses_by_forfeit_too_often_is_taken_off_and_comes_back_by_itself() -> None:
    world, ada, bob = pair(mute=lambda nth: nth < 3)
    bob.mute = lambda nth: False
    world.play(500)
    assert len(ada.overs) == 3 and {over.reason for over in ada.overs} == {"timeout"}
    assert notices(ada) == ["You lost 3 games in a row by forfeit; `ladder on` brings you back."]
    assert not notices(bob)
    assert not errors(world.say(ada, "ladder on"))
    world.play(20)
    assert len(ada.starts) >= 4 and len(notices(ada)) == 1


def test_a_game_that_is_played_breaks_the_row() -> None:
    world = LadderWorld(["ada", "bob"])
    ada = world.join("ada", mute=lambda nth: nth % 3 < 2)
    world.join("bob")
    world.play(1500)
    assert [over.reason for over in ada.overs[:6]] == ["timeout", "timeout", "resigned"] * 2
    assert not notices(ada) and len(ada.starts) > 12


def test_winning_by_forfeit_is_no_loss() -> None:
    world, ada, bob = pair(mute=lambda nth: True)
    ada.mute = lambda nth: False
    world.play(500)
    assert notices(bob) and not notices(ada)
    assert {over.reason for over in ada.overs} == {"timeout"}


def test_who_was_away_when_it_was_taken_off_is_told_later() -> None:
    world = LadderWorld(["ada", "bob", "cy", "dee"])
    ada = world.join("ada", games=3, thinks=5.0)
    for name in world.names[1:]:
        world.join(name, thinks=5.0, gives_up=never)
    world.play(4)
    assert len(ada.playing) == 3
    for game in list(ada.playing):
        table = world.stage.server.tables[game]
        side = next(side for side in (0, 1) if table.match.names[side] == "ada")
        if game == next(iter(ada.playing)):
            world.lose(ada)
        table.forfeit(table.players[side].seats[game][1], "illegal", "", world.stage.now)
        world.stage.run()
    world.resume(ada)
    assert len(notices(ada)) == 1
    world.lose(ada)
    world.log_in(ada)
    assert len(notices(ada)) == 1


# -- coming and going --------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", [False, True])
@pytest.mark.parametrize("seconds", [1.0, 59.0])
def test_being_on_the_ladder_outlives_a_lost_connection(seconds: float, key: bool) -> None:
    world = LadderWorld(["ada", "bob"])
    ada = world.join("ada")
    world.lose(ada)
    world.play(seconds)
    (world.log_in if key else world.resume)(ada)
    world.join("bob")
    world.play(2)
    assert len(ada.starts) == 1


def test_who_does_not_come_back_in_time_is_off() -> None:
    world = LadderWorld(["ada", "bob"])
    ada = world.join("ada")
    world.lose(ada)
    world.play(61)
    world.log_in(ada)
    world.join("bob")
    world.play(10)
    assert not ada.starts and not world.stage.server.players["ada"].ladder


def test_nobody_is_paired_with_somebody_who_is_away() -> None:
    world = LadderWorld(["ada", "bob"])
    world.lose(world.join("ada"))
    bob = world.join("bob")
    world.play(30)
    assert not bob.starts


def test_an_account_that_is_disabled_gets_no_more_games() -> None:
    world = LadderWorld(["ada", "bob", "cy"])
    for name in world.names:
        world.join(name)
    world.play(30)
    changed = accounts_of(world.names, off=["ada"])
    world.stage.server.step(lambda now: world.lobby.admission.changed(changed, now), world.stage.now)
    world.stage.run()
    world.look()
    ada = world.bots["ada"]
    begun = len(ada.starts)
    assert ada.peer is None
    world.play(200)
    assert len(ada.starts) == begun and len(world.bots["bob"].starts) > begun
    assert "ada" not in world.stage.server.players
    world.audit()
