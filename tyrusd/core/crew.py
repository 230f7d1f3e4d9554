"""The director of a ladder's games: pairs come in, their games are played by two sets of programs a bot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tyrusd.core.crew_instances import Instances
from tyrusd.core.crew_pairs import Pair, match_of
from tyrusd.core.crew_programs import CrewBot, Programs
from tyrusd.core.director import Bot
from tyrusd.core.failures import Refused
from tyrusd.core.player import Player
from tyrusd.core.requests import Finished, PairDone, Unready
from tyrusd.core.restarts import FAILURES, got_through
from tyrusd.core.seatkeys import SeatKeys, free_name
from tyrusd.core.session import Session
from tyrusd.core.table import Table
from tyrusd.league.tournament.task import PairTask
from tyrusd.rules.events import Over
from tyrusd.rules.pieces import Side
from tyrusd.rules.variants import Variant
from tyrusd.wire import Phase
from tyrusd.wire import messages as wire

if TYPE_CHECKING:
    from tyrusd.core.server import Server

_IDLE: Final = 16
_LEFT: Final = "{} has left and its key is used up"
_DONE: Final = "All games of this ladder that were to be played here are over."


class Crew:
    """Plays the pairs of games that it is given, any number of them at once, and tells how each went.

    bots: the entrants. concurrency: games at a time. machine: host and processor, for the records. wait:
    seconds a tcp bot may take to come, or to come back. ponder: what the seats are told about thinking on the
    other side's time. shared: play both games of a pair with one set of programs, as no ladder should. idle:
    programs without a game that are kept for later. max_failures: programs of a bot in a row that never get
    ready, after which a pair that waits for one is told to be unready.

    A bot's first games and its second games are played by two sets of programs; a tcp bot is one peer. No
    game of a pair begins before somebody is here for each of its games. Each pair ends with one piece of
    news, PairDone or Unready, after the last GameOver of its games. Raises ValueError for bots of one name.
    """

    def __init__(
        self,
        bots: Sequence[CrewBot],
        variant: Variant,
        *,
        concurrency: int,
        machine: tuple[str, str],
        wait: float = 60.0,
        ponder: bool = True,
        shared: bool = False,
        idle: int = _IDLE,
        max_failures: int = FAILURES,
    ) -> None:
        self.bots = {bot.name: bot for bot in bots}
        if len({bot.name.lower() for bot in bots}) < len(bots):
            raise ValueError("two bots of a ladder have one name; give them different names")
        self.variant = variant
        self.concurrency = concurrency
        self.machine = machine
        self.wait = wait
        self.ponder = ponder
        self.max_failures = max_failures
        self.done = False  # everything is played and told
        self._finishing = False
        self._filling = False
        self._keys = SeatKeys("ladder", {bot.name: bot.key for bot in bots})
        self._pairs: dict[tuple[int, int], Pair] = {}
        self._games: dict[str, Pair] = {}
        self._programs = Programs(
            bots, shared=shared, idle=idle, wait=wait, look=self._fill, absent=self._absent
        )
        self._server: Server

    def __repr__(self) -> str:
        return f"<Crew of {len(self.bots)}: {self.running} games of {self.outstanding} pairs>"

    # -- what the host asks --------------------------------------------------------------------------------
    # Each of these is a step of the server: collect its round afterwards.

    @property
    def outstanding(self) -> int:
        """How many pairs have neither ended nor been given back."""
        return len(self._pairs)

    @property
    def running(self) -> int:
        """How many games have begun and are not told yet."""
        return len(self._games)

    def play(self, task: PairTask, now: float) -> None:
        """Play a pair as soon as there is room.

        Raises ValueError for bots that are not here, a pair that is here already, or when no more may come.
        """
        pair = Pair(task)
        if not {task.first, task.second} <= self.bots.keys() or task.first == task.second:
            raise ValueError(f"pair {task.pair} is {task.first} against {task.second}: not two bots of here")
        if pair.key in self._pairs:
            raise ValueError(f"pair {task.pair}, attempt {task.attempt}, is being played already")
        if self._finishing:
            raise ValueError("no more pairs can come after finish()")
        self._pairs[pair.key] = pair
        self._server.sealed.add(pair.deal)
        for needed in self._needed(pair):
            if needed.left and pair.unready is None:
                self._give_up(pair, needed, _LEFT.format(needed.name), now)
        self._server.step(self._fill, now)

    def limit(self, concurrency: int, now: float) -> None:
        """Play so many games at a time from now on, 0 for none; what has begun goes on."""
        self.concurrency = concurrency
        self._server.step(self._fill, now)

    def withdraw(self, now: float, *, halves: bool = False) -> tuple[PairTask, ...]:
        """Give back the pairs of which no game has begun, in the order in which they came.

        halves: also the second games of pairs whose first has begun; such a pair then ends with its first.
        """
        return self._server.step(lambda at: self._withdraw(halves, at), now)

    def finish(self, now: float) -> None:
        """No more pairs will come: conclude as soon as nothing is left to play."""
        self._finishing = True
        self._server.step(self._finish_if_over, now)

    def _withdraw(self, halves: bool, now: float) -> tuple[PairTask, ...]:
        given_back = []
        for pair in list(self._pairs.values()):
            if not pair.waiting or (pair.begun and not halves):
                continue
            given_back.append(replace(pair.task, games=tuple(pair.waiting)))
            pair.waiting.clear()
            pair.whole = False
            if not pair.begun:
                self._forget(pair)
            elif not pair.running:
                self._end(pair)
        self._fill(now)
        self._finish_if_over(now)
        return tuple(given_back)

    # -- who comes and goes --------------------------------------------------------------------------------

    def attach(self, server: Server, now: float) -> None:
        """Learn the server; programs are started when games need them."""
        self._server = server
        self._programs.attach(server)

    def name_for(self, session: Session, hello: wire.Hello) -> str:
        """Only the holder of a seat's key comes in, once."""
        return self._keys.admit(self._server, session, hello)

    def bot_name(self, bot: Bot) -> str:
        """Programs of one bot share its name in the records; here the later ones get a number."""
        return free_name(bot.name, self._server.players, [name.lower() for name in self.bots])

    def phase_of(self, player: Player) -> Phase:
        """A ladder has no lobby."""
        return Phase.SEAT

    def holds(self, player: Player) -> float:
        """A peer with a key may come back between its games, too; a program is started anew."""
        return 0.0 if self.done or player.bot is not None else self.wait

    def ready(self, player: Player, now: float) -> None:
        """A program or a peer is here, or back."""
        self._programs.ready(player)
        self._fill(now)

    def gone(self, player: Player, now: float) -> None:
        """A program has ended, or a peer has stayed away too long."""
        instances = self._programs.of(player)
        self._programs.gone(player)
        if player not in instances.players or self._server.closing_down.begun:
            return  # it was told to go
        had_a_game = instances.leave(player)
        if instances.is_remote:
            instances.left = True
            self._turn_away(instances, now)
        elif had_a_game:
            instances.restarts.crashes += 1
            self._programs.pause(instances, now)
        else:
            self._failed(instances, "it ended before it had a game", now)
        self._fill(now)
        self._finish_if_over(now)

    def bot_failed(self, bot: Bot, why: str, now: float) -> None:
        """A program never became ready."""
        self._failed(self._programs.unready(bot.id), why, now)
        self._fill(now)
        self._finish_if_over(now)

    def _absent(self, instances: Instances, why: str, now: float) -> None:
        """A tcp bot has not come in time: the pair that has waited longest is given up."""
        self._give_up_oldest(instances, why, now)
        self._fill(now)
        self._finish_if_over(now)

    def _failed(self, instances: Instances, why: str, now: float) -> None:
        """No program has become ready: after some in a row the pair that has waited longest is given up."""
        restarts = instances.restarts
        restarts.failures += 1
        restarts.crashes += 1
        if restarts.failures >= self.max_failures:
            restarts.failures = 0
            self._give_up_oldest(instances, why, now)
        self._programs.pause(instances, now)

    def _give_up_oldest(self, instances: Instances, why: str, now: float) -> None:
        waiting = [pair for pair in self._in_order() if instances in self._needed(pair)]
        if waiting:
            self._give_up(waiting[0], instances, why, now)

    def _turn_away(self, instances: Instances, now: float) -> None:
        """Give up all pairs that wait for a peer that will not come any more."""
        for pair in self._in_order():
            if instances in self._needed(pair):
                self._give_up(pair, instances, _LEFT.format(instances.name), now)

    def _give_up(self, pair: Pair, instances: Instances, why: str, now: float) -> None:
        """A pair cannot be played: what runs of it counts no more."""
        pair.unready = (instances.name, why)
        pair.waiting.clear()
        for game in list(pair.running):
            self._server.tables[game].stop(None, "aborted", "unready", now)
        if not pair.running:
            self._end(pair)

    # -- games ---------------------------------------------------------------------------------------------

    def _in_order(self) -> list[Pair]:
        """All pairs: first those that have begun, each kind in the order in which they came."""
        return sorted(self._pairs.values(), key=lambda pair: not pair.begun)

    def _needed(self, pair: Pair) -> list[Instances]:
        """The sets that the games of a pair wait for."""
        return [needed for game in pair.waiting for needed in self._programs.for_game(pair.task, game)]

    def _fill(self, now: float) -> None:
        """Begin as many games as may run, start the programs that more of them need, end idle ones."""
        if self._filling or self.done or self._server.closing_down.begun:
            return
        self._filling = True
        self._programs.begin_look()
        room = self.concurrency - self.running
        for pair in self._in_order():
            if room > 0:
                room -= self._advance(pair, room, now)
            elif not pair.begun:
                break
            for needed in self._needed(pair):
                needed.wanted += 1
        self._programs.end_look(now)
        self._filling = False

    def _advance(self, pair: Pair, room: int, now: float) -> int:
        """Begin what can begin of a pair; return the places it takes, those kept for it included."""
        if not pair.begun:
            missing = [needed for needed in self._needed(pair) if not needed.is_here]
            if missing:
                return min(room, len(pair.waiting)) if self._lack(missing) else 0
        taken = 0
        for game in list(pair.waiting):
            if taken == room:
                break
            sets = self._programs.for_game(pair.task, game)
            one, two = [instances.free() for instances in sets]
            if one is not None and two is not None:
                self._open(pair, game, (one, two), now)
                taken += 1
            elif self._lack([needed for needed, free in zip(sets, (one, two), strict=True) if free is None]):
                taken += 1
        return taken

    def _lack(self, missing: list[Instances]) -> bool:
        """Note that a game lacks places in these sets; tell whether all of them can be had soon."""
        blocked = [instances for instances in missing if instances.is_blocked]
        for instances in blocked or missing:
            instances.lacking += 1
        return not blocked

    def _open(self, pair: Pair, game: int, players: tuple[Player, Player], now: float) -> None:
        task = pair.task
        ivory, brown = [self.bots[name] for name in task.seats(game)]
        match = match_of(
            task,
            game,
            self.variant,
            (ivory.control, brown.control),
            (str(ivory.spec), str(brown.spec)),
            self.ponder,
            self.machine,
        )
        pair.waiting.remove(game)
        pair.running.add(match.game_id)
        self._games[match.game_id] = pair
        for instances, player in zip(self._programs.for_game(task, game), players, strict=True):
            instances.restarts.failures = 0
            instances.use(player)
        self._server.open_table(match, players, now, pair.deal)

    def handle(self, session: Session, player: Player, message: wire.ClientMessage, now: float) -> int | None:
        """Refuse: a ladder has no lobby, and the phase table says so first."""
        raise Refused("state", "A ladder has no lobby.")

    def next_game(self, table: Table) -> str | None:
        """Which game comes next is nobody's business."""
        return None

    def over(self, table: Table, now: float) -> None:
        """Note the end of a game, and that of its pair; go on."""
        pair = self._games.pop(table.game)
        pair.running.remove(table.game)
        pair.told.append(table.game)
        ladder = table.match.ladder
        outcome = table.match.game.outcome
        if ladder is not None:
            sets = self._programs.for_game(pair.task, ladder.place.game)
            for side in Side:
                sets[side].use(table.players[side])
            for side in got_through(outcome):
                sets[side].restarts.crashes = 0
        told = (table.ending or (None,))[-1]
        if isinstance(told, Over) and told.reason == "aborted":
            pair.whole = False
        if not pair.running and not pair.waiting:
            self._end(pair)
        self._fill(now)
        self._finish_if_over(now)

    def draining(self, now: float) -> None:
        """Stop: what is running ends by itself or is aborted; pairs that are not over stay so."""

    def _end(self, pair: Pair) -> None:
        """Say how a pair went, and forget it."""
        self._forget(pair)
        if pair.unready is None:
            self._server.news(PairDone(*pair.key))
        else:
            self._server.news(Unready(*pair.key, *pair.unready))

    def _forget(self, pair: Pair) -> None:
        """Nothing more of a pair is played here: its games may be told, unless its deal is needed again."""
        del self._pairs[pair.key]
        self._server.sealed.discard(pair.deal)
        if not pair.whole and pair.unready is None:
            self._server.archive.withhold(pair.told)

    def _finish_if_over(self, now: float) -> None:
        """Say that nothing more will come, once the last pair is told."""
        if not self._finishing or self._pairs or self.done or self._server.closing_down.begun:
            return
        self.done = True
        self._programs.conclude()
        self._server.news(Finished())
        self._server.conclude(_DONE, now)


__all__ = ["Crew", "CrewBot"]
