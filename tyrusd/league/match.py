"""One game between two seats: which request is open, what an answer to it means, and whose clock runs."""

from __future__ import annotations

from typing import Final, NamedTuple, cast

from tyrusd.league.clock import MARGIN_MS, Clock, TimeControl
from tyrusd.league.rated import Rated
from tyrusd.league.tournament.task import LadderGame
from tyrusd.rules.deal import Deal
from tyrusd.rules.events import Event, Tallied
from tyrusd.rules.game import Game, IllegalPlacement
from tyrusd.rules.pieces import Building, Side, Tile
from tyrusd.rules.variants import Variant

FORFEITS: Final = frozenset({"timeout", "illegal", "disconnected", "crashed", "protocol", "walkover"})
"""The reasons for which one side can lose without the board saying so."""


class OpenRequest(NamedTuple):
    """A decision asked for and not yet made: its number (from 1), its side, and the start of the charge."""

    number: int
    side: Side
    issued: float


class StaleAnswer(Exception):  # noqa: N818
    """The answer is for a request that is no longer open, or the game is over: ignore it, it cost nothing."""


class NotYourTurn(Exception):  # noqa: N818
    """The answer is for the other side's request, or for one that was never issued: nothing has changed."""


class IllegalAnswer(Exception):  # noqa: N818
    """The placement is not allowed, and it was counted against the side's lenience.

    `why` is the rules' word for it. When `final`, it was one too many: the game is lost as `illegal` and
    `events` tell its end. Otherwise the request is still open and the clock runs on.
    """

    def __init__(self, why: str, sentence: str, events: tuple[Event, ...] = ()) -> None:
        super().__init__(sentence)
        self.why = why
        self.sentence = sentence
        self.events = events

    @property
    def final(self) -> bool:
        """Whether this placement has lost the game."""
        return bool(self.events)


class Match:
    """One game with its clocks, requests and refused placements.

    game_id: its name wherever it is stored; number: its place in the schedule; controls, lenient, names,
    seeds and fillings: one for Ivory, one for Brown. lenient is how many refused placements are forgiven,
    None for all; a filling is the text of the seat, such as plugin:greedy, None for a guest. ponder: the
    seats may think while they owe no decision.
    All times given to the methods are seconds of one monotonic clock.
    """

    __slots__ = (
        "began",
        "clocks",
        "controls",
        "cpu",
        "ended",
        "fillings",
        "game",
        "game_id",
        "ladder",
        "lenient",
        "names",
        "number",
        "open_request",
        "ponder",
        "rated",
        "refused",
        "seeds",
        "spent",
        "tallies",
    )

    def __init__(
        self,
        game_id: str,
        number: int,
        deal: Deal,
        variant: Variant,
        controls: tuple[TimeControl, TimeControl],
        lenient: tuple[int | None, int | None],
        names: tuple[str, str],
        seeds: tuple[str, str],
        fillings: tuple[str | None, str | None] = (None, None),
        ponder: bool = True,
    ) -> None:
        self.game_id = game_id
        self.number = number
        self.game = Game(deal, variant)
        self.controls = controls
        self.clocks = (Clock(controls[0]), Clock(controls[1]))
        self.lenient = lenient
        self.names = names
        self.seeds = seeds
        self.fillings = fillings
        self.ponder = ponder
        self.open_request: OpenRequest | None = None
        self.refused = [0, 0]
        """How many placements of each side were refused."""
        self.spent: list[int] = []
        """Milliseconds charged for each placement, in order."""
        self.cpu: list[int | None] = []
        """Milliseconds of processor time for each placement, filled in by who knows them."""
        self.tallies: list[Tallied] = []
        """The counts of the finished elections, in order."""
        self.began: float | None = None
        """When the first request was issued, in seconds."""
        self.ended: float | None = None
        """When the game ended, in seconds."""
        self.ladder: LadderGame | None = None
        """Where the game stands in a tournament, and on what machine it is played; None outside of one."""
        self.rated: Rated | None = None
        """What it counts as on a standing ladder; None for a game that is not rated."""

    def __repr__(self) -> str:
        state = "over" if self.game.outcome else f"{self.game.placed_count} placed"
        return f"<Match {self.game_id}: {self.names[0]} against {self.names[1]}, {state}, faces hidden>"

    def issue(self, now: float) -> OpenRequest:
        """Open the request for the side to move; its clock runs from `now`.

        Raises ValueError when a request is open or the game is over: answer or end that one first.
        """
        game = self.game
        if self.open_request is not None:
            raise ValueError(f"request {self.open_request.number} is still open; issue one at a time")
        if game.to_move is None:
            raise ValueError("the game is over; there is nothing to ask for")
        if self.began is None:
            self.began = now
        request = self.open_request = OpenRequest(game.placed_count + 1, game.to_move, now)
        return request

    def place(self, side: Side, number: int, tile: Tile, building: Building, now: float) -> tuple[Event, ...]:
        """Take a side's answer to request `number`; return what happened, with full faces.

        It counts for as long as the request is open: a timeout is declared by `forfeit`, after one last look
        for an answer. Raises StaleAnswer, NotYourTurn or IllegalAnswer, each of which says what to do.
        """
        request = self.open_request
        if request is None or number != request.number or side != request.side:
            raise self._misplaced(number)
        try:
            events = self.game.place(side, tile, building)
        except IllegalPlacement as refusal:
            raise self._refuse(side, refusal, now) from None
        spent = _elapsed_ms(request, now)
        self.clocks[side].charge(spent)
        self.spent.append(spent)
        self.cpu.append(None)
        self.open_request = None
        if len(events) > 1:
            # Ivory's and Brown's reveal stand between the placement and its count.
            self.tallies.append(cast(Tallied, events[3]))
            if self.game.outcome is not None:
                self.ended = now
        return events

    def resign(self, side: Side, now: float) -> tuple[Event, ...]:
        """End the game by the resignation of a side, whoever is to move; ValueError when it is over."""
        return self._over(self.game.resign(side), now)

    def forfeit(self, side: Side, reason: str, detail: str, now: float) -> tuple[Event, ...]:
        """Let a side lose for one of FORFEITS; ValueError for another reason or when the game is over."""
        if reason not in FORFEITS:
            raise ValueError(f"a side cannot lose by {reason!r}; use one of {', '.join(sorted(FORFEITS))}")
        return self.stop(side.other, reason, detail, now)

    def stop(self, winner: Side | None, reason: str, detail: str, now: float) -> tuple[Event, ...]:
        """End the game from outside, without a winner or for an adjudication; ValueError as Game.stop."""
        return self._over(self.game.stop(winner, reason, detail), now)

    def deadline(self) -> float | None:
        """Return when the open request is overdue, in seconds; None when none is open or it has no limit."""
        request = self.open_request
        if request is None:
            return None
        left = self.clocks[request.side].left_ms()
        return None if left is None else request.issued + (left + MARGIN_MS) / 1000

    def time_ms(self, side: Side, now: float) -> int | None:
        """Return what a side's bank holds at `now`, in milliseconds; None without a bank."""
        time = self.clocks[side].time_ms
        request = self.open_request
        if time is None or request is None or request.side != side:
            return time
        return max(0, time - _elapsed_ms(request, now))

    def left_ms(self, now: float) -> int | None:
        """Return what the open request may still take, in milliseconds; None for no limit.

        Raises ValueError when no request is open.
        """
        request = self.open_request
        if request is None:
            raise ValueError("no request is open; look at open_request first")
        left = self.clocks[request.side].left_ms()
        return None if left is None else max(0, left - _elapsed_ms(request, now))

    def credit(self, seconds: float) -> None:
        """Give the open request time that the server itself lost; nothing happens when none is open.

        Raises ValueError for a negative time.
        """
        if seconds < 0:
            raise ValueError(f"a credit is 0 seconds or more, not {seconds}")
        request = self.open_request
        if request is not None:
            self.open_request = request._replace(issued=request.issued + seconds)

    def _misplaced(self, number: int) -> StaleAnswer | NotYourTurn:
        request = self.open_request
        issued = request.number if request else len(self.spent)
        if self.game.outcome is not None:
            return StaleAnswer("The game is over; nothing more is asked in it.")
        if number < issued or (number == issued and request is None):
            return StaleAnswer(f"Request {number} is no longer open; answer the newest one.")
        return NotYourTurn(f"Request {number} is not yours to answer now; wait for your next request.")

    def _refuse(self, side: Side, refusal: IllegalPlacement, now: float) -> IllegalAnswer:
        self.refused[side] += 1
        forgiven = self.lenient[side]
        if forgiven is None or self.refused[side] <= forgiven:
            return IllegalAnswer(refusal.why, refusal.sentence)
        return IllegalAnswer(refusal.why, refusal.sentence, self.forfeit(side, "illegal", refusal.why, now))

    def _over(self, events: tuple[Event, ...], now: float) -> tuple[Event, ...]:
        request = self.open_request
        if request is not None:
            self.clocks[request.side].stop(_elapsed_ms(request, now))
            self.open_request = None
        self.ended = now
        return events


def _elapsed_ms(request: OpenRequest, now: float) -> int:
    # Begun milliseconds are not charged; the microsecond makes up for what floating point may lack.
    return max(0, int((now - request.issued) * 1000 + 0.001))
