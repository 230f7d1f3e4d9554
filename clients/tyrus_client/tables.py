"""Keeps the games that the person plays or watches: what is heard and what is typed about them."""

from collections.abc import Callable
from typing import Any, Final

from tyrus_client.lobby import tell_enemy, tell_start
from tyrus_client.out import Out
from tyrus_client.seat import Seat
from tyrus_client.translate import event_of
from tyrus_client.typed import Placing
from tyrusd.rules.pieces import SIDE_OF_LETTER, Side
from tyrusd.screen.board import draw_hand
from tyrusd.screen.clocks import duration
from tyrusd.screen.tally import tell_past
from tyrusd.wire import messages as wire


class Tables:
    """All games of the person, by their ids."""

    def __init__(self, out: Out) -> None:
        self._out = out
        self._seats: dict[str, Seat] = {}

    @property
    def playing(self) -> bool:
        """Whether there is a game that the person plays, not only watches."""
        return any(seat.side is not None for seat in self._seats.values())

    @property
    def own(self) -> list[tuple[str, str]]:
        """The running games that the person plays, each with the name of the enemy."""
        return [
            (seat.game, seat.names[seat.side.other]) for seat in self._seats.values() if seat.side is not None
        ]

    def clear(self) -> None:
        """Keep nothing: the server tells of every game that the person still has."""
        self._seats.clear()

    def hear(self, message: wire.ServerMessage) -> None:
        """Take in a message about a game; others are passed over; raises NonsenseError."""
        handler = _HEARD.get(type(message))
        if handler is not None:
            handler(self, message)
            return
        event = event_of(message)
        if event is not None:
            self._event(message, event)

    def refused(self, message: wire.Error) -> None:
        """Take note that a placement was refused: the request it answered is open again."""
        seat = self._seats.get(message.game or "")
        if seat is not None and message.request == seat.request:
            seat.answered = False

    def forget(self, game: str) -> None:
        """Keep nothing of a game that is no longer watched."""
        seat = self._seats.get(game)
        if seat is not None and seat.side is None:
            del self._seats[game]

    def place(self, command: Placing) -> None:
        """Answer the open request, or say why there is nothing to answer."""
        asked = [seat for seat in self._seats.values() if seat.request is not None]
        waiting = [seat for seat in asked if not seat.answered]
        if not waiting:
            none_asked = "typed.not-asked" if self.playing else "typed.no-game"
            self._out.say("typed.already" if asked else none_asked)
            return
        seat = waiting[0]
        hand = () if seat.view is None else seat.view.hand
        if command.tile not in hand:
            self._out.say("typed.not-in-hand", tile=command.tile, hand=draw_hand(hand, self._out.texts))
            return
        assert seat.request is not None, "it is in the list because of its request"
        seat.answered = True
        self._out.send(wire.Place(seat.game, seat.request, str(command.tile), command.building.name))

    def about(self, what: str) -> None:
        """Show `hand`, `board` or `past` of the present game, or `resign` it."""
        seat = self._present()
        if seat is None:
            self._out.say("typed.no-game")
        else:
            _ABOUT[what](self, seat)

    def _start(self, message: wire.Start) -> None:
        side = SIDE_OF_LETTER[message.side]
        names = (message.own, message.enemy) if side is Side.IVORY else (message.enemy, message.own)
        self._seats[message.game] = Seat(message.game, side, names, self._out.texts)
        self._out.show("", tell_start(message, self._out.texts), *tell_enemy(message, self._out.texts))

    def _choose(self, message: wire.Choose) -> None:
        self._out.show(*self._seat(message.game).asked(message))

    def _snapshot(self, message: wire.Snapshot) -> None:
        self._out.show(*self._seat(message.game).caught_up(message))

    def _away(self, message: wire.Away) -> None:
        side = self._out.texts.side(SIDE_OF_LETTER[message.side])
        self._out.say("lobby.away", side=side, time=duration(message.ms, self._out.texts))

    def _back(self, message: wire.Back) -> None:
        self._out.say("lobby.back", side=self._out.texts.side(SIDE_OF_LETTER[message.side]))

    def _event(self, message: Any, event: Any) -> None:
        seat = self._seat(message.game)
        if seat.knows(message.seq):
            return
        if seat.misses(message.seq):
            self._out.send(wire.Look(message.game))
        self._out.show(*seat.happened(event))
        if isinstance(message, wire.Over):
            del self._seats[seat.game]
            if message.next is not None:
                self._out.say("lobby.next", game=message.next)
            elif seat.side is not None:
                self._out.say("lobby.again")

    def _seat(self, game: str) -> Seat:
        """Return the seat of a game; one that is not known yet becomes known by its first message."""
        return self._seats.setdefault(game, Seat(game, None, ("?", "?"), self._out.texts))

    def _present(self) -> Seat | None:
        """Return the game the person means: one that is played before a watched one, the latest first."""
        latest = list(reversed(self._seats.values()))
        return next((seat for seat in latest if seat.side is not None), latest[0] if latest else None)

    def _hand(self, seat: Seat) -> None:
        if seat.side is None or seat.view is None:
            self._out.say("typed.no-hand")
        else:
            self._out.show(draw_hand(seat.view.hand, self._out.texts))

    def _board(self, seat: Seat) -> None:
        # The server is asked, since only it knows what is left of the clocks.
        self._out.send(wire.Look(seat.game))

    def _past(self, seat: Seat) -> None:
        past = [] if seat.view is None else tell_past(seat.view, self._out.texts)
        self._out.show(*past or [self._out.texts.say("typed.no-past")])

    def _resign(self, seat: Seat) -> None:
        if seat.side is None:
            self._out.say("typed.no-game")
        else:
            self._out.send(wire.Resign(seat.game))


_HEARD: Final[dict[type[wire.ServerMessage], Callable[[Tables, Any], None]]] = {
    wire.Start: Tables._start,
    wire.Choose: Tables._choose,
    wire.Snapshot: Tables._snapshot,
    wire.Away: Tables._away,
    wire.Back: Tables._back,
}
_ABOUT: Final[dict[str, Callable[[Tables, Seat], None]]] = {
    "hand": Tables._hand,
    "board": Tables._board,
    "past": Tables._past,
    "resign": Tables._resign,
}
