"""Writes pairs, bots and their confinement for the way to a worker, and reads them there, whole or not."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from tyrusd.core.crew import CrewBot
from tyrusd.core.seatspec import parse_seat
from tyrusd.host.confinement import Confinement
from tyrusd.host.ladder.plan import LadderEntrant
from tyrusd.host.limits import Limits
from tyrusd.host.sandbox import Sandbox
from tyrusd.league.clock import TimeControl
from tyrusd.league.schema import CardLetter, Number, ThirtyTiles
from tyrusd.league.tournament.task import PairTask
from tyrusd.rules.deal import Deal
from tyrusd.rules.pieces import KIND_OF_LETTER, SIDE_OF_LETTER, TILE_NAMED

__all__ = [
    "BotWords",
    "ConfinementWords",
    "Name",
    "Number",
    "Seconds",
    "Sentence",
    "TaskWords",
    "bot_of",
    "bot_words",
    "confinement_of",
    "confinement_words",
    "task_of",
    "task_words",
]

Name: TypeAlias = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9_-]{1,32}\Z")]
Sentence: TypeAlias = Annotated[str, Meta(max_length=4096)]
Seconds: TypeAlias = Annotated[float, Meta(gt=0, le=10**7)]
Text: TypeAlias = Annotated[str, Meta(max_length=65536)]
Count: TypeAlias = Annotated[int, Meta(ge=1, le=10**9)]
Seed: TypeAlias = Annotated[str, Meta(pattern=r"\A[0-9a-f]{32}\Z")]
PathText: TypeAlias = Annotated[str, Meta(min_length=1, max_length=4096)]
Duration: TypeAlias = Annotated[int, Meta(ge=0, le=10**12)]

_CARDS: Final[tuple[CardLetter, ...]] = ("C", "M", "T")


class _Words(Struct, frozen=True, forbid_unknown_fields=True):
    pass


class DealWords(_Words, frozen=True):
    """All chance of a pair."""

    cards: Annotated[tuple[CardLetter, ...], Meta(min_length=9, max_length=9)]
    ivory: ThirtyTiles
    brown: ThirtyTiles
    opener: Literal["I", "B"]

    def __repr__(self) -> str:
        return "<DealWords, faces hidden>"


class TaskWords(_Words, frozen=True):
    """A PairTask."""

    pair: Count
    attempt: Count
    round: Count
    first: Name
    second: Name
    games: Annotated[tuple[Literal[1, 2], ...], Meta(min_length=1, max_length=2)]
    twins: bool
    deal: DealWords
    seeds: tuple[tuple[Seed, Seed], tuple[Seed, Seed]]


class BotWords(_Words, frozen=True):
    """A CrewBot: its seat as it is typed, its time control in milliseconds."""

    name: Name
    seat: Text
    base: Duration | None
    increment: Duration
    cap: Duration | None
    key: Annotated[str, Meta(pattern=r"\A[!-~]{1,128}\Z")] | None = None

    def __repr__(self) -> str:
        return f"<BotWords of {self.name}>"  # the key is nobody's business


class ConfinementWords(_Words, frozen=True):
    """The limits of each bot's process, and its sandbox: the bubblewrap, and what it hides."""

    memory: Count
    processor: Count | None = None
    bwrap: PathText | None = None
    hidden: Annotated[tuple[PathText, ...], Meta(max_length=64)] = ()


def task_words(task: PairTask) -> TaskWords:
    """Write a task."""
    deal = task.deal
    return TaskWords(
        task.pair,
        task.attempt,
        task.round,
        task.first,
        task.second,
        tuple([1 if game == 1 else 2 for game in task.games]),
        task.twins,
        DealWords(
            tuple([_CARDS[kind] for kind in deal.cards]),
            [str(tile) for tile in deal.ivory],
            [str(tile) for tile in deal.brown],
            "B" if deal.opener else "I",
        ),
        task.seeds,
    )


def task_of(words: TaskWords) -> PairTask:
    """Read a task; raises ValueError with a clause where its parts do not fit each other."""
    if words.first.lower() == words.second.lower():
        raise ValueError(f"{words.first} cannot play itself")
    if len(set(words.games)) != len(words.games) or (not words.twins and words.games != (1,)):
        raise ValueError(f"the games {words.games} are no games of that pair")
    deal = Deal(
        tuple([KIND_OF_LETTER[letter] for letter in words.deal.cards]),
        tuple([TILE_NAMED[name] for name in words.deal.ivory]),
        tuple([TILE_NAMED[name] for name in words.deal.brown]),
        SIDE_OF_LETTER[words.deal.opener],
    )
    return PairTask(
        words.pair,
        words.attempt,
        words.round,
        words.first,
        words.second,
        words.games,
        words.twins,
        deal,
        words.seeds,
    )


def bot_words(entrant: LadderEntrant, keys: Mapping[str, str]) -> BotWords:
    """Write an entrant; keys: the secret with which a tcp bot takes its seat, by its name."""
    control = entrant.control
    return BotWords(
        entrant.name,
        str(entrant.seat),
        control.base_ms,
        control.increment_ms,
        control.cap_ms,
        keys.get(entrant.name) if entrant.seat.kind == "tcp" else None,
    )


def bot_of(words: BotWords) -> CrewBot:
    """Read a bot; raises ValueError with a sentence."""
    seat = parse_seat(words.seat)
    if (seat.kind == "tcp") != (words.key is not None):
        raise ValueError(f"{words.name}: a key is for a tcp bot, and for no other")
    control = TimeControl(words.base, words.increment, words.cap)
    return CrewBot(words.name, seat, control, words.key)


def confinement_words(confinement: Confinement) -> ConfinementWords:
    """Write what holds for every bot."""
    limits, box = confinement.limits, confinement.sandbox
    return ConfinementWords(
        limits.memory,
        limits.cpu,
        None if box is None else box.bwrap,
        () if box is None else tuple([str(path.absolute()) for path in box.hidden]),
    )


def confinement_of(words: ConfinementWords) -> Confinement:
    """Read what holds for every bot."""
    box = None if words.bwrap is None else Sandbox(words.bwrap, tuple(map(Path, words.hidden)))
    return Confinement(Limits(memory=words.memory, cpu=words.processor), box)
