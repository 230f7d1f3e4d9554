"""Coming back with a secret, right or wrong: rows 28 and 29 of the table of faults."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from tests.core.stage import Pair, Stage, answer_line, asked, begin, play_on
from tests.core.world import Peer
from tyrusd.core.settings import DEFAULTS
from tyrusd.wire import messages as wire

TICK = 1e-6
STRANGER = "192.0.2.7"


def secret_of(peer: Peer) -> str:
    return peer.last(wire.Welcome).secret


def resume(stage: Stage, secret: str, host: str = "127.0.0.1") -> Peer:
    peer = stage.connect(host)
    peer.say(f"resume {secret}")
    return peer


def of_game(peer: Peer, game: str) -> list[wire.Message | wire.Refusal]:
    return [item for item in peer.inbox if getattr(item, "game", None) == game]


@pytest.mark.parametrize("want", ["", "want=events", "want=events,full"])
@pytest.mark.parametrize("placed", [0, 1, 5, 6, 7, 17, 18, 30])
def test_row_28_coming_back_gives_all_that_staying_would_have(want: str, placed: int) -> None:
    """Two equal games, in one of which both players lose their connections, go on with equal bytes."""

    def play(leave: bool) -> tuple[Stage, Pair]:
        stage = Stage(seed=5)
        pair = begin(stage, terms="clock=100+2")
        assert play_on(pair.mover, pair.other, pair.game, placed) == placed
        stage.wait(1)
        peers = [pair.mover, pair.other]
        if leave:
            for at, peer in enumerate(peers):
                peer.lose("reset")
                peers[at] = resume(stage, secret_of(peer))
        else:
            for peer in peers:
                peer.forget()
                peer.say(f"look {pair.game}")
        return stage, Pair(peers[0], peers[1], pair.game)

    stage, stayed = play(leave=False)
    again, back = play(leave=True)
    game = stayed.game
    for one, other in zip(stayed[:2], back[:2], strict=True):
        new = wire.Start | wire.Away | wire.Back
        shown = [item for item in of_game(other, game) if not isinstance(item, new)]
        assert shown == of_game(one, game) and shown
    debtor, copy = (pair.mover if asked(pair.mover, game) else pair.other for pair in (stayed, back))
    request = asked(copy, game)
    assert request == asked(debtor, game) and request is not None and request.request == placed + 1
    debtor.say(answer_line(debtor, game))
    copy.say(answer_line(copy, game))
    true, same = stage.server.tables[game].match, again.server.tables[game].match
    assert true.game.placements == same.game.placements and true.spent == same.spent


def test_row_28_the_pending_request_comes_again_with_the_true_time_left() -> None:
    stage = Stage()
    mover, other, game = begin(stage, terms="clock=100+0")
    stage.wait(7)
    mover.lose("reset")
    stage.wait(5)
    back = resume(stage, secret_of(mover))
    request = asked(back, game)
    assert request is not None and (request.request, request.left) == (1, 88_000)
    assert [type(item) for item in other.inbox[-2:]] == [wire.Away, wire.Back]


def test_row_28_the_old_connection_is_replaced_and_hears_no_more() -> None:
    stage = Stage()
    mover, other, game = begin(stage)
    back = resume(stage, secret_of(mover))
    assert mover.last(wire.Bye).reason == "replaced" and mover.closed
    seen = mover.raw
    back.say(answer_line(back, game))
    play_on(back, other, game, 11)
    assert mover.raw == seen
    assert not other.got(wire.Away) and not other.got(wire.Back)
    mover.send_bytes(b"ping late\n")
    assert mover.raw == seen


def test_row_28_events_go_on_after_the_snapshot_without_gap_or_repetition() -> None:
    chance = random.Random(28)
    stage = Stage()
    pair = begin(stage, extra="want=events,full")
    peers, game = [pair.mover, pair.other], pair.game
    told: list[list[int]] = [[], []]
    while game in stage.server.tables:
        play_on(peers[0], peers[1], game, 1)
        side = chance.randrange(2)
        if chance.random() < 0.3:
            told[side] += numbers(peers[side], game)
            peers[side].lose("reset")
            peers[side] = resume(stage, secret_of(peers[side]))
    for side in range(2):
        told[side] += numbers(peers[side], game)
        assert told[side] == list(range(1, told[side][-1] + 1))
    assert told[0] == told[1]


def numbers(peer: Peer, game: str) -> list[int]:
    """The numbers of the events a connection was told; its first snapshot stands for those before."""
    return [
        item.seq
        for item in of_game(peer, game)
        if hasattr(item, "seq") and (not isinstance(item, wire.Snapshot) or item.seq == 1)
    ]


def test_row_28_a_secret_is_good_for_one_return() -> None:
    stage = Stage()
    mover, _, _ = begin(stage)
    first = secret_of(mover)
    back = resume(stage, first)
    second = secret_of(back)
    assert first != second and len(second) == 32
    back.say("ping here")  # it has arrived
    thief = resume(stage, first)
    stage.wait(1)
    assert thief.last(wire.Error).code == "auth" and not back.got(wire.Bye)


def test_row_28_a_secret_whose_successor_never_arrived_is_still_good() -> None:
    stage = Stage()
    mover, _, game = begin(stage)
    secret = secret_of(mover)
    for _ in range(5):
        mover.lose("reset")
        mover = resume(stage, secret)
        mover.raw, mover.inbox = b"", []  # lost on the way
    mover.lose("reset")
    back = resume(stage, secret)
    newest = secret_of(back)
    assert asked(back, game) is not None
    for _ in range(5):
        back.lose("reset")
        back = resume(stage, newest)
        newest = secret_of(back)
    for player in stage.server.players.values():
        assert len(player.secrets) <= 2


def test_row_28_after_the_end_of_all_games_the_secret_is_worth_nothing() -> None:
    stage = Stage()
    mover, other, game = begin(stage)
    mover.lose("reset")
    other.say(f"resign {game}")
    ghost = resume(stage, secret_of(mover))
    stage.wait(1)
    assert ghost.last(wire.Error).code == "auth"


def wrong_answers(stage: Stage, secrets: list[str]) -> list[bytes]:
    found = []
    for secret in secrets:
        peer = stage.connect()
        peer.forget()
        peer.say(f"resume {secret}")
        assert peer.raw == b""
        stage.wait(1 - TICK)
        assert peer.raw == b""
        stage.wait(2 * TICK)
        found.append(peer.raw)
    return found


def test_row_29_a_wrong_secret_gets_the_same_late_answer_whatever_is_wrong() -> None:
    stage = Stage()
    mover, other, game = begin(stage)
    old = secret_of(mover)
    back = resume(stage, old)
    back.say("ping arrived")
    watcher = stage.join("cleo")
    watcher.say(f"watch {game}")
    public = ["0" * 32, "x", "ada", "bob", game, mover.last(wire.Start).seed, old, secret_of(other)[:-1]]
    answers = wrong_answers(stage, public)
    assert len(set(answers)) == 1 and answers[0].startswith(b"error auth retry re=resume :")
    assert not back.got(wire.Bye) and not other.got(wire.Bye)


def test_row_29_lines_behind_a_wrong_secret_wait_for_its_answer() -> None:
    stage = Stage()
    peer = stage.connect()
    peer.say("resume 0123456789abcdef tag=a\nhello 0.1 ada bot tag=b\nping x tag=c")
    stage.wait(0.5)
    assert not peer.got(wire.Welcome) and not stage.server.reading(peer.number)
    stage.wait(0.5)
    assert [getattr(item, "tag", None) for item in peer.inbox[1:]] == ["a", None, "b", None, "c"]


@pytest.mark.parametrize(("guesses", "works"), [(29, True), (30, False), (31, False)])
def test_row_29_guessing_is_limited_for_each_host(guesses: int, works: bool) -> None:
    stage = Stage(replace(DEFAULTS, connections_per_host=1000))
    mover, _, _ = begin(stage, ("human", "human"), "clock=10000+0")
    secret = secret_of(mover)
    for _ in range(guesses):
        resume(stage, "0" * 32, STRANGER)
    from_there = resume(stage, secret, STRANGER)
    stage.wait(1.5)
    assert bool(from_there.got(wire.Welcome)) is works
    assert bool(from_there.got(wire.Error)) is not works
    if works:
        return
    assert resume(stage, secret, "192.0.2.8").got(wire.Welcome)  # other hosts are not limited by that
    stage.wait(120)
    newest = secret_of(next(peer for peer in reversed(stage.peers.values()) if peer.got(wire.Welcome)))
    assert resume(stage, newest, STRANGER).got(wire.Welcome)  # and time heals it


def test_row_29_what_is_remembered_of_guessers_goes_away() -> None:
    stage = Stage()
    for number in range(500):
        resume(stage, "0" * 32, f"192.0.{number // 250}.{number % 250}")
        stage.wait(3)
    assert len(stage.server.presence._wrong) <= 2


def test_row_29_loopback_may_guess_wrong_as_often_as_its_error_budget_allows() -> None:
    stage = Stage()
    mover, _, _ = begin(stage, ("human", "human"), "clock=10000+0")
    for _ in range(100):
        resume(stage, "0" * 32)
    assert resume(stage, secret_of(mover)).got(wire.Welcome)


def test_row_29_before_hello_the_fourth_wrong_secret_ends_the_connection() -> None:
    stage = Stage()
    peer = stage.connect()
    for number in range(1, 5):
        peer.say("resume 0123456789abcdef")
        stage.wait(1)
        assert bool(peer.got(wire.Bye)) is (number == 4)
    assert peer.last(wire.Bye).reason == "protocol"


def test_row_29_guessing_then_leaving_is_no_trouble() -> None:
    stage = Stage()
    peer = stage.connect()
    peer.say("resume 0123456789abcdef")
    peer.lose("reset")
    stage.wait(2)
    assert stage.server.sessions == {} and len(stage.server.timers) == 0


@pytest.mark.parametrize("kind", ["human", "bot"])
def test_row_10_coming_back_buys_no_new_errors(kind: str) -> None:
    stage = Stage(replace(DEFAULTS, error_budget=5.0, resume_delay=0.0))
    mover, _, _ = begin(stage, (kind, "human"), "clock=900+0")
    mover.say("nonsense\n" * 4)
    back = resume(stage, secret_of(mover))
    back.say("nonsense")
    assert not back.got(wire.Bye)
    back.say("nonsense")
    assert back.last(wire.Bye).reason == "protocol"
    if kind == "human":  # the seat is kept, the budget stays spent, and one error a minute is forgiven
        again = resume(stage, secret_of(back))
        assert again.got(wire.Start)
        stage.wait(61)
        again.say("nonsense")
        assert not again.got(wire.Bye)


def test_row_10_coming_back_buys_no_new_lines() -> None:
    stage = Stage(replace(DEFAULTS, lines_burst=10.0, lines_per_second=1.0))
    mover, _, _ = begin(stage, ("human", "human"))
    mover.say("ping x\n" * 9)
    back = resume(stage, secret_of(mover))
    back.say("ping x\n" * 9)
    assert 0 < len(back.got(wire.Pong)) < 4
    stage.wait(30)
    assert len(back.got(wire.Pong)) == 9
