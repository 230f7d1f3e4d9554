"""Does what the operator asks of a running server; every answer is a plain dict, every refusal a sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from tyrusd.core import club_operator
from tyrusd.core import operator_words as words
from tyrusd.core.bans import MOST, Ban
from tyrusd.core.club import EventError
from tyrusd.core.hosts import hosts_of, networks_around
from tyrusd.core.onlooker import Onlooker
from tyrusd.core.player import Player
from tyrusd.core.seatspec import is_name
from tyrusd.core.table import Table
from tyrusd.core.translate import SIDE_LETTER, won_text
from tyrusd.rules.pieces import SIDE_OF_LETTER, Side
from tyrusd.wire import Phase
from tyrusd.wire import messages as wire

if TYPE_CHECKING:
    from tyrusd.core.lobby import Lobby

_MINUTE: Final = 60.0
_KICKED: Final = "The operator has ended your connection."


class OperatorError(Exception):
    """It cannot be done; the text is a sentence."""


class Operator:
    """The hands of whoever runs a lobby; bans_changed: the bans are not those that were kept last."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._onlookers = 0
        self.bans_changed = False
        self._do: dict[type[words.Word], Callable[[Any, float], dict[str, Any]]] = {
            words.Who: self._who,
            words.Games: self._games,
            words.Status: self._status,
            words.Abort: self._abort,
            words.Adjudicate: self._adjudicate,
            words.Kick: self._kick,
            words.Ban: self._ban,
            words.Unban: self._unban,
            words.Bans: self._bans,
            words.Pause: self._pause,
            words.Resume: self._resume,
            words.Announce: self._announce,
            words.Event: self._event,
        }

    def do(self, word: words.Word, now: float) -> dict[str, Any]:
        """Do a word and return what is to be told; raises OperatorError, and nothing has changed then.

        Drain, reload and watch are for whoever has the process.
        """
        return self._lobby.server.step(lambda at: self._do[type(word)](word, at), now)

    def bans(self) -> list[Ban]:
        """Return the bans that hold, to be kept; look at `bans_changed` after each word."""
        return self._lobby.server.presence.bans.all(self._wall(self._lobby.server.now))

    def watch(self, game: str, take: Callable[[bytes], None]) -> Onlooker:
        """Show a running game from now on, as the public may see it; raises OperatorError."""
        table = self._running(game)
        self._onlookers -= 1
        return Onlooker(self._lobby.server, table, self._onlookers, take)

    # -- telling -------------------------------------------------------------------------------------------

    def _who(self, word: words.Who, now: float) -> dict[str, Any]:
        server = self._lobby.server
        players = [self._player(player, now) for player in server.players.values()]
        new = [
            {"host": session.transport.host, "peer": session.number}
            for session in server.sessions.values()
            if session.phase is Phase.NEW
        ]
        return {"players": players, "new": new}

    def _player(self, player: Player, now: float) -> dict[str, Any]:
        session = player.session
        house = player.bot is not None
        return {
            "name": player.name,
            "kind": player.kind,
            "state": "house" if house else self._lobby.state_of(player),
            "host": None if session is None else session.transport.host,
            "account": player.account,
            "agent": player.agent,
            "games": list(player.seats),
            "declared": player.games,
            "silent": None if session is None else max(0, int(now - session.heard)),
            "away": None if player.away_until is None else max(0, int(player.away_until - now)),
        }

    def _games(self, word: words.Games, now: float) -> dict[str, Any]:
        return {"games": [self._table(table, now) for table in self._lobby.server.tables.values()]}

    def _table(self, table: Table, now: float) -> dict[str, Any]:
        match = table.match
        request = match.open_request
        return {
            "game": table.game,
            "ivory": match.names[Side.IVORY],
            "brown": match.names[Side.BROWN],
            "variant": match.game.variant.name,
            "state": "running" if table.ending is None else "ending",
            "election": match.game.election,
            "won": won_text(match.game.winners),
            "placed": match.game.placed_count,
            "move": SIDE_LETTER[None if request is None else request.side],
            "ivory_ms": match.time_ms(Side.IVORY, now),
            "brown_ms": match.time_ms(Side.BROWN, now),
            "watchers": len(table.watchers),
            "seconds": None if match.began is None else int(now - match.began),
        }

    def _status(self, word: words.Status, now: float) -> dict[str, Any]:
        server = self._lobby.server
        running = sum(table.ending is None for table in server.tables.values())
        return {
            "server": server.settings.server,
            "paused": self._lobby.paused,
            "closing": server.closing_down.begun,
            "storage": "troubled" if server.storing.troubled else "good",
            "connections": len(server.sessions),
            "players": sum(player.bot is None for player in server.players.values()),
            "away": sum(player.session is None for player in server.players.values()),
            "bots": len(server.bots),
            "games": running,
            "ending": len(server.tables) - running,
            "guests": self._lobby.admission.guests,
            "bans": len(server.presence.bans.all(self._wall(now))),
        }

    # -- games ---------------------------------------------------------------------------------------------

    def _running(self, game: str) -> Table:
        server = self._lobby.server
        table = server.tables.get(game)
        if table is None or not (table.ending is None or table.waits_to_end):
            over = table is not None or server.has_opened(game)
            raise OperatorError(
                f"{game} is over already" if over else f"there is no running game {game}: `games` lists them"
            )
        return table

    def _abort(self, word: words.Abort, now: float) -> dict[str, Any]:
        self._running(word.game).stop(None, "aborted", "operator", now)
        return {"game": word.game, "reason": "aborted"}

    def _adjudicate(self, word: words.Adjudicate, now: float) -> dict[str, Any]:
        table = self._running(word.game)
        if table.ending is not None:
            raise OperatorError(f"{word.game} has ended on the board; it waits for its players to be told")
        if table.match.rated is not None:
            raise OperatorError(
                f"{word.game} is rated, so only its players decide it: `abort` ends it without a result"
            )
        winner = None if word.winner == "draw" else SIDE_OF_LETTER[word.winner]
        table.stop(winner, "adjudicated", "operator", now)
        name = None if winner is None else table.match.names[winner]
        return {"game": word.game, "reason": "adjudicated", "winner": name}

    def _pause(self, word: words.Pause, now: float) -> dict[str, Any]:
        if self._lobby.server.closing_down.begun:
            raise OperatorError("the server is closing and starts no game anyway")
        self._lobby.paused = True
        return {"paused": True}

    def _resume(self, word: words.Resume, now: float) -> dict[str, Any]:
        if not self._lobby.paused:
            raise OperatorError("it is not paused")
        self._lobby.paused = False
        return {"paused": False}

    # -- people and bots -----------------------------------------------------------------------------------

    def _kick(self, word: words.Kick, now: float) -> dict[str, Any]:
        server = self._lobby.server
        player = server.players.get(word.name.lower())
        if self._lobby.houses.find(word.name) is not None:
            raise OperatorError(f"{word.name} is a bot of this server: abort its games instead")
        if player is None:
            raise OperatorError(f"nobody is here as {word.name}: `who` lists everyone")
        if player.session is None:
            raise OperatorError(f"{player.name} is away already; its seats are kept for a while")
        server.presence.dismiss(player.session, "kicked", _KICKED, now)
        return {"kicked": player.name, "games": list(player.seats)}

    def _ban(self, word: words.Ban, now: float) -> dict[str, Any]:
        server = self._lobby.server
        bans, wall = server.presence.bans, self._wall(now)
        host = hosts_of(word.who)
        if host is None and not is_name(word.who):
            raise OperatorError(
                f"{word.who!r} is neither a numeric address, with or without /BITS, nor a name: `who` tells "
                "the hosts of players"
            )
        if host is None and self._lobby.houses.find(word.who) is not None:
            raise OperatorError(f"{word.who} is a bot of this server")
        if len(bans.all(wall)) >= MOST and not bans.has(host or word.who):
            server.counts.limits["bans_kept"] += 1
            raise OperatorError(f"there are {MOST} bans already: lift some with `unban`")
        until = None if word.minutes is None else wall + word.minutes * _MINUTE
        bans.add(Ban(host or word.who, until))
        self.bans_changed = True
        gone = [
            session
            for session in server.sessions.values()
            if not (session.is_pipe or session.closing)
            and (
                _is_in(session.transport.host, host)
                if host is not None
                else session.player is not None and session.player.name.lower() == word.who.lower()
            )
        ]
        for session in gone:
            server.presence.dismiss(session, "kicked", _KICKED, now)
        return {"banned": host or word.who, "until": self._told(until, now), "ended": len(gone)}

    def _unban(self, word: words.Unban, now: float) -> dict[str, Any]:
        if not self._lobby.server.presence.bans.remove(word.who):
            raise OperatorError(f"{word.who} is not banned: `bans` lists who is")
        self.bans_changed = True
        return {"unbanned": hosts_of(word.who) or word.who}

    def _bans(self, word: words.Bans, now: float) -> dict[str, Any]:
        bans = self._lobby.server.presence.bans.all(self._wall(now))
        return {"bans": [{"who": ban.who, "until": self._told(ban.until, now)} for ban in bans]}

    def _announce(self, word: words.Announce, now: float) -> dict[str, Any]:
        if not word.text.isprintable():
            raise OperatorError("an announcement is one line of printable letters")
        readers = [
            session
            for session in self._lobby.server.sessions.values()
            if session.player is not None and not (session.is_pipe or session.closing)
        ]
        for session in readers:
            session.send(wire.Notice("announce", word.text))
        return {"told": len(readers)}

    def _event(self, word: words.Event, now: float) -> dict[str, Any]:
        try:
            return club_operator.carry_out(self._lobby.club, word, now)
        except EventError as fault:
            raise OperatorError(str(fault)) from None

    # -- time ----------------------------------------------------------------------------------------------

    def _wall(self, now: float) -> float:
        return now - self._lobby.server.monotonic(0.0)

    def _told(self, until: float | None, now: float) -> str | None:
        server = self._lobby.server
        return None if until is None else server.time_of_day(server.monotonic(until))


def _is_in(host: str, hosts: str) -> bool:
    """Whether a host is that host, or in that network."""
    return host == hosts or ("/" in hosts and hosts in networks_around(host, [int(hosts.partition("/")[2])]))
