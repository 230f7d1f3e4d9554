"""Placements against the rules count on after a restart of the server: nobody is forgiven them twice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.core.stage import Pair, Stage, answer_line, asked, begin, hand, play_on
from tests.core.test_restoring import back, keeping, record_of_both, restarted, secret_of
from tests.core.world import Peer
from tyrusd.core.lobby import Lobby
from tyrusd.core.restoring import Recovered
from tyrusd.core.settings import DEFAULTS
from tyrusd.league.fold import fold
from tyrusd.league.framing import HEADER, BadRecord, read_frames
from tyrusd.league.record import frame, refused_record
from tyrusd.league.replay import interrupted
from tyrusd.wire import messages as wire


def kinds(frames: list[bytes]) -> list[str]:
    return [payload["kind"] for _, payload in read_frames(HEADER + b"".join(frames))]


def wrong(peer: Peer, game: str) -> str:
    """A line with a tile that the peer does not hold."""
    held = hand(peer, game)
    return answer_line(peer, game, next(tile for tile in ("S1", *(f"M{n}" for n in range(1, 11)))
                                        if tile not in held))  # fmt: skip


@pytest.mark.parametrize("before", [0, 1, 2])
@pytest.mark.parametrize("placed", [0, 7])
def test_row_14_what_was_forgiven_before_a_restart_is_forgiven_no_second_time(
    before: int, placed: int
) -> None:
    stage = keeping()
    pair = begin(stage, ("bot", "bot"), "clock=600+5")
    play_on(*pair, most=placed)
    mover = pair.mover if asked_now(stage, pair.mover, pair.game) else pair.other
    other = pair.other if mover is pair.mover else pair.mover
    for _ in range(before):
        mover.say(wrong(mover, pair.game))
        assert mover.last(wire.Error).cost == "retry"
    assert kinds(stage.kept).count("refused") == before
    new = restarted(stage.kept)
    there, enemy = back(new, secret_of(mover)), back(new, secret_of(other))
    for number in range(before + 1, 4):
        there.say(wrong(there, pair.game))
        assert there.last(wire.Error).cost == ("fatal" if number == 3 else "retry")
    over = enemy.last(wire.Over)
    assert (over.reason, over.detail) == ("illegal", "not-in-hand")
    there.say(f"why {pair.game}")
    assert there.last(wire.Verdict).refused == 3


def asked_now(stage: Stage, peer: Peer, game: str) -> bool:
    request, newest = stage.server.tables[game].match.open_request, asked(peer, game)
    return newest is not None and request is not None and newest.request == request.number


@pytest.mark.parametrize("placed", [0, 5])
def test_row_14_one_too_many_has_lost_also_when_its_result_was_not_kept_any_more(placed: int) -> None:
    stage = keeping()
    pair = begin(stage, ("bot", "bot"), "clock=600+5")
    play_on(*pair, most=placed)
    mover = pair.mover if asked_now(stage, pair.mover, pair.game) else pair.other
    other = pair.other if mover is pair.mover else pair.mover
    for _ in range(3):
        mover.say(wrong(mover, pair.game))
    assert mover.last(wire.Error).cost == "fatal"
    frames = stage.kept[: kinds(stage.kept).index("game")]
    new = restarted(frames)
    there = back(new, secret_of(mover))
    assert not there.got(wire.Choose) and not there.got(wire.Over)
    enemy = back(new, secret_of(other))
    for peer in (there, enemy):
        over = peer.last(wire.Over)
        assert (over.reason, over.winner) == ("illegal", enemy.last(wire.Start).side)
    assert len(enemy.last(wire.Snapshot).view) and record_of_both(frames, new, pair.game)
    closed = interrupted(fold(read_frames(HEADER + b"".join(frames))).running[pair.game])
    assert (closed["game"]["reason"], closed["game"]["winner"]) == ("illegal", over_word(enemy))


def over_word(peer: Peer) -> str:
    return {"I": "ivory", "B": "brown"}[peer.last(wire.Start).side]


def test_who_is_forgiven_any_number_fills_no_journal() -> None:
    stage = keeping()
    pair = begin(stage, ("human", "human"))
    for _ in range(20):
        pair.mover.say(wrong(pair.mover, pair.game))
    assert "refused" not in kinds(stage.kept)


@pytest.mark.parametrize("lenient", [0, 1, 5])
def test_each_leniency_is_counted_to_its_end(lenient: int) -> None:
    settings = replace(DEFAULTS, lenient_bot=lenient)
    stage = Stage(settings, lobby=Lobby({}), recovered=Recovered())
    pair: Pair = begin(stage)
    for _ in range(lenient + 1):
        pair.mover.say(wrong(pair.mover, pair.game))
    assert kinds(stage.kept).count("refused") == lenient + 1 and pair.other.got(wire.Over)


def test_a_refusal_belongs_to_a_running_game() -> None:
    with pytest.raises(BadRecord, match="has a refused placement, but it is not running"):
        fold(read_frames(HEADER + frame(refused_record("g1", "ivory"))))
