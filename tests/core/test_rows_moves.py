"""What placements can do to a game: rows 13 to 18 and 40 of the table of faults."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.core.stage import Pair, Stage, again, answer_line, asked, begin, hand, play_on
from tests.core.world import Peer
from tyrusd.core.requests import GameOver, Stored
from tyrusd.core.settings import DEFAULTS
from tyrusd.rules.pieces import ALL_TILES
from tyrusd.wire import messages as wire


def only_error(peer: Peer) -> wire.Error:
    errors = peer.got(wire.Error)
    assert len(errors) == 1, peer.text
    return errors[0]


def foreign_tile(pair: Pair) -> str:
    """A tile that the mover does not hold."""
    held = hand(pair.mover, pair.game)
    return next(str(tile) for tile in ALL_TILES if str(tile) not in held)


def spent(stage: Stage, peer: Peer) -> float:
    """How many errors of its budget a peer has used."""
    session = stage.server.sessions[peer.number]
    return stage.server.settings.error_budget - session.errors.left(stage.now)


@pytest.mark.parametrize(
    ("line", "code", "cost"),
    [
        ("place {game} 1 S1 IC", "not-your-turn", "ignored"),
        ("place {game} 2 S1 IC", "not-your-turn", "ignored"),
        ("place g99 1 S1 IC", "no-game", "retry"),
        ("place {third} 1 S1 IC", "stale", "ignored"),
    ],
)
def test_row_13_out_of_turn_is_told_to_its_sender_only(line: str, code: str, cost: str) -> None:
    stage = Stage()
    third = begin(stage, names=("cleo", "dan")).game
    mover, other, game = begin(stage)
    mover.forget()
    other.forget()
    before = stage.server.timers.next(), stage.server.tables[game].match.open_request
    other.say(line.format(game=game, third=third))
    error = only_error(other)
    assert (error.code, error.cost) == (code, cost)
    assert mover.raw == b"" and before == (
        stage.server.timers.next(),
        stage.server.tables[game].match.open_request,
    )


def test_row_13_before_login_and_after_the_end() -> None:
    stage = Stage()
    stranger = stage.connect()
    stranger.say("place g1 1 S1 IC")
    assert only_error(stranger).code == "state"
    mover, other, game = begin(stage)
    line = answer_line(mover, game)
    other.say(f"resign {game}")
    for peer in (mover, other):
        peer.forget()
        peer.say(line + "\nresign " + game + "\nlook " + game)
        assert [error.code for error in peer.got(wire.Error)] == ["stale"] * 3
        assert spent(stage, peer) == 0


@pytest.mark.parametrize(
    ("kinds", "forgiven"), [(("bot", "bot"), 2), (("human", "human"), 50)], ids=["bot", "person"]
)
def test_row_14_illegal_placements_are_forgiven_as_the_start_says(
    kinds: tuple[str, str], forgiven: int
) -> None:
    stage = Stage()
    pair = begin(stage, kinds)
    mover, other, game = pair
    lenient = mover.last(wire.Start).lenient
    assert lenient == (2 if kinds[0] == "bot" else None)
    line = answer_line(mover, game, foreign_tile(pair))
    other.forget()
    for _ in range(forgiven):
        mover.forget()
        mover.say(line)
        error = only_error(mover)
        assert (error.code, error.cost, error.why, error.game) == ("illegal", "retry", "not-in-hand", game)
        assert other.raw == b"" and spent(stage, mover) == 0
        stage.wait(0.1)
    mover.forget()
    mover.say(line)
    if lenient is None:
        assert only_error(mover).cost == "retry"
        return
    assert only_error(mover).cost == "fatal"
    assert (other.last(wire.Over).reason, other.last(wire.Over).detail) == ("illegal", "not-in-hand")


def test_row_14_the_clock_runs_on_over_illegal_placements() -> None:
    stage = Stage()
    pair = begin(stage, ("human", "human"), "clock=10+0")
    line = answer_line(pair.mover, pair.game, foreign_tile(pair))
    for _ in range(3):
        stage.wait(3)
        pair.mover.say(line)
    stage.wait(1.049)
    assert not pair.mover.got(wire.Over)
    stage.wait(0.002)
    assert pair.mover.last(wire.Over).reason == "timeout"


@pytest.mark.parametrize(("lenient", "tries"), [(0, 1), (1, 2), (2, 3), (5, 6)])
def test_row_14_the_last_illegal_placement_is_exactly_one_more_than_forgiven(
    lenient: int, tries: int
) -> None:
    stage = Stage(replace(DEFAULTS, lenient_bot=lenient))
    pair = begin(stage)
    line = answer_line(pair.mover, pair.game, foreign_tile(pair))
    for number in range(1, tries + 1):
        assert not pair.other.got(wire.Over)
        pair.mover.say(line)
        assert bool(pair.other.got(wire.Over)) is (number == tries)


def test_row_14_a_tile_that_was_placed_is_not_in_the_hand() -> None:
    stage = Stage()
    mover, other, game = begin(stage)
    tile = hand(mover, game)[0]
    mover.say(answer_line(mover, game, tile))
    other.say(answer_line(other, game))
    mover.say(answer_line(mover, game, tile))
    assert only_error(mover).why == "not-in-hand"


def test_f065_row_15_only_the_first_of_two_placements_in_one_packet_counts() -> None:
    """byucs340ta/Fall2018#87: of moves sent in rapid succession each counted, several in one turn."""
    stage = Stage()
    mover, other, game = begin(stage)
    one, two = hand(mover, game)[:2]
    mover.say(answer_line(mover, game, one, tag="a") + "\n" + answer_line(mover, game, two, tag="b"))
    match = stage.server.tables[game].match
    assert [str(tile) for _, tile, _ in match.game.placements] == [one]
    assert [item.tag for item in mover.got(wire.Ok)][-1:] == ["a"]
    assert (only_error(mover).code, only_error(mover).tag) == ("stale", "b")
    assert asked(other, game) is not None


def test_row_15_a_repeated_answer_does_not_land_in_the_next_request_of_the_same_side() -> None:
    """Whoever places last in an election opens the next one: two requests in a row."""
    stage = Stage()
    mover, other, game = begin(stage)
    play_on(mover, other, game, 5)
    one, two = hand(other, game)[:2]
    other.say(answer_line(other, game, one) + "\n" + answer_line(other, game, two))
    assert stage.server.tables[game].match.game.placed_count == 6
    assert only_error(other).code == "stale"
    request = asked(other, game)
    assert request is not None and request.request == 7


def last_moment(stage: Stage, game: str) -> float:
    deadline = stage.server.tables[game].match.deadline()
    assert deadline is not None
    return deadline


@pytest.mark.parametrize(
    ("before_deadline", "left"), [(0.0501, 1001), (0.05, 1000), (0.049, 1000), (0.001, 1000), (0.0, 1000)]
)
def test_row_16_an_answer_within_the_margin_counts_and_the_clock_shows_nothing_less_than_nothing(
    before_deadline: float, left: int
) -> None:
    """2 s and 1 s more for each placement: what is left when the time was up is the increment."""
    stage = Stage()
    mover, other, game = begin(stage, terms="clock=2+1")
    stage.now = last_moment(stage, game) - before_deadline
    mover.say(answer_line(mover, game))
    match = stage.server.tables[game].match
    assert match.game.placed_count == 1
    assert match.clocks["IB".index(mover.last(wire.Start).side)].time_ms == left
    request = asked(other, game)
    assert isinstance(request, wire.Choose) and request.enemy_time == left


@pytest.mark.parametrize("there", [True, False])
def test_row_16_what_lies_in_the_stream_when_the_time_is_up_still_counts(there: bool) -> None:
    """The deadline comes up first, the peer is read once more, and that decides, for everybody alike."""
    stage = Stage()
    mover, other, game = begin(stage, terms="clock=2+1")
    line = answer_line(mover, game)
    if there:
        stage.unread[mover.number] = (line + "\n").encode()
    stage.wait(last_moment(stage, game) - stage.now)
    assert stage.reads == [mover.number]
    if there:
        assert stage.server.tables[game].match.game.placed_count == 1 and not other.got(wire.Over)
    else:
        assert mover.last(wire.Over) == other.last(wire.Over)
        assert mover.last(wire.Over).reason == "timeout"
        mover.say(line)
        assert only_error(mover).code == "stale"


def test_row_16_one_tick_before_the_last_moment_nothing_happens() -> None:
    stage = Stage()
    mover, _, game = begin(stage, terms="clock=2+1")
    stage.wait(last_moment(stage, game) - stage.now - 1e-6)
    stage.server.tick(stage.now)
    stage.run()
    assert stage.reads == [] and not mover.got(wire.Over)


def test_row_17_resigning_and_claims() -> None:
    stage = Stage()
    mover, other, game = begin(stage)
    spare = begin(stage, names=("cleo", "dan"))
    other.say("draw\nclaim-win " + game + "\nresign " + spare.game + "\nresign g77\nresign " + game + "\n")
    assert [error.code for error in other.got(wire.Error)] == ["syntax", "syntax", "no-game", "no-game"]
    over = mover.last(wire.Over)
    assert (over.reason, over.winner) == ("resigned", mover.last(wire.Start).side)
    assert mover.got(wire.Over) == other.got(wire.Over) and spare.game in stage.server.tables


def test_row_18_many_ends_at_once_are_one_end() -> None:
    """A timeout, a resignation, a loss and both verdicts of the store in one moment."""
    stage = Stage()
    mover, other, game = begin(stage)
    watcher = stage.join("cleo")
    watcher.say(f"watch {game}")
    stage.store_at_once = False
    deadline = stage.server.tables[game].match.deadline()
    assert deadline is not None
    stage.now = deadline
    server = stage.server
    other.say(f"resign {game}")
    server.tick(stage.now)
    mover.say(f"resign {game}")
    mover.lose("reset")
    server.drain(stage.now, 0.0)
    server.tick(stage.now)
    stage.run()
    (request,) = stage.stored
    assert not other.got(wire.Over) and not watcher.got(wire.Over)
    for _ in range(3):
        server.answer(Stored(request.id), stage.now)
        stage.run()
    assert len([item for item in stage.news if isinstance(item, GameOver)]) == 1
    assert other.got(wire.Over) == watcher.got(wire.Over) and len(watcher.got(wire.Over)) == 1
    assert watcher.last(wire.Over).reason == "resigned"


def test_row_40_a_late_answer_is_stale_and_the_connection_stays_good() -> None:
    stage = Stage()
    mover, other, game = begin(stage, terms="cap=1")
    line = answer_line(mover, game)
    stage.wait(2)
    assert mover.last(wire.Over).reason == "timeout"
    mover.forget()
    mover.say(line)
    assert (only_error(mover).code, only_error(mover).cost) == ("stale", "ignored")
    assert spent(stage, mover) == 0
    mover.forget()
    other.forget()
    pair = again(mover, other, "cap=1")
    assert play_on(pair.mover, pair.other, pair.game, 12) == 12


def test_row_40_late_answers_never_use_up_the_budget_however_old_the_game() -> None:
    stage = Stage()
    mover, other, game = begin(stage)
    line = answer_line(mover, game)
    mover.say(f"resign {game}")
    for _ in range(300):
        again(mover, other)
        mover.say(f"resign {mover.last(wire.Start).game}")
        stage.wait(1)
    mover.forget()
    mover.say("\n".join([line] * 40))
    assert [error.code for error in mover.got(wire.Error)] == ["stale"] * 40 and not mover.closed


def test_one_bad_player_leaves_all_other_games_byte_for_byte_as_they_are() -> None:
    """The other games of a server, with a bot that sleeps, errs and leaves, and without it."""

    def transcripts(with_bad_bot: bool) -> list[bytes]:
        stage = Stage()
        pairs = [begin(stage, names=(f"a{number}", f"b{number}")) for number in range(3)]
        bad = begin(stage, names=("bad", "victim"), terms="cap=1")
        for turn in range(9):
            for one, two, game in pairs:
                play_on(one, two, game, 1)
            if with_bad_bot and turn == 3:
                bad.mover.send_bytes(b"xyzzy\n\xff\xff\n" + b"A" * 5000)
            if with_bad_bot and turn == 5:
                bad.mover.lose("reset")
            stage.wait(0.5)
        return [peer.raw for one, two, _ in pairs for peer in (one, two)]

    assert transcripts(with_bad_bot=True) == transcripts(with_bad_bot=False)


@pytest.mark.parametrize("ending", ["", "lose"])
def test_nothing_of_a_placement_is_public_before_it_is_accepted(ending: str) -> None:
    stage = Stage()
    mover, other, game = begin(stage)
    watcher = stage.join("cleo")
    watcher.say(f"watch {game}")
    line = answer_line(mover, game).encode()
    other.forget()
    watcher.forget()
    for byte in line:
        mover.send_bytes(bytes([byte]))
        assert other.raw == b"" and watcher.raw == b""
    if ending:
        mover.lose()
        assert [type(item) for item in watcher.inbox] == [wire.Away]
    else:
        mover.send_bytes(b"\n")
        assert asked(other, game) is not None and watcher.last(wire.Placed).face == "?"
