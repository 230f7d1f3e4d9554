"""Closing down: a notice, a last while for running games, and a goodbye for everyone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tyrusd.wire import messages as wire

if TYPE_CHECKING:
    from tyrusd.core.server import Server


class Closing:
    """The way from the first signal to the last byte."""

    __slots__ = ("_goodbye", "_said_goodbye", "_server", "_until", "begun")

    def __init__(self, server: Server) -> None:
        self._server = server
        self.begun = False
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
            for session in self._server.sessions.values():
                sentence = "The server is closing; no new game starts, running ones may end."
                session.send(wire.Notice("shutdown", sentence, int(grace * 1000)))
            self._server.director.draining(now)
        self._until = until
        self._server.timers.set("closing", until, self._abort)

    def _abort(self, now: float) -> None:
        for table in list(self._server.tables.values()):
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
    def finished(self) -> bool:
        """Whether every goodbye has been sent and every stream is gone."""
        return self._said_goodbye and not self._server.sessions
