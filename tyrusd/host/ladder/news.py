"""What a run of a ladder tells whoever watches it, in the order in which it happens."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from tyrusd.league.schema import Payload
from tyrusd.league.tournament.happenings import Happening
from tyrusd.league.tournament.played import Played

PauseCause: TypeAlias = Literal["operator", "storage"]


class GameKept(NamedTuple):
    """A game is over and on the disk. note: the last words of a program that crashed in it."""

    played: Played
    record: Payload
    note: str

    def __repr__(self) -> str:
        # The record names every tile of a game whose twin may still be running.
        return f"GameKept({self.played.place.game_id}, {self.played.reason})"


class Pondered(NamedTuple):
    """Milliseconds of processor time that Ivory's and Brown's programs used while they owed no decision."""

    game: str
    pondered: tuple[int | None, int | None]


class Happened(NamedTuple):
    """The tournament has taken a turn: a round began, a bot was suspended, a test has decided."""

    happening: Happening


class PairUnready(NamedTuple):
    """A pair could not be played, since a bot never became ready; why is one sentence."""

    pair: int
    attempt: int
    bot: str
    why: str


class Told(NamedTuple):
    """A sentence for the operator, printable and of one line."""

    sentence: str


class Paused(NamedTuple):
    """No new game begins; running games go on. why is one sentence."""

    cause: PauseCause
    why: str


class Continued(NamedTuple):
    """New games begin again."""

    cause: PauseCause


class Limited(NamedTuple):
    """The operator wants so many games at a time from now on."""

    concurrency: int


class Dropped(NamedTuple):
    """The operator has taken a bot out, and that is on the disk."""

    bot: str


class Ending(NamedTuple):
    """A signal ends the run: no new game begins.

    awaited: games that are still awaited; 0 and `at_once`: what was running was stopped.
    """

    signal: str
    awaited: int
    at_once: bool


News: TypeAlias = (
    GameKept | Pondered | Happened | PairUnready | Told | Paused | Continued | Limited | Dropped | Ending
)


class RunEnd(NamedTuple):
    """How a run has ended.

    complete: the tournament is over, and nothing is left to be played. interrupted: signals ended it.
    failure: a sentence, where it could not go on. why: why the tournament was over before all was played.
    """

    complete: bool
    interrupted: bool
    failure: str | None
    why: str | None
