"""Reads the configuration again while a server runs: what can change without a restart does, never more."""

from __future__ import annotations

import logging
from collections.abc import Callable

from tyrusd.core.server import Server
from tyrusd.host import logs
from tyrusd.host.configuration.keys import BY_PATH
from tyrusd.host.configuration.kinds import shown
from tyrusd.host.configuration.reading import Configuration, ConfigurationError

_log = logging.getLogger("tyrusd.configuration")


class Reloader:
    """current: what the server runs with; reread: reads it anew, raising ConfigurationError."""

    def __init__(self, current: Configuration, reread: Callable[[], Configuration]) -> None:
        self.current = current
        self._reread = reread
        self.waiting: tuple[str, ...] = ()
        """What was changed, but is used only after a restart."""

    def reload(self, server: Server) -> bool:
        """Apply what has changed and say so in the log; False: the new one is bad and the old one stays.

        Limits of a connection or a game are those that held when it began; all others hold at once.
        """
        try:
            newer = self._reread()
        except ConfigurationError as error:
            for problem in error.problems:
                _log.error("not reloaded: %s", problem, extra={"source": "reload"})
            _log.error("the configuration stays as it was", extra={"source": "reload"})
            return False
        changed = self.current.changes(newer)
        waiting = self.waiting = tuple(key.path for key in changed if not key.live)
        values = {
            path: value if BY_PATH[path].live else self.current.values[path]
            for path, value in newer.values.items()
        }
        applied = Configuration(values, self.current.places)
        server.settings = applied.settings()
        told = [
            f"{key.path} is {shown(applied[key.path])}, was {shown(self.current[key.path])}"
            for key in changed
            if key.live
        ]
        self.current = applied
        logs.configure_by(applied["log.level"], applied["log.format"])
        _log.info("configuration reloaded: %s", "; ".join(told) or "nothing to change")
        if waiting:
            _log.warning("changed, but used only after a restart: %s", ", ".join(waiting))
        return True
