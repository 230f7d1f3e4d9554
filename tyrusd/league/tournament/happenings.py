"""What a tournament tells when a result comes in, for whoever runs it to pass on."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from tyrusd.league.pairing.meeting import Meeting
from tyrusd.league.statistics.sprt import SprtState


class Suspended(NamedTuple):
    """An entrant failed so often in a row that its remaining pairs are not played."""

    bot: str
    failures: int


class PairingHalted(NamedTuple):
    """Two attempts in a row at a pair could not be played: these two do not meet again."""

    first: str
    second: str
    why: str


class RoundBegun(NamedTuple):
    """All of the round before is settled, and the next has been paired."""

    number: int
    meetings: tuple[Meeting, ...]
    byes: tuple[str, ...]


class DealtAgain(NamedTuple):
    """A pair is dealt anew; `attempt` is the new one. why: void, unready or drawn."""

    pair: int
    attempt: int
    why: str


class Decided(NamedTuple):
    """The sequential test has accepted one of its hypotheses at this pair."""

    pair: int
    state: SprtState


class StoppedByCrash(NamedTuple):
    """An entrant crashed, and that is to end the tournament. game: None where it was not ready for any."""

    bot: str
    game: str | None
    reason: str


class Advanced(NamedTuple):
    """A tie of a knock-out is over. how: won, walkover, or seed where nothing else told them apart."""

    winner: str
    loser: str
    how: str


class Champion(NamedTuple):
    """The tournament has a winner; the finalists are the two of a knock-out's final, else nobody."""

    name: str
    finalists: tuple[str, ...]


Happening: TypeAlias = (
    Suspended | PairingHalted | RoundBegun | DealtAgain | Decided | StoppedByCrash | Advanced | Champion
)
