"""Counts who comes to a lobby and how its games end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tyrusd.core.lobby_part import LobbyPart
from tyrusd.core.player import Player
from tyrusd.core.table import Table
from tyrusd.rules.events import Over

if TYPE_CHECKING:
    from tyrusd.core.lobby import Lobby


class Counting(LobbyPart):
    """Adds to the server's counts; a resume counts as a login."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby

    def came(self, player: Player, now: float) -> None:
        """Count a login."""
        how = "program" if player.bot is not None else "account" if player.account is not None else "guest"
        self._lobby.server.counts.logins[player.kind, how] += 1

    def over(self, table: Table, now: float) -> None:
        """Count a result as it was told."""
        told = table.ending[-1] if table.ending else None
        if isinstance(told, Over):
            self._lobby.server.counts.results[told.reason] += 1
