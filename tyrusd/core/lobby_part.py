"""What a lobby is made of: each part has verbs of its own and hears who comes, who leaves, what has ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from tyrusd.core.player import Player
from tyrusd.core.session import Session
from tyrusd.core.table import Table
from tyrusd.core.terms import Terms
from tyrusd.wire import messages as wire

if TYPE_CHECKING:
    from tyrusd.core.director import Bot

LobbyVerb: TypeAlias = Callable[[Session, Player, Any, float], "int | None"]
"""Does a verb; returns how many lines answered it, if that is a list; raises Refused."""

LobbyVerbs: TypeAlias = Mapping[type[wire.ClientMessage], LobbyVerb]


class LobbyPart:
    """A part that does nothing; each real one has what it needs."""

    def verbs(self) -> LobbyVerbs:
        """Return the verbs that this part does."""
        return {}

    def came(self, player: Player, now: float) -> None:
        """A player has said hello, or has resumed."""

    def left(self, player: Player, now: float) -> None:
        """A player has left for good; its seats are over already."""

    def state_of(self, player: Player) -> str | None:
        """Return the word of `who` for what a player waits for here, or None."""
        return None

    def waits_for(self, player: Player) -> str | None:
        """Return a sentence that says why a player cannot begin something else now, or None."""
        return None

    def filled(self, player: Player) -> None:
        """A game has begun that may have taken a player's last room."""

    def bot_failed(self, bot: Bot, why: str) -> None:
        """A program could not be started, or ended before its hello; why is one sentence."""

    def began(self, table: Table, terms: tuple[Terms, Terms], now: float) -> None:
        """A game has begun on these terms, Ivory's and Brown's."""

    def over(self, table: Table, now: float) -> None:
        """A result is durable and told."""

    def closing(self, now: float) -> None:
        """The server is closing: take back what was offered."""
