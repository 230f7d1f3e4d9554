"""How many versions of an account may begin rated games: nobody fills the table with new ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from tyrusd.core.failures import Refused
from tyrusd.core.player import Player
from tyrusd.core.rated_games import agent_of
from tyrusd.league.match import Match
from tyrusd.league.rated import Version
from tyrusd.league.standing_rows import RatingTable

if TYPE_CHECKING:
    from tyrusd.core.lobby import Lobby

DAY: Final = 86_400.0
_HOUR: Final = 3600.0


class Versions:
    """When each version of an account began its first rated game: before, as the index knows, and since then.

    A version that has begun one stays free to play; a further one is refused while `ladder_versions_per_day`
    others have begun within 24 hours.
    """

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._before: Mapping[str, Mapping[str | None, float]] = RatingTable().begun
        self._since: dict[str, dict[str | None, float]] = {}  # the same, by our clock

    def take(self, table: RatingTable) -> None:
        """Take what the index knows."""
        self._before = table.begun

    def began(self, match: Match, now: float) -> None:
        """A rated game has begun, or goes on after a restart."""
        agents = (None, None) if match.rated is None else match.rated.agents()
        for name, agent in zip(match.names, agents, strict=True):
            self._since.setdefault(name.lower(), {}).setdefault(agent, now)

    def check(self, player: Player, now: float) -> None:
        """Make sure that a player may play rated games as the version that it is; raises Refused."""
        sentence = self.fault(player, now)
        if sentence is not None:
            raise Refused("unavailable", sentence, "ladder_versions_per_day")

    def fault(self, player: Player, now: float) -> str | None:
        """Return why a player may not play rated games as the version that it is, or None."""
        if player.account is None:
            return None
        agent, key = agent_of(player), player.name.lower()
        before, since = self._before.get(key, {}), self._since.get(key, {})
        if agent in before or agent in since:
            return None
        server = self._lobby.server
        known = {**since, **{word: server.monotonic(at) for word, at in before.items()}}
        lately = sorted(at for at in known.values() if at > now - DAY)
        most = server.settings.ladder_versions_per_day
        if len(lately) < most:
            return None
        hours = (lately[-most] + DAY - now) / _HOUR
        return (
            f"{len(lately)} versions of {player.name} have begun rated games within 24 h: "
            f"{Version(player.name, agent)} may in {hours:.1f} h. Games that are not rated go on."
        )
