"""Events reach a bot as the rules tell them to its seat, and only a bot that follows them asks for them."""

from __future__ import annotations

from pathlib import Path
from random import Random

import msgspec
import pytest

from tests.sdk.peer import Peer, ask, start, write_bot
from tyrusd.core.translate import event_message, snapshot_message
from tyrusd.league.clock import BOTS
from tyrusd.league.match import Match
from tyrusd.rules.deal import deal_from_bytes, game_secret
from tyrusd.rules.events import Over as OverEvent
from tyrusd.rules.game import Game
from tyrusd.rules.pieces import Building, Side
from tyrusd.rules.variants import STANDARD
from tyrusd.rules.view import see, view
from tyrusd.sdk import Snapshot
from tyrusd.sdk.events import event_of, over_of, start_of
from tyrusd.wire import Away, Error, Over, Ping, Placed, Pong, Turn
from tyrusd.wire import Place as PlaceMessage
from tyrusd.wire import Snapshot as SnapshotMessage


def played_out(number: int) -> Game:
    chance, game = Random(number), Game(deal_from_bytes(game_secret("events", number)))
    while (side := game.to_move) is not None:
        game.place(side, chance.choice(game.hand(side)), chance.choice(tuple(Building)))
    return game


def test_every_event_of_whole_games_arrives_as_the_seat_may_see_it() -> None:
    kinds = set()
    for number in range(40):
        for seq, event in enumerate(played_out(number).events, 1):
            for side in Side:
                message = event_message("g1", seq, event, side)
                seen = see(event, side)
                kinds.add(type(event).__name__)
                if isinstance(seen, OverEvent):
                    assert isinstance(message, Over)
                    assert over_of(message)[:2] == seen[:2]
                else:
                    assert event_of(message) == seen
    assert kinds == {"ElectionOpened", "Placed", "Revealed", "Tallied", "Drew", "Remaining", "Over"}


def test_a_snapshot_is_the_view_and_other_messages_are_no_events() -> None:
    deal = deal_from_bytes(game_secret("events", 1))
    match = Match("g1", 1, deal, STANDARD, (BOTS, BOTS), (0, 0), ("a", "b"), ("0" * 32, "1" * 32))
    match.issue(0.0)
    message = snapshot_message(match, Side.BROWN, 1, 0.0)
    assert event_of(message) == Snapshot(view(match.game, Side.BROWN))
    assert event_of(Away("g1", "I", 60_000)) is None
    assert event_of(Error("stale", "ignored", "Too late.")) is None


def test_the_start_has_the_words_of_the_message() -> None:
    begun = start_of(start("g7", Side.BROWN, "ab" * 16))
    assert (begun.game, begun.side, begun.name, begun.enemy) == ("g7", Side.BROWN, "tried", "enemy")
    assert (begun.variant, begun.clock, begun.lenient, begun.opener) == ("standard", "none", 0, Side.IVORY)
    assert begun.ponder is True
    asked_not_to = msgspec.structs.replace(start("g7", Side.BROWN, "ab" * 16), ponder="off")
    assert start_of(asked_not_to).ponder is False


@pytest.mark.parametrize(
    ("kind", "want"),
    [("Following", ("events",)), ("Watching", ("events", "full")), ("PerGame", ()), ("by_view", ())],
)
def test_a_bot_asks_for_the_events_if_it_follows_them(kind: str, want: tuple[str, ...]) -> None:
    with Peer(f"tests.sdk.bots:{kind}") as peer:
        assert peer.greet().want == want


def test_a_bot_that_follows_two_games_hears_of_each_its_own() -> None:
    games = {f"g{number}": Game(deal_from_bytes(game_secret("two", number))) for number in range(2)}
    with Peer("tests.sdk.bots:Following") as peer:
        peer.greet()
        for name, game in games.items():
            side = game.opener_now
            sight = ask(name, game, side).view
            peer.send(start(name, side), SnapshotMessage(name, 1, "a", "b", None, None, sight))
        peer.send(*[Turn(name, 1, 60_000, None, None) for name in games])
        first = {place.game: place for place in peer.places(2)}
        for name, game in games.items():
            side, tile = game.opener_now, game.hand(game.opener_now)[0]
            assert first[name].tile == str(tile)
            building = first[name].building
            other = game.hand(side.other)[0]
            peer.send(Placed(name, 2, side.letter, 1, 1, building, str(tile)))
            peer.send(Placed(name, 3, side.other.letter, 1, 2, "IC", "?"))
            game.place(side, tile, Building[building])
            game.place(side.other, other, Building.IC)
        peer.send(*[Turn(name, 3, 60_000, None, None) for name in games])
        for place in peer.places(2):
            game = games[place.game]
            assert place.tile == str(game.hand(game.opener_now)[0])


def test_an_event_that_no_game_can_have_is_the_servers_fault(tmp_path: Path) -> None:
    game = Game(deal_from_bytes(game_secret("two", 1)))
    words = ask("g1", game, Side.IVORY).view.replace("reserve=21", "reserve=18")
    with Peer("tests.sdk.bots:Following") as peer:
        peer.greet()
        peer.send(start("g1"), SnapshotMessage("g1", 1, "a", "b", None, None, words))
        status, _, log = peer.end()
    assert status == 76
    assert log.startswith("tyrusd-bot: the server sent an event that no game can have: sightline: ")


WAITING = """
import trio
from tyrusd.sdk import Building, Placement

together = None

async def choose(request):
    global together
    if together is None:
        together = [trio.Event(), 0]
    together[1] += 1
    if together[1] == 3:
        together[0].set()
    print("waits", request.game, request.number)
    try:
        await together[0].wait()
    except trio.Cancelled:
        print("given up", request.game)
        raise
    return Placement(request.view.hand[0], Building.IC)
"""


def test_decisions_that_wait_run_at_the_same_time(tmp_path: Path) -> None:
    games = {f"g{number}": Game(deal_from_bytes(game_secret("two", number))) for number in range(3)}
    with Peer(write_bot(tmp_path, WAITING), tmp_path) as peer:
        peer.greet()
        peer.send(*[start(name, game.opener_now) for name, game in games.items()])
        for name, game in list(games.items())[:2]:
            peer.send(ask(name, game, game.opener_now))
        peer.send(Ping("thinking"))
        assert peer.receive(1) == [Pong("thinking")]
        peer.send(ask("g2", games["g2"], games["g2"].opener_now))
        # Each waits for the third: one after the other they would never end.
        assert {place.game for place in peer.places(3)} == set(games)
        peer.close()
        status, _, log = peer.end()
    assert (status, log.count("waits")) == (0, 3)


def test_a_decision_of_a_game_that_is_over_is_given_up(tmp_path: Path) -> None:
    game = Game(deal_from_bytes(game_secret("two", 1)))
    with Peer(write_bot(tmp_path, WAITING), tmp_path) as peer:
        peer.greet()
        peer.send(start("g1", game.opener_now), ask("g1", game, game.opener_now), Ping("1"))
        assert peer.receive(1) == [Pong("1")]
        peer.send(Over("g1", 2, "I", "timeout", "clock"), Ping("2"))
        assert peer.receive(1) == [Pong("2")]
        peer.send(start("g2", game.opener_now), ask("g2", game, game.opener_now))
        peer.send(start("g3", game.opener_now), ask("g3", game, game.opener_now))
        places = peer.receive(2)
        assert {place.game for place in places if isinstance(place, PlaceMessage)} == {"g2", "g3"}
        peer.close()
        status, _, log = peer.end()
    assert status == 0
    assert "given up g1\n" in log
