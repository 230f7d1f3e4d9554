"""Closing down: a notice, a last while for running games and their players, and a goodbye for everyone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tyrusd.core.failures import Refused
from tyrusd.wire import messages as wire

if TYPE_CHECKING:
    from tyrusd.core.player import Player
    from tyrusd.core.server import Server
    from tyrusd.core.session import Session

_CLOSED: Final = "The server is closing; only players with running games may come back. Come again later."


class Closing:
    """The way from the first signal to the last byte."""

    __slots__ = ("_draining", "_goodbye", "_said_goodbye", "_server", "_until", "begun")

    def __init__(self, server: Server) -> None:
        self._server = server
        self.begun = False
        self._draining = False
        self._until = 0.0
        self._goodbye = ("shutdown", "The server is closing. Come again later.")
        self._said_goodbye = False

    def conclude(self, sentence: str, now: float) -> None:
        """Close because everything is done: no notice, and a goodbye that says so."""
        self._goodbye = ("bye", sentence)
        self.begun = True

    def begin(self, grace: float, now: float) -> None:
        """Start no more games; running ones have `grace` seconds. A second call can only shorten that."""
        until = now + grace
        if self.begun:
            until = min(until, self._until)
        else:
            self.begun = True
            self._draining = True
            self._until = until
            for session in self._server.sessions.values():
                self.tell(session, now)
            self._server.director.draining(now)
        self._until = until
        self._server.timers.set("closing", until, self._abort)

    def tell(self, session: Session, now: float) -> None:
        """Tell a peer that the server is closing, and in what time, if it is."""
        if self._draining:
            sentence = "The server is closing; no new game starts, running ones may end."
            session.send(wire.Notice("shutdown", sentence, max(0, round((self._until - now) * 1000))))

    def is_awaited(self, session: Session) -> bool:
        """Whether a new connection may bring a player back to a running game; all others come too late.

        Of the server's own programs only those do whose games have outlived a restart.
        """
        bot = session.transport.bot
        if bot is None:
            return self.is_open
        return any(player.missing and player.bot == bot for player in self._server.players.values())

    @property
    def is_open(self) -> bool:
        """Whether there still are games to which somebody could come back."""
        return self.admits and bool(self._server.tables)

    def check_return(self, session: Session, player: Player | None) -> None:
        """Let in only whoever has a game to come back to; others get a goodbye, and Refused is raised."""
        if self.begun and (player is None or not player.seats):
            session.condemn("shutdown", _CLOSED)
            raise Refused("shutdown", _CLOSED)

    def _abort(self, now: float) -> None:
        for table in list(self._server.tables.values()):
            if table.ending is None:
                self._server.counts.limits["drain"] += 1
            table.stop(None, "aborted", "shutdown", now)

    def check(self, now: float) -> None:
        """Once no table is left, say goodbye to everyone."""
        server = self._server
        if not self.begun or self._said_goodbye or server.tables:
            return
        self._said_goodbye = True
        for session in list(server.sessions.values()):
            server.presence.dismiss(session, *self._goodbye, now)
        for bot in list(server.bots):
            server.programs.stop(bot)

    @property
    def admits(self) -> bool:
        """Whether anybody may still be let in: not any more once a closing server has said its goodbyes."""
        return not (self._draining and self._said_goodbye)

    @property
    def finished(self) -> bool:
        """Whether every goodbye has been sent and every stream is gone."""
        return self._said_goodbye and not self._server.sessions
