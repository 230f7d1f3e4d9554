"""The server as one synchronous object: bytes of peers and the time go in, bytes and requests come out."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final, TypeVar

from tyrusd.core.archive import Archive
from tyrusd.core.closing import Closing
from tyrusd.core.counts import Counts
from tyrusd.core.director import Director
from tyrusd.core.intake import Intake
from tyrusd.core.numbering import Numbering
from tyrusd.core.player import Player
from tyrusd.core.presence import Presence
from tyrusd.core.programs import Programs
from tyrusd.core.requests import (
    Answer,
    BotFailed,
    KeepMerge,
    News,
    ReadOnce,
    Request,
    Round,
    Stored,
    StoreFailed,
    Transport,
    UseCode,
)
from tyrusd.core.restoring import Recovered, player_record, restore
from tyrusd.core.session import Session
from tyrusd.core.settings import DEFAULTS, Settings
from tyrusd.core.storing import Storing
from tyrusd.core.table import Table
from tyrusd.core.timers import Timers
from tyrusd.league.match import Match
from tyrusd.league.record import Payload, frame, opened_record
from tyrusd.wire import CAPABILITIES, LIMITS, PROTOCOL_VERSION, Phase
from tyrusd.wire import messages as wire

Result = TypeVar("Result")

_OUTPUT_CHUNK: Final = 64 * 1024


class Server:
    """Everything a tyrusd does, without IO.

    settings: the limits; director: who opens tables; entropy: n -> n unguessable bytes; now: monotonic
    seconds; wall: seconds since 1970 at `now`, used in records only; recovered: what an earlier server left
    in the journal; with it the journal also gets what lets players come back after a restart. After any call
    the host collects the round: it appends the journal, then sends, then hands the requests out. No call ever
    raises because of what a peer did.
    """

    def __init__(
        self,
        director: Director,
        entropy: Callable[[int], bytes],
        now: float,
        wall: float = 0.0,
        settings: Settings = DEFAULTS,
        recovered: Recovered | None = None,
    ) -> None:
        self.settings = settings
        self.director = director
        self.entropy = entropy
        self.counts = Counts()
        self.now = now
        self.timers = Timers()
        self.tables: dict[str, Table] = {}
        self.players: dict[str, Player] = {}  # by lower-case name
        self.sessions: dict[int, Session] = {}
        self.programs = Programs(self)
        self.bots = self.programs.bots
        self.sealed: set[str] = set()  # deals of which not all games are over: nobody is told of one
        self._wall_offset = wall - now
        self._dirty: dict[int, Session] = {}
        self._doomed: list[Session] = []
        self._journal: list[bytes] = []
        self._requests: list[Request] = []
        self._news: list[News] = []
        self._numbers = Numbering(0 if recovered is None else recovered.games)
        self._restorable = recovered is not None
        self._asked: dict[int, Callable[[Answer, float], None]] = {}
        self.archive = Archive(self)
        self.storing = Storing(self)
        self.presence = Presence(self)
        self.intake = Intake(self)
        self.closing_down = Closing(self)
        director.attach(self, now)
        if recovered is not None:
            restore(self, recovered, now)

    # -- what the host calls -------------------------------------------------------------------------------

    def connect(self, transport: Transport, now: float) -> int:
        """Take a new peer; return its number. Over the caps it gets `bye busy` and is closing at once."""
        self._step(now)
        number = self._numbers.next("peer")
        self.counts.connections += 1
        session = Session(number, transport, self.settings, self._dirty, self._doomed, now, self.counts)
        self.sessions[number] = session
        why = self.presence.full(session)
        if why is not None:
            session.close(*why)
            return number
        if transport.bot is not None and transport.bot not in self.bots:
            session.close("bye", "This program is not waited for any more.")
            return number
        settings = self.settings
        patience = settings.hello_pipe if session.is_pipe else settings.hello_socket
        session.send(
            wire.Greeting(
                PROTOCOL_VERSION,
                settings.server,
                tuple(CAPABILITIES),
                LIMITS["client-line"].value,
                LIMITS["server-line"].value,
                settings.games_per_connection,
                int(patience * 1000),
            )
        )
        self.presence.expect_hello(session, patience, now)
        return number

    def turns_away(self, host: str, now: float) -> bool:
        """Tell, and count, that a connection from a host would be refused at once; it need not be made."""
        self._step(now)
        return self.presence.turns_away(host)

    def receive(self, peer: int, data: bytes, now: float) -> None:
        """Take a chunk of a peer's input, cut anywhere."""
        self._step(now)
        session = self.sessions.get(peer)
        if session is not None and not session.closing:
            self.intake.receive(session, data, now)
        self._settle(now)

    def end_of_input(self, peer: int, now: float) -> None:
        """The peer has half-closed: what was complete is answered, an unfinished line is dropped."""
        self._step(now)
        session = self.sessions.get(peer)
        if session is not None and not session.closing:
            session.ended = True
            if not session.paused:
                self.presence.end(session, now)
        self._settle(now)

    def lost(self, peer: int, now: float, cause: str = "", detail: str = "") -> None:
        """The peer's stream is gone; for a program cause is how it ended and detail its last error output."""
        self._step(now)
        session = self.sessions.pop(peer, None)
        self._dirty.pop(peer, None)
        if session is not None:
            session.retired = True
            self.presence.lost(session, cause, detail, now)
            self.presence.rest()
            self._last_read_done(session, now)
        self._settle(now)

    def polled(self, peer: int, now: float) -> None:
        """The read that a ReadOnce asked for has happened."""
        self._step(now)
        session = self.sessions.get(peer)
        if session is not None:
            self._last_read_done(session, now)
        self._settle(now)

    def tick(self, now: float) -> None:
        """Let the time pass; call it at `deadline()`."""
        self._step(now)
        self.timers.run(now)
        self._settle(now)

    def step(self, action: Callable[[float], Result], now: float) -> Result:
        """Take a step that the host asks of its director; return what it returns."""
        self._step(now)
        result = action(now)
        self._settle(now)
        return result

    def answer(self, answer: Answer, now: float) -> None:
        """Take the world's answer to a request; one that nobody waits for any more changes nothing."""
        self._step(now)
        match answer:
            case Stored():
                self.storing.stored(answer, now)
            case StoreFailed():
                self.storing.failed(answer, now)
            case BotFailed():
                self.programs.cannot_start(answer.id, answer.why, now)
            case _:
                then = self._asked.pop(answer.id, None)
                if then is not None:
                    then(answer, now)
        self._settle(now)

    def drain(self, now: float, grace: float) -> None:
        """Close down: no new games, running ones may end within `grace` seconds, then they are aborted."""
        self._step(now)
        self.closing_down.begin(grace, now)
        self._settle(now)

    def part(self, sentence: str) -> None:
        """Say goodbye in the place of all that no stream was given yet; nothing is collected afterwards."""
        for session in self.sessions.values():
            session.part("shutdown", sentence)

    def conclude(self, sentence: str, now: float) -> None:
        """Close because a director has nothing more to do; everyone is told so."""
        self.closing_down.conclude(sentence, now)

    def deadline(self) -> float | None:
        """When `tick` is due, in the seconds of `now`; None when nothing waits for time."""
        return self.timers.next()

    @property
    def finished(self) -> bool:
        """Whether, after `drain`, everything has been said and written."""
        return self.closing_down.finished

    @property
    def admits(self) -> bool:
        """Whether new connections make sense; when not, the host may stop listening."""
        return self.closing_down.admits

    def collect(self) -> Round:
        """What the steps since the last call leave to do."""
        dirty = []
        for number, session in self._dirty.items():
            session.collected = len(session.outbox)
            if session.collected and not session.waiting:
                self.presence.expect_progress(session, self.now)
            if session.collected or session.closing:
                dirty.append(number)
        self._dirty.clear()
        found = Round(self._journal, self._requests, dirty, self._news)
        self._journal, self._requests, self._news = [], [], []
        return found

    def output(self, peer: int) -> bytes:
        """The bytes that wait for a peer, at most 64 KiB of them.

        Only what has been collected is here: its journal entries were handed out no later than it was.
        """
        session = self.sessions.get(peer)
        if session is None or not session.collected:
            return b""
        return session.offer(_OUTPUT_CHUNK)

    def sent(self, peer: int, count: int, now: float) -> None:
        """The peer's stream has taken the first `count` bytes of its output."""
        session = self.sessions.get(peer)
        if session is not None and count:
            del session.outbox[:count]
            session.collected -= count
            session.offered -= count
            session.progress = now
            session.waiting = session.collected > 0

    def closing(self, peer: int) -> bool:
        """Whether the stream is to be closed once its output is empty; nothing will be added to it."""
        session = self.sessions.get(peer)
        return session is None or (session.closing and session.collected == len(session.outbox))

    def reading(self, peer: int) -> bool:
        """Whether input of this peer is welcome now; if not, leave it in the stream."""
        session = self.sessions.get(peer)
        return session is not None and not (session.closing or session.paused or session.ended)

    # -- what the rooms of the core call -------------------------------------------------------------------

    def journal(self, entry: bytes) -> None:
        """Have a framed record appended before anything that this step caused is sent."""
        self._journal.append(entry)

    def request(self, request: Request) -> None:
        """Ask the world for something."""
        self._requests.append(request)

    def ask(self, request: UseCode | KeepMerge, then: Callable[[Answer, float], None]) -> None:
        """Ask the world for something whose answer is handed to `then`, with the time."""
        self._asked[request.id] = then
        self.request(request)

    def next_request(self) -> int:
        """A number for a request to the world."""
        return self._numbers.next("request")

    def news(self, item: News) -> None:
        """Tell the host something that no peer gets."""
        self._news.append(item)

    def store(self, table: Table, now: float) -> None:
        """Have the result of a finished game made durable, then announced."""
        self.storing.store(table, now)

    def read_once(self, session: Session, table: Table) -> None:
        """Have a peer's input read once more before its time is declared to be up."""
        if not session.polling:
            self.request(ReadOnce(session.number))
        session.polling.append(table)

    def secret(self) -> str:
        """A new secret of 128 random bits."""
        return self.entropy(16).hex()

    def time_of_day(self, at: float) -> str:
        """A moment as ISO 8601 in UTC, for records."""
        moment = datetime.fromtimestamp(round(at + self._wall_offset, 3), UTC)
        return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def monotonic(self, wall: float) -> float:
        """A time of day, in seconds since 1970, as a moment of our clock; perhaps before it began."""
        return wall - self._wall_offset

    def record_player(self, player: Player, anyway: bool = False) -> None:
        """Have the journal know how somebody who is waited for comes back after a restart.

        That is who has a running game, is in an event or on the ladder; anyway: who is not any more, too.
        """
        awaited = player.bot is None and (anyway or player.seats or self.director.holds(player))
        if self._restorable and awaited and not player.recorded:
            player.recorded = True
            self.journal(player_record(player))

    def remember(self, record: Payload) -> None:
        """Have the journal keep what matters only to a server after a restart."""
        if self._restorable:
            self.journal(frame(record))

    def new_game_id(self) -> str:
        """The next game's id."""
        return f"g{self._numbers.next('game')}"

    def new_check_id(self) -> str:
        """The id of the next game of a check, which is no game of anybody else's."""
        return f"c{self._numbers.next('check')}"

    def has_opened(self, game: str) -> bool:
        """Tell whether a game of this id has begun here at some time; a late answer to it is stale."""
        return self._numbers.has_opened(game)

    def open_table(
        self, match: Match, players: tuple[Player, Player], now: float, deal: str | None = None
    ) -> Table:
        """Seat two players (Ivory, Brown) and begin; deal: the game whose deal is played again."""
        return self.seat(Table(match, players, self, deal), now)

    def seat(self, table: Table, now: float) -> Table:
        """Begin the game of a table."""
        match, players = table.match, table.players
        self.tables[table.game] = table
        for player in players:
            bot = self.bots.get(player.bot) if player.bot is not None else None
            if bot is not None:
                bot.played += 1
        if match.ladder is not None:
            self._numbers.has_begun(match.ladder.place.pair)
        started = self.time_of_day(now)
        repeats = None if table.deal == table.game else table.deal
        self.journal(frame(opened_record(match, started=started, repeats=repeats)))
        table.begin(now)
        for player in players:
            self.record_player(player)
        self.presence.keep_beating(now)
        return table

    def close_table(self, table: Table, now: float) -> None:
        """Tell the end of a game and free its seats."""
        table.announce(now)
        del self.tables[table.game]
        for player in table.players:
            self.presence.seat_freed(player, now)

    # -- the step ------------------------------------------------------------------------------------------

    def _step(self, now: float) -> None:
        gap = now - self.now
        self.now = max(now, self.now)
        if gap > self.settings.stall:
            self.presence.stood_still(gap)

    def _settle(self, now: float) -> None:
        """Say goodbye to those whose limits ran out in this step, until nothing is left to settle."""
        while self._doomed:
            session = self._doomed.pop(0)
            if session.doom is not None and not (session.closing or session.retired):
                self.presence.dismiss(session, *session.doom, now)
        self.closing_down.check(now)

    def _last_read_done(self, session: Session, now: float) -> None:
        tables, session.polling = session.polling, []
        for table in tables:
            table.last_read_done(now)


__all__ = ["Phase", "Server"]
