"""A pair of games while it is played: which of them wait, which run, and the match that each of them is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from tyrusd.league.clock import TimeControl
from tyrusd.league.match import Match
from tyrusd.league.tournament.task import LadderGame, PairTask
from tyrusd.rules.variants import Variant


@dataclass(slots=True)
class Pair:
    """One task: waiting are its games not begun, running the ids of those that are; told the rest's ids.

    whole: every game so far has a result, so that the deal is not needed again. unready: the bot that does
    not become ready, and why.
    """

    task: PairTask
    waiting: list[int] = field(init=False)
    running: set[str] = field(default_factory=set)
    told: list[str] = field(default_factory=list)
    whole: bool = True
    unready: tuple[str, str] | None = None

    def __post_init__(self) -> None:
        self.waiting = sorted(self.task.games)

    @property
    def key(self) -> tuple[int, int]:
        """The pair and its attempt."""
        return self.task.pair, self.task.attempt

    @property
    def begun(self) -> bool:
        """Whether one of its games has begun."""
        return bool(self.running or self.told)

    @property
    def deal(self) -> str:
        """What its deal is called: the id of the first game."""
        return self.task.place(1).game_id


class Terms(NamedTuple):
    """What all games of a crew have in common; machine: host and processor, for the records."""

    variant: Variant
    ponder: bool
    machine: tuple[str, str]


def match_of(
    task: PairTask,
    game: int,
    controls: tuple[TimeControl, TimeControl],
    fillings: tuple[str, str],
    terms: Terms,
) -> Match:
    """Return one game of a pair; controls and fillings are Ivory's and Brown's in that game."""
    place = task.place(game)
    match = Match(
        place.game_id,
        task.pair,
        task.deal,
        terms.variant,
        controls,
        (0, 0),
        task.seats(game),
        task.seeds[game - 1],
        fillings,
        terms.ponder,
    )
    match.ladder = LadderGame(place, *terms.machine)
    return match
