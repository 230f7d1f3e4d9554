"""A bot is asked again what it was asked in a recorded game: every way in which it can differ."""

from __future__ import annotations

import random

import pytest

from tests.core.world import Peer, World
from tyrusd.core.playback import DIFFERENT, Playback, PlaybackTable
from tyrusd.core.requests import Finished, Halted, StartBot
from tyrusd.core.seatspec import parse_seat
from tyrusd.league.clock import TimeControl
from tyrusd.league.match import Match
from tyrusd.league.record import Payload, game_record
from tyrusd.rules.deal import deal_from_bytes, seat_seed
from tyrusd.rules.pieces import BUILDING_NAMED, Side
from tyrusd.rules.variants import STANDARD
from tyrusd.wire import Choose, Codec, Placed, Start, Turn
from tyrusd.wire import messages as wire

SPEC = parse_seat("plugin:some")
SECRET = b"a deal for playbacks"


def record(placements: int | None = None, reason: str = "timeout") -> Payload:
    """A game of first tiles; cut short after so many placements, the side to move lost by `reason`."""
    control = TimeControl.parse("30+1", "2")
    seeds = (seat_seed(SECRET, Side.IVORY), seat_seed(SECRET, Side.BROWN))
    match = Match(
        "g12", 12, deal_from_bytes(SECRET), STANDARD, (control, control), (2, 2), ("ada", "bob"), seeds
    )
    chance = random.Random(4)
    while (side := match.game.to_move) is not None and match.game.placed_count != placements:
        number = match.issue(0.0).number
        building = chance.choice(("IC", "IM", "IT", "BC", "BM", "BT"))
        match.place(side, number, match.game.hand(side)[0], BUILDING_NAMED[building], 0.5)
    if side is not None:
        match.issue(1.0)
        match.forfeit(side, reason, "", 4.0)
    return game_record(match, started="2031-05-06T07:08:09Z")


class Stage:
    """A playback in memory, with a bot that answers as the test wants."""

    def __init__(
        self, played: Payload, side: Side, want: tuple[str, ...] = (), codec: Codec = Codec.LINE
    ) -> None:
        self.record = played
        self.playback = Playback(played, side, SPEC)
        self.world = World(self.playback)
        (start,) = [request for request in self.world.requests if isinstance(request, StartBot)]
        self.bot: Peer = self.world.connect("pipe", codec, "pipe", start.id)
        self.bot.send(wire.Hello(version="0.1", name="whatever", kind="bot", want=want))

    @property
    def table(self) -> PlaybackTable:
        assert self.playback.table is not None
        return self.playback.table

    def asked(self) -> int | None:
        """The request that waits."""
        request = self.table.match.open_request
        return None if self.playback.done or request is None else request.number

    def answer(self, words: str | None = None) -> None:
        """Answer the open request: as recorded, or with these words."""
        number = self.asked()
        assert number is not None
        if words is None:
            words = self.table.recorded(number)
            assert words is not None
        tile, building = words.split()
        self.world.now += 0.125
        self.bot.send(wire.Place(game="g12", request=number, tile=tile, building=building))

    def answer_all(self) -> None:
        while (number := self.asked()) is not None and self.table.recorded(number) is not None:
            self.answer()


@pytest.mark.parametrize("codec", Codec)
@pytest.mark.parametrize("want", [(), ("events",), ("events", "full")])
@pytest.mark.parametrize("side", Side)
def test_a_bot_that_decides_as_recorded_comes_to_the_same_end(
    side: Side, want: tuple[str, ...], codec: Codec
) -> None:
    played = record()
    stage = Stage(played, side, want, codec)
    start = stage.bot.last(Start)
    assert (start.game, start.side, start.own, start.enemy) == (
        "g12", side.letter, ("ada", "bob")[side], ("bob", "ada")[side]
    )  # fmt: skip
    assert (start.seed, start.clock, start.cap, start.lenient) == (seat_seed(SECRET, side), "30+1", "2", 0)
    stage.answer_all()
    assert stage.playback.done and stage.playback.failure is None
    outcome = stage.table.match.game.outcome
    assert outcome is not None and outcome.reason == played["game"]["reason"]
    own = [step for step in played["game"]["placements"] if step[0] == side.word]
    assert [decision.placed for decision in stage.table.decisions] == [f"{tile} {to}" for _, tile, to in own]
    assert all(decision.waited == 125 for decision in stage.table.decisions)
    assert len(stage.bot.got(Turn if want == ("events",) else Choose)) == len(own)
    assert any(isinstance(item, Finished) for item in stage.world.news)
    hidden = [message for message in stage.bot.got(Placed) if message.side != side.letter]
    assert all(message.face == "?" for message in hidden) and bool(hidden) == bool(want)


def test_the_first_different_decision_ends_it() -> None:
    stage = Stage(record(), Side.IVORY)
    stage.answer()
    number = stage.asked()
    assert number is not None
    hand = stage.table.match.game.hand(Side.IVORY)
    recorded = stage.table.recorded(number)
    other = next(f"{tile} BT" for tile in hand if f"{tile} BT" != recorded)
    sight = stage.bot.last(Choose).view
    stage.answer(other)
    assert stage.playback.done
    outcome, last = stage.table.match.game.outcome, stage.table.decisions[-1]
    assert outcome is not None and (outcome.reason, outcome.detail) == ("adjudicated", DIFFERENT)
    assert (last.request, last.recorded, last.placed, last.sight) == (number, recorded, other, sight)


def test_an_illegal_decision_ends_it_whatever_was_forgiven_then() -> None:
    stage = Stage(record(), Side.BROWN)
    hand = {str(tile) for tile in stage.table.match.game.hand(Side.BROWN)}
    absent = next(f"S{number}" for number in range(1, 11) if f"S{number}" not in hand)
    stage.answer(f"{absent} IC")
    outcome = stage.table.match.game.outcome
    assert outcome is not None and (outcome.reason, outcome.detail) == ("illegal", "not-in-hand")
    assert stage.playback.done and stage.table.decisions[-1].placed == f"{absent} IC"


def test_a_timeout_by_the_recorded_clock_ends_it() -> None:
    stage = Stage(record(), Side.IVORY)
    stage.answer()
    stage.world.wait(2.0)
    assert not stage.playback.done
    stage.world.wait(0.1)
    outcome = stage.table.match.game.outcome
    assert outcome is not None and (outcome.reason, outcome.detail) == ("timeout", "move-cap")
    assert stage.table.open_at_end is not None and stage.table.sight.startswith("side=I ")


def test_a_crash_ends_it() -> None:
    stage = Stage(record(), Side.IVORY)
    stage.bot.lose("exit status 3", "oh no")
    outcome = stage.table.match.game.outcome
    assert outcome is not None and (outcome.reason, outcome.detail) == ("crashed", "exit status 3")
    assert stage.playback.done


@pytest.mark.parametrize("placed", [0, 7, 12])
def test_the_request_that_has_no_answer_in_the_record_is_asked_too(placed: int) -> None:
    played = record(placed)
    loser = Side.BROWN if played["game"]["winner"] == "ivory" else Side.IVORY
    stage = Stage(played, loser)
    stage.answer_all()
    assert stage.asked() == placed + 1
    stage.answer(f"{stage.table.match.game.hand(loser)[0]} IC")
    assert stage.playback.done
    assert stage.table.decisions[-1].recorded is None
    outcome = stage.table.match.game.outcome
    assert outcome is not None and outcome.detail == "end of the record"


def test_where_the_other_side_has_no_answer_the_playback_is_over() -> None:
    played = record(7)
    winner = Side.IVORY if played["game"]["winner"] == "ivory" else Side.BROWN
    stage = Stage(played, winner)
    stage.answer_all()
    assert stage.playback.done
    assert all(decision.recorded == decision.placed for decision in stage.table.decisions)


def test_a_bot_that_cannot_start_is_told_of() -> None:
    playback = Playback(record(), Side.IVORY, SPEC)
    world = World(playback)
    (start,) = [request for request in world.requests if isinstance(request, StartBot)]
    bot = world.connect("pipe", Codec.FRAME, "pipe", start.id)
    bot.lose("exit status 1", "no such module")
    assert playback.failure is not None and "exit status 1" in playback.failure
    assert any(isinstance(item, Halted) for item in world.news)


def test_nobody_else_gets_in() -> None:
    stage = Stage(record(), Side.IVORY)
    guest = stage.world.connect()
    guest.say("hello 0.1 eve human")
    assert guest.last(wire.Error).code == "auth"


def test_late_answers_and_those_to_other_requests_are_refused_as_ever() -> None:
    stage = Stage(record(), Side.IVORY)
    number = stage.asked()
    assert number is not None
    stage.bot.send(wire.Place(game="g12", request=number + 2, tile="S1", building="IC"))
    assert stage.bot.last(wire.Error).code == "not-your-turn"
    assert stage.table.decisions == [] and stage.asked() == number


def test_a_signal_aborts_it() -> None:
    stage = Stage(record(), Side.IVORY)
    stage.world.server.drain(stage.world.now, 0.0)
    stage.world.run()
    stage.world.wait(0.1)
    assert stage.playback.done
    outcome = stage.table.match.game.outcome
    assert outcome is not None and outcome.reason == "aborted"
