"""Offers from one player to another: each begins a game, or ends with one word that both understand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.core.stage import Stage, play_on
from tests.core.world import Peer
from tyrusd.core.lobby import Lobby
from tyrusd.core.requests import StartBot
from tyrusd.core.seatspec import SeatSpec
from tyrusd.core.settings import DEFAULTS
from tyrusd.wire import messages as wire

TICK = 1e-6


def codes(peer: Peer) -> list[str]:
    return [error.code for error in peer.got(wire.Error)]


def ends(peer: Peer) -> list[tuple[str, str]]:
    return [(message.challenge, message.why) for message in peer.got(wire.Declined)]


def two(games: int = 1) -> tuple[Stage, Peer, Peer]:
    stage = Stage()
    return stage, stage.join("ada", "bot", f"games={games}"), stage.join("bob", "bot", f"games={games}")


def clean(stage: Stage) -> bool:
    lobby = stage.server.director
    assert isinstance(lobby, Lobby)
    return not (lobby.challenges.open or lobby.challenges.series)


def test_an_offer_is_shown_to_both_each_with_its_own_side() -> None:
    _, ada, bob = two()
    ada.say("challenge BOB side=I clock=300+2 cap=20 variant=replay-ties rounds=3 tag=c")
    (mine,), (theirs,) = ada.got(wire.Offer), bob.got(wire.Offer)
    assert mine == wire.Offer(
        "c-1", "ada", "bob", "replay-ties", 120_000, 3, "I", "300+2", "20",
    )  # fmt: skip
    assert theirs.side == "B" and (theirs.challenge, theirs.rounds) == ("c-1", 3)
    assert ada.last(wire.Ok) == wire.Ok("c", "challenge")


def test_an_accepted_offer_begins_the_game() -> None:
    stage, ada, bob = two()
    ada.say("challenge bob side=B clock=300+2")
    bob.say("accept c-1")
    assert ada.last(wire.Accepted) == bob.last(wire.Accepted) == wire.Accepted("c-1", "g1")
    start = bob.last(wire.Start)
    assert (start.side, start.enemy, start.clock, start.cap) == ("I", "ada", "300+2", "none")
    assert clean(stage)


@pytest.mark.parametrize("why", ["no", "busy", "terms", "later"])
def test_a_declined_offer_is_told_to_who_made_it(why: str) -> None:
    stage, ada, bob = two()
    ada.say("challenge bob")
    bob.say(f"decline c-1 why={why}" if why != "no" else "decline c-1")
    assert ends(ada) == [("c-1", why)] and not ends(bob)
    bob.say("accept c-1")
    assert codes(bob) == ["unavailable"] and clean(stage)


def test_an_offer_can_be_taken_back_by_who_made_it_only() -> None:
    stage, ada, bob = two()
    ada.say("challenge bob")
    bob.say("cancel challenge=c-1")
    ada.say("accept c-1\ndecline c-1")
    assert codes(bob) == ["unavailable"] and codes(ada) == ["unavailable", "unavailable"]
    ada.say("cancel challenge=c-1")
    assert ends(bob) == [("c-1", "withdrawn")] and clean(stage)
    ada.say("cancel challenge=c-1\ncancel")
    assert codes(ada)[2:] == ["unavailable", "unavailable"]


@pytest.mark.parametrize("who", ["challenger", "challenged"])
def test_an_offer_ends_when_one_of_the_two_leaves(who: str) -> None:
    stage, ada, bob = two()
    ada.say("challenge bob")
    leaver, other = (ada, bob) if who == "challenger" else (bob, ada)
    leaver.say("quit")
    assert ends(other) == [("c-1", "withdrawn" if who == "challenger" else "gone")] and clean(stage)


def test_row_54_a_server_that_closes_ends_all_offers() -> None:
    stage, ada, bob = two()
    ada.say("challenge bob")
    stage.server.drain(stage.now, 5.0)
    stage.run()
    assert ends(ada) == ends(bob) == [("c-1", "shutdown")] and clean(stage)


REFUSED = {
    "challenge ada": "unavailable", "challenge nobody": "no-player", "challenge bob cap=0": "config",
    "challenge bob variant=chess": "config", "challenge bob deal=g9": "no-game",
    "challenge bob rounds=0": "syntax", "accept c-7": "unavailable", "decline c-7": "unavailable",
    "decline c-1 why=because": "syntax", "rematch g7": "no-game",
}  # fmt: skip


@pytest.mark.parametrize(("line", "code"), REFUSED.items())
def test_what_cannot_be_offered_is_refused(line: str, code: str) -> None:
    stage, ada, bob = two()
    ada.say(line)
    assert codes(ada) == [code] and not bob.got(wire.Offer) and clean(stage)


def test_the_same_player_is_not_offered_two_games_at_once() -> None:
    _, ada, bob = two()
    ada.say("challenge bob\nchallenge bob")
    bob.say("challenge ada rounds=2")  # the other way round is another offer
    assert codes(ada) == ["unavailable"] and not codes(bob) and len(ada.got(wire.Offer)) == 2


def test_nobody_gets_into_more_games_than_it_declared() -> None:
    stage, ada, bob = two()
    cleo = stage.join("cleo", "bot")
    ada.say("challenge bob\nchallenge cleo")
    bob.say("accept c-1")
    cleo.say("accept c-2")
    assert codes(cleo) == ["unavailable"] and ends(ada) == [("c-2", "busy")] and not cleo.got(wire.Start)
    cleo.say("challenge bob")
    bob.say("accept c-3")
    assert codes(bob) == ["too-many-games"] and not clean(stage)
    bob.say("decline c-3 why=busy")
    assert ends(cleo) == [("c-3", "busy")] and clean(stage)


def test_several_games_follow_each_other_with_alternating_sides() -> None:
    stage, ada, bob = two()
    ada.say("challenge bob side=I rounds=4")
    bob.say("accept c-1")
    for _ in range(20):
        if not stage.server.tables:
            break
        (game,) = stage.server.tables
        play_on(ada, bob, game)
        play_on(bob, ada, game)
    starts = ada.got(wire.Start)
    told = [message.game for message in ada.got(wire.Accepted)]
    drawn = {over.next for over in ada.got(wire.Over) if over.reason == "drawn"}
    assert [start.side for start in starts if start.game not in drawn] == ["I", "B", "I", "B"]
    assert told == [start.game for start in starts if start.game not in drawn] and clean(stage)


def test_games_that_are_left_can_be_taken_back_or_end_with_who_leaves() -> None:
    stage = Stage()
    ada, bob = stage.join("ada"), stage.join("bob")
    ada.say("challenge bob rounds=9")
    bob.say("accept c-1")
    bob.say("cancel challenge=c-1")
    assert ends(ada) == [("c-1", "withdrawn")] and clean(stage)
    ada.say("resign g1")
    ada.say("challenge bob rounds=9")
    bob.say("accept c-2")
    bob.say("resign g2")
    assert ada.last(wire.Start).game == "g3"
    bob.say("quit")
    stage.wait(DEFAULTS.reconnect_window + 1)
    assert ends(ada)[1:] == [("c-2", "gone")] and clean(stage)


def test_a_series_ends_with_a_game_that_has_no_result() -> None:
    stage, ada, bob = two()
    ada.say("challenge bob rounds=2")
    bob.say("accept c-1")
    stage.server.tables["g1"].stop(None, "aborted", "operator", stage.now)
    stage.run()
    assert ends(ada) == ends(bob) == [("c-1", "played")] and clean(stage)


def test_a_bot_of_the_house_accepts_at_once() -> None:
    stage = Stage(lobby=Lobby({"house": SeatSpec("plugin", "house")}))
    ada = stage.join("ada")
    ada.say("challenge house side=I\nchallenge house rounds=2")
    assert [request for request in stage.requests if isinstance(request, StartBot)]
    assert codes(ada) == ["unavailable"] and not ada.got(wire.Offer)


@pytest.mark.parametrize("terms", ["", "clock=77+3 cap=9 variant=replay-ties"])
def test_a_rematch_has_the_same_terms_and_the_sides_exchanged(terms: str) -> None:
    stage, ada, bob = two()
    ada.say(f"challenge bob side=I {terms}".strip())
    bob.say("accept c-1")
    first = ada.last(wire.Start)
    bob.say("resign g1")
    ada.say("rematch g1")
    assert bob.last(wire.Offer).side == "I"
    bob.say("rematch g1")  # both want it
    second = ada.last(wire.Start)
    assert (second.side, second.game) == ("B", "g2") and clean(stage)
    assert replace_seed(first) == replace_seed(second)


def replace_seed(start: wire.Start) -> tuple[str, str, str, str]:
    return start.variant, start.clock, start.cap, start.enemy_clock


def test_a_challenge_to_a_deal_is_for_who_was_there() -> None:
    stage, ada, bob = two()
    stage.join("cleo", "bot")
    ada.say("challenge bob side=I")
    bob.say("accept c-1\nresign g1")
    ada.say("challenge cleo deal=g1\nchallenge bob deal=g1")
    assert codes(ada) == ["unavailable"]
    assert bob.last(wire.Offer).deal == "g1" and bob.last(wire.Offer).side == "B"
    bob.say("accept c-2")
    assert stage.server.tables["g2"].deal == "g1"


# -- limits ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [7, 8, 9])
def test_limit_challenges_made(count: int) -> None:
    stage = Stage()
    ada = stage.join("ada")
    for number in range(count):
        stage.join(f"other{number}")
        ada.say(f"challenge other{number}")
    assert codes(ada) == ["unavailable"] * max(0, count - 8)


@pytest.mark.parametrize("count", [2, 3, 4])
def test_limit_challenges_received(count: int) -> None:
    stage = Stage(replace(DEFAULTS, challenges_received=3))
    ada = stage.join("ada")
    refused = []
    for number in range(count):
        peer = stage.join(f"other{number}")
        peer.say("challenge ada")
        refused += codes(peer)
    assert refused == ["unavailable"] * max(0, count - 3) and len(ada.got(wire.Offer)) == min(count, 3)


@pytest.mark.parametrize(("seconds", "there"), [(120 - TICK, True), (120, False), (120 + TICK, False)])
def test_limit_challenge_expires(seconds: float, there: bool) -> None:
    stage = Stage()
    ada, bob = stage.join("ada"), stage.join("bob")
    ada.say("challenge bob")
    stage.wait(seconds)
    assert ends(ada) == ends(bob) == ([] if there else [("c-1", "expired")])
    bob.say("accept c-1")
    assert bool(bob.got(wire.Start)) is there
