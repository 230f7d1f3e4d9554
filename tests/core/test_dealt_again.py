"""Drawn games that are dealt again, and servers that are killed between the draw and the new deal."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.core.stage import Pair, Stage, again, asked, begin, play_on
from tests.core.world import Peer
from tyrusd.core.lobby import Lobby
from tyrusd.core.requests import StartBot, Stored
from tyrusd.core.restoring import Recovered
from tyrusd.core.seatspec import SeatSpec
from tyrusd.core.settings import DEFAULTS
from tyrusd.host.recovery import recover
from tyrusd.league.fold import Folded, fold
from tyrusd.league.framing import HEADER, BadRecord, read_frames
from tyrusd.league.record import Payload, again_record, frame
from tyrusd.wire import Codec
from tyrusd.wire import messages as wire

HOUSES = {"house": SeatSpec("plugin", "house")}
_DEAL = 32  # bytes from which a deal comes


def drawing() -> Callable[[int], bytes]:
    """Chance that deals first a game that is drawn when both sides always play their first tile."""
    first, chance = [bytes([2] * _DEAL)], random.Random(54)

    def entropy(count: int) -> bytes:
        return first.pop() if count == _DEAL and first else chance.randbytes(count)

    return entropy


def keeping(houses: Mapping[str, SeatSpec] = HOUSES) -> Stage:
    return Stage(lobby=Lobby(houses), entropy=drawing(), recovered=Recovered())


def folded_of(frames: list[bytes]) -> Folded[Payload]:
    return fold(read_frames(HEADER + b"".join(frames)))


def kinds(frames: list[bytes]) -> list[str]:
    return [payload["kind"] for _, payload in read_frames(HEADER + b"".join(frames))]


def restarted(frames: list[bytes]) -> Stage:
    """A new server on what a journal holds."""
    folded = folded_of(frames)
    found = folded.unfollowed()
    ids = (*folded.finished, *folded.running, *(following for _, following in found))
    left = Recovered(
        tuple(folded.running.values()),
        folded.players,
        HOUSES,
        max(int(game[1:]) for game in ids),
        again=tuple(found),
    )
    return Stage(seed=2, lobby=Lobby(HOUSES), recovered=left)


def drawn(kind: str = "human") -> tuple[Stage, Pair, list[str]]:
    """A game that was drawn and dealt again; and the secrets of mover and other."""
    stage = keeping()
    pair = begin(stage, (kind, kind), terms="clock=900+7")
    play_on(*pair)
    assert pair.mover.last(wire.Over).next == "g2" and pair.mover.last(wire.Start).game == "g2"
    return stage, pair, [peer.last(wire.Welcome).secret for peer in pair[:2]]


def back(stage: Stage, secret: str) -> Peer:
    peer = stage.connect()
    peer.say(f"resume {secret}")
    return peer


@pytest.mark.parametrize("last", ["placed", "again", "game", "opened"])
def test_killed_at_any_point_around_a_draw_the_game_is_dealt_again_once(last: str) -> None:
    stage, pair, secrets = drawn()
    order = kinds(stage.kept)
    end = order.index("game")
    assert order[end - 2 : end + 3] == ["placed", "again", "game", "opened", "again"]
    sides = {peer.got(wire.Start)[0].own: peer.got(wire.Start)[0].side for peer in pair[:2]}
    frames = stage.kept[: order.index(last, end - 2) + 1]
    new = restarted(frames)
    one = back(new, secrets[0])
    assert one.got(wire.Welcome) and bool(one.got(wire.Over)) is False
    two = back(new, secrets[1])
    for peer in (one, two):
        overs = peer.got(wire.Over)
        if last == "opened":  # everybody had been told of the draw, or will see the new game only
            assert overs == []
        else:
            assert [(over.game, over.reason, over.next) for over in overs] == [("g1", "drawn", "g2")]
        start = peer.last(wire.Start)
        assert (start.game, start.side) == ("g2", sides[start.own])
        assert (start.clock, start.cap) == (pair.mover.got(wire.Start)[0].clock, "none")
    assert list(new.server.tables) == ["g2"]
    frames += new.kept
    folded = folded_of(frames)
    assert (list(folded.finished), list(folded.running), folded.unfollowed()) == (["g1"], ["g2"], [])
    assert kinds(frames).count("game") == 1  # it is not written a second time
    play_on(one, two, "g2", most=3)
    assert list(restarted(frames).server.tables) == ["g2"]


def test_if_one_player_does_not_come_back_in_time_the_game_is_not_dealt_again() -> None:
    stage, _, secrets = drawn()
    frames = stage.kept[: kinds(stage.kept).index("game") + 1]
    new = restarted(frames)
    there = back(new, secrets[0])
    new.wait(DEFAULTS.restart_window + 1)
    over = there.last(wire.Over)
    assert (over.game, over.reason, over.next) == ("g1", "drawn", None)
    assert not new.server.tables and [*new.server.players] == [there.last(wire.Welcome).name]
    assert folded_of(frames + new.kept).unfollowed() == []
    there.say("seek")
    assert there.last(wire.Ok).re == "seek"
    assert again(there, new.join("zoe")).game == "g3"


def test_a_draw_that_was_told_without_a_new_game_has_none_after_a_restart_either() -> None:
    stage = keeping()
    pair = begin(stage)
    play_on(*pair, most=53)
    last, waits = pair.mover, pair.other
    stage.store_at_once = False
    play_on(last, waits, pair.game)
    assert kinds(stage.kept)[-2:] == ["again", "game"]
    waits.lose("reset")  # while the result is on its way to the disk
    stage.server.answer(Stored(stage.stored[-1].id), stage.now)
    stage.run()
    assert last.last(wire.Over).next is None and "g2" not in stage.server.tables
    assert folded_of(stage.kept).unfollowed() == []
    assert restarted(stage.kept).server.tables == {}


def test_a_server_that_closes_deals_no_game_again_that_it_has_found() -> None:
    stage, _, secrets = drawn()
    frames = stage.kept[: kinds(stage.kept).index("game") + 1]
    new = restarted(frames)
    there = back(new, secrets[0])
    new.server.drain(new.now, 1.0)
    new.wait(2)
    assert there.last(wire.Over).next is None and new.server.finished
    assert folded_of(frames + new.kept).unfollowed() == []


def test_a_bot_of_the_house_is_started_again_to_play_once_more() -> None:
    stage = keeping()
    ada = stage.join("ada", "human")
    ada.say("play house side=B")
    (start,) = [request for request in stage.requests if isinstance(request, StartBot)]
    house = stage.connect("pipe", Codec.LINE, "pipe", start.id)
    house.say("hello 0.1 house bot games=4")
    game = ada.last(wire.Start).game
    play_on(house, ada, game)
    assert ada.last(wire.Over).next == "g2"
    new = restarted(stage.kept[: kinds(stage.kept).index("game") + 1])
    (start,) = [request for request in new.requests if isinstance(request, StartBot)]
    there = back(new, ada.last(wire.Welcome).secret)
    house = new.connect("pipe", Codec.LINE, "pipe", start.id)
    house.say("hello 0.1 house bot games=4")
    assert there.last(wire.Start).game == house.last(wire.Start).game == "g2"
    assert asked(there, "g2") or asked(house, "g2")


def test_a_record_of_a_new_deal_belongs_to_a_running_game() -> None:
    with pytest.raises(BadRecord, match="followed by another one, but it is not running"):
        folded_of([frame(again_record("g1", "g2"))])
    assert folded_of([frame(again_record("g1", None))]).again == {}


@pytest.mark.parametrize("comes_back", [True, False])
def test_a_server_finds_in_its_file_that_a_drawn_game_is_to_be_dealt_again(
    comes_back: bool, tmp_path: Path
) -> None:
    stage, _, _ = drawn()
    frames = stage.kept[: kinds(stage.kept).index("game") + 1]
    if not comes_back:  # nothing says how one of them could
        frames = [entry for entry in frames if kinds([entry]) != ["player"]]
    path = tmp_path / "journal.tyrus"
    path.write_bytes(HEADER + b"".join(frames))
    found = recover(path, {})
    found.journal.close()
    left = found.recovered
    assert [(end["id"], following) for end, following in left.again] == ([("g1", "g2")] if comes_back else [])
    assert (left.games, set(left.players)) == (2, {"ada", "bob"} if comes_back else set())
    assert [game.game for game in left.finished] == ([] if comes_back else ["g1"])  # told later, or before
    added = path.read_bytes()[len(HEADER + b"".join(frames)) :]
    assert added == (b"" if comes_back else frame(again_record("g1", None)))
