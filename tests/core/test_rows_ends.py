"""Ends of games: a failing store, a drawn count, a closing server (rows 49 and 54), and what is left."""

from __future__ import annotations

import gc
import random
import tracemalloc
from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.core.accounts_world import BOBS, CODE, TOKEN, Door
from tests.core.stage import Pair, Stage, again, answer_line, asked, begin, play_on
from tests.core.world import Peer
from tyrusd.core.lobby import Lobby
from tyrusd.core.requests import GameOver, StartBot, Stored, StoreFailed
from tyrusd.core.seatspec import SeatSpec
from tyrusd.core.settings import DEFAULTS
from tyrusd.league.framing import HEADER, read_frames
from tyrusd.wire import Codec
from tyrusd.wire import messages as wire

FIVE = replace(DEFAULTS, store_attempts=5)  # as a worker of a ladder, which gives a result up
TICK = 1e-6
_DEAL = 32  # bytes from which a deal comes


def drawing() -> Callable[[int], bytes]:
    """Chance that deals first a game that is drawn when both sides always play their first tile."""
    first, chance = [bytes([2] * _DEAL)], random.Random(54)

    def entropy(count: int) -> bytes:
        return first.pop() if count == _DEAL and first else chance.randbytes(count)

    return entropy


def codes(peer: Peer) -> list[str]:
    return [error.code for error in peer.got(wire.Error)]


def notices(peer: Peer) -> list[str]:
    return [notice.code for notice in peer.got(wire.Notice)]


# -- results ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seconds", [60.0, 3600.0])
def test_row_49_a_server_gives_no_result_up_however_long_it_cannot_be_kept(seconds: float) -> None:
    stage = Stage()
    mover, other, game = begin(stage, ("human", "human"), "clock=none cap=none")
    stage.failing = 1_000_000
    mover.say(f"resign {game}")
    stage.wait(seconds)
    assert not mover.got(wire.Over) and not other.got(wire.Over) and game in stage.server.tables
    assert notices(other) == ["storage"]
    stage.failing = 0
    stage.wait(2)
    assert mover.last(wire.Over).reason == other.last(wire.Over).reason == "resigned"


@pytest.mark.parametrize("failures", [0, 1, 4, 5, 6])
def test_row_49_a_worker_tells_a_result_once_it_is_kept_and_gives_it_up_after_its_attempts(
    failures: int,
) -> None:
    stage = Stage(FIVE)
    mover, other, game = begin(stage)
    watcher = stage.join("cleo")
    watcher.say(f"watch {game}")
    stage.failing = failures
    mover.say(f"resign {game}")
    kept = failures < 5
    stage.wait(max(0, min(failures, 4)) - TICK)
    assert bool(mover.got(wire.Over)) is (failures == 0)
    stage.wait(2 * TICK)
    over = mover.last(wire.Over)
    assert (over.reason, over.detail) == (("resigned", mover.last(wire.Start).side and over.detail) if kept
                                          else ("aborted", "storage"))  # fmt: skip
    assert over.winner == (other.last(wire.Start).side if kept else "-")
    assert other.got(wire.Over) == watcher.got(wire.Over) == mover.got(wire.Over)
    assert len(stage.stored) == min(failures + 1, 5)
    assert len({request.payload for request in stage.stored}) == 1
    assert [len(notices(peer)) for peer in (mover, other, watcher)] == ([1, 1, 0] if failures else [0, 0, 0])
    assert bool([item for item in stage.news if isinstance(item, GameOver)]) is kept
    assert stage.server.tables == {} and len(stage.server.storing) == 0


def test_row_49_no_game_begins_while_results_cannot_be_stored() -> None:
    stage = Stage(lobby=Lobby({"house": SeatSpec("plugin", "house")}))
    pair = begin(stage)
    running = begin(stage, names=("dan", "eve"))
    waiting, seeker = stage.join("gus"), stage.join("hal")
    waiting.say("play house")
    (start,) = [request for request in stage.requests if isinstance(request, StartBot)]
    stage.failing = 2
    pair.mover.say(f"resign {pair.game}")
    seeker.say("seek\nplay house")
    assert codes(seeker) == ["storage", "storage"]
    house = stage.connect("pipe", Codec.LINE, "pipe", start.id)
    house.say("hello 0.1 house bot games=9")
    assert codes(waiting) == ["unavailable"] and not waiting.got(wire.Start)
    assert play_on(*running, 12) == 12
    stage.wait(3)
    seeker.say("play house")
    assert seeker.got(wire.Start)


def test_row_49_a_store_that_does_not_answer_is_asked_again_and_may_answer_late() -> None:
    stage = Stage()
    mover, other, game = begin(stage)
    stage.store_at_once = False
    mover.say(f"resign {game}")
    stage.wait(30 - TICK)
    assert len(stage.stored) == 1 and not notices(other)
    stage.wait(2 * TICK)
    assert notices(other) == ["storage"]
    stage.wait(1)
    first, second = stage.stored
    assert first.payload == second.payload and first.id != second.id
    stage.server.answer(Stored(first.id), stage.now)
    stage.run()
    assert other.last(wire.Over).reason == "resigned"
    for request in (first, second):
        stage.server.answer(Stored(request.id), stage.now)
        stage.server.answer(StoreFailed(request.id, "late"), stage.now)
    stage.run()
    assert len(other.got(wire.Over)) == 1
    stage.wait(60)
    assert len(stage.stored) == 2


def test_row_49_an_attempt_fails_once_however_often_that_is_said() -> None:
    stage = Stage(FIVE)
    mover, _, game = begin(stage)
    stage.store_at_once = False
    mover.say(f"resign {game}")
    for attempt in range(5):
        (*_, request) = stage.stored
        assert len(stage.stored) == attempt + 1 and not mover.got(wire.Over)
        for _ in range(4):
            stage.server.answer(StoreFailed(request.id, "no space"), stage.now)
            stage.run()
        stage.wait(1 + TICK)
    assert mover.last(wire.Over).detail == "storage"
    stage.server.answer(Stored(stage.stored[0].id), stage.now)
    stage.run()
    assert len(mover.got(wire.Over)) == 1


@pytest.mark.parametrize("held", [False, True])
def test_the_ending_placement_is_told_with_its_result_and_is_in_the_journal(held: bool) -> None:
    stage = Stage()
    pair = begin(stage, extra="want=events,full")
    game = pair.game
    stage.store_at_once = not held
    made = 0
    while game in stage.server.tables and stage.server.tables[game].ending is None:
        made += play_on(pair.mover, pair.other, game, 1)
    placed = [payload for _, payload in read_frames(HEADER + b"".join(stage.journal))][1:]
    assert len(placed) == made
    told = len(pair.mover.got(wire.Placed))
    assert told == (made - 1 if held else made)
    assert bool(pair.mover.got(wire.Over)) is not held
    late = asked(pair.mover, game) or asked(pair.other, game)
    assert late is not None
    pair.mover.say(f"place {game} {late.request} S1 IC")
    assert codes(pair.mover) == ["stale"]


# -- draws ------------------------------------------------------------------------------------------------


def drawn_pair(stage: Stage, variant: str = "standard", most: int = 54) -> Pair:
    pair = begin(stage, terms=f"variant={variant} clock=900+7")
    play_on(*pair, most)
    return pair


@pytest.mark.parametrize("variant", ["standard", "replay-ties"])
def test_a_drawn_game_is_dealt_again_with_the_same_colours_and_terms(variant: str) -> None:
    stage = Stage(entropy=drawing())
    watcher = stage.join("cleo")
    pair = drawn_pair(stage, variant, 53)
    watcher.say(f"watch {pair.game}")
    play_on(*pair)
    for peer in (pair.mover, pair.other, watcher):
        over = peer.last(wire.Over)
        assert (over.game, over.reason, over.winner, over.next) == (pair.game, "drawn", "-", "g2")
    for peer in (pair.mover, pair.other):
        first, second = peer.got(wire.Start)
        assert (second.game, second.side, second.own, second.enemy) == (
            "g2", first.side, first.own, first.enemy,
        )  # fmt: skip
        assert (second.variant, second.clock, second.cap) == (first.variant, first.clock, first.cap)
        assert second.seed != first.seed
        assert peer.inbox.index(peer.last(wire.Over)) < peer.inbox.index(second)
    assert not watcher.got(wire.Start)
    tables = stage.server.tables
    assert list(tables) == ["g2"] and tables["g2"].match.game.deal is not None
    assert len(stage.stored) == 1
    one, two = pair.mover, pair.other
    play_on(one, two, "g2")
    assert len(stage.stored) >= 2


@pytest.mark.parametrize("what", ["one is away", "the server closes", "nothing can be stored"])
def test_a_drawn_game_is_not_dealt_again_when(what: str) -> None:
    stage = Stage(entropy=drawing())
    pair = drawn_pair(stage, most=53)
    last = pair.mover if asked(pair.mover, pair.game) else pair.other
    last = next(peer for peer in pair[:2] if (request := asked(peer, pair.game)) and request.request == 54)
    waits = pair.other if last is pair.mover else pair.mover
    third = begin(stage, names=("dan", "eve"))
    if what == "one is away":
        waits.lose("reset")
    elif what == "the server closes":
        stage.server.drain(stage.now, 30.0)
    else:
        stage.failing = 1
        third.mover.say(f"resign {third.game}")
    last.say(answer_line(last, pair.game))
    assert last.last(wire.Over).reason == "drawn" and last.last(wire.Over).next is None
    assert "g3" not in stage.server.tables


# -- closing ----------------------------------------------------------------------------------------------


def test_row_54_closing_lets_games_end_starts_none_and_says_so() -> None:
    stage = Stage()
    one, two = begin(stage), begin(stage, names=("dan", "eve"))
    seeker, stranger = stage.join("gus"), stage.connect()
    seeker.say("seek cap=7")
    stage.server.drain(stage.now, 30.0)
    stage.run()
    for peer in (one.mover, two.other, seeker, stranger):
        assert (peer.last(wire.Notice).code, peer.last(wire.Notice).in_ms) == ("shutdown", 30_000)
    assert codes(seeker) == ["shutdown"]
    seeker.say("seek\nplay dan")
    assert codes(seeker) == ["shutdown"] * 3
    late = stage.connect()
    late.say("hello 0.1 zoe human")
    assert codes(late) == ["shutdown"] and late.last(wire.Bye).reason == "shutdown"
    assert play_on(*one, 3) == 3
    one.mover.say(f"resign {one.game}")
    assert one.other.last(wire.Over).reason == "resigned"
    stage.wait(30 - TICK)
    assert not two.mover.got(wire.Over) and not stage.server.finished
    stage.wait(2 * TICK)
    assert (two.mover.last(wire.Over).reason, two.mover.last(wire.Over).detail) == ("aborted", "shutdown")
    for peer in stage.peers.values():
        assert peer.closed and peer.last(wire.Bye).reason in ("shutdown", "busy")
    assert stage.server.finished and stage.server.sessions == {}
    assert len(stage.stored) == 2


@pytest.mark.parametrize("way", ["resume", "key"])
def test_row_54_a_player_whose_connection_drops_comes_back_to_its_last_game(way: str) -> None:
    stage = Door()
    ada, eve = stage.log_in(TOKEN), stage.join("eve")
    game = again(ada, eve).game
    idle = stage.log_in(BOBS, "bob", "bot")
    secret, idle_secret = (peer.last(wire.Welcome).secret for peer in (ada, idle))
    stage.server.drain(stage.now, 30.0)
    stage.run()
    ada.lose()
    stage.wait(10)
    back = stage.connect()
    back.say(f"resume {secret}" if way == "resume" else f"hello 0.1 ada human key={TOKEN}")
    assert back.last(wire.Welcome).name == "Ada" and back.last(wire.Start).game == game
    assert (back.last(wire.Notice).code, back.last(wire.Notice).in_ms) == ("shutdown", 20_000)
    assert eve.got(wire.Back)
    for line in (f"resume {idle_secret}", f"hello 0.1 bob bot key={BOBS}", "hello 0.1 zoe bot"):
        late = stage.connect()
        late.say(line)
        assert not late.got(wire.Welcome) and codes(late) == ["shutdown"]
        assert late.last(wire.Bye).reason == "shutdown"
    code = stage.log_in(CODE)
    assert code.got(wire.Welcome) and back.last(wire.Bye).reason == "replaced"
    code.say("seek")
    assert codes(code) == ["shutdown"]
    assert play_on(code, eve, game, 2) == 2
    code.say(f"resign {game}")
    assert eve.last(wire.Over).reason == "resigned"
    assert stage.connect().last(wire.Bye).reason == "busy"
    assert stage.server.finished and not stage.server.admits


def test_row_54_no_code_is_used_up_by_a_server_that_is_closing() -> None:
    stage = Door()
    begin(stage, names=("eve", "zoe"))
    stage.server.drain(stage.now, 30.0)
    late = stage.log_in(CODE)
    assert codes(late) == ["shutdown"] and late.last(wire.Bye).reason == "shutdown"
    assert stage.asked == []


@pytest.mark.parametrize(("second", "at"), [(0.0, 5.0), (2.0, 7.0), (100.0, 30.0)])
def test_row_54_a_second_signal_can_only_shorten_the_wait(second: float, at: float) -> None:
    stage = Stage()
    pair = begin(stage, terms="clock=1000+0")
    stage.server.drain(stage.now, 30.0)
    stage.wait(5)
    stage.server.drain(stage.now, second)
    if at > 5:
        stage.wait(at - 5 - TICK)
        assert not pair.mover.got(wire.Over)
    stage.wait(2 * TICK)
    assert pair.mover.last(wire.Over).reason == "aborted"
    assert len(pair.mover.got(wire.Notice)) == 1


def test_row_54_without_games_it_is_over_at_once() -> None:
    stage = Stage()
    peer = stage.join("ada")
    stage.server.drain(stage.now, 30.0)
    stage.run()
    assert peer.last(wire.Bye).reason == "shutdown" and stage.server.finished


def test_row_54_an_unanswered_store_keeps_the_server_until_its_attempts_are_used_up() -> None:
    stage = Stage(FIVE)
    pair = begin(stage, ("human", "human"))
    stage.store_at_once = False
    stage.server.drain(stage.now, 0.0)
    stage.wait(100)
    assert not stage.server.finished and not pair.mover.got(wire.Over)
    stage.wait(100)
    assert pair.mover.last(wire.Over).detail == "storage" and stage.server.finished


def test_row_54_house_bots_and_those_who_wait_for_them_are_let_go() -> None:
    stage = Stage(lobby=Lobby({"house": SeatSpec("plugin", "house"), "slow": SeatSpec("plugin", "slow")}))
    one, two = stage.join("ada"), stage.join("bob")
    one.say("play house")
    two.say("play slow")
    started = [request for request in stage.requests if isinstance(request, StartBot)]
    house = stage.connect("pipe", Codec.LINE, "pipe", started[0].id)
    house.say("hello 0.1 x bot")
    stage.server.drain(stage.now, 10.0)
    stage.run()
    assert codes(two) == ["shutdown"]
    slow = stage.connect("pipe", Codec.LINE, "pipe", started[1].id)
    assert slow.last(wire.Bye).reason == "busy"
    stage.wait(11)
    assert one.last(wire.Over).reason == "aborted" and stage.server.finished
    assert stage.server.bots == {}


# -- memory -----------------------------------------------------------------------------------------------


def test_hundreds_of_games_leave_nothing_behind() -> None:
    stage = Stage(replace(DEFAULTS, lines_burst=1e9))
    ada, bob = stage.join("ada", "bot"), stage.join("bob", "bot")

    def play(count: int) -> int:
        for _ in range(count):
            pair = again(ada, bob)
            pair.mover.say(answer_line(pair.mover, pair.game))
            pair.other.say(f"resign {pair.game}")
            for peer in (ada, bob):
                peer.forget()
            stage.journal.clear()
            stage.stored.clear()
            stage.news.clear()
            stage.requests.clear()
            stage.wait(0.01)
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        first = play(200)
        last = play(600)
    finally:
        tracemalloc.stop()
    assert stage.server.tables == {} and len(stage.server.sessions) == 2
    assert last - first < 100_000  # bytes; of each game left behind there would be thousands
