"""After a restart: running games go on from the journal, with seats that their players take again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from tyrusd.core.earlier import Finished
from tyrusd.core.player import Player
from tyrusd.core.seatspec import SeatSpec
from tyrusd.core.table import Table
from tyrusd.league.club import ClubEvent
from tyrusd.league.fold import Running
from tyrusd.league.match import Match
from tyrusd.league.record import Payload, frame
from tyrusd.league.replay import played, resumed
from tyrusd.rules.pieces import Side

if TYPE_CHECKING:
    from tyrusd.core.server import Server


class Recovered(NamedTuple):
    """What an earlier server has left: games that may go on, and who was in them, by lower-case name.

    Seats with a filling are those of houses, the bots of this server; all others are in players. games: the
    highest number of a game that its journal holds, so that no id is used twice. events: the club events that
    it knew. again: drawn games, as recorded, with the ids of those that were to follow them and never began.
    finished: the newest games that are over, in the order of their ends, for those who ask about their own.
    """

    running: tuple[Running, ...] = ()
    players: Mapping[str, Payload] = {}
    houses: Mapping[str, SeatSpec] = {}
    games: int = 0
    events: tuple[ClubEvent, ...] = ()
    again: tuple[tuple[Payload, str], ...] = ()
    finished: tuple[Finished, ...] = ()


@runtime_checkable
class HasEvents(Protocol):
    """A director that holds club events."""

    def awaits(self, record: Payload) -> bool:
        """Tell whether somebody without a game, as the journal knows it, may come back."""

    def resume_events(self, events: Sequence[ClubEvent], now: float) -> None:
        """Go on with the events of an earlier server, whose tables are open already."""


def restore(server: Server, recovered: Recovered, now: float) -> None:
    """Open the tables of all recovered games; whoever comes back finds its seat as it was.

    The charge of an open request begins anew when its player is back, and at the latest with its window: the
    downtime is nobody's. Raises ValueError for a game that cannot have been played.
    """
    server.archive.recall(recovered.finished)
    for running in recovered.running:
        match = resumed(running)
        started = datetime.fromisoformat(running.opened["started"]).timestamp()
        match.began = server.monotonic(started)
        ivory, brown = (_seat(server, recovered, match, side, now) for side in Side)
        table = Table(match, (ivory, brown), server, running.opened.get("repeats"))
        server.tables[table.game] = table
        table.restore(now)
    for record, following in recovered.again:
        # Its end may have been told or not: it is told to both when they are back, and they play again.
        match = played(record)
        ivory, brown = (_seat(server, recovered, match, side, now) for side in Side)
        table = Table(match, (ivory, brown), server)
        table.next_game = following
        table.kept = record, frame(record)
        server.tables[table.game] = table
        table.restore(now)
    for event in recovered.events:
        for name in event.entrants:
            known = recovered.players.get(name)
            if event.plays(name) and known is not None and name not in server.players:
                server.players[name] = _awaited(known)
    if isinstance(server.director, HasEvents):
        for name, known in recovered.players.items():
            if name not in server.players and server.director.awaits(known):
                server.players[name] = _awaited(known)
    for player in list(server.players.values()):
        if player.bot is None:
            entered = any(event.plays(player.name) for event in recovered.events)
            limit = "event_hold" if entered and not player.seats else "restart_window"
            server.presence.await_return(player, getattr(server.settings, limit), limit, now)
    server.presence.keep_beating(now)
    if isinstance(server.director, HasEvents):
        server.director.resume_events(recovered.events, now)


def player_record(player: Player) -> bytes:
    """What lets a player come back after a restart, as a framed record."""
    payload: Payload = {
        "kind": "player",
        "name": player.name,
        "sort": player.kind,
        "games": player.games,
        "want": list(player.want),
        "agent": player.agent,
        "digests": [digest.hex() for digest in player.secrets],
    }
    if player.account is not None and player.key is not None:
        payload |= {"account": player.account, "key": player.key.hex()}
    if player.ladder:
        payload["ladder"] = player.ladder
    return frame(payload)


def _awaited(record: Payload) -> Player:
    """A player who may come back, as the journal knows it."""
    player = Player(
        record["name"], record["sort"], None, record["games"], tuple(record["want"]), record["agent"]
    )
    player.secrets[:] = [bytes.fromhex(digest) for digest in record["digests"]]
    if record.get("account") is not None and record.get("key") is not None:
        player.account, player.key = record["account"], bytes.fromhex(record["key"])
    player.ladder = record.get("ladder") or 0
    player.recorded = True
    return player


def _seat(server: Server, recovered: Recovered, match: Match, side: Side, now: float) -> Player:
    """The player of a seat, away; a bot of the house is started for it."""
    name = match.names[side]
    known = server.players.get(name.lower())
    if known is not None:
        return known
    if match.fillings[side] is not None:
        bot = server.programs.start(name, recovered.houses[name.lower()], now)
        player = Player(name, "bot", None, server.settings.games_per_connection, bot=bot.id)
    else:
        player = _awaited(recovered.players[name.lower()])
    player.missing = True
    server.players[name.lower()] = player
    return player
