"""The standing ladder of a lobby: who is on it, and what becomes of its games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tyrusd.core.failures import Refused
from tyrusd.core.lobby_part import LobbyPart, LobbyVerbs
from tyrusd.core.player import Player
from tyrusd.core.rated_games import agent_of
from tyrusd.core.session import Session
from tyrusd.core.standing_answers import Answers
from tyrusd.core.standing_rounds import Rounds
from tyrusd.core.standing_versions import Versions
from tyrusd.core.table import Table
from tyrusd.core.terms import Terms
from tyrusd.league.match import FORFEITS
from tyrusd.league.rated import Rated, Version
from tyrusd.league.standing_book import Book
from tyrusd.league.standing_rows import RatingTable
from tyrusd.rules.events import Over
from tyrusd.rules.game import WITHOUT_RESULT
from tyrusd.rules.pieces import Side
from tyrusd.wire import messages as wire

if TYPE_CHECKING:
    from tyrusd.core.lobby import Lobby


class Standing(LobbyPart):
    """Who is on the ladder is told by its player; without `lobby.ladder` this part does nothing."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self.book = Book(() if lobby.ladder is None else lobby.ladder.anchors)
        self.answers = Answers(lobby)
        self.versions = Versions(lobby)
        self.rounds = Rounds(lobby, self.book, self._elo)
        self._recalled = False
        self._lost: dict[str, int] = {}  # by forfeit in a row, by lower-case name
        self._untold: dict[str, str] = {}  # who was away when it was taken off, and the sentence

    # -- what the lobby asks -------------------------------------------------------------------------------

    def verbs(self) -> LobbyVerbs:
        """Ladder, ratings and merge, on a server that has a ladder."""
        if self._lobby.ladder is None:
            return {}
        answers = self.answers
        return {wire.Ladder: self._ladder, wire.Ratings: answers.ratings, wire.Merge: answers.merge}

    def holds(self, player: Player) -> float:
        """Being on the ladder outlives a lost connection."""
        on = player.ladder and self._lobby.ladder is not None
        return self._lobby.server.settings.reconnect_window if on else 0.0

    def came(self, player: Player, now: float) -> None:
        """Somebody on the ladder is back, or an anchor has come."""
        sentence = self._untold.pop(player.name.lower(), None)
        if sentence is not None and not player.ladder and player.session is not None:
            player.session.send(wire.Notice("ladder", sentence))
        why = self.versions.fault(player, now) if player.ladder else None
        if why is not None:
            self._lobby.server.counts.limits["ladder_versions_per_day"] += 1
            self._take_off(player)
            self._told_off(player, f"You are off the ladder. {why}")
        if player.ladder:
            self._waits(player, now)
        self.rounds.stir([player], now)

    def left(self, player: Player, now: float) -> None:
        """Who has left for good is off the ladder; when the server closes, everybody leaves to come back."""
        if player.ladder and not self._lobby.server.closing_down.begun:
            self._take_off(player)

    def waits_for(self, player: Player) -> str | None:
        """The ladder may begin a game at any time."""
        return "You are on the ladder; `ladder off` takes you off." if player.ladder else None

    def began(self, table: Table, terms: tuple[Terms, Terms], now: float) -> None:
        """Count a game of the ladder from its beginning."""
        rated = table.match.rated
        if rated is not None:
            self.answers.began(table.match, rated)
            self.versions.began(table.match, now)
        if rated is not None and rated.by == "ladder":
            self._count(table, rated, now)

    def over(self, table: Table, now: float) -> None:
        """Count an end; whoever loses too many games in a row without playing them is taken off."""
        told = table.ending[-1] if table.ending else None
        counts = isinstance(told, Over) and told.reason not in WITHOUT_RESULT
        if counts and table.match.rated is not None:
            self.answers.played(table.match.names)
        if self.book.over(table.game, now, counts) is not None and isinstance(told, Over) and counts:
            for side in Side:
                forfeited = told.reason in FORFEITS and told.winner is side.other
                self._played(table.players[side], forfeited)
        self.rounds.stir(table.players, now)

    def closing(self, now: float) -> None:
        """Pair nobody any more."""
        self.rounds.hush()

    def resume(self, now: float) -> None:
        """After a restart: games of the ladder go on and count, and who was on it is waited for."""
        for table in self._lobby.server.tables.values():
            rated = table.match.rated
            if rated is not None:
                self.answers.began(table.match, rated)
                self.versions.began(table.match, now)
            if rated is not None and rated.by == "ladder":
                self._count(table, rated, now)
        self.rounds.stir(self._lobby.server.players.values(), now)

    def take(self, table: RatingTable, now: float) -> None:
        """Take newer ratings; the balances that they tell are those from before this server's life."""
        self.answers.take(table)
        self.versions.take(table)
        if not self._recalled and not self.book.ended:
            self.book.recall(table.sides)
        self._recalled = True

    # -- who is on it --------------------------------------------------------------------------------------

    def _ladder(self, session: Session, player: Player, message: wire.Ladder, now: float) -> None:
        if message.switch == "off":
            if player.ladder:
                self._take_off(player)
            return
        if self._lobby.server.closing_down.begun:
            raise Refused("shutdown", "The server is closing; come onto the ladder when it is back.")
        if player.kind != "bot" or player.account is None:
            raise Refused("unavailable", "The ladder is for bots with an account; its operator gives them.")
        if player.is_checked:
            raise Refused("unavailable", "You are being checked; come onto the ladder when that is done.")
        if message.games is not None and message.games > player.games:
            sentence = f"You said games={player.games}; say no more here, or more in hello."
            raise Refused("too-many-games", sentence, "games_per_connection")
        self.versions.check(player, now)
        player.ladder = message.games or player.games
        player.recorded = False
        self._lost.pop(player.name.lower(), None)
        self._untold.pop(player.name.lower(), None)
        self._lobby.server.record_player(player)
        self._waits(player, now)
        self.rounds.stir([player], now)

    def _take_off(self, player: Player) -> None:
        player.ladder = 0
        player.recorded = False
        self._lobby.server.record_player(player, anyway=True)

    def _played(self, player: Player, forfeited: bool) -> None:
        """A game was played, or lost by forfeit."""
        key = player.name.lower()
        if not forfeited:
            self._lost.pop(key, None)
            return
        most = self._lobby.server.settings.ladder_forfeits
        self._lost[key] = self._lost.get(key, 0) + 1
        if self._lost[key] < most or not player.ladder:
            return
        sentence = f"You lost {self._lost.pop(key)} games in a row by forfeit; `ladder on` brings you back."
        self._lobby.server.counts.limits["ladder_forfeits"] += 1
        self._take_off(player)
        self._told_off(player, sentence)

    def _told_off(self, player: Player, sentence: str) -> None:
        """Tell somebody why it is off the ladder, now or when it is back."""
        if player.session is None:
            self._untold[player.name.lower()] = sentence
        else:
            player.session.send(wire.Notice("ladder", sentence))

    def _waits(self, player: Player, now: float) -> None:
        """Somebody waits for a game from now on, as the version that it is now."""
        version = Version(player.name, agent_of(player))
        met: dict[str, int] = {}
        row = self.answers.table.row(version)
        if row is not None:
            for other, found in self.answers.table.met(row.version):
                key = other.name.lower()
                met[key] = met.get(key, 0) + found.games
        self.book.came(version, now, met)

    def _elo(self, version: Version) -> float | None:
        row = self.answers.table.row(version)
        return None if row is None else row.elo

    def _count(self, table: Table, rated: Rated, now: float) -> None:
        ivory, brown = (Version(*of) for of in zip(table.match.names, rated.agents(), strict=True))
        self.book.begun(table.game, ivory, brown, table.match.game.deal.opener, now)
