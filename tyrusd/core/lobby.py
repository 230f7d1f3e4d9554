"""The lobby of a standing server: who is here, house bots, seeks, and the tables that come of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from tyrusd.core import checking
from tyrusd.core.director import Bot
from tyrusd.core.failures import Refused, plain
from tyrusd.core.player import Player
from tyrusd.core.repeats import terms_of
from tyrusd.core.seatspec import SeatSpec
from tyrusd.core.session import Session
from tyrusd.core.table import Table
from tyrusd.core.terms import Terms, agree
from tyrusd.core.translate import won_text
from tyrusd.core.verbs import Answered
from tyrusd.league.match import Match
from tyrusd.rules.deal import deal_from_bytes, seat_seed
from tyrusd.rules.pieces import Side
from tyrusd.rules.variants import VARIANTS
from tyrusd.wire import Phase
from tyrusd.wire import messages as wire

if TYPE_CHECKING:
    from tyrusd.core.server import Server

_SECRET_BYTES: Final = 32


class Lobby:
    """The director of `tyrusd serve`; houses are the bots of this server, by name."""

    def __init__(self, houses: Mapping[str, SeatSpec]) -> None:
        self.houses = dict(houses)
        self._house_of = {name.lower(): name for name in houses}
        self._seeks: dict[str, tuple[Player, Terms]] = {}  # by the seeker's name, oldest first
        self._challenges: dict[int, list[tuple[Player, Terms]]] = {}  # for a program that is starting
        self._terms: dict[str, tuple[Terms, Terms]] = {}  # of each running game, Ivory's and Brown's
        self._server: Server

    def attach(self, server: Server, now: float) -> None:
        """Learn the server."""
        self._server = server

    # -- who may come --------------------------------------------------------------------------------------

    def name_for(self, session: Session, hello: wire.Hello) -> str:
        """A guest chooses a free name."""
        if hello.name.lower() in self._house_of:
            raise Refused("taken", f"{hello.name} is a bot of this server; choose another name.")
        if hello.key is not None:
            raise Refused("auth", "This server has no seats with keys; say hello without key=.")
        return hello.name

    def bot_name(self, bot: Bot) -> str:
        """A house bot plays under its own name."""
        return bot.name

    def phase_of(self, player: Player) -> Phase:
        """House bots have no lobby, everyone else has."""
        return Phase.LOBBY if player.bot is None else Phase.SEAT

    def ready(self, player: Player, now: float) -> None:
        """A house bot that was waited for has come: begin its games."""
        for challenger, terms in self._challenges.pop(player.bot or 0, []):
            if challenger.session is not None:
                self._begin_with_house(challenger, terms, player, now)

    def holds(self, player: Player) -> float:
        """A guest without a game who leaves has left; a house bot is started anew when it is wanted."""
        return 0.0

    def gone(self, player: Player, now: float) -> None:
        """Forget what a player wanted."""
        self._forget_seek(player)

    def _forget_seek(self, player: Player) -> bool:
        self._server.timers.clear(("seek", player.name))
        return self._seeks.pop(player.name, None) is not None

    def bot_failed(self, bot: Bot, why: str, now: float) -> None:
        """Tell everyone who waited for a house bot that it does not come."""
        for challenger, _ in self._challenges.pop(bot.id, []):
            self._excuse(challenger, "play", "unavailable", f"{bot.name} cannot play now: {why}")

    def draining(self, now: float) -> None:
        """Take all seeks and challenges back."""
        for player, _ in list(self._seeks.values()):
            self._excuse(player, "seek", "shutdown", "The server is closing; your seek is taken back.")
            self._forget_seek(player)
        for waiting in self._challenges.values():
            for challenger, _ in waiting:
                self._excuse(challenger, "play", "shutdown", "The server is closing and starts no game.")
        self._challenges.clear()

    def _excuse(self, player: Player, verb: str, code: str, sentence: str) -> None:
        if player.session is not None:
            player.session.send(wire.Error(code, "ignored", plain(sentence), re=verb))

    # -- verbs ---------------------------------------------------------------------------------------------

    def handle(self, session: Session, player: Player, message: wire.ClientMessage, now: float) -> int | None:
        """Do a verb of the lobby."""
        match message:
            case wire.Who():
                return self._who(session)
            case wire.Games():
                return self._games(session)
            case wire.Play():
                self._play(player, message, now)
            case wire.Seek():
                self._seek(player, message, now)
            case wire.Cancel():
                self._cancel(player)
            case wire.Check():
                self._check(session, player, message, now)
                raise Answered
        return None

    def _check(self, session: Session, player: Player, message: wire.Check, now: float) -> None:
        if self._server.closing_down.begun:
            raise Refused("shutdown", "The server is closing and starts no check.")
        if player.name in self._seeks:
            raise Refused("unavailable", "You seek a game; `cancel` takes that back.")
        if any(player is waiting for ones in self._challenges.values() for waiting, _ in ones):
            raise Refused("unavailable", "A game of yours is about to begin; finish it first.")
        checking.begin(self._server, session, player, message, now)

    def _who(self, session: Session) -> int:
        server = self._server
        guests = [player for player in server.players.values() if player.bot is None]
        guests = guests[: max(0, server.settings.listed - len(self.houses))]
        for player in guests:
            state = "seeking" if player.name in self._seeks else "free"
            if player.seats:
                state = "playing" if player.has_room else "full"
            if player.is_checked:
                state = "checking"
            terms = self._seeks[player.name][1].shown() if state == "seeking" else {}
            line = wire.Player(player.name, player.kind, state, len(player.seats), player.agent, **terms)
            session.send(line)
        for name in self.houses:
            house = server.players.get(name.lower())
            session.send(wire.Player(name, "bot", "house", len(house.seats) if house else 0))
        return len(guests) + len(self.houses)

    def _games(self, session: Session) -> int:
        running = [table for table in self._server.tables.values() if table.ending is None]
        shown = running[: self._server.settings.listed]
        for table in shown:
            game = table.match.game
            ivory, brown = table.match.names
            won, variant = won_text(game.winners), game.variant.name
            session.send(wire.Table(table.game, ivory, brown, game.election, won, variant))
        return len(shown)

    def _check_free(self, player: Player) -> None:
        if self._server.closing_down.begun:
            raise Refused("shutdown", "The server is closing and starts no game.")
        if self._server.storing.troubled:
            raise Refused("storage", "Results cannot be stored now; no game starts before they can.")
        if player.is_checked:
            raise Refused("unavailable", "You are being checked; play when that is done.")
        if not player.has_room:
            raise Refused(
                "too-many-games", f"You said games={player.games}; finish a game first, or say more in hello."
            )

    def _play(self, player: Player, message: wire.Play, now: float) -> None:
        terms = terms_of(self._server.archive, player, message)
        self._check_free(player)
        house = self._house_of.get(message.name.lower())
        if house is not None:
            self._challenge_house(player, terms, house, now)
            return
        other = self._server.players.get(message.name.lower())
        if other is None:
            raise Refused("no-player", f"Nobody is here as {message.name}; `who` lists everyone.")
        if other is player:
            raise Refused("unavailable", "You cannot play yourself.")
        found = self._seeks.get(other.name)
        if found is None or other.session is None:
            raise Refused("unavailable", f"{other.name} does not seek a game now.")
        if not agree(terms, found[1]):
            raise Refused(
                "unavailable", f"{other.name} seeks a game on other terms{found[1].offer(other.name)}."
            )
        self._forget_seek(other)
        self._begin(player, terms, other, found[1], now)

    def _challenge_house(self, player: Player, terms: Terms, name: str, now: float) -> None:
        house = self._server.players.get(name.lower())
        if house is not None:
            if house.session is None:
                raise Refused("unavailable", f"{name} has just ended and is not back yet; try again later.")
            if not house.has_room:
                raise Refused(
                    "unavailable", f"{name} plays its {house.games} games already; try again later."
                )
            self._begin_with_house(player, terms, house, now)
            return
        starting = next((bot for bot in self._server.bots.values() if bot.name == name), None)
        if starting is None:
            starting = self._server.start_bot(name, self.houses[name], now)
        waiting = self._challenges.setdefault(starting.id, [])
        if any(challenger is player for challenger, _ in waiting):
            raise Refused("unavailable", f"{name} is starting for you already; the game begins in a moment.")
        waiting.append((player, terms))

    def _begin_with_house(self, player: Player, terms: Terms, house: Player, now: float) -> None:
        server = self._server
        possible = not (server.closing_down.begun or server.storing.troubled)
        if not (possible and player.has_room and house.has_room):
            self._excuse(
                player, "play", "unavailable", f"The game with {house.name} could not begin any more."
            )
            return
        self._begin(player, terms, house, terms.mirrored(), now)

    def _seek(self, player: Player, message: wire.Seek, now: float) -> None:
        terms = terms_of(self._server.archive, player, message)
        self._check_free(player)
        if player.name in self._seeks:
            raise Refused("unavailable", "You seek a game already; `cancel` takes that back.")
        for other, wanted in list(self._seeks.values()):
            if other is not player and other.session is not None and agree(terms, wanted):
                self._forget_seek(other)
                self._begin(player, terms, other, wanted, now)
                return
        self._seeks[player.name] = (player, terms)
        due = now + self._server.settings.seek_expires
        self._server.timers.set(("seek", player.name), due, lambda at: self._expired(player))

    def _expired(self, player: Player) -> None:
        self._forget_seek(player)
        self._excuse(player, "seek", "expired", "Nobody came for your seek; seek again.")

    def _cancel(self, player: Player) -> None:
        if not self._forget_seek(player):
            raise Refused("unavailable", "You have no open seek.")

    # -- tables --------------------------------------------------------------------------------------------

    def _begin(self, one: Player, ones: Terms, other: Player, others: Terms, now: float) -> None:
        side = ones.side if ones.side is not None else others.side.other if others.side is not None else None
        if side is None:
            side = Side(self._server.entropy(1)[0] & 1)
        seats = ((one, ones), (other, others)) if side is Side.IVORY else ((other, others), (one, ones))
        self._open(self._server.new_game_id(), (seats[0][0], seats[1][0]), (seats[0][1], seats[1][1]), now)
        for player in (one, other):
            if not player.has_room and self._forget_seek(player):
                sentence = "You play as many games as you said, so your seek is taken back."
                self._excuse(player, "seek", "too-many-games", sentence)

    def _open(
        self, game: str, players: tuple[Player, Player], terms: tuple[Terms, Terms], now: float
    ) -> None:
        server = self._server
        repeat = terms[0].repeat
        if repeat is None:
            secret = server.entropy(_SECRET_BYTES)
            deal = deal_from_bytes(secret)
            seeds = (seat_seed(secret, Side.IVORY), seat_seed(secret, Side.BROWN))
        else:
            deal, seeds = repeat.deal, repeat.seeds
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
            (self._filling(players[0]), self._filling(players[1])),
        )
        self._terms[game] = terms
        server.open_table(match, players, now, None if repeat is None else repeat.first)

    def _filling(self, player: Player) -> str | None:
        """What a house bot is; guests bring themselves."""
        spec = None if player.bot is None else self.houses.get(player.name)
        return None if spec is None else str(spec)

    def next_game(self, table: Table) -> str | None:
        """A drawn game is played again: a new deal and toss, the same colours, until somebody wins.

        One on a repeated deal is not: it was played for the sake of that deal.
        """
        outcome = table.match.game.outcome
        here = all(player.session is not None for player in table.players)
        if table.deal != table.game or not here or self._server.storing.troubled:
            return None
        if outcome is None or outcome.reason != "drawn":
            return None
        return self._server.new_game_id()

    def over(self, table: Table, now: float) -> None:
        """Deal again after a drawn game."""
        terms = self._terms.pop(table.game, None) or _terms_of(table.match)
        if table.next_game is not None:
            self._open(table.next_game, table.players, terms, now)


def _terms_of(match: Match) -> tuple[Terms, Terms]:
    """The terms of a game that has outlived a restart of the server, where nothing but the game is kept."""
    ivory, brown = (Terms(None, match.game.variant.name, control) for control in match.controls)
    return ivory, brown
