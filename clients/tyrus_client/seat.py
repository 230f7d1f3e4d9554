"""Keeps one game that the person plays or watches, and turns what is heard about it into lines."""

from collections.abc import Callable
from typing import Any, Final

from tyrus_client.follow import Following
from tyrus_client.translate import view_of
from tyrusd.rules.events import Event, Over, Placed, Revealed, Tallied
from tyrusd.rules.pieces import Side
from tyrusd.rules.view import View
from tyrusd.screen.board import draw_position, draw_score
from tyrusd.screen.clocks import Clocks, duration
from tyrusd.screen.tally import tell_count
from tyrusd.screen.telling import tell_end, tell_event
from tyrusd.screen.texts import Texts
from tyrusd.wire import messages as wire


class Seat:
    """One game: who plays it, what is known of it, and the request that waits for the person's answer.

    `side` is None for a game that is only watched; `request` is None while nothing is asked, and `answered`
    tells that an answer to it is on its way.
    """

    __slots__ = (
        "_following",
        "_revealed",
        "_sequence",
        "answered",
        "clocks",
        "game",
        "names",
        "request",
        "side",
        "texts",
    )

    def __init__(self, game: str, side: Side | None, names: tuple[str, str], texts: Texts) -> None:
        self.game = game
        self.side = side
        self.names = names
        self.texts = texts
        self.clocks: Clocks | None = None
        self.request: int | None = None
        self.answered = False
        self._following: Following | None = None
        self._revealed: list[Revealed] = []
        self._sequence: int | None = None

    @property
    def view(self) -> View | None:
        """What is known of the position, None before the server told any."""
        return None if self._following is None else self._following.view

    def asked(self, message: wire.Choose) -> list[str]:
        """Take in a request and return the position, which ends with what is asked.

        Raises NonsenseError.
        """
        view = view_of(message.view)
        self._following = Following(view)
        self.side = view.viewer
        own, enemy = message.time, message.enemy_time
        self.clocks = Clocks(own, enemy) if self.side is Side.IVORY else Clocks(enemy, own)
        self.request = message.request
        self.answered = False
        lines = ["", *self.position()]
        if message.left is not None and message.left != message.time:
            # What is asked stays the last line.
            lines.insert(-1, self.texts.say("lobby.left", left=duration(message.left, self.texts)))
        return lines

    def caught_up(self, message: wire.Snapshot) -> list[str]:
        """Take in the whole state of the game and return the position; raises NonsenseError.

        Nothing is returned when the person is to place: the request that follows shows the same position.
        """
        view = view_of(message.view)
        self._following = Following(view)
        self.side = view.viewer
        self.names = (message.ivory, message.brown)
        self.clocks = Clocks(message.ivory_time, message.brown_time)
        self._sequence = message.seq
        if view.viewer is not None and view.to_move is view.viewer:
            return []
        return ["", *self.position()]

    def misses(self, sequence: int) -> bool:
        """Take note of an event's number and tell whether events between it and the last one are missing."""
        missing = self._sequence is not None and sequence > self._sequence + 1
        self._sequence = sequence
        return missing

    def knows(self, sequence: int) -> bool:
        """Tell whether the event of that number is already part of what is known."""
        return self._sequence is not None and sequence <= self._sequence

    def happened(self, event: Event) -> list[str]:
        """Take in an event and return what the person is told about it."""
        if self._following is not None:
            self._following.apply(event)
        special = _SPECIAL.get(type(event))
        if special is not None:
            return special(self, event)
        line = tell_event(event, self.side, self.texts)
        return [] if line is None else [line]

    def position(self) -> list[str]:
        """Return the drawn position, nothing while none is known."""
        if self.view is None:
            return []
        return draw_position(self.view, self.texts, self.clocks, self.names).split("\n")

    def _placed(self, event: Placed) -> list[str]:
        if event.side is self.side:
            self.request = None
        return [tell_event(event, self.side, self.texts) or ""]

    def _turned_up(self, event: Revealed) -> list[str]:
        self._revealed.append(event)
        return []

    def _counted(self, event: Tallied) -> list[str]:
        revealed, self._revealed = self._revealed, []
        lines = ["", *tell_count(event, revealed, self.texts)]
        if self.view is not None:
            lines.append("  " + draw_score(self.view.winners, self.texts))
        return lines

    def _ended(self, event: Over) -> list[str]:
        self.request = None
        return ["", *tell_end(event, self.side, self.names, self.texts)]


_SPECIAL: Final[dict[type[Event], Callable[[Seat, Any], list[str]]]] = {
    Placed: Seat._placed,
    Revealed: Seat._turned_up,
    Tallied: Seat._counted,
    Over: Seat._ended,
}
