"""All programs of a ladder: two sets for each bot, started when games lack them, ended when they idle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from typing import TYPE_CHECKING, Final, NamedTuple

from tyrusd.core.crew_instances import Instances
from tyrusd.core.player import Player
from tyrusd.core.seatspec import SeatSpec
from tyrusd.core.timers import Action
from tyrusd.league.clock import TimeControl
from tyrusd.league.tournament.task import PairTask

if TYPE_CHECKING:
    from tyrusd.core.server import Server

_NOT_NEEDED: Final = "No game is waiting for you now."


class CrewBot(NamedTuple):
    """One entrant: its name, its filling, the time it gets in each game, and the key of a tcp seat."""

    name: str
    spec: SeatSpec
    control: TimeControl
    key: str | None = None

    def __repr__(self) -> str:
        return f"CrewBot({self.name!r}, {str(self.spec)!r}, {self.control!r})"


class Programs:
    """The sets of all bots.

    shared: one set for both games of a pair, as no ladder should have it. idle: programs that nothing waits
    for and that are kept. wait: seconds for a tcp bot to come. look: what is to be done when programs may be
    started again; absent: when a tcp bot has not come in time.
    """

    def __init__(
        self,
        bots: Sequence[CrewBot],
        *,
        shared: bool,
        idle: int,
        wait: float,
        look: Action,
        absent: Callable[[Instances, str, float], None],
    ) -> None:
        self._sets: dict[tuple[str, int], Instances] = {}
        self._started: dict[int, Instances] = {}  # by StartBot request
        self._idle = idle
        self._wait = wait
        self._look = look
        self._absent = absent
        self._server: Server
        uses = count()
        for bot in bots:
            first = self._sets[bot.name, 1] = Instances(bot.name, bot.spec, 1, uses)
            alone = shared or first.is_remote
            self._sets[bot.name, 2] = first if alone else Instances(bot.name, bot.spec, 2, uses)
        self._all = list(dict.fromkeys(self._sets.values()))

    def attach(self, server: Server) -> None:
        """Learn the server."""
        self._server = server

    def for_game(self, task: PairTask, game: int) -> tuple[Instances, Instances]:
        """The sets that play Ivory and Brown in a game of a pair."""
        ivory, brown = task.seats(game)
        return self._sets[ivory, game], self._sets[brown, game]

    def of(self, player: Player) -> Instances:
        """The set that a player is or was in."""
        return self._sets[player.name, 1] if player.bot is None else self._started[player.bot]

    def ready(self, player: Player) -> None:
        """A program or a peer is here, or back."""
        instances = self.of(player)
        if player not in instances.players:
            instances.arrive(player)
            self._server.timers.clear(("seat", instances.key))

    def unready(self, bot: int) -> Instances:
        """A program that was to come will not; return the set that lacks it."""
        return self._started.pop(bot)

    def gone(self, player: Player) -> None:
        """A player is gone."""
        self._started.pop(player.bot or 0, None)

    def pause(self, instances: Instances, now: float) -> None:
        """A program has ended that nobody told to: the more of them in a row, the later comes the next."""
        pause = instances.restarts.pause
        if pause:
            instances.paused = True
            due = now + pause
            self._server.timers.set(("restart", instances.key), due, lambda at: self._resume(instances, at))

    def _resume(self, instances: Instances, now: float) -> None:
        instances.paused = False
        self._look(now)

    def begin_look(self) -> None:
        """What games lack and want is noted anew."""
        for instances in self._all:
            instances.lacking = instances.wanted = 0

    def end_look(self, now: float) -> None:
        """Have programs started and peers waited for as far as games lack them; end what is idle."""
        for instances in self._all:
            for _ in range(instances.to_start()):
                bot = self._server.programs.start(instances.name, instances.spec, now)
                self._started[bot.id] = instances
                instances.start(bot.id)
            if instances.is_remote:
                self._expect(instances, now)
        self._end_idle(now)

    def _expect(self, instances: Instances, now: float) -> None:
        """Wait for a tcp bot that a game lacks; it is waited for as long as some game does not begin."""
        key = ("seat", instances.key)
        if instances.players or not instances.waiting:
            self._server.timers.clear(key)
        elif instances.lacking and key not in self._server.timers:
            why = f"nobody took the seat {instances.name} with its key within {self._wait:g} s"
            due = now + self._wait
            self._server.timers.set(key, due, lambda at: self._absent(instances, why, at))

    def _end_idle(self, now: float) -> None:
        """Of the programs that nothing is waiting for keep only so many, those that were used last."""
        spare = {used: player for instances in self._all for used, player in instances.spare()}
        going = [spare[used] for used in sorted(spare)[: max(0, len(spare) - self._idle)]]
        for instances in self._all:
            going += [player for player in instances.retiring if not player.seats]
        for player in going:
            instances = self.of(player)
            instances.leave(player)
            instances.forget(player)
            if player.session is not None:
                self._server.presence.dismiss(player.session, "bye", _NOT_NEEDED, now)

    def conclude(self) -> None:
        """Nothing more is started."""
        for instances in self._all:
            self._server.timers.clear(("restart", instances.key))
            self._server.timers.clear(("seat", instances.key))
