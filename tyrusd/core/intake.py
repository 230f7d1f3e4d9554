"""What becomes of a peer's bytes: lines within their limits, verbs in their phase, answers to their table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tyrusd.core.failures import Refused, refuse
from tyrusd.core.requests import Misread
from tyrusd.core.session import LATER, Session
from tyrusd.core.verbs import VERBS, Answered
from tyrusd.core.wirelog import HIDDEN, redacted
from tyrusd.wire import ALLOWED, Answer, Codec, Phase
from tyrusd.wire import messages as wire

if TYPE_CHECKING:
    from tyrusd.core.player import Player
    from tyrusd.core.server import Server

_RESUME_AT: Final = 20.0  # tokens that a paused peer waits for
_CALM: Final = 10.0  # seconds between two pauses after which earlier ones are forgotten
_FOREIGN: Final = (b"\x16\x03", b"GET ", b"POST ", b"HEAD ", b"PUT ", b"OPTIONS ", b"CONNECT ", b"SSH-")
_OPENING: Final = max(map(len, _FOREIGN))
# What no client of the protocol ever sends: the operator may want to know where it comes from.
_NO_TEXT: Final = frozenset({"bad-byte", "bad-encoding", "line-too-long"})
# What begins the next game, and what is answered with more than a word.
_BEGINNING: Final = frozenset({wire.Seek, wire.Play, wire.Challenge, wire.Accept, wire.Rematch})
_LONG: Final = frozenset(
    {wire.Who, wire.Games, wire.Look, wire.Watch, wire.Help, wire.Results, wire.Record, wire.Log, wire.Why}
)


class Intake:
    """The way of input through framing, rate, phase and verb."""

    __slots__ = ("_server",)

    def __init__(self, server: Server) -> None:
        self._server = server

    def receive(self, session: Session, data: bytes, now: float) -> None:
        """Take bytes of a session that is open."""
        session.heard = now
        session.pinged = False
        if session.paused:
            self._keep(session, session.backlog + data)
            return
        if len(session.opening) < _OPENING and self._is_foreign(session, data):
            sentence = "This is the Tyrus protocol in plain text: say hello as in protocol.md"
            session.send(wire.Error("syntax", "fatal", sentence))
            self._server.presence.dismiss(session, "protocol", "Another protocol was spoken.", now)
            return
        self._feed(session, data, now)

    def _is_foreign(self, session: Session, data: bytes) -> bool:
        """Tell whether a stream begins as another protocol does; the first bytes decide, however split."""
        if session.phase is not Phase.NEW or session.transport.codec is not Codec.LINE:
            return False
        session.opening += data[: _OPENING - len(session.opening)]
        return session.opening.startswith(_FOREIGN)

    def _keep(self, session: Session, backlog: bytes) -> None:
        """Keep the input of a paused peer, up to the size of its room."""
        if not session.closing:
            session.backlog = backlog
            if len(backlog) > session.room:
                session.counts.limits["output_base"] += 1  # the same room holds for input
                session.condemn("slow-down", "Too much input; wait for answers before you send more.")

    def _feed(self, session: Session, data: bytes, now: float) -> None:
        """Decode and handle, all at once where the rate certainly allows it, else line by line."""
        free = session.player.owed if session.player is not None else 0
        framed = session.transport.codec is Codec.FRAME
        in_rate = session.phase is not Phase.NEW and data.count(b"\n") <= session.rate.left(now) + free
        pieces = [data] if framed or in_rate else _lines(data)
        completed = False
        for at, piece in enumerate(pieces, 1):
            items = session.connection.receive(piece)
            completed = completed or bool(items)
            if not self._handle_all(session, items, session.connection.contents, now):
                self._keep(session, b"".join(pieces[at:]))
                break
        if completed and session.phase is Phase.NEW:
            self._server.timers.clear(("advice", session.number))
        self._watch_line(session, completed, now)

    def _handle_all(
        self,
        session: Session,
        items: list[wire.Message | wire.Refusal],
        contents: list[bytes],
        now: float,
    ) -> bool:
        """Handle what was decoded; False when the session is paused (the rest is held) or is leaving.

        contents: the lines or frames of the items.
        """
        for at, item in enumerate(items):
            if session.paused or not self._handle(session, item, contents[at], now):
                session.held = items[at:]
                session.held_contents = contents[at:]
                return False
            if session.closing or session.doom is not None:
                return False
        return not session.paused

    def _watch_line(self, session: Session, completed: bool, now: float) -> None:
        """A line once begun has a deadline of its own, which more bytes do not move."""
        timers = self._server.timers
        if session.begun_at is not None and (completed or session.closing):
            session.begun_at = None
            timers.clear(("line", session.number))
        if session.closing or session.phase is Phase.NEW or not session.connection.partial:
            return
        if session.begun_at is None:
            session.begun_at = now
            human = session.player is not None and session.player.kind == "human"
            patience = self._server.settings.line_person if human else self._server.settings.line_bot
            timers.set(("line", session.number), now + patience, lambda at: self._unfinished(session, at))

    def _unfinished(self, session: Session, now: float) -> None:
        if not session.closing and session.begun_at is not None:
            human = session.player is not None and session.player.kind == "human"
            session.counts.limits["line_person" if human else "line_bot"] += 1
            sentence = "A line was begun and not ended in time: end the line with LF and flush."
            session.send(wire.Error("timeout", "fatal", sentence))
            self._server.presence.dismiss(session, "timeout", sentence, now)

    def _handle(
        self, session: Session, item: wire.Message | wire.Refusal, content: bytes, now: float
    ) -> bool:
        """Handle one message or refusal; False when the rate does not allow it now."""
        if type(item) is wire.Place and session.player is not None and not session.closing:
            seat = session.player.seats.get(item.game)
            if seat is not None and seat[0].match.open_request is not None:
                table, side = seat
                request = table.match.open_request
                if request is not None and request.side == side and request.number == item.request:
                    self._heard_from(session)
                    table.logs[side].add(now, session.received_as, content)
                    table.place(session, side, item, now)
                    return True
        check = session.check
        free = (check is not None and check.owes(item)) or self._is_earned(session, item)
        if not free and not session.rate.spend(now):
            self._pause(session, now)
            return False
        if check is not None and check.take(item, now):
            return True
        session.logged, session.hides = [], False
        if session.player is not None and session.player.seats:
            self._log(session, session.player, item, content, now)
        if isinstance(item, wire.Refusal):
            refuse(session, item, item.code, item.sentence, now, cost="fatal" if item.fatal else None)
            if item.code in _NO_TEXT and not session.is_pipe:
                self._server.news(Misread(session.transport.host, item.code))
            if item.fatal:
                reason = "line-too-long" if item.code == "line-too-long" else "protocol"
                if item.code == "line-too-long":
                    framed = session.transport.codec is Codec.FRAME
                    session.counts.limits["frame" if framed else "client_line"] += 1
                self._server.presence.dismiss(session, reason, item.sentence, now)
            return True
        if isinstance(item, wire.ClientMessage):
            self._do(session, item, now)
        return True

    def _is_earned(self, session: Session, item: wire.Message | wire.Refusal) -> bool:
        """Whether a finished game pays for this line, which begins another (protocol.md#limits)."""
        player = session.player
        return player is not None and type(item) in _BEGINNING and player.spend_game()

    def _log(
        self,
        session: Session,
        player: Player,
        item: wire.Message | wire.Refusal,
        content: bytes,
        now: float,
    ) -> None:
        """Add a line to the log of its game; one that is no message to all that it may be meant for."""
        if not isinstance(item, wire.Refusal):
            seat = player.seats.get(getattr(item, "game", ""))
            if seat is not None:
                seat[0].logs[seat[1]].add(now, session.received_as, content)
            return
        named = content.split(b" ", 2)[1:2]
        seat = player.seats.get(named[0].decode("latin-1")) if named else None
        session.logged = [table.logs[side] for table, side in ([seat] if seat else player.seats.values())]
        if session.transport.codec is Codec.LINE:
            told = content.removesuffix(b"\r")
            content = redacted(told, player.is_secret)
            session.hides = content.count(HIDDEN) > told.count(HIDDEN)
        for log in session.logged:
            log.add(now, session.received_as, content)

    def _heard_from(self, session: Session) -> None:
        """The first line after a resume shows that the new secret has arrived."""
        if session.player is not None:
            session.player.use_newest_secret()
            self._server.record_player(session.player)

    def _do(self, session: Session, message: wire.ClientMessage, now: float) -> None:
        answer = ALLOWED.get((session.phase, message.verb))
        if answer is None:
            refuse(session, message, "state", _WRONG_PHASE[session.phase].format(message.verb), now)
            return
        self._heard_from(session)
        handle = VERBS.get(type(message))
        try:
            if type(message) in _LONG and session.is_behind:
                raise Refused("unavailable", LATER)
            if handle is not None:
                count = handle(self._server, session, message, now)
            elif session.player is not None:
                count = self._server.director.handle(session, session.player, message, now)
        except Answered:
            return
        except Refused as refused:
            if refused.limit is not None:
                session.counts.limits[refused.limit] += 1
            refuse(session, message, refused.code, refused.sentence, now)
            return
        if answer is Answer.OK or message.tag is not None:
            done = wire.Ok(message.tag, message.verb, count)
            session.send(done)
            player = session.player
            seat = player.seats.get(getattr(message, "game", "")) if player is not None else None
            if seat is not None:
                seat[0].logs[seat[1]].add(now, session.sent_as, session.encode(done))

    # -- floods --------------------------------------------------------------------------------------------

    def _pause(self, session: Session, now: float) -> None:
        """Stop reading a peer that sends faster than its rate; one that never stops is sent away."""
        if now - session.last_pause > _CALM:
            session.strikes = 0
        session.strikes += 1
        session.last_pause = now
        session.counts.limits["lines_per_second"] += 1
        if session.strikes > self._server.settings.flood_strikes:
            session.counts.limits["flood_strikes"] += 1
            sentence = "Too many lines: at most 20 a second for long, answers to requests not counted."
            session.send(wire.Error("slow-down", "fatal", sentence))
            session.condemn("slow-down", sentence)
            return
        session.paused = True
        due = session.rate.when(_RESUME_AT, now)
        self._server.timers.set(("rate", session.number), due, lambda at: self.unpause(session, at))

    def unpause(self, session: Session, now: float) -> None:
        """Read a peer again, beginning with what it had sent already."""
        if session.closing or session.retired:
            return
        session.paused = False
        held, session.held = session.held, []
        contents, session.held_contents = session.held_contents, []
        backlog, session.backlog = session.backlog, b""
        if not self._handle_all(session, held, contents, now):
            self._keep(session, backlog)
            return
        if backlog:
            self._feed(session, backlog, now)
        if session.ended and not session.paused:
            self._server.presence.end(session, now)


_WRONG_PHASE: Final = {
    Phase.NEW: "Say hello first; {} comes later.",
    Phase.LOBBY: "{} is for new connections; you have said hello already.",
    Phase.SEAT: "{} is not for the seat of a match: only its games are here.",
    Phase.LEAVING: "{} comes too late.",
}


def _lines(data: bytes) -> list[bytes]:
    """Cut after each LF, and only there."""
    parts = data.split(b"\n")
    return [part + b"\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])
