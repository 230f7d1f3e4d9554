"""Besides the peers' bytes: what objects print, what the log could get, and how placed tiles are called."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest
from msgspec import structs

from tests.secrecy.games import PEOPLE, beginning, played_out
from tests.secrecy.scripts import (
    Act,
    Lose,
    Resume,
    Say,
    Script,
    Seat,
    Setting,
    any_deal,
    placed,
    random_choice,
    random_script,
)
from tests.secrecy.stage import Stage
from tyrusd.core.requests import Store, StoreFailed
from tyrusd.rules.game import Game
from tyrusd.rules.notation import read_view
from tyrusd.rules.pieces import Side
from tyrusd.rules.view import view
from tyrusd.wire import Codec
from tyrusd.wire import messages as wire
from tyrusd.wire.schema import SERVER_SCHEMAS

FACE = re.compile(r"(?<![A-Za-z])[SMP](?:10|[1-9])(?![0-9])")
FOLLOWED = Setting(Seat(want=("events",)), Seat(Codec.FRAME, want=("events", "full")))


def _stage_in_play(placements: int = 20, setting: Setting = PEOPLE) -> tuple[Stage, Game]:
    chance = random.Random(placements)
    script, game = beginning(setting, placements, chance)
    assert game.outcome is None
    return Stage(script, script.deals, Side.IVORY).perform(), game


# -- what is printed ---------------------------------------------------------------------------------------


def _objects(stage: Stage) -> Iterator[object]:
    """Everything that a server has of its games and peers, as a traceback or a debugger would print it."""
    server = stage.world.server
    yield from (server, server.director, server.storing, server.presence, server.intake, server.timers)
    yield from server.sessions.values()
    yield from server.players.values()
    yield from server.bots.values()
    for table in server.tables.values():
        match = table.match
        yield from (table, table.logs, match, match.game, match.game.deal, match.open_request, match.clocks)
        yield from (view(match.game, viewer) for viewer in (*Side, None))
        yield from (match.game.board, match.game.events[0], match.game.events[-1])


@pytest.mark.parametrize("setting", [FOLLOWED, Setting(lobby=False)], ids=["lobby", "match"])
def test_d7_no_object_of_the_server_prints_a_tile_of_a_running_game(setting: Setting) -> None:
    stage, _ = _stage_in_play(20, setting)
    printed = [repr(value) for value in _objects(stage)] + [str(value) for value in _objects(stage)]
    assert len(printed) > 30
    for text in printed:
        assert FACE.search(text) is None, text


def test_what_waits_for_the_host_prints_no_tile() -> None:
    stage, game = _stage_in_play()
    assert game.to_move is not None
    server, now = stage.world.server, stage.world.now
    peer, hand = stage.playing[game.to_move], game.hand(game.to_move)
    answer = wire.Place(game="g1", request=game.placed_count + 1, tile=str(hand[0]), building="IC")
    server.receive(peer.number, peer.connection.encode(answer), now)
    server.receive(peer.number, peer.connection.encode(wire.Resign(game="g1")), now)
    found = server.collect()
    assert found.journal
    assert any(isinstance(request, Store) for request in found.requests)
    for value in (found, *found.requests):
        assert FACE.search(repr(value)) is None


def test_d7_a_seat_key_is_not_printed() -> None:
    stage, _ = _stage_in_play(3, Setting(lobby=False))
    assert "key-" not in repr(stage.world.server.director)
    assert "key-" not in "".join(repr(value) for value in _objects(stage))
    entries = getattr(stage.world.server.director, "entries", ())
    assert len(entries) == 2
    for name, entry in zip(("ada", "bob"), entries, strict=True):
        entry.key = f"key-{name}"
        assert "key-" not in repr(entry)


# -- what the host could log -------------------------------------------------------------------------------


def test_the_host_gets_no_news_of_a_running_game() -> None:
    for seed in range(12):
        script = random_script(random.Random(seed))
        stage = Stage(script, script.deals, Side.IVORY)
        for act in script.acts:
            stage.do(act)
            if not any(game.outcome for game in stage.games.values()):
                assert stage.world.news == []


def test_the_host_gets_a_result_only_when_it_is_told() -> None:
    script, _, _ = played_out("majority", "standard", PEOPLE)
    stage = Stage(script, script.deals, Side.IVORY)
    stage.perform(len(script.acts) - 1)
    stage.world.how_to_store = "later"
    stage.do(script.acts[-1])
    assert stage.games["g1"].outcome is not None
    assert stage.world.news == []
    request = stage.world.waiting.pop()
    stage.world.server.answer(StoreFailed(request.id, "no room"), stage.world.now)
    stage.world.run()
    assert stage.world.news == []
    stage.world.keep("at-once")
    stage.world.wait(5.0)
    assert [type(item).__name__ for item in stage.world.news] == ["GameOver"]


def test_nobody_is_offered_records_or_other_seats() -> None:
    """Whatever a guest says of a running game, he gets lists, refusals and what a spectator may see."""
    stage, _ = _stage_in_play()
    guest = stage.guests[2]
    seen = len(stage.messages(guest.number))
    for verb in (
        "look",
        "resign",
        "unwatch",
        "watch",
        "look",
        "unwatch",
        "record",
        "log",
        "why",
        "results",
        "check",
    ):
        stage.do(Say(2, f"{verb} g1"))
    for line in (
        "place g1 21 S1 IC",
        "place g1 22 S1 IC",
        "play ada",
        "seek",
        "cancel",
        "who",
        "games",
        "help",
    ):
        stage.do(Say(2, line))
    stage.do(Say(2, "resume 00000000000000000000000000000000"))
    told = stage.messages(guest.number)[seen:]
    assert {message.verb for message in told} == {"error", "ok", "snapshot", "player", "table", "help"}
    for message in told:
        if isinstance(message, wire.Snapshot):
            shown = read_view(message.view)
            assert shown.viewer is None
            assert shown.hand == ()
            assert all(tile.tile is None for tile in shown.board)


# -- what a spectator gets, and how tiles are called -------------------------------------------------------


def _looked_at(placements: int = 54) -> tuple[Stage, Game]:
    """A game that both players and a guest look at after each placement; both follow its events."""
    chance = random.Random(11)
    deal = any_deal(chance)
    game = Game(deal)
    looks: list[Act] = [Say(0, "look g1"), Say(Side.IVORY, "look g1"), Say(Side.BROWN, "look g1")]
    acts: list[Act] = [Say(0, "watch g1")]
    while game.outcome is None and game.placed_count < placements:
        acts += [*looks, *placed(game, 1, *random_choice(game, chance))]
    return Stage(Script(FOLLOWED, (deal, deal), tuple(acts)), (deal, deal), Side.IVORY).perform(), game


def test_f101_a_spectator_sees_what_both_players_see_and_no_more() -> None:
    """It does not matter whose second connection a spectator is: the picture is the same for all.

    mtgred/netrunner#6124: what spectators were sent held facts that the players did not get.
    """
    stage, game = _looked_at()
    peers = (stage.guests[0], stage.playing[Side.IVORY], stage.playing[Side.BROWN])
    pictures = [
        [message for message in stage.messages(peer.number) if isinstance(message, wire.Snapshot)]
        for peer in peers
    ]
    # The guest's watching gave one more at the start, the players' beginning one each.
    assert len(pictures[0]) == len(pictures[1]) == len(pictures[2]) == game.placed_count + 1
    for public, *players in zip(*pictures, strict=True):
        shown = read_view(public.view)
        for side, picture in zip(Side, players, strict=True):
            own = read_view(picture.view)
            hidden = [seen._replace(tile=None) for seen in own.board]
            assert own._replace(viewer=None, hand=(), board=tuple(hidden)) == shown
            assert [seen.tile is not None for seen in own.board] == [seen.side is side for seen in own.board]
            assert list(own.hand) == sorted(own.hand)
            assert structs.replace(picture, view="") == structs.replace(public, view="")


def test_f103_a_placed_tile_is_called_by_building_election_and_turn_only() -> None:
    """No name of a tile lives longer: not from hand to board, not from board to reveal.

    Cardshifter/Cardshifter#356: unknown cards were sent with ids by which they could be followed.
    """
    assert [field.label for field in SERVER_SCHEMAS["placed"].core] == [
        "GAME", "SEQ", "SIDE", "ELECTION", "TURN", "BUILDING", "FACE",
    ]  # fmt: skip
    assert SERVER_SCHEMAS["placed"].keys == ()
    assert SERVER_SCHEMAS["revealed"].keys == ()
    stage, game = _looked_at()
    for number in stage.outsiders():
        messages = stage.messages(number)
        laid = {
            (message.building, message.election, message.turn, message.side)
            for message in messages
            if isinstance(message, wire.Placed)
        }
        own = "B" if number == stage.playing[Side.BROWN].number else None
        for message in messages:
            if isinstance(message, wire.Placed):
                assert (message.face == "?") == (message.side != own)
            if isinstance(message, wire.Drew) and message.side != own:
                assert message.tiles == "?,?,?"
            if isinstance(message, wire.Revealed) and message.entries != "-":
                for entry in message.entries.split(","):
                    building, election, turn, side, face = entry.split(".")
                    assert building == message.building
                    assert (building, int(election), int(turn), side) in laid
                    assert face != "?"
    assert len(game.past) >= 3


def test_f105_nothing_is_public_before_a_placement_is_accepted() -> None:
    """Half a line, a break, and a return: the others hear that the player is away and back, nothing else.

    jeremylarner/keyteki#140: a choice was shown to the other side before it was made.
    """
    stage, game = _stage_in_play(7)
    side = game.to_move
    assert side is not None
    others = [peer.number for peer in (*stage.guests, stage.playing[side.other])]
    before = [len(stage.messages(number)) for number in others]
    stage.do(Lose(side, slot=0))
    stage.do(Resume(side))
    told = [stage.messages(number)[start:] for number, start in zip(others, before, strict=True)]
    seen = [[message.verb for message in messages] for messages in told]
    assert seen == [["away", "back"], ["away", "back"], [], ["away", "back"]]
    assert stage.world.server.tables["g1"].match.game.placed_count == 7
