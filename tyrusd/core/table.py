"""A match and its seats: who is told what and when, whose clock runs out, and when a result may be said."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tyrusd.core import translate
from tyrusd.core.failures import refuse
from tyrusd.core.wirelog import SeatLog
from tyrusd.league.match import IllegalAnswer, Match, NotYourTurn, OpenRequest, StaleAnswer
from tyrusd.league.record import Payload, placed_frame, refused_record
from tyrusd.rules.events import Event, Over, Placed
from tyrusd.rules.game import PLAYED_OUT
from tyrusd.rules.pieces import SIDE_WORDS, Side
from tyrusd.wire import messages as wire

if TYPE_CHECKING:
    from tyrusd.core.player import Player
    from tyrusd.core.server import Server
    from tyrusd.core.session import Session

_SIDES: Final = (Side.IVORY, Side.BROWN)
_LAST_READ_WAIT: Final = 1.0  # a host that never answers ReadOnce does not stop a clock


class Table:
    """One running game; it owns its match.

    From the step that ends the game until its record is durable the table keeps quiet: the ending events are
    held back, and whoever comes in between is served when they are told.
    """

    __slots__ = (
        "deal",
        "ending",
        "game",
        "kept",
        "last_read",
        "late",
        "limit_at_end",
        "logs",
        "match",
        "next_game",
        "note",
        "noted",
        "open_at_end",
        "players",
        "server",
        "watchers",
    )

    def __init__(
        self, match: Match, players: tuple[Player, Player], server: Server, deal: str | None = None
    ) -> None:
        self.match = match
        self.game = match.game_id
        self.deal = deal or match.game_id  # the first game that was played on this deal
        settings = server.settings
        self.logs = (
            SeatLog(settings.log_bytes, settings.log_steps),
            SeatLog(settings.log_bytes, settings.log_steps),
        )
        self.open_at_end: OpenRequest | None = None
        self.limit_at_end: int | None = None
        self.players = players
        self.server = server
        self.watchers: dict[int, Session] = {}
        self.ending: tuple[Event, ...] | None = None
        # Sessions that asked for a snapshot while the ending is held back, and whether they have just come.
        self.late: dict[int, bool] = {}
        self.last_read = False
        self.next_game: str | None = None
        self.kept: tuple[Payload, bytes] | None = None  # the record of an end from before a restart
        self.note = ""
        self.noted: Side | None = None  # whose program's last words the note is

    def __repr__(self) -> str:
        return f"<Table {self.game}: {self.match!r}>"

    @property
    def seq(self) -> int:
        """The sequence number of the newest event that may be told."""
        return self.match.game.event_count - len(self.ending or ())

    def begin(self, now: float) -> None:
        """Tell both seats that the game begins, and ask for the first placement."""
        for side in _SIDES:
            player = self.players[side]
            player.take_seat(self, side)
            if player.session is not None:
                self.introduce(player.session, side, now)
        self._issue(now)
        for side in _SIDES:
            session = self.players[side].session
            if session is not None and self.players[side].events:
                self._tell(session, side, translate.snapshot_message(self.match, side, self.seq, now), now)
        self._ask(now)

    def restore(self, now: float) -> None:
        """Go on after a restart: with the open request, or with an end that was not stored or not told."""
        match, game = self.match, self.match.game
        for side in _SIDES:
            self.players[side].take_seat(self, side)
        if game.outcome is not None:
            last = len(game.events) - 1
            if game.outcome.reason in PLAYED_OUT:  # then the last placement was not told either
                last = max(number for number, event in enumerate(game.events) if isinstance(event, Placed))
            match.ended = now
            self.ending = tuple(game.events[last:])
            # Nobody was told: both players get the time to come and hear it.
            due = now + self.server.settings.restart_window
            self.server.timers.set(("ending", self.game), due, self.settle)
            return
        self._issue(now)

    def settle(self, now: float) -> None:
        """Have an end stored that waits for its players since a restart."""
        self.server.timers.clear(("ending", self.game))
        self.server.store(self, now)

    def thaw(self, side: Side, now: float) -> None:
        """A player is back after a restart: if it has the move, its clock runs from now on."""
        request = self.match.open_request
        if request is not None and request.side is side:
            self.match.open_request = request._replace(issued=now)
            self._watch_clock()
        elif self.waits_to_end and not any(player.missing for player in self.players):
            self.settle(now)

    @property
    def waits_to_end(self) -> bool:
        """Whether the game has ended, and that waits for its players since a restart."""
        return ("ending", self.game) in self.server.timers

    def _issue(self, now: float) -> None:
        """Open the next request; the clock of a player who is not back since a restart stands still."""
        match = self.match
        request = match.issue(now)
        player = self.players[request.side]
        player.owe()
        if player.missing:
            match.open_request = request._replace(issued=now + self.server.settings.restart_window)

    def introduce(self, session: Session, side: Side, now: float) -> None:
        """Tell a seat on what terms it plays: at the start, and again to a session that has resumed."""
        person, enemy = self.players[side].kind == "human", self.players[side.other]
        display = self.server.director.display_of(enemy) if person else None
        self._tell(session, side, translate.start_message(self.match, side, display), now)

    def _tell(self, session: Session, viewer: Side | None, message: wire.ServerMessage, now: float) -> None:
        """Send a message of this game; what a seat gets is in its log."""
        data = session.encode(message)
        session.write(data)
        if viewer is not None:
            self.logs[viewer].add(now, session.sent_as, data)

    def place(self, session: Session, side: Side, message: wire.Place, now: float) -> bool:
        """Take an answer; True when it was one to an open request (legal or not), which costs no rate."""
        match = self.match
        asked = match.open_request
        tile, building = translate.TILE_OF[message.tile], translate.BUILDING_OF[message.building]
        try:
            events = match.place(side, message.request, tile, building, now)
        except StaleAnswer as why:
            refuse(session, message, "stale", str(why))
            return False
        except NotYourTurn as why:
            refuse(session, message, "not-your-turn", str(why))
            return False
        except IllegalAnswer as illegal:
            if match.lenient[side] is not None:
                self.server.remember(refused_record(self.game, SIDE_WORDS[side]))
            cost = "fatal" if illegal.final else None
            refuse(session, message, "illegal", illegal.sentence, cost=cost, why=illegal.why)
            if illegal.final:
                self.players[side].settle()
                self.open_at_end = asked
                self._finish(illegal.events, now)
            return True
        match.cpu[-1] = self.players[side].settle()
        self.last_read = False
        self.server.journal(
            placed_frame(self.game, SIDE_WORDS[side], message.tile, message.building, match.spent[-1])
        )
        if message.tag is not None:
            self._tell(session, side, wire.Ok(message.tag, "place"), now)
        self._go_on(events, now)
        return True

    def _go_on(self, events: tuple[Event, ...], now: float) -> None:
        """A placement is done: tell it and ask for the next one, or end the game."""
        if self.match.game.outcome is not None:
            self._finish(events, now)
            return
        self._broadcast(events, self.seq - len(events))
        self._issue(now)
        self._ask(now)

    def _ask(self, now: float) -> None:
        """Send the open request to its seat and set the clock's deadline."""
        request = self.match.open_request
        if request is None:
            return
        player = self.players[request.side]
        if player.session is not None:
            asked = translate.request_message(self.match, request, player.full, now)
            self._tell(player.session, request.side, asked, now)
        self._watch_clock()

    def _watch_clock(self) -> None:
        deadline, request = self.match.deadline(), self.match.open_request
        if deadline is not None and request is not None and not self.players[request.side].missing:
            self.server.timers.set(("clock", self.game), deadline, self._clock_due)

    def _audience(self) -> list[tuple[Session, Side | None, bool]]:
        """Everyone who sees this game: the session, as whom it sees, and whether it follows the events."""
        seats = [(self.players[side].session, side, self.players[side].events) for side in _SIDES]
        return [(session, side, follows) for session, side, follows in seats if session is not None] + [
            (watcher, None, True) for watcher in self.watchers.values()
        ]

    def _broadcast(self, events: tuple[Event, ...], seq: int) -> None:
        """Tell events to all who follow them; seq is the number of the event before the first."""
        now = self.server.now
        encoded: dict[tuple[object, Side | None], bytes] = {}
        for session, viewer, follows in self._audience():
            if follows:
                key = (session.encode, viewer)
                data = encoded.get(key)
                if data is None:
                    data = encoded[key] = self._encode(session, viewer, events, seq)
                session.write(data)
                if viewer is not None:
                    self.logs[viewer].add(now, session.sent_as, data)

    def _encode(self, session: Session, viewer: Side | None, events: tuple[Event, ...], seq: int) -> bytes:
        return b"".join(
            [
                session.encode(self._event(number, event, viewer))
                for number, event in enumerate(events, seq + 1)
            ]
        )

    def _event(self, seq: int, event: Event, viewer: Side | None) -> wire.ServerMessage:
        message = translate.event_message(self.game, seq, event, viewer)
        if isinstance(message, wire.Over) and self.next_game is not None:
            return wire.Over(
                message.game, seq, message.winner, message.reason, message.detail, self.next_game
            )
        return message

    def show(self, session: Session, viewer: Side | None, now: float, *, new: bool = False) -> None:
        """Send one complete picture, and the open request if it is the viewer's (protocol.md#snapshot).

        new: the session has not been told of this game's events before.
        """
        if self.ending is not None:
            self.late.setdefault(session.number, new)
            return
        self._tell(session, viewer, translate.snapshot_message(self.match, viewer, self.seq, now), now)
        request = self.match.open_request
        if viewer is not None and request is not None and request.side == viewer:
            asked = translate.request_message(self.match, request, self.players[viewer].full, now)
            self._tell(session, viewer, asked, now)

    def _clock_due(self, now: float) -> None:
        """The open request is overdue: have its peer's input read once more before that is declared."""
        deadline, request = self.match.deadline(), self.match.open_request
        if deadline is None or request is None:
            return
        if deadline > now:
            self.server.timers.set(("clock", self.game), deadline, self._clock_due)
            return
        session = self.players[request.side].session
        if session is None or self.last_read:
            self.declare_timeout(now)
            return
        self.last_read = True
        self.server.read_once(session, self)
        self.server.timers.set(("clock", self.game), now + _LAST_READ_WAIT, self._clock_due)

    def last_read_done(self, now: float) -> None:
        """The last read has happened: what was not in it came too late."""
        if self.last_read and self.match.open_request is not None:
            deadline = self.match.deadline()
            if deadline is not None and deadline <= now:
                self.declare_timeout(now)
        self.last_read = False

    def declare_timeout(self, now: float) -> None:
        """End the game by the clock, or void it when both players are away."""
        request = self.match.open_request
        if request is None or self.ending is not None:
            return
        if self._both_away():
            self.stop(None, "void", "abandoned-both", now)
            return
        time, cap = self.match.clocks[request.side].time_ms, self.match.controls[request.side].cap_ms
        detail = "move-cap" if cap is not None and (time is None or cap < time) else "clock"
        self.forfeit(request.side, "timeout", detail, now)

    def _both_away(self) -> bool:
        return all(player.session is None for player in self.players)

    def abandon(self, side: Side, now: float) -> None:
        """A seat's player has been away too long; with both away nobody has won."""
        if self.ending is None:
            if self._both_away():
                self.stop(None, "void", "abandoned-both", now)
            else:
                self.forfeit(side, "disconnected", "abandoned", now)

    def resign(self, side: Side, now: float) -> None:
        """End the game because a seat gives it up."""
        self._close_request()
        self._finish(self.match.resign(side, now), now)

    def forfeit(self, side: Side, reason: str, detail: str, now: float, note: str = "") -> None:
        """End the game because of what a seat's player did; nothing when it is over already."""
        if self.ending is None:
            self.note = note
            self.noted = side
            self._close_request()
            self._finish(self.match.forfeit(side, reason, detail, now), now)

    def stop(self, winner: Side | None, reason: str, detail: str, now: float) -> None:
        """End the game from outside; nothing when it is over already."""
        if self.ending is None:
            self._close_request()
            self._finish(self.match.stop(winner, reason, detail, now), now)
        elif self.waits_to_end:
            self.settle(now)

    def _close_request(self) -> None:
        request = self.match.open_request
        if request is not None:
            self.players[request.side].settle()
            self.open_at_end = request
            self.limit_at_end = self.match.clocks[request.side].left_ms()

    def _finish(self, events: tuple[Event, ...], now: float) -> None:
        """Hold the ending back and ask for the record to be made durable."""
        self.ending = events
        self.server.timers.clear(("clock", self.game))
        self.server.store(self, now)

    def announce(self, now: float) -> None:
        """The record is durable: tell the ending, free the seats.

        Who came while the ending was held back gets one picture of the end instead of the last events; who
        only asked for a picture gets both.
        """
        ending = self.ending or ()
        seq = self.match.game.event_count - len(ending)
        before_over = len(ending) - 1
        for session, viewer, follows in self._audience():
            is_new = self.late.get(session.number)
            told = b""
            if follows and not is_new:
                told = self._encode(session, viewer, ending[:before_over], seq)
            if is_new is not None:
                told += session.encode(translate.snapshot_message(self.match, viewer, seq + before_over, now))
            told += self._encode(session, viewer, ending[before_over:], seq + before_over)
            session.write(told)
            if viewer is not None:
                self.logs[viewer].add(now, session.sent_as, told)
        for player in self.players:
            player.leave_table(self.game)
        for watcher in self.watchers.values():
            watcher.watching.pop(self.game, None)
        self.watchers.clear()
        self.late.clear()

    def drop_result(self) -> None:
        """The record could not be kept: the game ends without a result."""
        self.ending = (*(self.ending or ())[:-1], Over(None, "aborted", "storage"))

    def tell_presence(self, side: Side, message: wire.ServerMessage) -> None:
        """Tell the enemy and the spectators that a seat's player has left or is back."""
        enemy = self.players[side.other].session
        if enemy is not None:
            self._tell(enemy, side.other, message, self.server.now)
        for session in self.watchers.values():
            session.send(message)
