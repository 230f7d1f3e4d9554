"""Whose time runs out, and when, to one tick of virtual time: rows 19 to 22 of the table of faults."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from tests.core.stage import Stage, answer_line, asked, begin, play_on
from tests.core.world import World
from tyrusd.core.lobby import Lobby
from tyrusd.core.requests import StartBot
from tyrusd.core.seatspec import SeatSpec
from tyrusd.core.server import Server
from tyrusd.core.settings import DEFAULTS
from tyrusd.wire import Codec
from tyrusd.wire import messages as wire

MARGIN = 0.05
TICK = 1e-6


def test_row_19_time_out_without_any_input_is_told_to_everyone() -> None:
    stage = Stage()
    mover, other, game = begin(stage, terms="cap=5")
    watcher = stage.join("cleo")
    watcher.say(f"watch {game}")
    stage.wait(5 + MARGIN - TICK)
    assert not other.got(wire.Over)
    stage.wait(2 * TICK)
    for peer in (mover, other, watcher):
        over = peer.last(wire.Over)
        assert (over.reason, over.detail) == ("timeout", "move-cap")
        assert over.winner == other.last(wire.Start).side
    assert stage.reads == [mover.number]


@pytest.mark.parametrize(
    ("terms", "detail"), [("clock=5+0", "clock"), ("cap=5", "move-cap"), ("clock=5+0 cap=60", "clock")]
)
def test_row_19_the_detail_tells_which_limit_it_was(terms: str, detail: str) -> None:
    stage = Stage()
    mover, _, _ = begin(stage, terms=terms)
    stage.wait(6)
    assert mover.last(wire.Over).detail == detail


def test_row_19_a_host_that_never_answers_the_last_read_stops_no_clock() -> None:
    stage = Stage()
    stage.polls = False
    mover, other, game = begin(stage, terms="cap=5")
    stage.wait(5 + MARGIN + 1 - TICK)
    assert game in stage.server.tables and stage.reads == [mover.number]
    stage.wait(2 * TICK)
    assert other.last(wire.Over).reason == "timeout"


def test_row_19_a_stream_that_is_found_lost_by_the_last_read_ends_it_at_once() -> None:
    stage = Stage()
    stage.polls = False
    mover, other, _ = begin(stage, terms="cap=5")
    stage.wait(5 + MARGIN)
    mover.lose("reset")
    assert other.last(wire.Over).reason == "timeout"


def test_row_19_several_tables_may_wait_for_one_read() -> None:
    stage = Stage()
    ada, bob = stage.join("ada", "bot", "games=3"), stage.join("bob", "bot", "games=3")
    for _ in range(3):
        ada.say("seek side=I cap=5")
        bob.say("seek side=B cap=5")
    debtors = [table.match.open_request for table in stage.server.tables.values()]
    stage.wait(5 + MARGIN)
    assert len(ada.got(wire.Over)) == 3
    assert sorted(stage.reads) == sorted(
        {(ada if request and request.side == 0 else bob).number for request in debtors}
    )


def test_row_20_the_time_of_day_decides_nothing() -> None:
    """The same play at two times of day: the same bytes, and records that differ in their date only."""

    def play(wall: float) -> tuple[list[bytes], list[bytes]]:
        world = World(Lobby({}))
        world.server = Server(Lobby({}), random.Random(1).randbytes, world.now, wall)
        one, two = world.join("ada", "bot"), world.join("bob", "bot")
        one.say("seek cap=5")
        two.say("seek cap=5")
        world.wait(6)
        return [one.raw, two.raw], [request.payload for request in world.stored]

    told, kept = play(1_700_000_000.0)
    told_again, kept_again = play(0.0)
    assert told == told_again and kept != kept_again
    assert b"2023-11-14T" in kept[0] and b"1970-01-01T" in kept_again[0]
    assert len(kept[0]) == len(kept_again[0])


@pytest.mark.parametrize("gap", [5.001, 3600.0])
def test_row_21_a_pause_of_the_server_costs_nobody_a_deadline_also_without_a_game(gap: float) -> None:
    """A bot that was pinged, somebody who was about to say hello, a line that was begun."""
    stage = Stage()
    pinged, typing, silent = stage.join("ada", "bot"), stage.join("bob", "bot"), stage.connect()
    stage.wait(31)
    assert pinged.got(wire.Ping)
    typing.send_bytes(b"ping wor")
    stage.wait(2)
    stage.jump(0)
    stage.jump(gap)
    assert not pinged.closed and not typing.closed and not silent.closed
    pinged.say("pong alive")
    typing.send_bytes(b"d\n")
    silent.say("hello 0.1 eve human")
    stage.wait(30)
    assert not pinged.closed and not typing.closed and silent.got(wire.Welcome)
    stage.wait(16)
    assert pinged.last(wire.Bye).reason == "timeout"  # our time is given back, not more


@pytest.mark.parametrize("gap", [4.999, 5.0, 5.001, 3600.0])
def test_row_21_a_pause_of_the_server_itself_is_made_good(gap: float) -> None:
    stage = Stage()
    mover, other, game = begin(stage, terms="clock=10+0")
    stage.wait(3.5)
    stage.jump(0)
    stage.jump(gap)
    match = stage.server.tables[game].match
    assert match.open_request is not None
    left = match.time_ms(match.open_request.side, stage.now)
    assert left == (6500 if gap > 5 else round(6500 - gap * 1000))
    if gap <= 5:
        return
    stage.wait(6.5 + MARGIN - TICK)
    assert not other.got(wire.Over)
    stage.wait(2 * TICK)
    assert mover.last(wire.Over).reason == "timeout"


@pytest.mark.parametrize("makes_good", [True, False])
def test_row_21_nobody_is_forfeited_because_the_process_was_stopped(makes_good: bool) -> None:
    """Twenty games, some with a player away, a pipe, an unfinished line and unread output; with a control."""
    settings = DEFAULTS if makes_good else replace(DEFAULTS, stall=1e9)
    stage = Stage(settings, lobby=Lobby({"house": SeatSpec("plugin", "house")}))
    pairs = [begin(stage, names=(f"a{n}", f"b{n}"), terms="cap=30") for n in range(20)]
    guest = stage.join("guest")
    guest.say("play house cap=30")
    (start,) = [request for request in stage.requests if isinstance(request, StartBot)]
    house = stage.connect("pipe", Codec.LINE, "pipe", start.id)
    house.say("hello 0.1 house bot")
    pairs[0].other.lose("reset")
    pairs[1].mover.send_bytes(b"plac")
    house.send_bytes(b"plac")
    stage.deaf.add(house.number)
    stage.deaf.add(pairs[2].other.number)
    pairs[2].mover.say(answer_line(pairs[2].mover, pairs[2].game))
    stage.wait(0.5)
    stage.jump(0)
    running = len(stage.server.tables)
    assert running == 21
    stage.jump(120)
    left = len(stage.server.tables)
    assert left == running if makes_good else left < 3
    goodbyes = [peer for peer in stage.peers.values() if peer.got(wire.Bye)]
    assert (goodbyes == []) is makes_good
    if makes_good:
        # The windows and deadlines go on where they were: 9.5 s more for the lines, 59.5 s for the seat.
        stage.deaf.clear()
        stage.wait(9.4)
        assert not house.got(wire.Bye) and not pairs[1].mover.got(wire.Bye)
        stage.wait(0.2)
        assert pairs[1].mover.last(wire.Bye).reason == "timeout"


def test_row_21_lines_that_pile_up_in_a_pause_are_within_the_rate() -> None:
    stage = Stage()
    mover, other, game = begin(stage, terms="cap=5")
    stage.wait(0.5)
    stage.now += 30
    mover.send_bytes(b"ping x\n" * 300 + answer_line(mover, game).encode() + b"\n")
    assert asked(other, game) is not None and stage.server.reading(mover.number)
    mover.send_bytes(b"ping x\n" * 500)
    assert not stage.server.reading(mover.number)


def test_row_21_an_idle_server_takes_no_quiet_time_for_a_pause() -> None:
    """Nobody is here, so nothing has to happen every second; who comes then has the usual time."""
    stage = Stage()
    assert stage.server.deadline() is None
    stage.jump(1000)
    assert stage.server.counts.limits["stall"] == 0
    peer = stage.connect()
    for _ in range(11):
        stage.wait(9.99)
        assert not peer.got(wire.Bye)
    stage.wait(9.99)
    stage.wait(0.2)
    assert peer.last(wire.Bye).reason == "timeout" and stage.server.counts.limits["stall"] == 0


@pytest.mark.parametrize(
    "terms",
    ["clock=0+0", "clock=1000001+0", "clock=0.09+0", "clock=1+3600.001", "cap=0", "cap=0.099", "cap=86401",
     "clock=none cap=86400.001"],
)  # fmt: skip
def test_row_22_time_controls_out_of_range_are_refused(terms: str) -> None:
    stage = Stage()
    peer = stage.join("ada")
    peer.say(f"seek {terms}")
    assert peer.last(wire.Error).code == "config" and not peer.closed


@pytest.mark.parametrize(
    ("terms", "budget"),
    [("clock=0+1", 1.0), ("clock=1+0", 1.0), ("clock=1000000+0", 1e6), ("clock=0.1+0", 0.1), ("cap=0.1", 0.1),
     ("cap=86400", 86400.0), ("clock=600+5 cap=0.5", 0.5), ("clock=3+3600", 3.0)],
)  # fmt: skip
def test_row_22_the_first_placement_has_its_whole_budget_to_the_tick(terms: str, budget: float) -> None:
    stage = Stage()
    mover, other, game = begin(stage, ("human", "human"), terms)
    request = asked(mover, game)
    assert request is not None and request.left == round(budget * 1000)
    deadline = stage.server.tables[game].match.deadline()
    assert deadline == pytest.approx(stage.now + budget + MARGIN)
    stage.server.settings = replace(DEFAULTS, stall=1e9)
    stage.jump(budget + MARGIN - TICK)
    assert game in stage.server.tables
    stage.jump(2 * TICK)
    assert other.last(wire.Over).reason == "timeout"


def test_row_22_without_any_limit_nobody_is_timed_out() -> None:
    stage = Stage()
    mover, other, game = begin(stage, ("human", "human"), "clock=none cap=none")
    request = asked(mover, game)
    assert request is not None and (request.left, request.time, request.enemy_time) == (None, None, None)
    stage.wait(3000)
    assert play_on(mover, other, game, 3) == 3


def test_row_22_people_and_bots_have_their_own_clocks() -> None:
    """A person against a bot without terms: 600+5 for the one, a minute for each answer of the other."""
    stage = Stage()
    begin(stage, ("human", "bot"))
    person, bot = (peer.last(wire.Start) for peer in list(stage.peers.values())[:2])
    assert (person.clock, person.cap, person.enemy_clock, person.enemy_cap) == ("600+5", "none", "none", "60")
    assert (bot.clock, bot.cap, bot.enemy_clock, bot.enemy_cap) == ("none", "60", "600+5", "none")
