"""The pairs that a crew has: which games begin when, what they lack until then, and how a pair ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from tyrusd.core.crew_instances import Instances
from tyrusd.core.crew_pairs import Pair, Terms, match_of
from tyrusd.core.crew_programs import CrewBot, Programs
from tyrusd.core.player import Player
from tyrusd.core.requests import PairDone, Unready
from tyrusd.core.restarts import got_through
from tyrusd.core.table import Table
from tyrusd.league.tournament.task import PairTask
from tyrusd.rules.events import Over
from tyrusd.rules.pieces import Side

if TYPE_CHECKING:
    from tyrusd.core.server import Server


class Games:
    """All pairs that have not ended.

    concurrency: games at a time. Pairs that have begun come first, then the others in the order in which they
    came; one that waits for a pause, or for a peer, keeps no place from those behind it.
    """

    def __init__(
        self, bots: Mapping[str, CrewBot], programs: Programs, terms: Terms, concurrency: int
    ) -> None:
        self.concurrency = concurrency
        self.running: dict[str, Pair] = {}  # by game
        self._bots = bots
        self._programs = programs
        self._terms = terms
        self._fresh: dict[tuple[int, int], Pair] = {}
        self._begun: dict[tuple[int, int], Pair] = {}
        self._server: Server

    def __len__(self) -> int:
        return len(self._fresh) + len(self._begun)

    def __contains__(self, key: tuple[int, int]) -> bool:
        return key in self._fresh or key in self._begun

    def attach(self, server: Server) -> None:
        """Learn the server."""
        self._server = server

    def add(self, pair: Pair) -> None:
        """Have one more pair; nobody is told of a game on its deal until it ends."""
        self._fresh[pair.key] = pair
        for needed in self.needed(pair):
            needed.waiting += 1
        self._server.sealed.add(pair.deal)

    def needed(self, pair: Pair) -> list[Instances]:
        """The sets that the games of a pair wait for."""
        return [needed for game in pair.waiting for needed in self._programs.for_game(pair.task, game)]

    def waiting_for(self, instances: Instances) -> Iterator[Pair]:
        """The pairs that wait for a set, those that come first before the others."""
        everything = list(chain(self._begun.values(), self._fresh.values()))
        return (pair for pair in everything if instances in self.needed(pair))

    def _wait_no_more(self, pair: Pair) -> None:
        """No more games of a pair begin here."""
        for needed in self.needed(pair):
            needed.waiting -= 1
        pair.waiting.clear()

    # -- beginning -----------------------------------------------------------------------------------------

    def fill(self, now: float) -> None:
        """Begin as many games as may run, start the programs that more of them need, end idle ones."""
        self._programs.begin_look()
        room = self.concurrency - len(self.running)
        for pair in list(self._begun.values()):
            room -= self._advance(pair, room, now)
        if room > 0:
            for pair in list(self._fresh.values()):
                room -= self._advance(pair, room, now)
                if room <= 0:
                    break
        self._programs.end_look(now)

    def _advance(self, pair: Pair, room: int, now: float) -> int:
        """Begin what can begin of a pair; return the places it takes, those kept for it included."""
        taken = self._begin(pair, room, now) if room > 0 else 0
        for needed in self.needed(pair):
            needed.wanted += 1
        return taken

    def _begin(self, pair: Pair, room: int, now: float) -> int:
        if not pair.begun:
            missing = [needed for needed in self.needed(pair) if not needed.is_here]
            if missing:
                return min(room, len(pair.waiting)) if _lack(missing) else 0
        taken = 0
        for game in pair.waiting[:room]:
            sets = self._programs.for_game(pair.task, game)
            one, two = [instances.free() for instances in sets]
            if one is not None and two is not None:
                self._open(pair, game, (one, two), now)
                taken += 1
            else:
                short = [needed for needed, free in zip(sets, (one, two), strict=True) if free is None]
                taken += _lack(short)
        return taken

    def _open(self, pair: Pair, game: int, players: tuple[Player, Player], now: float) -> None:
        task = pair.task
        ivory, brown = [self._bots[name] for name in task.seats(game)]
        fillings = (str(ivory.spec), str(brown.spec))
        match = match_of(task, game, (ivory.control, brown.control), fillings, self._terms)
        self._fresh.pop(pair.key, None)
        self._begun[pair.key] = pair
        pair.waiting.remove(game)
        pair.running.add(match.game_id)
        self.running[match.game_id] = pair
        for instances, player in zip(self._programs.for_game(task, game), players, strict=True):
            instances.waiting -= 1
            instances.restarts.failures = 0
            instances.use(player)
        self._server.open_table(match, players, now, pair.deal)

    # -- ending --------------------------------------------------------------------------------------------

    def over(self, table: Table) -> None:
        """Note the end of a game, and that of its pair."""
        pair = self.running.pop(table.game)
        pair.running.remove(table.game)
        pair.told.append(table.game)
        told = (table.ending or (None,))[-1]
        aborted = isinstance(told, Over) and told.reason == "aborted"
        pair.whole = pair.whole and not aborted
        assert table.match.ladder is not None
        sets = self._programs.for_game(pair.task, table.match.ladder.place.game)
        for side in Side:
            sets[side].use(table.players[side])
            if aborted and pair.unready is None:
                sets[side].retire(table.players[side])
        for side in got_through(table.match.game.outcome):
            sets[side].restarts.crashes = 0
        self._end_if_over(pair)

    def give_up(self, pair: Pair, bot: str, why: str, now: float) -> None:
        """A pair cannot be played since a bot is not ready: what runs of it does not count any more."""
        pair.unready = (bot, why)
        self._wait_no_more(pair)
        for game in list(pair.running):
            table = self._server.tables.get(game)  # None in the step in which its end is told
            if table is not None:
                table.stop(None, "aborted", "unready", now)
        self._end_if_over(pair)

    def withdraw(self, halves: bool) -> tuple[PairTask, ...]:
        """Give back the pairs that have not begun; halves: also what has not begun of the others."""
        given_back = []
        for pair in [*(self._begun.values() if halves else ()), *self._fresh.values()]:
            if pair.waiting:
                given_back.append(replace(pair.task, games=tuple(pair.waiting)))
                self._wait_no_more(pair)
                pair.whole = False
                if pair.begun:
                    self._end_if_over(pair)
                else:
                    self._forget(pair)
        return tuple(given_back)

    def _end_if_over(self, pair: Pair) -> None:
        """Say how a pair went, once nothing of it waits or runs, and forget it."""
        if pair.waiting or pair.running:
            return
        self._forget(pair)
        if pair.unready is None:
            self._server.news(PairDone(*pair.key))
        else:
            self._server.news(Unready(*pair.key, *pair.unready))

    def _forget(self, pair: Pair) -> None:
        """Nothing more of a pair is played here: its games may be told, unless its deal is needed again."""
        (self._begun if pair.begun else self._fresh).pop(pair.key)
        self._server.sealed.discard(pair.deal)
        if not pair.whole and pair.unready is None:
            self._server.archive.withhold(pair.told)


def _lack(missing: list[Instances]) -> bool:
    """Note that a game lacks places in these sets; tell whether all of them can be had soon."""
    blocked = [instances for instances in missing if instances.is_blocked]
    for instances in blocked or missing:
        instances.lacking += 1
    return not blocked
