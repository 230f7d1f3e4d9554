"""The director of a ladder's games: pairs come in, their games are played by two sets of programs a bot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from tyrusd.core.crew_games import Games
from tyrusd.core.crew_instances import Instances
from tyrusd.core.crew_pairs import Pair, Terms
from tyrusd.core.crew_programs import CrewBot, Programs
from tyrusd.core.director import Bot
from tyrusd.core.failures import Refused
from tyrusd.core.player import Player
from tyrusd.core.requests import Finished
from tyrusd.core.restarts import FAILURES
from tyrusd.core.seatkeys import SeatKeys, free_name
from tyrusd.core.session import Session
from tyrusd.core.table import Table
from tyrusd.league.tournament.task import PairTask
from tyrusd.rules.variants import Variant
from tyrusd.wire import Phase
from tyrusd.wire import messages as wire

if TYPE_CHECKING:
    from tyrusd.core.server import Server

_IDLE: Final = 16
_DONE: Final = "All games of this ladder that were to be played here are over."


class Crew:
    """Plays the pairs of games that it is given, any number of them at once, and tells how each went.

    bots: the entrants. concurrency: games at a time. machine: host and processor, for the records. wait:
    seconds a tcp bot may take to come, or to come back. ponder: what the seats are told about thinking on the
    other side's time. shared: play both games of a pair with one set of programs, as no ladder should. idle:
    programs without a game that are kept for later. max_failures: programs of a bot in a row that never get
    ready, after which a pair that waits for one is told to be unready.

    A bot's first games and its second games are played by two sets of programs; a tcp bot is one peer. No
    game of a pair begins before somebody is here for each of its games. A pair that is not given back ends
    with one piece of news, PairDone or Unready, after the last GameOver of its games. A game that ends as
    `aborted` has no result; the pair's owner decides whether it is played once more. Raises ValueError for
    bots of one name.
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
        self.wait = wait
        self.max_failures = max_failures
        self.done = False  # everything is played and told
        self._finishing = False
        self._keys = SeatKeys("ladder", {bot.name: bot.key for bot in bots})
        self._programs = Programs(
            bots, shared=shared, idle=idle, wait=wait, look=self._look, absent=self._absent
        )
        self._games = Games(self.bots, self._programs, Terms(variant, ponder, machine), concurrency)
        self._server: Server

    def __repr__(self) -> str:
        return f"<Crew of {len(self.bots)}: {self.running} games of {self.outstanding} pairs>"

    # -- what the host asks --------------------------------------------------------------------------------
    # Each of these is a step of the server: collect its round afterwards.

    @property
    def outstanding(self) -> int:
        """How many pairs have neither ended nor been given back."""
        return len(self._games)

    @property
    def running(self) -> int:
        """How many games have begun and are not told yet."""
        return len(self._games.running)

    @property
    def concurrency(self) -> int:
        """How many games may run at once."""
        return self._games.concurrency

    def play(self, task: PairTask, now: float) -> None:
        """Play a pair as soon as there is room.

        Raises ValueError for bots that are not here, a pair that is here already, or when no more may come.
        """
        pair = Pair(task)
        if not {task.first, task.second} <= self.bots.keys() or task.first == task.second:
            raise ValueError(f"pair {task.pair} is {task.first} against {task.second}: not two bots of here")
        if not task.games or not {1, 2}.issuperset(task.games):
            raise ValueError(f"pair {task.pair} has games {task.games}: it wants 1, 2 or both")
        if pair.key in self._games:
            raise ValueError(f"pair {task.pair}, attempt {task.attempt}, is being played already")
        if self._finishing:
            raise ValueError("no more pairs can come after finish()")
        self._server.step(lambda at: self._add(pair, at), now)

    def limit(self, concurrency: int, now: float) -> None:
        """Play so many games at a time from now on, 0 for none; what has begun goes on."""
        self._games.concurrency = concurrency
        self._server.step(self._look, now)

    def withdraw(self, now: float, *, halves: bool = False) -> tuple[PairTask, ...]:
        """Give back the pairs of which no game has begun, in the order in which they came.

        halves: before them, also the second games of pairs whose first has begun; such a pair ends with its
        first, and nobody is told of that as long as this server lives.
        """
        return self._server.step(lambda at: self._withdraw(halves, at), now)

    def finish(self, now: float) -> None:
        """No more pairs will come: conclude as soon as nothing is left to play."""
        self._finishing = True
        self._server.step(self._look, now)

    def _add(self, pair: Pair, now: float) -> None:
        self._games.add(pair)
        self._look(now)

    def _withdraw(self, halves: bool, now: float) -> tuple[PairTask, ...]:
        given_back = self._games.withdraw(halves)
        self._look(now)
        return given_back

    # -- who comes and goes --------------------------------------------------------------------------------

    def attach(self, server: Server, now: float) -> None:
        """Learn the server; programs are started when games need them."""
        self._server = server
        self._programs.attach(server)
        self._games.attach(server)

    def name_for(self, session: Session, hello: wire.Hello) -> str:
        """Only the holder of a seat's key comes in."""
        return self._keys.admit(self._server, session, hello)

    def bot_name(self, bot: Bot) -> str:
        """Programs of one bot share its name in the records; here the later ones get a number."""
        return free_name(bot.name, self._server.players, [name.lower() for name in self.bots])

    def display_of(self, player: Player) -> str | None:
        """Nobody has an account here."""
        return None

    def phase_of(self, player: Player) -> Phase:
        """A ladder has no lobby."""
        return Phase.SEAT

    def holds(self, player: Player) -> float:
        """A peer with a key may come back between its games, too; a program is started anew."""
        return 0.0 if self.done or player.bot is not None else self.wait

    def ready(self, player: Player, now: float) -> None:
        """A program or a peer is here, or back."""
        self._programs.ready(player)
        self._look(now)

    def gone(self, player: Player, now: float) -> None:
        """A program has ended, or a peer has stayed away too long."""
        instances = self._programs.of(player)
        self._programs.gone(player)
        if player not in instances.players or self._server.closing_down.begun:
            return  # it was told to go
        had_a_game = instances.leave(player)
        if instances.is_remote:
            # It may come again with its key, and is waited for like one that never came.
            self._look(now)
            return
        if had_a_game:
            instances.restarts.crashes += 1
            self._programs.pause(instances, now)
        else:
            self._failed(instances, player.bot, "it ended before it had a game", now)
        self._look(now)

    def bot_failed(self, bot: Bot, why: str, now: float) -> None:
        """A program never became ready."""
        self._failed(self._programs.unready(bot.id), bot.id, why, now)
        self._look(now)

    def _failed(self, instances: Instances, bot: int | None, why: str, now: float) -> None:
        """A program has not become ready: after some in a row the pair that waits for longest is given up."""
        if not instances.fail(bot):
            return
        restarts = instances.restarts
        restarts.failures += 1
        restarts.crashes += 1
        if restarts.failures >= self.max_failures:
            restarts.failures = 0
            self._give_up_one(instances, why, now)
        self._programs.pause(instances, now)

    def _absent(self, instances: Instances, why: str, now: float) -> None:
        """A tcp bot has not come in time: the pair that has waited longest is given up."""
        self._give_up_one(instances, why, now)
        self._look(now)

    def _give_up_one(self, instances: Instances, why: str, now: float) -> None:
        pair = next(self._games.waiting_for(instances), None)
        if pair is not None:
            self._games.give_up(pair, instances.name, why, now)

    # -- games ---------------------------------------------------------------------------------------------

    def _look(self, now: float) -> None:
        """Begin what can begin; once nothing is left and nothing will come, say so."""
        if self.done or self._server.closing_down.begun:
            return
        self._games.fill(now)
        if self._finishing and not self._games:
            self.done = True
            self._programs.conclude()
            self._server.news(Finished())
            self._server.conclude(_DONE, now)

    def handle(self, session: Session, player: Player, message: wire.ClientMessage, now: float) -> int | None:
        """Refuse: a ladder has no lobby, and the phase table says so first."""
        raise Refused("state", "A ladder has no lobby.")

    def deals_again(self, table: Table) -> bool:
        """Which game comes next is nobody's business."""
        return False

    def over(self, table: Table, now: float) -> None:
        """Note the end of a game; go on."""
        self._games.over(table)
        self._look(now)

    def draining(self, now: float) -> None:
        """Stop: what is running ends by itself or is aborted; pairs that are not over stay so."""
        self._programs.conclude()


__all__ = ["Crew", "CrewBot"]
