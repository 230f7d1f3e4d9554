"""The director of `tyrusd match`: two seats, so many games, and who of each seat plays next."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from tyrusd.core.director import Bot
from tyrusd.core.failures import Refused
from tyrusd.core.player import Player
from tyrusd.core.requests import Finished, Halted
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

_FAILURES: Final = 2  # programs in a row that end before they have played: the seat is given up


@dataclass(slots=True)
class Entry:
    """One seat of a match: its name in the records, its filling, and the one-time key of a tcp seat."""

    name: str
    spec: SeatSpec
    key: str | None = None
    players: list[Player] = field(default_factory=list)
    starting: set[int] = field(default_factory=set)
    failures: int = 0


class Schedule:
    """Plays `games` games between two seats; seat 1 is Ivory in odd games, and every game is a fresh deal.

    secret_of: the secret of a game by its number, from which its deal and the seats' seeds derive. wait: how
    many seconds a tcp seat may take to come, or to come back.
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
    ) -> None:
        self.entries = entries
        self.games = games
        self.seed = seed
        self.variant = variant
        self.control = control
        self.concurrency = concurrency
        self.wait = wait
        self.halted = False
        self.done = False
        self._secret_of = secret_of
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
        """Only the holder of a seat's key comes in, once."""
        for entry in self.entries:
            if entry.key is not None and hmac.compare_digest(entry.key, hello.key or ""):
                entry.key = None
                return entry.name
        raise Refused("auth", "The seats of this match want their one-time key: hello 0.1 NAME bot key=KEY")

    def bot_name(self, bot: Bot) -> str:
        """Programs of one seat share its name in the records; here the later ones get a number."""
        for number in range(1, 1000):
            name = bot.name if number == 1 else f"{bot.name[:28]}_{number}"
            if name.lower() not in self._server.players:
                return name
        raise Refused("busy", "This seat has too many programs.")

    def phase_of(self, player: Player) -> Phase:
        """A match has no lobby."""
        return Phase.SEAT

    def _entry_of(self, player: Player) -> Entry | None:
        if player.bot is None:
            return next((entry for entry in self.entries if entry.name == player.name), None)
        bot = self._server.bots.get(player.bot)
        return None if bot is None else self._entry_named(bot)

    def _entry_named(self, bot: Bot) -> Entry:
        return self.entries[0] if bot.name == self.entries[0].name else self.entries[1]

    def ready(self, player: Player, now: float) -> None:
        """A seat's program or peer is here."""
        entry = self._entry_of(player)
        if entry is not None and player not in entry.players:
            entry.players.append(player)
            entry.starting.discard(player.bot or 0)
            self._server.timers.clear(("seat", entry.name))
        self._fill(now)

    def gone(self, player: Player, now: float) -> None:
        """A program has ended, or a peer has stayed away too long."""
        for entry in self.entries:
            if player in entry.players:
                entry.players.remove(player)
                if entry.spec.kind == "tcp":
                    self._halt(f"{entry.name} has left the match and its key is used up", now)
                elif player in self._seated:
                    self._seated.remove(player)
                    entry.failures = 0
                else:
                    self._failed(entry, "it ended before it had a game", now)
        self._fill(now)

    def bot_failed(self, bot: Bot, why: str, now: float) -> None:
        """A program never became ready: once more, then the match cannot be played."""
        entry = self._entry_named(bot)
        entry.starting.discard(bot.id)
        self._failed(entry, why, now)
        self._fill(now)

    def _failed(self, entry: Entry, why: str, now: float) -> None:
        entry.failures += 1
        if entry.failures >= _FAILURES:
            self._halt(f"{entry.name} ({entry.spec}) cannot play: {why}", now)

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
        entry.starting.add(self._server.start_bot(entry.name, entry.spec, now).id)

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
        )
        self._running[match.game_id] = (ivory, number)
        self._seated.update(players)
        self._server.open_table(match, (players[ivory], players[1 - ivory]), now)

    def handle(self, session: Session, player: Player, message: wire.ClientMessage, now: float) -> int | None:
        """Refuse: a match has no lobby, and the phase table says so first."""
        raise Refused("state", "A match has no lobby.")

    def next_game(self, table: Table) -> str | None:
        """A drawn game counts half and is not played again."""
        return None

    def over(self, table: Table, now: float) -> None:
        """Go on with the next game; when none is left, say goodbye."""
        self._running.pop(table.game, None)
        self._fill(now)
        if self._next > self.games and not self._running:
            self._finish(now)

    def draining(self, now: float) -> None:
        """Stop: what is running ends by itself or is aborted."""
        self.done = True

    def _halt(self, sentence: str, now: float) -> None:
        if self.done:
            return
        self.halted = True
        self._server.news(Halted(sentence))
        self._finish(now)
        for table in list(self._server.tables.values()):
            table.stop(None, "aborted", "match-halted", now)

    def _finish(self, now: float) -> None:
        if not self.done:
            self.done = True
            self._server.news(Finished())
            self._server.conclude("All games of this match are played.", now)
