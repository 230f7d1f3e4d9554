"""Seeks of a lobby: who waits for any opponent on which terms, until somebody agrees."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tyrusd.core.failures import Refused
from tyrusd.core.lobby_part import LobbyPart, LobbyVerbs
from tyrusd.core.player import Player
from tyrusd.core.rated_games import check_opponent, related
from tyrusd.core.session import Session
from tyrusd.core.table import Table
from tyrusd.core.terms import Terms, agree
from tyrusd.wire import messages as wire

if TYPE_CHECKING:
    from tyrusd.core.lobby import Lobby

_PLAYED: Final = frozenset({"majority", "three-in-a-row", "remaining-tiles", "drawn"})


class Seeking(LobbyPart):
    """The open seeks, oldest first; a player has at most one."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self.seeks: dict[str, tuple[Player, Terms]] = {}  # by the seeker's name

    def verbs(self) -> LobbyVerbs:
        """Seek; taking that back comes by way of the challenges."""
        return {wire.Seek: self._seek}

    def left(self, player: Player, now: float) -> None:
        """Forget what a player wanted."""
        self.forget(player)

    def state_of(self, player: Player) -> str | None:
        """Who seeks can be played."""
        return "seeking" if player.name in self.seeks else None

    def waits_for(self, player: Player) -> str | None:
        """A seek is to be taken back first."""
        return "You seek a game; `cancel` takes that back." if player.name in self.seeks else None

    def filled(self, player: Player) -> None:
        """A player without room seeks no more."""
        if not player.has_room and self.forget(player):
            sentence = "You play as many games as you said, so your seek is taken back."
            self._lobby.excuse(player, "seek", "too-many-games", sentence)

    def over(self, table: Table, now: float) -> None:
        """Who has played a game to its end may seek the next one at once, however fast it plays.

        Other ends come with a line or two, so that whoever makes them is held to the rate.
        """
        outcome = table.match.game.outcome
        if outcome is not None and outcome.reason in _PLAYED and table.next_game is None:
            for player in table.players:
                player.earn_game()

    def closing(self, now: float) -> None:
        """Take all seeks back."""
        for player, _ in list(self.seeks.values()):
            self._lobby.excuse(player, "seek", "shutdown", "The server is closing; your seek is taken back.")
            self.forget(player)

    def forget(self, player: Player) -> bool:
        """Take a player's seek back; whether there was one."""
        self._lobby.server.timers.clear(("seek", player.name))
        return self.seeks.pop(player.name, None) is not None

    def accept(self, player: Player, terms: Terms, other: Player, now: float) -> None:
        """Begin the game that another player seeks; raises Refused if it does not seek such a one."""
        check_opponent(terms, other)
        found = self.seeks.get(other.name)
        if found is None or other.session is None:
            raise Refused("unavailable", f"{other.name} does not seek a game now.")
        if not agree(terms, found[1]):
            raise Refused(
                "unavailable", f"{other.name} seeks a game on other terms{found[1].offer(other.name)}."
            )
        self.forget(other)
        self._lobby.begin(player, terms, other, found[1], now)

    def _seek(self, session: Session, player: Player, message: wire.Seek, now: float) -> None:
        lobby = self._lobby
        terms = lobby.terms_of(player, message)
        lobby.check_free(player)
        if player.name in self.seeks:
            raise Refused("unavailable", "You seek a game already; `cancel` takes that back.")
        for other, wanted in list(self.seeks.values()):
            if other is player or other.session is None or not agree(terms, wanted):
                continue
            # Who wants a game that counts is not given one that does not.
            if terms.rated is None or not related(lobby, player, other):
                self.forget(other)
                lobby.begin(player, terms, other, wanted, now)
                return
        self.seeks[player.name] = (player, terms)
        due = now + lobby.server.settings.seek_expires
        lobby.server.timers.set(("seek", player.name), due, lambda at: self._expired(player))

    def _expired(self, player: Player) -> None:
        self._lobby.server.counts.limits["seek_expires"] += 1
        self.forget(player)
        self._lobby.excuse(player, "seek", "expired", "Nobody came for your seek; seek again.")

    def cancel(self, player: Player) -> None:
        """Take a player's seek back; raises Refused if there is none."""
        if not self.forget(player):
            raise Refused("unavailable", "You have no open seek.")
