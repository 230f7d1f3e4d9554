"""Crews with faulty bots under seeded chance: every pair ends, by the right word, and nothing stays."""

from __future__ import annotations

import random
from collections import Counter, deque

import pytest

from tests.core.crew_world import CrewWorld, bot, crew, first_tile, task
from tests.core.match_world import MatchWorld, dies, fails, never, well
from tests.core.test_crew_faults import babble, cheat, crash, give_up, hang
from tests.core.world import Peer
from tyrusd.core.requests import Finished, GameOver, PairDone, StartBot, Unready
from tyrusd.league.tournament.task import PairTask
from tyrusd.wire import messages as wire

WORDS = {crash: "crashed", hang: "timeout", cheat: "illegal", babble: "protocol", give_up: "resigned"}
FAULTS = tuple(WORDS)
BOARD = {"majority", "remaining-tiles", "three-in-a-row", "drawn"}
AWAY = {"disconnected", "timeout", "void"}


class Chaos(CrewWorld):
    """A crew whose bots are bad so often; tcp bots come late, drop their connection, and come back or not."""

    def __init__(self, seed: int) -> None:
        self.chance = chance = random.Random(f"crew {seed}")
        names = [f"b{number}" for number in range(chance.randrange(2, 6))]
        kinds = ["tcp" if chance.random() < 0.15 else "plugin" for _ in names]
        self.keys = {name: name * 20 for name, kind in zip(names, kinds, strict=True) if kind == "tcp"}
        self.badness = {name: chance.choice((0.0, 0.0, 0.002, 0.01, 0.1)) for name in names}
        self.trouble = {name: chance.choice((0.0, 0.0, 0.1, 0.5, 1.0)) for name in names}
        self.faults: dict[str, set[str]] = {}  # words that a game may end by, by game
        self.seats: dict[str, Peer] = {}
        self.places = chance.choice((1, 1, 2, 8))
        self.allowed = chance.randrange(1, 7)
        director = crew(
            [bot(name, kind, key=self.keys.get(name)) for name, kind in zip(names, kinds, strict=True)],
            self.allowed,
            wait=20.0,
            shared=chance.random() < 0.1,
            idle=chance.choice((0, 2, 16)),
            max_failures=chance.randrange(1, 4),
        )
        super().__init__(director, self.places, behave=_start, policies=dict.fromkeys(names, _answer))
        self.todo: deque[PairTask] = deque()
        for number in range(1, chance.randrange(2, 30)):
            first, second = chance.sample(names, 2)
            games = chance.choice(((1, 2), (1, 2), (1, 2), (1,), (2,)))
            self.todo.append(task(number, first, second, games, chance.randrange(1, 4), f"{seed}"))
        self.tasks = {(one.pair, one.attempt): one for one in self.todo}
        self.given_back: Counter[tuple[int, int]] = Counter()

    def run(self) -> None:
        super().run()
        assert len(self.server.tables) <= max(self.allowed, self.running_before)
        self.running_before = len(self.server.tables)

    running_before = 0

    def live(self) -> None:
        """Let everything happen until all pairs have ended."""
        for _ in range(200_000):
            self.play(self.chance.randrange(1, 40))
            self.something()
            if not self.todo and not self.crew.outstanding:
                return
            if not self.asked:
                due = self.server.deadline()
                self.now = max(self.now, self.now + 1.0 if due is None else due)
                self.server.tick(self.now)
                self.run()
        raise AssertionError(f"{self.crew!r} does not end")

    def something(self) -> None:
        """What the operator and the peers from afar may do at any time."""
        chance = self.chance
        if self.todo and chance.random() < 0.5:
            self.give(self.todo.popleft())
        if chance.random() < 0.05:
            self.allowed = chance.randrange(1, 7)
            self.crew.limit(self.allowed, self.now)
            self.run()
        if chance.random() < 0.02:
            for back in self.crew.withdraw(self.now, halves=chance.random() < 0.5):
                self.given_back[back.pair, back.attempt] += len(back.games)
            self.run()
        for name, key in self.keys.items():
            self.visit(name, key)

    def visit(self, name: str, key: str) -> None:
        chance, peer = self.chance, self.seats.get(name)
        if peer is None:
            if chance.random() < 0.1:
                peer = self.connect()
                peer.say(f"hello 0.1 {name} bot games={self.places} key={key}")
        elif peer.closed and chance.random() < 0.3:
            secret = peer.last(wire.Welcome).secret
            peer = self.connect()
            peer.say(f"resume {secret}")
            if not peer.got(wire.Welcome):
                return  # it comes too late
        elif not peer.closed and chance.random() < 0.01:
            for game, table in self.server.tables.items():
                if name in table.match.names:
                    self.faults.setdefault(game, set()).update(AWAY)
            peer.lose("reset")
        if peer is not None:
            self.seats[name] = peer


def _start(world: MatchWorld, request: StartBot, number: int) -> Peer | None:
    assert isinstance(world, Chaos)
    if world.chance.random() >= world.trouble[request.name]:
        return well(world, request, number)
    return world.chance.choice((fails, dies, never))(world, request, number)


def _answer(world: CrewWorld, peer: Peer, request: wire.Choose) -> wire.Place | None:
    assert isinstance(world, Chaos)
    if world.server.sessions[peer.number].connection.partial:  # this answer ends a line that was left open
        world.faults.setdefault(request.game, set()).add("timeout")
    if world.chance.random() >= world.badness[world.name_of(peer)]:
        return first_tile(world, peer, request)
    fault = world.chance.choice(FAULTS)
    # A program that ends, or is sent away, loses all its games.
    session = world.server.sessions[peer.number]
    games = list(session.player.seats) if session.player is not None and fault in (crash, babble) else []
    for game in (request.game, *games):
        world.faults.setdefault(game, set()).add(WORDS[fault])
        if not session.is_pipe:
            world.faults[game] |= AWAY
    return fault(world, peer, request)


@pytest.mark.parametrize("seed", range(200))
def test_whatever_goes_wrong_every_pair_ends(seed: int) -> None:
    world = Chaos(seed)
    world.live()
    world.finish()
    world.wait(200)
    ended = Counter((item.pair, item.attempt) for item in world.ends)
    assert set(ended.values()) <= {1} and set(ended) <= set(world.tasks)
    assert isinstance(world.news[-1], Finished) and world.server.finished and world.crew.done
    told = Counter(item.record["id"] for item in world.news if isinstance(item, GameOver))
    assert set(told.values()) <= {1}
    for key, one in world.tasks.items():
        games = {game for game in one.games if one.place(game).game_id in told}
        if key not in ended:
            assert world.given_back[key] == len(one.games) and not games
    for item in world.ends:
        one = world.tasks[item.pair, item.attempt]
        done = [told[one.place(game).game_id] for game in one.games]
        back = world.given_back[item.pair, item.attempt]
        if isinstance(item, PairDone):
            assert sum(done) + back == len(one.games)
        else:
            assert item.bot in (one.first, one.second) and sum(done) < len(one.games)
    void = {(item.pair, item.attempt) for item in world.ends if isinstance(item, Unready)}
    for game in world.played:
        expected = BOARD | world.faults.get(game.place.game_id, set())
        if (game.place.pair, game.place.attempt) in void:
            expected = expected | {"aborted"}
        assert game.reason in expected, game
    server = world.server
    assert (server.players, server.bots, server.tables, server.sessions) == ({}, {}, {}, {})
    assert len(server.timers) == 0 and server.sealed == set() and len(server.storing) == 0
    assert world.crew.running == world.crew.outstanding == 0
