"""Challenges of a lobby: games that one player offers another, who accepts or declines."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from tyrusd.core.failures import Refused
from tyrusd.core.lobby_part import LobbyPart, LobbyVerbs
from tyrusd.core.player import Player
from tyrusd.core.rated_games import check_opponent, checked_terms, related
from tyrusd.core.session import Session
from tyrusd.core.table import Table
from tyrusd.core.terms import Terms, agree
from tyrusd.league.clock import TimeControl
from tyrusd.league.record import read_frame
from tyrusd.rules.pieces import SIDE_OF_WORD
from tyrusd.wire import messages as wire

if TYPE_CHECKING:
    from tyrusd.core.lobby import Lobby

_UNSETTLED: Final = frozenset({"aborted", "void"})


@dataclass(frozen=True, slots=True)
class Challenge:
    """An offer, or what is left of an accepted one, in games; the terms are the challenger's."""

    id: str
    challenger: Player
    challenged: Player
    terms: Terms
    rounds: int
    left: int
    rematch: str | None = None  # the game that it follows

    def other(self, player: Player) -> Player:
        """The other one of the two."""
        return self.challenged if player is self.challenger else self.challenger


class Challenges(LobbyPart):
    """The open offers, and the series of games that accepted ones began."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._count = 0
        self.open: dict[str, Challenge] = {}
        self.series: dict[str, Challenge] = {}  # by the game that is being played

    def verbs(self) -> LobbyVerbs:
        """Challenge, rematch, accept, decline, and cancel with an offer's id."""
        return {
            wire.Challenge: self._challenge,
            wire.Rematch: self._rematch,
            wire.Accept: self._accept,
            wire.Decline: self._decline,
            wire.Cancel: self._cancel,
        }

    def left(self, player: Player, now: float) -> None:
        """What a player offered or was offered is gone with it."""
        for offer in self._of(player):
            self._end(offer, "withdrawn" if player is offer.challenger else "gone", offer.other(player))
        for game, series in list(self.series.items()):
            if player in (series.challenger, series.challenged) and series.left > 1:
                del self.series[game]
                self._tell(series.other(player), wire.Declined(series.id, "gone"))

    def closing(self, now: float) -> None:
        """Nothing comes of any offer."""
        for offer in list(self.open.values()):
            self._end(offer, "shutdown", offer.challenger, offer.challenged)
        for series in self.series.values():
            if series.left > 1:
                for player in (series.challenger, series.challenged):
                    self._tell(player, wire.Declined(series.id, "shutdown"))
        self.series.clear()

    # -- offering ------------------------------------------------------------------------------------------

    def _challenge(self, session: Session, player: Player, message: wire.Challenge, now: float) -> None:
        terms = self._lobby.terms_of(player, message)
        if terms.repeat is not None and message.rounds > 1:
            raise Refused("config", "A deal that was played before is one game: say deal= or rounds=.")
        self._offer(player, message.name, terms, message.rounds, now)

    def _rematch(self, session: Session, player: Player, message: wire.Rematch, now: float) -> None:
        found = self._lobby.server.archive.find(message.game, player.name)
        if found is None:
            raise Refused("no-game", f"There is no finished game {message.game} of yours here.")
        dossier, side = found
        enemy = dossier.stories[side.other].name
        for offer in self._of(player):
            if offer.rematch == message.game and offer.challenged is player:
                self._begin(offer, now)  # both want it
                return
        rated, time = dossier.rated != "no", None
        if dossier.record is not None and not rated:
            controls = read_frame(dossier.record)["game"]["controls"]
            own, other = (controls[word] for word in SIDE_OF_WORD)
            time = TimeControl.parse(**own) if own == other else None
        terms = Terms(side.other, dossier.variant, time, rated="lobby" if rated else None)
        terms = checked_terms(self._lobby, player, terms)
        self._offer(player, enemy, terms, 1, now, rematch=message.game)

    def _offer(
        self, player: Player, name: str, terms: Terms, rounds: int, now: float, rematch: str | None = None
    ) -> None:
        lobby, settings = self._lobby, self._lobby.server.settings
        lobby.check_free(player)
        house = lobby.houses.find(name)
        if house is not None:
            if rounds > 1:
                raise Refused("unavailable", f"{house} is a bot of this server: play it once at a time.")
            lobby.houses.play(player, terms, house, now)
            return
        other = lobby.server.players.get(name.lower())
        if other is None or other.session is None:
            raise Refused("no-player", f"Nobody is here as {name}; `who` lists everyone.")
        if other is player:
            raise Refused("unavailable", "You cannot play yourself.")
        check_opponent(terms, other)
        crossing = self._crossing(player, other, terms, rounds)
        if crossing is not None:
            self._begin(crossing, now)
            return
        if sum(offer.challenger is player for offer in self.open.values()) >= settings.challenges_made:
            sentence = "Too many offers of yours are open; `cancel challenge=` one first."
            raise Refused("unavailable", sentence, "challenges_made")
        if sum(offer.challenged is other for offer in self.open.values()) >= settings.challenges_received:
            sentence = f"{other.name} has too many open offers; try again later."
            raise Refused("unavailable", sentence, "challenges_received")
        if any(offer.challenger is player and offer.challenged is other for offer in self.open.values()):
            raise Refused("unavailable", f"{other.name} has an open offer of yours already.")
        self._count += 1
        offer = Challenge(f"c-{self._count}", player, other, terms, rounds, rounds, rematch)
        self.open[offer.id] = offer
        lobby.server.timers.set(
            ("challenge", offer.id), now + settings.challenge_expires, lambda at: self._expired(offer)
        )
        for reader in (player, other):
            self._tell(reader, self._shown(offer, reader, settings.challenge_expires))

    def _crossing(self, player: Player, other: Player, terms: Terms, rounds: int) -> Challenge | None:
        """The other's offer of the same to this player, with the side that either has asked for."""
        for offer in self.open.values():
            same = offer.challenger is other and offer.challenged is player and offer.rounds == rounds
            if same and agree(terms, offer.terms):
                wanted = terms.mirrored().side if offer.terms.side is None else offer.terms.side
                return replace(offer, terms=offer.terms._replace(side=wanted))
        return None

    def _shown(self, offer: Challenge, reader: Player, seconds: float) -> wire.Offer:
        terms = offer.terms if reader is offer.challenger else offer.terms.mirrored()
        shown = {"variant": terms.variant} | terms.shown()
        if terms.rated is not None and related(self._lobby, offer.challenger, offer.challenged):
            shown["rated"] = "flagged"
        return wire.Offer(
            offer.id,
            offer.challenger.name,
            offer.challenged.name,
            in_ms=int(seconds * 1000),
            rounds=offer.rounds,
            **shown,
        )

    # -- what becomes of an offer --------------------------------------------------------------------------

    def _accept(self, session: Session, player: Player, message: wire.Accept, now: float) -> None:
        self._begin(self._find(player, message.challenge), now)

    def _decline(self, session: Session, player: Player, message: wire.Decline, now: float) -> None:
        offer = self._find(player, message.challenge)
        self._end(offer, message.why, offer.challenger)

    def _cancel(self, session: Session, player: Player, message: wire.Cancel, now: float) -> None:
        if message.challenge is None:
            self._lobby.seeking.cancel(player)
            return
        offer = self.open.get(message.challenge)
        if offer is not None and offer.challenger is player:
            self._end(offer, "withdrawn", offer.challenged)
            return
        for game, series in list(self.series.items()):
            ours = series.id == message.challenge and player in (series.challenger, series.challenged)
            if ours and series.left > 1:
                del self.series[game]
                self._tell(series.other(player), wire.Declined(series.id, "withdrawn"))
                return
        raise Refused("unavailable", f"You have no open offer {message.challenge}.")

    def _find(self, player: Player, challenge: str) -> Challenge:
        offer = self.open.get(challenge)
        if offer is None or offer.challenged is not player:
            raise Refused("unavailable", f"Nobody offers you {challenge}; it may have been taken back.")
        return offer

    def _begin(self, offer: Challenge, now: float) -> None:
        """Begin the first game; raises Refused for the one who accepts."""
        lobby, challenger = self._lobby, offer.challenger
        lobby.check_free(offer.challenged)
        if offer.terms.rated is not None:
            lobby.standing.versions.check(offer.challenged, now)
        if challenger.session is None or not challenger.has_room:
            self._end(offer, "busy", challenger)
            raise Refused("unavailable", f"{challenger.name} has no room for a game any more.")
        self._forget(offer)
        self._play(offer, now)

    def _play(self, offer: Challenge, now: float) -> None:
        """Begin the next game of an accepted offer."""
        lobby = self._lobby
        game = lobby.server.new_game_id()
        for player in (offer.challenger, offer.challenged):
            self._tell(player, wire.Accepted(offer.id, game))
        if offer.rounds > 1:
            self.series[game] = offer
        lobby.begin(offer.challenger, offer.terms, offer.challenged, offer.terms.mirrored(), now, game)

    def over(self, table: Table, now: float) -> None:
        """Go on with a series: the colours change, unless the game was drawn and is dealt again."""
        series = self.series.pop(table.game, None)
        outcome = table.match.game.outcome
        if series is None or outcome is None:
            return
        if table.next_game is not None:
            self.series[table.next_game] = series
            return
        players = (series.challenger, series.challenged)
        here = all(player.session is not None and player.has_room for player in players)
        paused = self._lobby.paused and series.left > 1
        stopped = outcome.reason in _UNSETTLED or not here or self._lobby.server.closing_down.begun
        if series.left == 1 or stopped or paused:
            for player in players:
                self._tell(player, wire.Declined(series.id, "later" if paused else "played"))
            return
        side = next(side for side in SIDE_OF_WORD.values() if table.players[side] is series.challenger)
        terms = series.terms._replace(side=side.other)
        self._play(replace(series, terms=terms, left=series.left - 1), now)

    def _expired(self, offer: Challenge) -> None:
        self._lobby.server.counts.limits["challenge_expires"] += 1
        self._end(offer, "expired", offer.challenger, offer.challenged)

    def _end(self, offer: Challenge, why: str, *readers: Player) -> None:
        self._forget(offer)
        for reader in readers:
            self._tell(reader, wire.Declined(offer.id, why))

    def _forget(self, offer: Challenge) -> None:
        self._lobby.server.timers.clear(("challenge", offer.id))
        self.open.pop(offer.id, None)

    def _of(self, player: Player) -> list[Challenge]:
        return [offer for offer in self.open.values() if player in (offer.challenger, offer.challenged)]

    def offered_by(self, player: Player) -> int:
        """Return how many open offers a player has made, each of which may begin a game."""
        return sum(offer.challenger is player for offer in self.open.values())

    def _tell(self, player: Player, message: wire.ServerMessage) -> None:
        if player.session is not None:
            player.session.send(message)
