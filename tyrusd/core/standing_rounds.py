"""The rounds of a standing ladder: who has room is paired, and anchors are fetched when they are wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final

from tyrusd.core.player import Player
from tyrusd.core.rated_games import agent_of
from tyrusd.core.terms import Terms
from tyrusd.league.rated import Version
from tyrusd.league.standing import ANCHOR_EVERY, Entry, Meeting, choose
from tyrusd.league.standing_book import Book
from tyrusd.rules.pieces import Side
from tyrusd.rules.variants import STANDARD

if TYPE_CHECKING:
    from tyrusd.core.lobby import Lobby

_CHANCE_BYTES: Final = 16
_ANCHOR_AGAIN: Final = 60.0  # seconds, before an anchor that did not come is started once more
_ROUND: Final = "ladder"


class Rounds:
    """Pairs whoever is on the ladder and has room; elo: of a version, None before it is known."""

    def __init__(self, lobby: Lobby, book: Book, elo: Callable[[Version], float | None]) -> None:
        self._lobby = lobby
        self._book = book
        self._elo = elo
        self._started: dict[str, float] = {}  # when an anchor was last started

    def stir(self, players: Iterable[Player], now: float) -> None:
        """Have a round soon if one of these wants a game: those who become free meanwhile are in it, too.

        As long as anybody on the ladder lacks games, each round has the next one follow.
        """
        lobby = self._lobby
        if lobby.ladder is None or lobby.server.closing_down.begun or _ROUND in lobby.server.timers:
            return
        if any(self._lacks_games(player) for player in players):
            due = now + lobby.server.settings.ladder_gather
            lobby.server.timers.set(_ROUND, due, self._round)

    def hush(self) -> None:
        """Pair nobody any more."""
        self._lobby.server.timers.clear(_ROUND)

    def _lacks_games(self, player: Player) -> bool:
        if not player.ladder or player.session is None:
            return False
        return self._book.games_of(player.name) < min(player.ladder, player.games)

    def _round(self, now: float) -> None:
        lobby = self._lobby
        if lobby.may_begin:
            bots = [
                self._entry(player, room)
                for player in lobby.server.players.values()
                if (room := self._room(player)) > 0
            ]
            self._wake(bots, now)
            anchors = self._anchors()
            if not anchors and self._anchor_comes():
                # It is here in a moment: who is to meet it next does not pass it by.
                bots = [entry for entry in bots if entry.unanchored < ANCHOR_EVERY - 1]
            rematch = lobby.server.settings.ladder_rematch
            chance = lobby.server.entropy(_CHANCE_BYTES) if bots else b""
            for meeting in choose([*bots, *anchors], now, rematch, chance):
                if lobby.may_begin:
                    self._begin(meeting, now)
        self.stir(lobby.server.players.values(), now)

    def _begin(self, meeting: Meeting, now: float) -> None:
        lobby, players = self._lobby, self._lobby.server.players
        control = None if lobby.ladder is None else lobby.ladder.time
        opens = meeting.opener is Side.IVORY
        terms = Terms(Side.IVORY, STANDARD.name, control, rated="ladder", opener=opens)
        lobby.begin(players[meeting.ivory], terms, players[meeting.brown], terms.mirrored(), now)

    def _room(self, player: Player) -> int:
        """How many more games somebody may be given: what it waits for elsewhere takes its room."""
        if not self._lacks_games(player) or player.is_checked:
            return 0
        lobby = self._lobby
        kept = sum(part is not lobby.standing and part.waits_for(player) is not None for part in lobby.parts)
        kept += lobby.challenges.offered_by(player) + lobby.club.calls(player)
        wanted = min(player.ladder, player.games) - self._book.games_of(player.name)
        return min(wanted, player.games - len(player.seats) - kept)

    def _entry(self, player: Player, room: int) -> Entry:
        backers = self._lobby.admission.accounts.backers(player.name)
        elo = self._elo(Version(player.name, agent_of(player)))
        return self._book.entry(player.name, room, backers, elo)

    # -- anchors -------------------------------------------------------------------------------------------

    def _anchors(self) -> list[Entry]:
        """The anchors that are here and have room."""
        lobby, found = self._lobby, []
        anchors = {} if lobby.ladder is None else lobby.ladder.anchors
        for name, elo in {name.lower(): elo for name, elo in anchors.items()}.items():
            house = lobby.server.players.get(name)
            if house is not None and house.session is not None and house.has_room:
                found.append(self._book.entry(name, house.games - len(house.seats), rating=elo))
        return found

    def _wake(self, bots: Sequence[Entry], now: float) -> None:
        """Have the anchors started when somebody is to meet one, or finds nobody else."""
        lobby = self._lobby
        rematch = lobby.server.settings.ladder_rematch
        wanted = any(entry.unanchored >= ANCHOR_EVERY - 1 or now - entry.since >= rematch for entry in bots)
        for name in lobby.ladder.anchors if lobby.ladder is not None and wanted else ():
            tried = self._started.get(name)
            if (tried is None or now - tried >= _ANCHOR_AGAIN) and lobby.houses.wake(name, now):
                self._started[name] = now

    def _anchor_comes(self) -> bool:
        """Whether a program of an anchor was started and has not said hello yet."""
        ladder, bots = self._lobby.ladder, self._lobby.server.bots.values()
        return ladder is not None and any(
            bot.player is None and ladder.anchor(bot.name) is not None for bot in bots
        )
