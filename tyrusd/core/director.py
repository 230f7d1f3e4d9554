"""Who opens tables and receives results: what the server asks of the lobby, or of a match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from tyrusd.core.player import Player
from tyrusd.core.seatspec import SeatSpec
from tyrusd.core.session import Session
from tyrusd.core.table import Table
from tyrusd.wire import Phase
from tyrusd.wire import messages as wire

if TYPE_CHECKING:
    from tyrusd.core.server import Server


@dataclass(slots=True)
class Bot:
    """One program that the server asked the host to start; `player` is None until it has said hello."""

    id: int
    name: str
    spec: SeatSpec
    player: Player | None = None
    played: int = 0  # games it was seated in


class Director(Protocol):
    """The part of the server that decides who plays whom.

    The server calls these in the course of its steps; a director opens tables with `server.open_table` and
    programs with `server.programs.start`.
    """

    def attach(self, server: Server, now: float) -> None:
        """Learn the server; called once, before anything else."""

    def name_for(self, session: Session, hello: wire.Hello) -> str:
        """Return the name under which a peer that came by itself plays; raises Refused."""

    def bot_name(self, bot: Bot) -> str:
        """Return the name under which a started program plays."""

    def display_of(self, player: Player) -> str | None:
        """Return what people may call a player, in any script; None where that is its name."""

    def phase_of(self, player: Player) -> Phase:
        """Return the phase of a player's session after its hello: with the lobby or without."""

    def ready(self, player: Player, now: float) -> None:
        """A player has said hello, or has resumed."""

    def holds(self, player: Player) -> float:
        """Return how many seconds a player without a running game is waited for when it is lost; 0: not."""

    def gone(self, player: Player, now: float) -> None:
        """A player has left for good; its seats are over already."""

    def handle(self, session: Session, player: Player, message: wire.ClientMessage, now: float) -> int | None:
        """Do a verb of the lobby; return how many lines answered it, if that is a list; raises Refused."""

    def over(self, table: Table, now: float) -> None:
        """A result is durable and told."""

    def deals_again(self, table: Table) -> bool:
        """Tell whether this game, which has ended, is to be followed by a new one at once.

        Asked before the result is stored, and once more before it is told.
        """

    def bot_failed(self, bot: Bot, why: str, now: float) -> None:
        """A program could not be started, or ended before its hello; why is one sentence."""

    def draining(self, now: float) -> None:
        """The server is closing: open no more tables."""
