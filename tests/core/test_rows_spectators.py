"""Peers that do not read, and spectators at every moment of a game: rows 31 and 32."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from tests.core.stage import Stage, again, answer_line, asked, begin, play_on
from tests.core.world import Peer
from tyrusd.core.settings import DEFAULTS
from tyrusd.wire import messages as wire

TICK = 1e-6


def goodbye(peer: Peer) -> str | None:
    byes = peer.got(wire.Bye)
    return byes[-1].reason if byes else None


def test_row_31_a_player_that_does_not_read_is_sent_away_and_nobody_waits() -> None:
    stage = Stage()
    mover, other, game = begin(stage, ("human", "human"), "clock=1000+0")
    stage.deaf.add(other.number)
    mover.say(answer_line(mover, game))
    stage.wait(10 - TICK)
    assert not stage.server.closing(other.number)
    stage.wait(2 * TICK)
    assert stage.server.closing(other.number) and mover.last(wire.Away).game == game
    stage.deaf.clear()
    stage._write(other.number)
    assert goodbye(other) == "too-slow"
    back = stage.connect()
    back.say(f"resume {other.last(wire.Welcome).secret}")
    assert asked(back, game) is not None


@pytest.mark.parametrize("taken", [0, 1])
def test_row_31_any_progress_counts(taken: int) -> None:
    stage = Stage()
    mover, other, game = begin(stage, ("human", "human"), "clock=1000+0")
    stage.deaf.add(other.number)
    mover.say(answer_line(mover, game))
    for _ in range(5):
        stage.wait(9)
        stage.server.sent(other.number, taken, stage.now)
    assert stage.server.closing(other.number) is (taken == 0)


def test_row_31_output_that_is_all_taken_starts_its_time_anew() -> None:
    stage = Stage()
    mover, other, game = begin(stage, ("human", "human"), "clock=1000+0")
    for _ in range(6):
        stage.deaf.add(other.number)
        mover.say("ping x")
        play_on(mover, other, game, 1)
        stage.wait(9.9)
        assert not stage.server.closing(other.number)
        stage.deaf.clear()
        stage._write(other.number)
        stage.wait(0.2)


@pytest.mark.parametrize("more", [-1, 0, 1])
def test_row_31_the_queue_has_a_size_to_the_byte(more: int) -> None:
    stage = Stage()
    peer = stage.join("ada", "bot", "games=3")
    session = stage.server.sessions[peer.number]
    assert session.room == 64 * 1024 + 3 * 4 * 1024
    stage.deaf.add(peer.number)
    session.write(b"x" * (session.room - len(b"pong w\n") + more))
    assert not stage.server.closing(peer.number)
    peer.say("ping w")
    assert stage.server.closing(peer.number) is (more == 1)


def test_row_31_after_something_did_not_fit_nothing_more_is_queued() -> None:
    """What follows would leave a gap in what the peer gets."""
    stage = Stage()
    peer = stage.join("ada", "bot")
    session = stage.server.sessions[peer.number]
    session.write(b"x" * (session.room - 10))
    session.write(b"too long to fit\n")
    session.write(b"fits\n")
    assert session.outbox.endswith(b"x") and session.doom is not None
    stage.server.tick(stage.now)
    assert session.closing and session.outbox.endswith(b"\n")


def test_row_31_a_spectator_that_does_not_read_costs_the_game_nothing() -> None:
    stage = Stage(replace(DEFAULTS, output_base=2048, output_per_game=0))
    mover, other, game = begin(stage)
    watcher = stage.join("cleo", "human", "games=1")
    watcher.say(f"watch {game}")
    stage.deaf.add(watcher.number)
    outbox = stage.server.sessions[watcher.number].outbox
    play_on(mover, other, game)
    assert len(outbox) <= 2048 + 200
    assert mover.last(wire.Over) == other.last(wire.Over) and mover.last(wire.Over).reason != "timeout"


def watched_unread(stage: Stage, games: int) -> tuple[list[str | None], int]:
    """Let somebody watch so many games and read nothing, coming again when sent away.

    Why it was sent away each time, and the most that waited for it.
    """
    mover, other, game = begin(stage)
    ends: list[str | None] = []
    most = 0
    deaf = stage.join("deaf", "human", "games=1")
    stage.deaf.add(deaf.number)
    for _ in range(games):
        deaf.say(f"watch {game}")
        play_on(mover, other, game, 6)
        most = max(most, len(stage.server.sessions[deaf.number].outbox))
        if stage.server.closing(deaf.number):
            stage.deaf.discard(deaf.number)
            stage._write(deaf.number)
            ends.append(goodbye(deaf))
            deaf = stage.join("deaf", "human", "games=1")
            stage.deaf.add(deaf.number)
        for peer in (mover, other):
            peer.forget()
        mover.say(f"resign {game}")
        assert other.last(wire.Over).reason == "resigned"
        mover, other, game = again(mover, other)
    return ends, most


def test_f041_of_a_spectator_that_never_reads_no_more_than_its_limit_is_kept() -> None:
    """redis/redis#91: what a client did not read was kept until there was no memory left."""
    stage = Stage(replace(DEFAULTS, lines_burst=1e9))
    ends, most = watched_unread(stage, 600)
    room = stage.server.settings.output_base + stage.server.settings.output_per_game
    assert set(ends) == {"too-slow"}
    assert room - 200 < most <= room + 200  # the goodbye is beside it
    assert len(stage.server.sessions) == 3 and len(stage.server.tables) == 1


def test_f041_control_without_a_limit_all_of_it_is_kept() -> None:
    """redis/redis#91: what a client did not read was kept until there was no memory left."""
    stage = Stage(replace(DEFAULTS, lines_burst=1e9, output_base=10**9, output_stall=1e9))
    ends, most = watched_unread(stage, 600)
    assert ends == [] and most > 300_000


def test_row_31_control_without_limits_an_unread_queue_grows_for_ever() -> None:
    stage = Stage(replace(DEFAULTS, output_base=10**9, output_stall=1e9, lines_burst=1e9))
    peer = stage.join("ada", "bot")
    stage.deaf.add(peer.number)
    for _ in range(100):
        peer.send_bytes(b"help\n" * 1000)
    assert len(stage.server.sessions[peer.number].outbox) > 40_000_000


def followed(peer: Peer, game: str) -> list[int]:
    """The sequence numbers a spectator was told, and the first of which it was told."""
    snapshot = next(item for item in peer.inbox if isinstance(item, wire.Snapshot) and item.game == game)
    numbers = [snapshot.seq]
    for item in peer.inbox[peer.inbox.index(snapshot) + 1 :]:
        seq = getattr(item, "seq", None)
        if seq is not None and getattr(item, "game", None) == game:
            numbers.append(seq)
    return numbers


def test_f064_row_32_a_hundred_spectators_at_any_moment_each_get_every_event_once() -> None:
    """chaitu236/TakServer#15: who joined as a move arrived was told it twice, and clocks fell below zero."""
    chance = random.Random(32)
    stage = Stage(replace(DEFAULTS, spectators_per_game=100))
    mover, other, game = begin(stage, terms="clock=60+1")
    watchers = [stage.join(f"w{number}") for number in range(100)]
    waiting = list(watchers)
    made = 0
    while game in stage.server.tables:
        for _ in range(chance.randrange(5)):
            if waiting:
                waiting.pop().say(f"watch {game}")
        stage.wait(0.7)
        made += play_on(mover, other, game, 1)
    late = set(waiting)
    last = mover.last(wire.Over).seq
    for watcher in watchers:
        if watcher in late:
            continue
        numbers = followed(watcher, game)
        assert numbers == list(range(numbers[0], last + 1))
        assert watcher.last(wire.Over) == mover.last(wire.Over)
        pictures = watcher.got(wire.Snapshot)
        assert pictures[0].seq == numbers[0]  # what follows begins with the next one
        times = [time for item in pictures for time in (item.ivory_time, item.brown_time)]
        assert times and all(time is not None and time >= 0 for time in times)
    assert made > 18 and len(late) < 50


@pytest.mark.parametrize("held", [False, True])
def test_row_32_a_spectator_in_the_moment_of_the_end_sees_the_end(held: bool) -> None:
    """Between the last placement and its durable record nothing is told, and then all of it once."""
    stage = Stage()
    mover, other, game = begin(stage)
    early, late, asking = (stage.join(name) for name in ("early", "late", "asking"))
    for peer in (early, asking):
        peer.say(f"watch {game}")
    stage.store_at_once = not held
    made = 0
    while game in stage.server.tables and stage.server.tables[game].ending is None:
        made += play_on(mover, other, game, 1)
    if held:
        assert not early.got(wire.Over)
        late.say(f"watch {game}")
        asking.say(f"look {game}")
        mover.say(f"look {game}")
        assert not late.got(wire.Snapshot) and len(asking.got(wire.Snapshot)) == 1
        stage.store_at_once = True
        stage.wait(31)  # the first attempt is given up, the second succeeds
        assert followed(late, game)[-2:] == [early.last(wire.Over).seq - 1, early.last(wire.Over).seq]
        assert len(late.got(wire.Snapshot)) == 1 and len(asking.got(wire.Snapshot)) == 2
        assert followed(asking, game).count(asking.last(wire.Snapshot).seq) == 2
    assert followed(early, game) == list(range(1, early.last(wire.Over).seq + 1))
    assert early.last(wire.Over) == mover.last(wire.Over) == asking.last(wire.Over)
