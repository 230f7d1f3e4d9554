"""Who is here: room for connections, deadlines of hello, ping and output, seats kept for those who left."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from tyrusd.core.allowances import Allowances
from tyrusd.core.bans import Bans
from tyrusd.core.failures import Refused, refuse
from tyrusd.core.hosts import network_of
from tyrusd.core.translate import SIDE_LETTER
from tyrusd.core.wirelog import NOTE
from tyrusd.wire import Phase
from tyrusd.wire import messages as wire

if TYPE_CHECKING:
    from tyrusd.core.player import Player
    from tyrusd.core.server import Server
    from tyrusd.core.session import Session

# A program cannot come back: what its games end by when the server says goodbye to it.
_PROGRAM_ENDINGS: Final = {
    "protocol": ("protocol", "error-budget"),
    "line-too-long": ("protocol", "line-too-long"),
    "too-slow": ("protocol", "too-slow"),
    "slow-down": ("protocol", "slow-down"),
    "timeout": ("protocol", "unfinished-line"),
    "bye": ("crashed", "end of input"),
}

_CLOSING: Final = ("busy", "The server is closing; come again later.")
_WRONG_SECRET: Final = {
    "resume": "There is nothing to resume with this secret.",
    "hello": "This key does not open that name; its owner gets another one from the operator.",
}


class Presence:
    """Comings and goings."""

    __slots__ = ("_counted", "_hosts", "_returns", "_server", "_wrong", "bans")

    def __init__(self, server: Server) -> None:
        self._server = server
        self.bans = Bans()
        self._hosts: Counter[str] = Counter()  # by network
        self._counted = 0  # connections of all hosts together
        self._returns: Allowances[str] = Allowances()  # by secrets, by name
        self._wrong: Allowances[str] = Allowances()  # wrong secrets, by network

    # -- coming --------------------------------------------------------------------------------------------

    def full(self, session: Session) -> tuple[str, str] | None:
        """Count a new connection; return the goodbye for which there is no room for it, or None.

        Those that are refused do not count while they close, nor do programs that the server itself started.
        """
        closing, host = self._server.closing_down, session.transport.host
        if closing.begun and not closing.is_awaited(session):
            return _CLOSING
        if session.is_pipe:
            return None
        why = self._no_room(host)
        if why is None:
            session.counted = True
            self._counted += 1
            self._hosts[network_of(host)] += 1
        return why

    def turns_away(self, host: str) -> bool:
        """Tell whether a connection from a host would be refused now, before anything is spent on it."""
        closing = self._server.closing_down
        if closing.begun and not closing.is_open:
            return True
        return self._no_room(host) is not None

    def _no_room(self, host: str) -> tuple[str, str] | None:
        """Return the goodbye for a host that may not have one more connection, and count that; or None."""
        settings, counts = self._server.settings, self._server.counts.limits
        if self._banned(host):
            counts["bans"] += 1
            return "kicked", "The operator does not let your host in; ask them."
        if self._counted >= settings.connections_total:
            counts["connections_total"] += 1
            return "busy", f"The server has its {settings.connections_total} connections; come again later."
        if host not in settings.open_hosts and self._hosts[network_of(host)] >= settings.connections_per_host:
            counts["connections_per_host"] += 1
            return "busy", f"Your host has its {settings.connections_per_host} connections; close one first."
        return None

    def _banned(self, who: str) -> bool:
        server = self._server
        return bool(self.bans) and self.bans.find(who, server.now - server.monotonic(0.0)) is not None

    def check_name(self, name: str) -> None:
        """Make sure that the operator lets a name in; raises Refused."""
        if self._banned(name):
            raise Refused("auth", "The operator does not let this name in; ask them.")

    def expect_hello(self, session: Session, patience: float, now: float) -> None:
        """Set the deadline for a peer's hello, and the advice for one of which no complete line comes."""
        timers, number = self._server.timers, session.number
        if "heartbeat" not in timers:
            self.keep_beating(now)
        timers.set(("hello", number), now + patience, lambda at: self._no_hello(session, at))
        if not session.is_pipe:
            timers.set(
                ("advice", number), now + self._server.settings.advisory, lambda at: self._advise(session)
            )

    def _no_hello(self, session: Session, now: float) -> None:
        if session.phase is Phase.NEW and not session.closing:
            session.counts.limits["hello_pipe" if session.is_pipe else "hello_socket"] += 1
            sentence = "No hello came in time. Connect again and say: hello 0.1 NAME bot"
            session.send(wire.Error("timeout", "fatal", sentence))
            self.dismiss(session, "timeout", sentence, now)

    def _advise(self, session: Session) -> None:
        if session.phase is Phase.NEW and not session.closing:
            session.counts.limits["advisory"] += 1
            sentence = "No complete line yet: end the line with LF and flush."
            session.send(wire.Notice("end-lines-with-lf", sentence))

    def welcomed(self, session: Session, now: float) -> None:
        """A peer has said hello or resumed."""
        timers, number = self._server.timers, session.number
        timers.clear(("hello", number))
        timers.clear(("advice", number))
        player = session.player
        if player is not None and player.kind == "bot" and not session.is_pipe:
            due = now + self._server.settings.ping_after
            timers.set(("ping", number), due, lambda at: self._ping(session, at))

    def may_resume(self, session: Session, now: float) -> bool:
        """Tell whether this host may try secrets at all: it has not guessed too often."""
        return self._wrong.has(network_of(session.transport.host), now)

    def check_rate(self, player: Player, now: float) -> None:
        """Make sure that a player does not come back all the time: each leaves a record; raises Refused."""
        if not self._returns.spend(player.name.lower(), self._server.settings.logins_per_minute, now):
            sentence = f"{player.name} has come too often; try again in a few seconds."
            raise Refused("unavailable", sentence, "logins_per_minute")

    def wrong_secret(self, session: Session, message: wire.Resume | wire.Hello, now: float) -> None:
        """Answer a wrong secret late, and the same whatever was wrong with it."""
        settings, host = self._server.settings, session.transport.host
        most = settings.resume_failures_per_minute
        if host not in settings.open_hosts and not self._wrong.spend(network_of(host), most, now):
            session.counts.limits["resume_failures_per_minute"] += 1

        def refuse_late(at: float) -> None:
            if not session.closing and not session.retired:
                refuse(session, message, "auth", _WRONG_SECRET[message.verb], at)
                if session.doom is None:
                    self._server.intake.unpause(session, at)

        session.paused = True
        self._server.timers.set(("rate", session.number), now + settings.resume_delay, refuse_late)

    # -- staying -------------------------------------------------------------------------------------------

    def _ping(self, session: Session, now: float) -> None:
        """Ask a silent bot for life; not one that owes a decision, whose clock is the limit."""
        player, settings = session.player, self._server.settings
        if session.closing or session.retired or player is None:
            return
        due = session.heard + settings.ping_after
        if player.owed:
            session.pinged = False
            due = now + settings.ping_after
        elif due > now:
            session.pinged = False
        elif not session.pinged:
            session.pinged = True
            session.counts.limits["ping_after"] += 1
            session.send(wire.Ping(word="alive"))
            due = now + settings.ping_grace
        else:
            session.counts.limits["ping_grace"] += 1
            self.dismiss(session, "timeout", "No answer to a ping. Come again and resume.", now)
            return
        self._server.timers.set(("ping", session.number), due, lambda at: self._ping(session, at))

    def expect_progress(self, session: Session, now: float) -> None:
        """Output begins to wait: its peer must take some of it in time."""
        session.waiting = True
        session.progress = now
        if not session.guarded and not session.closing:
            session.guarded = True
            self._guard(session)

    def _guard(self, session: Session) -> None:
        due = session.progress + self._server.settings.output_stall
        self._server.timers.set(("output", session.number), due, lambda at: self._stalled(session, at))

    def _stalled(self, session: Session, now: float) -> None:
        if session.closing or not session.waiting:
            session.guarded = False
        elif session.progress + self._server.settings.output_stall > now:
            self._guard(session)
        else:
            session.counts.limits["output_stall"] += 1
            sentence = "You did not read what was sent in time. Come again and resume."
            self.dismiss(session, "too-slow", sentence, now)

    def keep_beating(self, now: float) -> None:
        """While anybody is here or awaited a step comes at least so often: a longer gap is known as ours.

        Not only games have deadlines: whoever was pinged, or is awaited at a table of an event, has one too.
        """
        server = self._server
        if not self._is_alone:
            server.timers.set("heartbeat", now + server.settings.heartbeat, self._beat)

    def rest(self) -> None:
        """Beat no more once nobody is left."""
        if self._is_alone:
            self._server.timers.clear("heartbeat")

    @property
    def _is_alone(self) -> bool:
        server = self._server
        return not (server.tables or server.bots or server.sessions or server.players)

    def _beat(self, now: float) -> None:
        self._server.counts.heartbeats += 1
        self.keep_beating(now)

    def stood_still(self, gap: float) -> None:
        """No step came for `gap` seconds: if one was due, nobody's clock or deadline pays for that."""
        server = self._server
        if "heartbeat" not in server.timers:
            return
        server.counts.limits["stall"] += 1
        server.timers.shift(gap)
        for table in server.tables.values():
            table.match.credit(gap)
        for player in server.players.values():
            if player.away_until is not None:
                player.away_until += gap
        for session in server.sessions.values():
            session.heard += gap
            session.progress += gap
            session.rate.grant(gap)  # what was sent meanwhile comes all at once
            if session.check is not None:
                session.check.credit(gap)

    # -- going ---------------------------------------------------------------------------------------------

    def end(self, session: Session, now: float) -> None:
        """All that a peer said before it half-closed is answered; an unfinished line is dropped."""
        session.connection.end()
        self.dismiss(session, "bye", "Your input has ended.", now)

    def dismiss(self, session: Session, reason: str, sentence: str, now: float) -> None:
        """Say a typed goodbye; seats of a person or a bot on a socket are kept, a program's games end."""
        if session.closing:
            return
        if session.player is not None:
            session.player.log(now, session.sent_as, session.encode(wire.Bye(reason, sentence)))
        session.close(reason, sentence)
        ending, detail = _PROGRAM_ENDINGS.get(reason, ("crashed", reason))
        player = session.player
        if reason == "protocol" and player is not None and player.kind == "bot":
            self._forfeit_all(player, ending, detail, "", now)
        self._detach(session, ending, detail, "", now)

    def lost(self, session: Session, cause: str, note: str, now: float) -> None:
        """A peer's stream is gone."""
        server, network = self._server, network_of(session.transport.host)
        if session.counted:
            self._counted -= 1
            self._hosts[network] -= 1
            if not self._hosts[network]:
                del self._hosts[network]
        for kind in ("hello", "advice", "line", "ping", "output", "rate", "check"):
            server.timers.clear((kind, session.number))
        bot = server.bots.get(session.transport.bot or 0)
        if bot is not None and bot.player is None:
            server.programs.stop(bot.id)
            last = f"; its last words: {note.strip().splitlines()[-1]}" if note.strip() else ""
            server.programs.failed(
                bot, f"it ended before it was ready ({cause or 'end of output'}){last}", now
            )
            return
        self._detach(session, "crashed", cause or "end of output", note, now)

    def _detach(self, session: Session, ending: str, detail: str, note: str, now: float) -> None:
        """Part a player from its session: away with its seats kept, or gone for good."""
        for table in session.watching.values():
            table.watchers.pop(session.number, None)
            table.late.pop(session.number, None)
        session.watching.clear()
        session.check = None
        player = session.player
        session.player = None
        if player is None or player.session is not session:
            return
        player.session = None
        player.log(now, NOTE, f"the connection was lost ({detail})".encode())
        for table, _ in player.seats.values():
            table.late.pop(session.number, None)
        if session.is_pipe:
            self._forfeit_all(player, ending, detail, note, now)
            if player.bot is not None:
                self._server.programs.stop(player.bot)
        self._keep_seats(player, now)

    def _forfeit_all(self, player: Player, ending: str, detail: str, note: str, now: float) -> None:
        for table, side in list(player.seats.values()):
            table.forfeit(side, ending, detail, now, note)

    def _keep_seats(self, player: Player, now: float) -> None:
        """A player has no connection: keep its running seats for the window, or let it go."""
        running = [(table, side) for table, side in player.seats.values() if table.ending is None]
        usual = self._server.settings.reconnect_window
        window = usual if running else self._server.director.holds(player)
        limit = "reconnect_window" if window == usual else "event_hold"
        if not window:
            if not player.seats:
                self._remove(player, now)
            return
        for table, side in running:
            table.tell_presence(side, wire.Away(table.game, SIDE_LETTER[side], int(window * 1000)))
        self.await_return(player, window, limit, now)

    def await_return(self, player: Player, window: float, limit: str, now: float) -> None:
        """A player has so many seconds to come back to what it has here; limit: the name of that window."""
        player.away_until = now + window
        self._server.timers.set(
            ("away", player.name), now + window, lambda at: self._given_up(player, limit, at)
        )

    def _given_up(self, player: Player, limit: str, now: float) -> None:
        """A player has not come back in its window; had it, this deadline would have been cleared."""
        self._server.counts.limits[limit] += 1
        player.away_until = None
        if not player.seats:
            self._remove(player, now)
        for table, side in list(player.seats.values()):
            table.abandon(side, now)

    def seat_freed(self, player: Player, now: float) -> None:
        """One of a player's games is over and told: one that is away goes with its last seat."""
        if player.session is not None or player.seats:
            return
        if player.away_until is None or not self._server.director.holds(player):
            self._remove(player, now)

    def _remove(self, player: Player, now: float) -> None:
        server = self._server
        if server.players.get(player.name.lower()) is player:
            del server.players[player.name.lower()]
            server.timers.clear(("away", player.name))
            server.director.gone(player, now)

    def back(self, player: Player, now: float) -> None:
        """A player has resumed; who was not told that it was away is not told that it is back."""
        was_away = player.away_until is not None
        player.away_until = None
        self._server.timers.clear(("away", player.name))
        if was_away:
            player.log(now, NOTE, b"the player has resumed")
        was_missing, player.missing = player.missing, False
        for table, side in player.seats.values():
            if was_missing:
                table.thaw(side, now)
            if was_away and table.ending is None:
                table.tell_presence(side, wire.Back(table.game, SIDE_LETTER[side]))
