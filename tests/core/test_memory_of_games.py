"""Thousands of games through one server: what lives afterwards is what is open, and memory does not grow."""

from __future__ import annotations

import gc
import os
import sys
import tracemalloc
from collections import Counter
from dataclasses import replace
from typing import Final, NamedTuple

import pytest

from tests.core.stage import Stage, again, answer_line, hand, play_on
from tests.core.world import Peer
from tyrusd.core.server import Server
from tyrusd.core.session import Session
from tyrusd.core.settings import DEFAULTS
from tyrusd.core.table import Table
from tyrusd.league.match import Match
from tyrusd.rules.deal import Deal
from tyrusd.rules.game import Game
from tyrusd.rules.pieces import ALL_TILES
from tyrusd.wire import messages as wire

FULL: Final = os.environ.get("TYRUSD_FULL_SIZE") == "1"
GAMES: Final = 5000
PLAYED_OUT: Final = 5 if FULL else 250  # one game in so many is played to its end, the others are given up
EVERY: Final = 500  # games from one look at what lives to the next
TRACED: Final = 4000 if FULL else 500  # of the last games the memory is traced as well, which is slow
OPEN: Final = 3  # games that run all the time
KINDS: Final = (Game, Match, Table, Deal, Session)
# Some thousand bytes of each game would be left, and dozens of blocks, if one of its objects were. Forgotten
# deadlines are cleared away in heaps, so over few games memory goes up and down a little.
SLOPE: Final = 20.0 if FULL else 300.0  # bytes a game
BLOCKS: Final = 0.5  # a game


class Look(NamedTuple):
    """What lived after so many games."""

    games: int
    live: dict[str, int]
    blocks: int
    traced: int


def living() -> list[object]:
    """The objects of games and connections that are not garbage."""
    gc.collect()
    return [value for value in gc.get_objects() if type(value) in KINDS]


class House:
    """A server with games that stay open, two who play one after the other, and one who watches."""

    def __init__(self) -> None:
        self._others = living()  # of other tests of this process; held, so that they are still there later
        settings = replace(DEFAULTS, lines_burst=1e9, own_results=10, logins_per_minute=1e9)
        self.stage = Stage(settings)
        for number in range(OPEN):
            one, two = (self.stage.join(f"{name}{number}", "bot") for name in ("open", "idle"))
            again(one, two, "clock=none")
        self.one, self.two = (self.stage.join(name, "bot") for name in ("ada", "bob"))
        self.watcher = self.stage.join("cleo")
        self.ends: Counter[str] = Counter()
        self.played = 0

    def play(self, first: int, last: int) -> None:
        """Play the games with these numbers."""
        for number in range(first, last):
            self._play(number)
            for peer in (self.one, self.two, self.watcher):
                welcome = peer.last(wire.Welcome)
                peer.forget()
                peer.inbox.append(welcome)
            stage = self.stage
            for kept in (stage.journal, stage.stored, stage.news, stage.requests, stage.kept):
                kept.clear()
            stage.wait(0.001)
            self.played = number + 1

    def _play(self, number: int) -> None:
        pair = again(self.one, self.two, "clock=60+1")
        self.watcher.say(f"watch {pair.game}")
        pair.mover.say(answer_line(pair.mover, pair.game))
        if number % PLAYED_OUT == 0:
            play_on(pair.mover, pair.other, pair.game)
        elif number % 7 == 0:
            self._come_back(pair.mover)
        elif number % 11 == 0:
            held = set(hand(pair.other, pair.game))
            wrong = next(str(tile) for tile in ALL_TILES if str(tile) not in held)
            for _ in range(self.stage.server.settings.lenient_bot + 1):
                pair.other.say(answer_line(pair.other, pair.game, wrong))
        if pair.game in self.stage.server.tables:
            pair.other.say(f"resign {pair.game}")
        found = self.watcher.last(wire.Over)
        assert found.game == pair.game
        self.ends[found.reason] += 1
        follows = self.two.got(wire.Start)[-1].game
        if follows != pair.game:  # a drawn game is dealt again
            self.two.say(f"resign {follows}")

    def _come_back(self, peer: Peer) -> None:
        """Lose a connection and take the seat again from another one."""
        back = self.stage.connect()
        back.say(f"resume {peer.last(wire.Welcome).secret}")
        assert back.got(wire.Welcome) and peer.closed
        if peer is self.one:
            self.one = back
        else:
            self.two = back
        del self.stage.peers[peer.number]

    def _live(self) -> dict[str, int]:
        found = Counter(type(value) for value in living())
        found.subtract(type(value) for value in self._others)
        return {kind.__name__: found[kind] for kind in KINDS}

    def look(self) -> Look:
        return Look(self.played, self._live(), sys.getallocatedblocks(), tracemalloc.get_traced_memory()[0])


def expected() -> dict[str, int]:
    """One of each for a game that is open; connections: two for each, the two who play, and the watcher."""
    return dict.fromkeys(("Game", "Match", "Table", "Deal"), OPEN) | {"Session": 2 * OPEN + 3}


def slope(points: list[tuple[int, int]]) -> float:
    """By how much something grew with each game: the median over all pairs of looks."""
    rises = sorted(
        (later[1] - earlier[1]) / (later[0] - earlier[0])
        for place, earlier in enumerate(points)
        for later in points[place + 1 :]
    )
    return rises[len(rises) // 2]


def looks_at(house: House, games: int, every: int) -> list[Look]:
    """Play so many games more; what lived after each so many."""
    found = []
    for first in range(house.played, house.played + games, every):
        house.play(first, first + every)
        found.append(house.look())
    return found


def traced_looks_at(house: House, games: int, every: int) -> list[Look]:
    """The same with memory traced; without the first look, before which caches fill anew."""
    tracemalloc.start()
    try:
        return looks_at(house, games, every)[1:]
    finally:
        tracemalloc.stop()


def blocks(looks: list[Look]) -> float:
    return slope([(look.games, look.blocks) for look in looks])


def memory(looks: list[Look]) -> float:
    return slope([(look.games, look.traced) for look in looks])


def test_f062_five_thousand_games_leave_nothing_behind() -> None:
    """Zomis/Games#304: games that were over were never cleared up, until the memory was full."""
    house = House()
    looks = looks_at(house, GAMES - TRACED, EVERY)
    traced = traced_looks_at(house, TRACED, TRACED // 4)
    assert traced[-1].games == GAMES == house.ends.total()
    for look in looks + traced:
        assert look.live == expected(), look.games
    assert abs(memory(traced)) < SLOPE, traced
    assert FULL or abs(blocks(looks)) < BLOCKS, looks
    server = house.stage.server
    assert len(server.tables) == OPEN and len(server.sessions) == len(server.players) == 2 * OPEN + 3
    assert len(server.storing) == 0 and len(server.archive) <= 20
    assert {"resigned", "illegal", "majority"} < set(house.ends)


def test_f062_control_a_table_that_is_kept_is_seen_in_both_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check above sees it if each game that is over stays in some list."""
    kept: list[Table] = []
    honest = Server.close_table

    def leaking(self: Server, table: Table, now: float) -> None:
        kept.append(table)
        honest(self, table, now)

    monkeypatch.setattr(Server, "close_table", leaking)
    house = House()
    looks, traced = looks_at(house, 60, 20), traced_looks_at(house, 60, 20)
    # Those that were drawn have been dealt again.
    assert traced[-1].live["Game"] == traced[-1].live["Table"] >= OPEN + 120
    assert blocks(looks) > 20 * BLOCKS
    assert memory(traced) > 10 * SLOPE
    kept.clear()
