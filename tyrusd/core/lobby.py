"""The lobby of a standing server: who is here, what can be played, and the tables that come of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from msgspec import structs

from tyrusd.core import checking
from tyrusd.core.accounts import NOBODY, Accounts
from tyrusd.core.admission import Admission
from tyrusd.core.challenges import Challenges
from tyrusd.core.club import Club
from tyrusd.core.counting import Counting
from tyrusd.core.director import Bot
from tyrusd.core.failures import Refused, plain
from tyrusd.core.houses import Houses
from tyrusd.core.ladder_terms import LadderTerms
from tyrusd.core.lobby_part import LobbyPart, LobbyVerb
from tyrusd.core.operator import Operator
from tyrusd.core.player import Player
from tyrusd.core.rated_games import checked_terms, rated_of
from tyrusd.core.repeats import terms_of
from tyrusd.core.seatspec import SeatSpec
from tyrusd.core.seeking import Seeking
from tyrusd.core.session import Session
from tyrusd.core.standing import Standing
from tyrusd.core.table import Table
from tyrusd.core.terms import Terms
from tyrusd.core.translate import won_text
from tyrusd.core.verbs import Answered
from tyrusd.league.club import ClubEvent
from tyrusd.league.match import Match
from tyrusd.league.rated import rated_word
from tyrusd.league.schema import Payload
from tyrusd.rules.deal import deal_from_bytes, seat_seed
from tyrusd.rules.pieces import Side
from tyrusd.rules.variants import VARIANTS
from tyrusd.wire import Phase
from tyrusd.wire import messages as wire

if TYPE_CHECKING:
    from tyrusd.core.server import Server

_SECRET_BYTES: Final = 32


class Lobby:
    """The director of `tyrusd serve`.

    houses: the bots of this server, by name; guests: whether anybody may come without an account; ladder:
    that of the standing ladder, None for a server that rates no games.
    """

    def __init__(
        self,
        houses: Mapping[str, SeatSpec],
        accounts: Accounts = NOBODY,
        guests: bool = True,
        ladder: LadderTerms | None = None,
    ) -> None:
        self.ladder = ladder
        self.admission = Admission(self, accounts, guests)
        self.houses = Houses(self, houses)
        self.seeking = Seeking(self)
        self.challenges = Challenges(self)
        self.club = Club(self)
        self.standing = Standing(self)
        parts = [self.houses, self.seeking, self.club, self.challenges, self.standing, Counting(self)]
        self.parts: list[LobbyPart] = parts
        self.operator = Operator(self)
        self.paused = False  # by the operator: no game begins
        self.terms: dict[str, tuple[Terms, Terms]] = {}  # of each running game, Ivory's and Brown's
        self.server: Server
        self._verbs: dict[type[wire.ClientMessage], LobbyVerb] = {
            wire.Who: self._who,
            wire.Games: self._games,
            wire.Play: self._play,
            wire.Check: self._check,
            wire.Ladder: _without_ladder,
            wire.Ratings: _without_ladder,
            wire.Merge: _without_ladder,
        }
        for part in self.parts:
            self._verbs |= part.verbs()

    def attach(self, server: Server, now: float) -> None:
        """Learn the server."""
        self.server = server

    # -- who may come --------------------------------------------------------------------------------------

    def name_for(self, session: Session, hello: wire.Hello) -> str:
        """A guest chooses a free name; an account has its own."""
        return self.admission.name_for(session, hello)

    def bot_name(self, bot: Bot) -> str:
        """A house bot plays under its own name."""
        return bot.name

    def display_of(self, player: Player) -> str | None:
        """The holder of an account may have another name for people, which the operator has given."""
        return None if player.account is None else self.admission.accounts.display_of(player.account)

    def phase_of(self, player: Player) -> Phase:
        """House bots have no lobby, everyone else has."""
        return Phase.LOBBY if player.bot is None else Phase.SEAT

    def ready(self, player: Player, now: float) -> None:
        """Somebody has come, or is back."""
        for part in self.parts:
            part.came(player, now)

    def holds(self, player: Player) -> float:
        """A guest without a game or an event has left; a house bot is started anew when it is wanted."""
        return max(self.club.holds(player), self.standing.holds(player))

    def gone(self, player: Player, now: float) -> None:
        """Somebody has left."""
        for part in self.parts:
            part.left(player, now)

    def bot_failed(self, bot: Bot, why: str, now: float) -> None:
        """A house bot does not come."""
        for part in self.parts:
            part.bot_failed(bot, why)

    def draining(self, now: float) -> None:
        """Take back all that was offered."""
        for part in self.parts:
            part.closing(now)

    def excuse(self, player: Player, verb: str, code: str, sentence: str) -> None:
        """Tell a player that what it asked for before does not come to pass."""
        if player.session is not None:
            player.session.send(wire.Error(code, "ignored", plain(sentence), re=verb))

    def resume_events(self, events: Sequence[ClubEvent], now: float) -> None:
        """Go on with the club events and the standing ladder of an earlier server."""
        self.club.resume(events, now)
        self.standing.resume(now)

    def awaits(self, record: Payload) -> bool:
        """Who was on the ladder may come back to it."""
        return self.ladder is not None and bool(record.get("ladder"))

    # -- verbs ---------------------------------------------------------------------------------------------

    def handle(self, session: Session, player: Player, message: wire.ClientMessage, now: float) -> int | None:
        """Do a verb of the lobby."""
        return self._verbs[type(message)](session, player, message, now)

    @property
    def may_begin(self) -> bool:
        """Whether any game may begin now."""
        server = self.server
        room = len(server.tables) < server.settings.games_total
        return room and not (self.paused or server.closing_down.begun or server.storing.troubled)

    def check_free(self, player: Player) -> None:
        """Make sure that a game of a player may begin now; raises Refused."""
        if self.server.closing_down.begun:
            raise Refused("shutdown", "The server is closing and starts no game.")
        if self.server.storing.troubled:
            raise Refused("storage", "Results cannot be stored now; no game starts before they can.")
        if self.paused:
            raise Refused("unavailable", "The operator lets no game begin now; try again later.")
        if player.is_checked:
            raise Refused("unavailable", "You are being checked; play when that is done.")
        if len(self.server.tables) >= self.server.settings.games_total:
            sentence = f"The server has its {len(self.server.tables)} games; try again later."
            raise Refused("unavailable", sentence, "games_total")
        if not player.has_room:
            sentence = f"You said games={player.games}; finish a game first, or say more in hello."
            raise Refused("too-many-games", sentence, "games_per_connection")

    def _check(self, session: Session, player: Player, message: wire.Check, now: float) -> None:
        if self.server.closing_down.begun:
            raise Refused("shutdown", "The server is closing and starts no check.")
        for part in reversed(self.parts):
            sentence = part.waits_for(player)
            if sentence is not None:
                raise Refused("unavailable", sentence)
        checking.begin(self.server, session, player, message, now)
        raise Answered

    def state_of(self, player: Player) -> str:
        """Return the word of `who` for what somebody who is no house bot does."""
        if player.session is None:
            return "away"
        if player.is_checked:
            return "checking"
        if player.seats:
            return "playing" if player.has_room else "full"
        return next((word for part in self.parts if (word := part.state_of(player))), "free")

    def terms_of(self, player: Player, message: wire.Play | wire.Seek | wire.Challenge) -> Terms:
        """Read the terms of a verb; raises Refused for what cannot be played."""
        return checked_terms(self, player, terms_of(self.server.archive, player, message))

    def _who(self, session: Session, player: Player, message: wire.Who, now: float) -> int:
        server, houses = self.server, self.houses.specs
        most = max(0, server.settings.listed - len(houses))
        here = (player for player in server.players.values() if player.bot is None)
        guests = list(islice(here, most + 1))
        if len(guests) > most:
            session.counts.limits["listed"] += 1
        guests = guests[:most]
        listed = []
        for guest in guests:
            state = self.state_of(guest)
            terms = self.seeking.seeks[guest.name][1].shown() if state == "seeking" else {}
            terms |= {"ladder": "yes"} if guest.ladder else {}
            listed.append(wire.Player(guest.name, guest.kind, state, len(guest.seats), guest.agent, **terms))
        for name in houses:
            house = server.players.get(name.lower())
            listed.append(wire.Player(name, "bot", "house", len(house.seats) if house else 0))
        # What is for people's eyes only is left out where it would make the answer too long.
        called = [
            line if display is None else structs.replace(line, text=display)
            for line, display in zip(listed, map(self.display_of, guests), strict=False)
        ]
        called += listed[len(guests) :]
        session.tell(called if called == listed or session.fits(called) else listed)
        return len(listed)

    def _games(self, session: Session, player: Player, message: wire.Games, now: float) -> int:
        most = self.server.settings.listed
        running = list(
            islice((table for table in self.server.tables.values() if table.ending is None), most + 1)
        )
        shown = []
        if len(running) > most:
            session.counts.limits["listed"] += 1
        for table in running[:most]:
            game = table.match.game
            ivory, brown = table.match.names
            won, variant = won_text(game.winners), game.variant.name
            rated = rated_word(table.match.rated)
            shown.append(wire.Table(table.game, ivory, brown, game.election, won, variant, rated))
        session.tell(shown)
        return len(shown)

    def _play(self, session: Session, player: Player, message: wire.Play, now: float) -> None:
        terms = self.terms_of(player, message)
        self.check_free(player)
        house = self.houses.find(message.name)
        if house is not None:
            self.houses.play(player, terms, house, now)
            return
        other = self.server.players.get(message.name.lower())
        if other is None:
            raise Refused("no-player", f"Nobody is here as {message.name}; `who` lists everyone.")
        if other is player:
            raise Refused("unavailable", "You cannot play yourself.")
        self.seeking.accept(player, terms, other, now)

    # -- tables --------------------------------------------------------------------------------------------

    def begin(
        self, one: Player, ones: Terms, other: Player, others: Terms, now: float, game: str | None = None
    ) -> None:
        """Open a table for two players who agree; a toss decides the sides that neither has asked for.

        game: the id that they were told already.
        """
        side = ones.side if ones.side is not None else others.side.other if others.side is not None else None
        if side is None:
            side = Side(self.server.entropy(1)[0] & 1)
        seats = ((one, ones), (other, others)) if side is Side.IVORY else ((other, others), (one, ones))
        game = game or self.server.new_game_id()
        self._open(game, (seats[0][0], seats[1][0]), (seats[0][1], seats[1][1]), now)
        for player in (one, other):
            for part in self.parts:
                part.filled(player)

    def _open(
        self, game: str, players: tuple[Player, Player], terms: tuple[Terms, Terms], now: float
    ) -> None:
        server = self.server
        repeat = terms[0].repeat
        if repeat is None:
            secret = server.entropy(_SECRET_BYTES)
            deal = deal_from_bytes(secret)
            seeds = (seat_seed(secret, Side.IVORY), seat_seed(secret, Side.BROWN))
        else:
            deal, seeds = repeat.deal, repeat.seeds
        opens = terms[Side.IVORY].opener
        if opens is not None:
            deal = replace(deal, opener=Side.IVORY if opens else Side.BROWN)
        lenient = tuple(None if player.kind == "human" else server.settings.lenient_bot for player in players)
        match = Match(
            game,
            int(game[1:]),
            deal,
            VARIANTS[terms[0].variant],
            (terms[0].control(players[0].kind), terms[1].control(players[1].kind)),
            (lenient[0], lenient[1]),
            (players[0].name, players[1].name),
            seeds,
            (self.houses.filling(players[0]), self.houses.filling(players[1])),
        )
        match.rated = rated_of(self, players, terms[0])
        self.terms[game] = terms
        table = server.open_table(match, players, now, None if repeat is None else repeat.first)
        for part in self.parts:
            part.began(table, terms, now)

    def deals_again(self, table: Table) -> bool:
        """A drawn game is played again: a new deal and toss, the same colours, until somebody wins.

        One on a repeated deal is not: it was played for the sake of that deal. Neither is one of the ladder:
        it counts half a point each, and the ladder goes on.
        """
        outcome = table.match.game.outcome
        here = all(player.session is not None for player in table.players)
        if table.deal != table.game or not here or self.paused or self.server.storing.troubled:
            return False
        if self.club.owns(table.game) or (table.match.rated is not None and table.match.rated.by == "ladder"):
            return False
        return outcome is not None and outcome.reason == "drawn"

    def over(self, table: Table, now: float) -> None:
        """Deal again after a drawn game."""
        terms = self.terms.pop(table.game, None) or _terms_of(table.match)
        for part in self.parts:
            part.over(table, now)
        if table.next_game is not None:
            self._open(table.next_game, table.players, terms, now)


def _without_ladder(session: Session, player: Player, message: wire.ClientMessage, now: float) -> None:
    raise Refused("unavailable", "This server holds no ladder.")


def _terms_of(match: Match) -> tuple[Terms, Terms]:
    """The terms of a game that has outlived a restart of the server, where nothing but the game is kept."""
    rated = None if match.rated is None else match.rated.by
    ivory, brown = (Terms(None, match.game.variant.name, control, rated=rated) for control in match.controls)
    return ivory, brown
