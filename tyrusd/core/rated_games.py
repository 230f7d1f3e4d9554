"""Which games of a lobby may be rated, and what the record of one says (protocol.md#standing-ladder)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tyrusd.core.failures import Refused
from tyrusd.core.player import Player
from tyrusd.core.terms import Terms
from tyrusd.league.rated import HOST, OWNER, Rated
from tyrusd.rules.variants import STANDARD

if TYPE_CHECKING:
    from tyrusd.core.lobby import Lobby

_NO_AGENT = "-"  # how `merge` names the version without an agent


def checked_terms(lobby: Lobby, player: Player, terms: Terms) -> Terms:
    """Return the terms that a player asks for, of a rated game on the ladder's clock; raises Refused."""
    if terms.rated is None:
        return terms
    if lobby.ladder is None:
        raise Refused("unavailable", "This server rates no games.")
    if player.account is None:
        raise Refused("unavailable", f"{player.name} has no account; only games of accounts are rated.")
    if terms.variant != STANDARD.name:
        raise Refused("config", f"Only games of variant {STANDARD.name} are rated.")
    if terms.repeat is not None:
        raise Refused("config", "A game on a deal that was played before is not rated.")
    lobby.standing.versions.check(player, lobby.server.now)
    time = lobby.ladder.time
    if terms.time not in (None, time):
        clock = f"clock={time.clock_text} cap={time.cap_text}"
        raise Refused("config", f"All rated games are on the ladder's clock, {clock}: leave both keys out.")
    return terms._replace(time=time)


def check_opponent(terms: Terms, other: Player) -> None:
    """Make sure that a game with this player may be rated, if it is to be; raises Refused."""
    if terms.rated is not None and other.account is None:
        raise Refused("unavailable", f"{other.name} has no account; only games of accounts are rated.")


def check_house(lobby: Lobby, terms: Terms, house: str) -> None:
    """Make sure that a game with a bot of the house may be rated, if it is to be; raises Refused."""
    if terms.rated is not None and (lobby.ladder is None or lobby.ladder.anchor(house) is None):
        raise Refused("unavailable", f"{house} has no rating of its own, so no game with it is rated.")


def agent_of(player: Player) -> str | None:
    """Return the agent word of the version that plays; people, house bots and most others have none."""
    if player.kind != "bot" or player.bot is not None or player.agent == _NO_AGENT:
        return None
    return player.agent


def rated_of(lobby: Lobby, players: tuple[Player, Player], terms: Terms) -> Rated | None:
    """Return what a game between two counts as (players by side), None for a game that is not rated."""
    by = terms.rated
    if by is None or lobby.ladder is None or terms.variant != STANDARD.name or terms.repeat is not None:
        return None
    if any(player.account is None and lobby.ladder.anchor(player.name) is None for player in players):
        return None
    # Whoever came back as another version since it was asked for plays on, but not for a rating.
    if any(lobby.standing.versions.fault(player, lobby.server.now) is not None for player in players):
        return None
    return Rated(agent_of(players[0]), agent_of(players[1]), by, flags_of(lobby, *players))


def flags_of(lobby: Lobby, one: Player, other: Player) -> tuple[str, ...]:
    """Tell what is to be known of two who meet: one person behind both, or one host."""
    found = []
    host = _host(one)
    if host is not None and host == _host(other) and host not in lobby.server.settings.open_hosts:
        found.append(HOST)  # whoever is in open_hosts comes from anywhere, as through a proxy
    if related(lobby, one, other):
        found.append(OWNER)
    return tuple(found)


def related(lobby: Lobby, one: Player, other: Player) -> bool:
    """Tell whether one person stands behind two players, so that no game of theirs counts."""
    accounts = lobby.admission.accounts
    return (
        one.account is not None and other.account is not None and accounts.related(one.account, other.account)
    )


def _host(player: Player) -> str | None:
    return None if player.session is None else player.session.transport.host
