"""The bots of the server itself: started when somebody wants to play them, and kept for the next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from tyrusd.core.director import Bot
from tyrusd.core.failures import Refused
from tyrusd.core.lobby_part import LobbyPart
from tyrusd.core.player import Player
from tyrusd.core.rated_games import check_house
from tyrusd.core.seatspec import SeatSpec
from tyrusd.core.terms import Terms

if TYPE_CHECKING:
    from tyrusd.core.lobby import Lobby


class Houses(LobbyPart):
    """House bots by name, and who waits for those that are starting."""

    def __init__(self, lobby: Lobby, specs: Mapping[str, SeatSpec]) -> None:
        self._lobby = lobby
        self.specs = dict(specs)
        self._name_of = {name.lower(): name for name in specs}
        self.waiting: dict[int, list[tuple[Player, Terms]]] = {}  # by the program that is starting

    def find(self, name: str) -> str | None:
        """The house bot of a name in any case, as it is written."""
        return self._name_of.get(name.lower())

    def filling(self, player: Player) -> str | None:
        """What a house bot is; guests bring themselves."""
        spec = None if player.bot is None else self.specs.get(player.name)
        return None if spec is None else str(spec)

    def came(self, player: Player, now: float) -> None:
        """A house bot that was waited for has come: begin its games."""
        for challenger, terms in self.waiting.pop(player.bot or 0, []):
            if challenger.session is None:
                continue
            try:
                self._check_places(challenger, terms, player)
            except Refused as refused:
                self._lobby.excuse(challenger, "play", refused.code, refused.sentence)
            else:
                self._begin(challenger, terms, player, now)

    def waits_for(self, player: Player) -> str | None:
        """A game against a bot that is starting is as good as begun."""
        if any(player is waiting for ones in self.waiting.values() for waiting, _ in ones):
            return "A game of yours is about to begin; finish it first."
        return None

    def bot_failed(self, bot: Bot, why: str) -> None:
        """Tell everyone who waited for a house bot that it does not come."""
        for challenger, _ in self.waiting.pop(bot.id, []):
            self._lobby.excuse(challenger, "play", "unavailable", f"{bot.name} cannot play now: {why}")

    def closing(self, now: float) -> None:
        """Nobody gets a game any more."""
        for waiting in self.waiting.values():
            for challenger, _ in waiting:
                self._lobby.excuse(
                    challenger, "play", "shutdown", "The server is closing and starts no game."
                )
        self.waiting.clear()

    def play(self, player: Player, terms: Terms, name: str, now: float) -> None:
        """Begin a game with a house bot, or have it started first; raises Refused."""
        server = self._lobby.server
        check_house(self._lobby, terms, name)
        house = server.players.get(name.lower())
        if house is not None:
            if house.session is None:
                raise Refused("unavailable", f"{name} has just ended and is not back yet; try again later.")
            if not house.has_room:
                raise Refused(
                    "unavailable", f"{name} plays its {house.games} games already; try again later."
                )
            self._check_places(player, terms, house)
            self._begin(player, terms, house, now)
            return
        starting = next((bot for bot in server.bots.values() if bot.name == name), None)
        if starting is None:
            starting = server.programs.start(name, self.specs[name], now)
        waiting = self.waiting.setdefault(starting.id, [])
        if any(challenger is player for challenger, _ in waiting):
            raise Refused("unavailable", f"{name} is starting for you already; the game begins in a moment.")
        waiting.append((player, terms))

    def _check_places(self, player: Player, terms: Terms, house: Player) -> None:
        """Make sure that nobody takes all places of a house bot; raises Refused.

        Unrated games are on any clock and may last for weeks: an anchor keeps half of its places for others.
        """
        most = self._lobby.server.settings.house_games_per_player
        if sum(house in table.players for table, _ in player.seats.values()) >= most:
            sentence = f"You play {most} games with {house.name} already; finish one first."
            raise Refused("unavailable", sentence, "house_games_per_player")
        if terms.rated is None and self._kept(house):
            unrated = sum(table.match.rated is None for table, _ in house.seats.values())
            if unrated >= house.games - self._kept(house):
                sentence = (
                    f"{house.name} keeps its other places for rated games; play it with rated=yes, or later."
                )
                raise Refused("unavailable", sentence)

    def _kept(self, house: Player) -> int:
        """How many places of a house bot only rated games may take: half of an anchor's, or one more."""
        ladder = self._lobby.ladder
        return 0 if ladder is None or ladder.anchor(house.name) is None else (house.games + 1) // 2

    def wake(self, name: str, now: float) -> bool:
        """Have a house bot started that nobody waits for yet; False if it is here, or on its way."""
        server = self._lobby.server
        known = self.find(name)
        if known is None or known.lower() in server.players:
            return False
        if any(bot.name == known for bot in server.bots.values()):
            return False
        server.programs.start(known, self.specs[known], now)
        return True

    def _begin(self, player: Player, terms: Terms, house: Player, now: float) -> None:
        server = self._lobby.server
        possible = not (server.closing_down.begun or server.storing.troubled or self._lobby.paused)
        possible = possible and len(server.tables) < server.settings.games_total
        if not (possible and player.has_room and house.has_room):
            self._lobby.excuse(
                player, "play", "unavailable", f"The game with {house.name} could not begin any more."
            )
            return
        self._lobby.begin(player, terms, house, terms.mirrored(), now)
