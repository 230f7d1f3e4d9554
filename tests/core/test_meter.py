"""What a program's processor time is counted as: decisions in the record, pondering in the news."""

from __future__ import annotations

import pytest

from tests.core.match_world import MatchWorld, answer, entry, schedule
from tests.core.world import Peer
from tyrusd.core.meter import Meter
from tyrusd.core.requests import GameOver, StartBot, Transport
from tyrusd.wire import Codec
from tyrusd.wire import messages as wire


class Clock:
    """The processor time of one program, in microseconds; None when nobody knows."""

    def __init__(self) -> None:
        self.used: int | None = 5_000_000  # it has started by now
        self.reads = 0

    def __call__(self) -> int | None:
        self.reads += 1
        return self.used

    def use(self, microseconds: int) -> None:
        assert self.used is not None
        self.used += microseconds


class Match:
    """A match of two programs with clocks of their own."""

    def __init__(self, games: int = 1, at_once: int = 1) -> None:
        self.clocks = {"one": Clock(), "two": Clock()}
        self.world = MatchWorld(schedule(games=games, concurrency=at_once), at_once, self._start)
        self.peers = {request.name: self.world.programs[request.id] for request in self.world.started}

    def _start(self, world: MatchWorld, request: StartBot, number: int) -> Peer:
        found = world.server.connect(
            Transport("pipe", Codec.LINE, "pipe", request.id, self.clocks[request.name]), world.now
        )
        peer = world.peers[found] = Peer(world, found, Codec.LINE)
        world.run()
        peer.send(wire.Hello(version="0.1", name=request.name, kind="bot", games=world.games))
        return peer

    def asked(self) -> str:
        return next(name for name, peer in self.peers.items() if self.world.open_request(peer) is not None)

    def place(self, name: str) -> None:
        request = self.world.open_request(self.peers[name])
        assert request is not None
        answer(self.peers[name], request)

    def end(self) -> GameOver:
        """Let a seat give up; what is told of the game."""
        self.peers["two"].say(f"resign {self.peers['two'].last(wire.Start).game}")
        return [item for item in self.world.news if isinstance(item, GameOver)][-1]


def test_what_is_used_between_request_and_answer_is_the_decision_s() -> None:
    match = Match()
    expected = []
    for number in range(6):
        name = match.asked()
        match.clocks[name].use(1000 * (number + 1) + 400)
        match.place(name)
        expected.append(number + 1)
    told = match.end()
    # Rests of a millisecond come up later: 0.4, 0.8, 1.2 for each of the two.
    assert told.record["timing"]["cpu"] == [1, 2, 3, 4, 6, 7]
    assert told.pondered == (0, 0)


def test_what_is_used_while_the_other_side_thinks_is_pondering() -> None:
    match = Match()
    for _ in range(4):
        asked = match.asked()
        other = "two" if asked == "one" else "one"
        match.clocks[asked].use(10_000)
        match.clocks[other].use(3_000 if other == "one" else 7_000)
        match.place(asked)
    told = match.end()
    assert told.record["timing"]["cpu"] == [10, 10, 10, 10]
    assert told.pondered == (6, 14)


def test_what_is_used_before_and_between_games_is_nobody_s() -> None:
    match = Match(games=2)
    match.end()
    for clock in match.clocks.values():
        clock.use(50_000)  # in the second game: it begins when the first is over
    told = match.end()
    assert told.pondered in ((0, 50), (50, 0))  # who was not asked pondered, the other one decided


def test_each_game_s_pondering_is_told_once() -> None:
    match = Match(games=2)
    asked = match.asked()
    other = "two" if asked == "one" else "one"
    match.clocks[other].use(9_000)
    assert sorted(used or 0 for used in match.end().pondered) == [0, 9]
    assert match.end().pondered == (0, 0)


def test_a_program_with_several_games_is_charged_from_answer_to_answer() -> None:
    match = Match(games=2, at_once=2)
    clock = match.clocks["one"]
    answered = 0
    while match.world.open_request(match.peers["one"]) is not None and answered < 2:
        clock.use(2_000)
        match.place("one")
        answered += 1
        for name in ("two",):
            while match.world.open_request(match.peers[name]) is not None:
                match.place(name)
    match.peers["two"].say("resign g1\nresign g2")
    told = [item.record for item in match.world.news if isinstance(item, GameOver)]
    side_of = [record["game"]["seats"]["ivory"] == "one" for record in told]
    spent = [
        cpu
        for record, ivory in zip(told, side_of, strict=True)
        for (side, _, _), cpu in zip(record["game"]["placements"], record["timing"]["cpu"], strict=True)
        if (side == "ivory") == ivory
    ]
    assert sum(spent) == 2 * answered


def test_who_has_no_clock_has_no_numbers() -> None:
    world = MatchWorld(schedule(entry("one"), entry("two")))
    world.play()
    [told] = [item for item in world.news if isinstance(item, GameOver)]
    assert told.pondered == (None, None)
    placements = told.record["game"]["placements"]
    assert told.record["timing"]["cpu"] == [None] * len(placements)


def test_a_clock_that_cannot_be_read_any_more_gives_no_number() -> None:
    match = Match()
    match.place(match.asked())
    name = match.asked()
    match.clocks[name].used = None
    match.place(name)
    cpu = match.end().record["timing"]["cpu"]
    assert cpu == [0, None]


@pytest.mark.parametrize("placements", [2, 6])
def test_a_placement_costs_two_readings_of_a_clock(placements: int) -> None:
    match = Match()
    before = sum(clock.reads for clock in match.clocks.values())
    for _ in range(placements):
        match.place(match.asked())
    assert sum(clock.reads for clock in match.clocks.values()) - before == 2 * placements


def test_nothing_is_known_before_a_game() -> None:
    assert Meter(lambda: 1).pondered() is None
