"""The director of `tyrusd match`: two seats, so many games, and who of each seat plays next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tyrusd.core.director import Bot
from tyrusd.core.failures import Refused
from tyrusd.core.player import Player
from tyrusd.core.requests import Finished, Halted
from tyrusd.core.restarts import FAILURES, Restarts, got_through
from tyrusd.core.seatkeys import SeatKeys, free_name
from tyrusd.core.seatspec import SeatSpec
from tyrusd.core.session import Session
from tyrusd.core.table import Table
from tyrusd.league.clock import TimeControl
from tyrusd.league.match import Match
from tyrusd.rules.deal import deal_from_bytes, game_secret, seat_seed
from tyrusd.rules.pieces import Side
from tyrusd.rules.variants import Variant
from tyrusd.wire import Phase
from tyrusd.wire import messages as wire

if TYPE_CHECKING:
    from tyrusd.core.server import Server


@dataclass(slots=True)
class Entry:
    """One seat of a match: its name in the records, its filling, and the key of a tcp seat."""

    name: str
    spec: SeatSpec
    key: str | None = field(default=None, repr=False)
    players: list[Player] = field(default_factory=list)
    starting: set[int] = field(default_factory=set)  # StartBot requests whose programs are not ready
    restarts: Restarts = field(default_factory=Restarts)


class Schedule:
    """Plays `games` games between two seats; seat 1 is Ivory in odd games, and every game is a fresh deal.

    secret_of: the secret of a game by its number, from which its deal and the seats' seeds derive. wait: how
    many seconds a tcp seat may take to come, or to come back. A program that has ended is started again: at
    once, the next time after a second, then after two, and so on; max_crashes: so many in a row, none of
    which has got through a game, halt the match. ponder: what the seats are told about thinking on the other
    side's time. Raises ValueError for two seats of one name.
    """

    def __init__(
        self,
        entries: tuple[Entry, Entry],
        games: int,
        seed: str,
        variant: Variant,
        control: TimeControl,
        concurrency: int = 1,
        wait: float = 60.0,
        secret_of: Callable[[str, int], bytes] = game_secret,
        max_crashes: int = 10,
        ponder: bool = True,
    ) -> None:
        if entries[0].name.lower() == entries[1].name.lower():
            raise ValueError(f"both seats are called {entries[0].name}; give them different names")
        self.entries = entries
        self.games = games
        self.seed = seed
        self.variant = variant
        self.control = control
        self.concurrency = concurrency
        self.wait = wait
        self.max_crashes = max_crashes
        self.ponder = ponder
        self.halted = False
        self.done = False  # no more games begin
        self._secret_of = secret_of
        self._drained = False
        self._finished = False
        self._keys = SeatKeys("match", {entry.name: entry.key for entry in entries})
        self._next = 1
        self._seated: set[Player] = set()  # programs that have had a game
        self._running: dict[str, tuple[int, int]] = {}  # game -> (which entry is Ivory, number)
        self._server: Server

    def attach(self, server: Server, now: float) -> None:
        """Learn the server and start the first programs."""
        self._server = server
        for entry in self.entries:
            if entry.key is not None:
                self._expect(entry, now)
        self._fill(now)

    # -- seats ---------------------------------------------------------------------------------------------

    def name_for(self, session: Session, hello: wire.Hello) -> str:
        """Only the holder of a seat's key comes in."""
        return self._keys.admit(self._server, session, hello)

    def bot_name(self, bot: Bot) -> str:
        """Programs of one seat share its name in the records; here the later ones get a number."""
        return free_name(bot.name, self._server.players, [entry.name.lower() for entry in self.entries])

    def display_of(self, player: Player) -> str | None:
        """Nobody has an account here."""
        return None

    def phase_of(self, player: Player) -> Phase:
        """A match has no lobby."""
        return Phase.SEAT

    def holds(self, player: Player) -> float:
        """A peer with a key may come back between its games, too; a program is started anew."""
        return 0.0 if self.done or player.bot is not None else self.wait

    def _entry_of(self, player: Player) -> Entry:
        one, two = self.entries
        if player.bot is None:
            return one if player.name == one.name else two
        return one if player.bot in one.starting else two

    def ready(self, player: Player, now: float) -> None:
        """A seat's program or peer is here, or back."""
        if not any(player in entry.players for entry in self.entries):
            entry = self._entry_of(player)
            entry.players.append(player)
            player.known_as = entry.name
            entry.starting.discard(player.bot or 0)
            self._server.timers.clear(("seat", entry.name))
        self._fill(now)

    def gone(self, player: Player, now: float) -> None:
        """A program has ended, or a peer has stayed away too long."""
        for entry in self.entries:
            if player in entry.players:
                entry.players.remove(player)
                if entry.spec.kind == "tcp":
                    self._halt(f"{entry.name} has left the match and did not come back", now)
                elif player in self._seated:
                    self._seated.remove(player)
                    self._crashed(entry, now)
                else:
                    self._failed(entry, "it ended before it had a game", now)
        self._fill(now)

    def bot_failed(self, bot: Bot, why: str, now: float) -> None:
        """A program never became ready: once more, then the match cannot be played."""
        entry = self.entries[0] if bot.id in self.entries[0].starting else self.entries[1]
        entry.starting.discard(bot.id)
        self._failed(entry, why, now)
        self._fill(now)

    def _failed(self, entry: Entry, why: str, now: float) -> None:
        entry.restarts.failures += 1
        if entry.restarts.failures >= FAILURES:
            self._halt(f"{entry.name} ({entry.spec}) cannot play: {why}", now)

    def _crashed(self, entry: Entry, now: float) -> None:
        """A program has ended that nobody told to: the more of them in a row, the later comes the next."""
        restarts = entry.restarts
        restarts.crashes += 1
        if self._next > self.games:
            return  # it is not needed any more
        if restarts.crashes >= self.max_crashes:
            times = "once" if restarts.crashes == 1 else f"{restarts.crashes} times in a row"
            self._halt(
                f"{entry.name} ({entry.spec}) ended {times} without getting through a game; "
                "mend it, or allow more with --max-restarts",
                now,
            )
        elif restarts.pause and not self.done:
            self._server.timers.set(("restart", entry.name), now + restarts.pause, self._fill)

    def _expect(self, entry: Entry, now: float) -> None:
        sentence = f"nobody took the seat {entry.name} with its key within {self.wait:g} s"
        self._server.timers.set(("seat", entry.name), now + self.wait, lambda at: self._halt(sentence, at))

    # -- games ---------------------------------------------------------------------------------------------

    def _fill(self, now: float) -> None:
        """Begin as many games as may run, and start the programs that more of them would need."""
        if self.done or self._server.closing_down.begun:
            return
        while self._next <= self.games and len(self._running) < self.concurrency:
            free = [self._free(entry) for entry in self.entries]
            missing = [entry for entry, player in zip(self.entries, free, strict=True) if player is None]
            for entry in missing:
                self._start(entry, now)
            one, two = free
            if one is None or two is None:
                return
            self._open((one, two), now)

    def _free(self, entry: Entry) -> Player | None:
        return next(
            (player for player in entry.players if player.has_room and player.session is not None), None
        )

    def _start(self, entry: Entry, now: float) -> None:
        wanted = min(self.concurrency, self.games - self._next + 1 + len(self._running))
        if entry.spec.kind == "tcp" or entry.starting or len(entry.players) >= wanted:
            return
        if ("restart", entry.name) in self._server.timers:
            return
        entry.starting.add(self._server.programs.start(entry.name, entry.spec, now).id)

    def _open(self, players: tuple[Player, Player], now: float) -> None:
        number, self._next = self._next, self._next + 1
        ivory = 0 if number % 2 else 1
        secret = self._secret_of(self.seed, number)
        names = (self.entries[ivory].name, self.entries[1 - ivory].name)
        match = Match(
            self._server.new_game_id(),
            number,
            deal_from_bytes(secret),
            self.variant,
            (self.control, self.control),
            (0, 0),
            names,
            (seat_seed(secret, Side.IVORY), seat_seed(secret, Side.BROWN)),
            (str(self.entries[ivory].spec), str(self.entries[1 - ivory].spec)),
            self.ponder,
        )
        for entry in self.entries:
            entry.restarts.failures = 0
        self._running[match.game_id] = (ivory, number)
        self._seated.update(players)
        self._server.open_table(match, (players[ivory], players[1 - ivory]), now)

    def handle(self, session: Session, player: Player, message: wire.ClientMessage, now: float) -> int | None:
        """Refuse: a match has no lobby, and the phase table says so first."""
        raise Refused("state", "A match has no lobby.")

    def deals_again(self, table: Table) -> bool:
        """A drawn game counts half and is not played again."""
        return False

    def over(self, table: Table, now: float) -> None:
        """Go on with the next game; when none is left, say goodbye."""
        ivory, _ = self._running.pop(table.game, (0, 0))
        for side in got_through(table.match.game.outcome):
            self.entries[ivory if side is Side.IVORY else 1 - ivory].restarts.crashes = 0
        self._fill(now)
        self._finish_if_over(now)

    def draining(self, now: float) -> None:
        """Stop: what is running ends by itself or is aborted."""
        self.done = self._drained = True

    def _halt(self, sentence: str, now: float) -> None:
        if self.done:
            return
        self.halted = self.done = True
        self._server.news(Halted(sentence))
        for table in list(self._server.tables.values()):
            table.stop(None, "aborted", "match-halted", now)
        self._finish_if_over(now)

    def _finish_if_over(self, now: float) -> None:
        """Say that nothing more will come, once the last result is told."""
        played = self._next > self.games
        if self._running or self._drained or self._finished or not (played or self.halted):
            return
        self.done = self._finished = True
        self._server.news(Finished())
        self._server.conclude(
            "All games of this match are played." if played else "This match cannot go on.", now
        )
