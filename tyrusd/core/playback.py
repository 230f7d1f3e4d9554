"""The director of `tyrusd playback`: one bot is asked what it was asked in a recorded game; who differs?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from tyrusd.core.director import Bot
from tyrusd.core.failures import Refused
from tyrusd.core.player import Player
from tyrusd.core.requests import Finished, Halted
from tyrusd.core.seatspec import SeatSpec
from tyrusd.core.session import Session
from tyrusd.core.table import Table
from tyrusd.league.match import Match
from tyrusd.league.record import Payload
from tyrusd.league.replay import new_match
from tyrusd.rules.notation import write_view
from tyrusd.rules.pieces import BUILDING_NAMED, SIDE_OF_WORD, TILE_NAMED, Building, Side, Tile
from tyrusd.rules.view import view
from tyrusd.wire import Phase
from tyrusd.wire import messages as wire

if TYPE_CHECKING:
    from tyrusd.core.server import Server

DIFFERENT: Final = "different"  # the detail of the end of a playback at the first different decision


class Decision(NamedTuple):
    """One decision of the bot: the request, what it saw, what was recorded (None: nothing) and placed."""

    request: int
    sight: str
    recorded: str | None
    placed: str
    waited: int  # ms


class PlaybackTable(Table):
    """A game whose other side places what is recorded; it ends when the bot does not, or the record ends."""

    __slots__ = ("decisions", "script", "side", "sight")

    def __init__(
        self, match: Match, players: tuple[Player, Player], server: Server, record: Payload, side: Side
    ) -> None:
        super().__init__(match, players, server)
        self.side = side
        self.script: list[tuple[Side, Tile, Building]] = [
            (SIDE_OF_WORD[mover], TILE_NAMED[tile], BUILDING_NAMED[building])
            for mover, tile, building in record["game"]["placements"]
        ]
        self.decisions: list[Decision] = []
        self.sight = ""  # what the bot saw when it was asked last

    def recorded(self, request: int) -> str | None:
        """What the record has as the answer to a request, if it has one."""
        if request > len(self.script):
            return None
        _, tile, building = self.script[request - 1]
        return f"{tile} {building.name}"

    def _ask(self, now: float) -> None:
        """Ask the bot; in the other side's place put down what is recorded."""
        request = self.match.open_request
        if request is None or request.side is self.side:
            self.sight = write_view(view(self.match.game, self.side))
            super()._ask(now)
            return
        if request.number > len(self.script):
            self.stop(None, "adjudicated", "end of the record", now)
            return
        _, tile, building = self.script[request.number - 1]
        events = self.match.place(request.side, request.number, tile, building, now)
        self.players[request.side].settle()
        self._go_on(events, now)

    def place(self, session: Session, side: Side, message: wire.Place, now: float) -> bool:
        """Compare the bot's decision with the recorded one."""
        request = self.match.open_request
        if request is None or request.number != message.request or self.ending is not None:
            return super().place(session, side, message, now)
        words = self.recorded(request.number)
        placed = f"{message.tile} {message.building}"
        self.decisions.append(
            Decision(
                request.number,
                self.sight,
                words,
                placed,
                max(0, int((now - request.issued) * 1000)),
            )
        )
        if words != placed and self.match.game.can(
            side, TILE_NAMED[message.tile], BUILDING_NAMED[message.building]
        ):
            self.stop(None, "adjudicated", DIFFERENT if words else "end of the record", now)
            return True
        return super().place(session, side, message, now)


class Playback:
    """Plays one recorded game again with a bot in one of its seats.

    record: of a finished game; side: the seat; spec: the bot. The bot has the seat's name, seed and clock, no
    illegal placement is forgiven. When it is over `table` tells what the bot decided; `failure` is a sentence
    if it could not even begin.
    """

    def __init__(self, record: Payload, side: Side, spec: SeatSpec) -> None:
        self.record = record
        self.side = side
        self.spec = spec
        self.table: PlaybackTable | None = None
        self.failure: str | None = None
        self.done = False
        self._server: Server

    def attach(self, server: Server, now: float) -> None:
        """Learn the server and start the bot."""
        self._server = server
        server.programs.start(self.record["game"]["seats"][self.side.word], self.spec, now)

    def name_for(self, session: Session, hello: wire.Hello) -> str:
        """Nobody else comes in."""
        raise Refused("auth", "A playback has no seat for you.")

    def bot_name(self, bot: Bot) -> str:
        """The bot has the name of the seat."""
        return bot.name

    def display_of(self, player: Player) -> str | None:
        """Nobody has an account here."""
        return None

    def phase_of(self, player: Player) -> Phase:
        """A playback has no lobby."""
        return Phase.SEAT

    def ready(self, player: Player, now: float) -> None:
        """The bot is here: begin."""
        head = self.record["game"]
        match = new_match(self.record["id"], head)
        match.lenient = (0, 0)
        absent = Player(head["seats"][self.side.other.word], "bot", None)
        players = (player, absent) if self.side is Side.IVORY else (absent, player)
        self.table = PlaybackTable(match, players, self._server, self.record, self.side)
        self._server.seat(self.table, now)

    def holds(self, player: Player) -> float:
        """A program that has ended has ended."""
        return 0.0

    def gone(self, player: Player, now: float) -> None:
        """The bot has ended; its game, if there is one, is over by that."""
        if self.table is None:
            self._fail("the bot ended before the game began", now)

    def handle(self, session: Session, player: Player, message: wire.ClientMessage, now: float) -> int | None:
        """Refuse: there is no lobby, and the phase table says so first."""
        raise Refused("state", "A playback has no lobby.")

    def over(self, table: Table, now: float) -> None:
        """The bot has differed, failed, or come to the end of the record."""
        self._finish(now)

    def deals_again(self, table: Table) -> bool:
        """One game is all."""
        return False

    def bot_failed(self, bot: Bot, why: str, now: float) -> None:
        """The bot never became ready."""
        self._fail(f"{self.spec} cannot play: {why}", now)

    def draining(self, now: float) -> None:
        """The server is closing; the running game is aborted."""

    def _fail(self, sentence: str, now: float) -> None:
        if not self.done:
            self.failure = sentence
            self._server.news(Halted(sentence))
            self._finish(now)

    def _finish(self, now: float) -> None:
        if not self.done:
            self.done = True
            self._server.news(Finished())
            self._server.conclude("The playback is over.", now)
