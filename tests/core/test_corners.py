"""Deadlines and verdicts that come when their peer or their game is past them, and other corners."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.core.match_world import MatchWorld, schedule
from tests.core.stage import Stage, answer_line, begin
from tests.core.world import Peer
from tyrusd.core.failures import Refused
from tyrusd.core.lobby import Lobby
from tyrusd.core.requests import GameOver, StoreFailed
from tyrusd.core.seatspec import SeatSpec, parse_seat, plugin_words
from tyrusd.core.settings import DEFAULTS
from tyrusd.core.verbs import place
from tyrusd.league.match import Match
from tyrusd.wire import messages as wire


def lingering(stage: Stage, peer: Peer) -> None:
    """Say goodbye to a peer that does not take it, so that its session stays for a while."""
    stage.deaf.add(peer.number)
    stage.server.presence.dismiss(stage.server.sessions[peer.number], "protocol", "Enough.", stage.now)
    stage.run()


@pytest.mark.parametrize(
    "said",
    [b"", b"hello 0.1 ada", b"hello 0.1 ada bot\nplac", b"hello 0.1 ada bot\n", b"resume 0123456789\n",
     b"hello 0.1 ada bot\n" + b"ping x\n" * 90],
)  # fmt: skip
def test_no_deadline_of_a_peer_says_anything_after_its_goodbye(said: bytes) -> None:
    """Of its hello, its first line, a begun line, a ping, a wrong secret, a pause for its rate."""
    stage = Stage()
    peer = stage.connect()
    if said:
        peer.send_bytes(said)
    lingering(stage, peer)
    session = stage.server.sessions[peer.number]
    before = bytes(session.outbox)
    assert before.endswith(b"bye protocol :Enough.\n")
    stage.wait(300)
    assert bytes(session.outbox) == before
    stage.server.presence.dismiss(session, "bye", "Once more.", stage.now)
    session.close("bye", "Once more.")
    session.write(b"more\n")
    session.condemn("bye", "Once more.")
    stage.server.tick(stage.now)
    assert bytes(session.outbox) == before
    peer.lose()
    assert stage.server.sessions == {}
    stage.wait(700)
    assert len(stage.server.timers) == 0


def test_the_first_reason_for_a_goodbye_stands() -> None:
    stage = Stage()
    peer = stage.join("ada")
    session = stage.server.sessions[peer.number]
    session.condemn("slow-down", "First.")
    session.condemn("protocol", "Second.")
    stage.server.tick(stage.now)
    stage.run()
    assert peer.last(wire.Bye).reason == "slow-down"


def test_a_doomed_peer_that_is_lost_first_is_simply_gone() -> None:
    stage = Stage()
    peer = stage.join("ada")
    session = stage.server.sessions[peer.number]
    session.condemn("slow-down", "First.")
    stage.server.lost(peer.number, stage.now)
    assert not session.closing and stage.server.sessions == {} and stage.server.players == {}


def test_somebody_who_is_away_is_not_excused() -> None:
    stage = Stage(lobby=Lobby({"house": SeatSpec("plugin", "house")}))
    pair = begin(stage, ("human", "human"), "clock=1000+0", "games=2")
    pair.mover.say("play house")
    pair.mover.lose()
    stage.wait(11)  # the house bot does not come
    secret = pair.mover.last(wire.Welcome).secret
    back = stage.connect()
    back.say(f"resume {secret}")
    assert not back.got(wire.Error) and stage.server.bots == {}


def test_a_deadline_that_has_moved_is_met_where_it_is_now() -> None:
    """The clock of a table comes up early when the request has been given time in between."""
    stage = Stage()
    mover, other, game = begin(stage, terms="clock=9+0")
    table = stage.server.tables[game]
    table.match.credit(3.0)
    stage.wait(11)
    assert not other.got(wire.Over) and stage.reads == []
    stage.wait(2)
    assert mover.last(wire.Over).reason == "timeout" and stage.reads == [mover.number]


def test_a_last_read_that_finds_the_request_given_time_decides_nothing() -> None:
    stage = Stage()
    mover, other, game = begin(stage, terms="clock=9+0")
    stage.polls = False
    stage.wait(9.06)
    assert stage.reads == [mover.number]
    stage.server.tables[game].match.credit(3.0)
    stage.server.polled(mover.number, stage.now)
    stage.wait(2)
    assert not other.got(wire.Over)
    stage.polls = True
    stage.wait(2)
    assert other.last(wire.Over).reason == "timeout"


def test_verdicts_about_an_ended_table_change_nothing() -> None:
    stage = Stage()
    pair = begin(stage)
    table = stage.server.tables[pair.game]
    stage.store_at_once = False
    table.stop(None, "aborted", "first", stage.now)
    ending = table.ending
    table.stop(None, "void", "second", stage.now)
    table.forfeit(table.match.game.deal.opener, "timeout", "third", stage.now)
    table.abandon(table.match.game.deal.opener, stage.now)
    table.declare_timeout(stage.now)
    table._clock_due(stage.now)
    table._ask(stage.now)
    table.last_read_done(stage.now)
    assert table.ending is ending
    pair.mover.say(f"resign {pair.game}")
    assert pair.mover.last(wire.Error).code == "stale"
    stage.run()
    assert len(stage.stored) == 1


def test_a_store_that_answers_about_nothing_is_ignored() -> None:
    stage = Stage()
    stage.server.answer(StoreFailed(77, "what?"), stage.now)
    stage.run()
    assert stage.news == [] and len(stage.server.storing) == 0


def test_a_verb_that_needs_a_player_says_so_if_the_phases_do_not() -> None:
    stage = Stage()
    peer = stage.connect()
    session = stage.server.sessions[peer.number]
    with pytest.raises(Refused) as refusal:
        place(stage.server, session, wire.Place(game="g1", request=1, tile="S1", building="IC"), stage.now)
    assert refusal.value.code == "state"


def test_a_player_that_is_away_when_its_game_begins_finds_it_when_it_comes_back() -> None:
    """A drawn game is not dealt again then, so only a director can do this: the table must bear it."""
    stage = Stage()
    pair = begin(stage, ("human", "human"), "clock=1000+0")
    match = stage.server.tables[pair.game].match
    stage.server.tables[pair.game].stop(None, "void", "test", stage.now)
    stage.run()
    one, two = (stage.server.players[name.lower()] for name in match.names)
    one.session = None
    again = Match(
        "g9", 9, match.game.deal, match.game.variant, match.controls, (0, 0), match.names, match.seeds
    )
    stage.server.open_table(again, (one, two), stage.now)
    stage.run()
    told = [peer for peer in (pair.mover, pair.other) if peer.last(wire.Start).game == "g9"]
    assert len(told) == 1 and one.seats.keys() == two.seats.keys() == {"g9"}


# -- programs ---------------------------------------------------------------------------------------------


def crash(world: MatchWorld, name: str) -> None:
    peer = next(peer for peer in world.here() if peer.last(wire.Welcome).name == name)
    peer.lose("exit status 1")
    world.start_programs()


@pytest.mark.parametrize("most", [1, 2, 3])
def test_crashes_in_a_row_halt_a_match_in_the_end(most: int) -> None:
    director = schedule(games=50)
    director.max_crashes = most
    world = MatchWorld(director)
    for number in range(1, most + 1):
        assert world.halted is None
        crash(world, "one")
        if number < most:
            world.wait(number)  # each time it is started a second later
            world.start_programs()
    assert world.halted is not None and "without getting through a game" in world.halted
    assert ("once" in world.halted) is (most == 1)
    assert len([item for item in world.news if isinstance(item, GameOver)]) == most
    assert world.server.finished


def test_a_program_that_crashes_again_is_started_after_a_pause() -> None:
    world = MatchWorld(schedule(games=50))
    crash(world, "one")
    assert len(world.started) == 3
    crash(world, "one")
    assert len(world.started) == 3
    world.wait(0.999)
    world.start_programs()
    assert len(world.started) == 3
    world.wait(0.002)
    world.start_programs()
    assert len(world.started) == 4


def test_a_game_that_is_got_through_makes_earlier_crashes_good() -> None:
    director = schedule(games=50)
    director.max_crashes = 2
    world = MatchWorld(director)
    for _ in range(4):
        crash(world, "one")
        world.play(54)
    assert world.halted is None


def test_the_last_crash_of_a_match_needs_no_new_program() -> None:
    director = schedule(games=1)
    director.max_crashes = 1
    world = MatchWorld(director)
    crash(world, "one")
    assert world.halted is None and world.server.finished and len(world.started) == 2


# -- options of seats -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "name", "options"),
    [("random", "random", ()), ("d/b?level=3", "d/b", (("level", "3"),)),
     ("b?a=1&b=%C3%A9&c=", "b", (("a", "1"), ("b", "é"), ("c", "")))],
)  # fmt: skip
def test_options_of_a_plugin(text: str, name: str, options: tuple[tuple[str, str], ...]) -> None:
    assert plugin_words(text) == (name, options)
    assert parse_seat(f"plugin:{text}").text == text


@pytest.mark.parametrize("text", ["b?", "b?level", "b?=3", "b?level=é", "b?level=\t", "b?level=%FF", "?a=1"])
def test_options_that_cannot_be_read(text: str) -> None:
    with pytest.raises(ValueError, match="is not a seat"):
        parse_seat(f"plugin:{text}")


def test_no_limit_below_its_use() -> None:
    """A server without any patience still works: every limit at its smallest useful value."""
    stage = Stage(replace(DEFAULTS, lines_burst=1.0, error_budget=1.0, early_errors=1, flood_strikes=1))
    mover, other, game = begin(stage)
    mover.say(answer_line(mover, game))
    assert stage.server.tables[game].match.game.placed_count == 1 and not other.closed
