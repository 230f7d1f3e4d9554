"""One deal of a tournament: its attempts, the games that have a result, and what is still to be played."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from tyrusd.league.statistics.pairs import REPLAYS
from tyrusd.league.tournament.played import Played
from tyrusd.league.tournament.task import Place

Ending: TypeAlias = Literal["complete", "drawn", "void", "unready"]

WITHOUT_COUNTING: Final = frozenset({"void", "unready"})


@dataclass(slots=True)
class Attempt:
    """One time that a pair was dealt; `unready` is the bot that never became ready, and why."""

    number: int
    games: dict[int, Played] = field(default_factory=dict)
    unready: tuple[str, str] | None = None
    ending: Ending | None = None


class Pair:
    """A pair of games on one deal, or a single game; `first` has Ivory in game 1.

    replays: whether a drawn attempt is dealt again. out: games of the open attempt that are handed out.
    cut: why nothing of the pair counts any more, None while it does. halted: two attempts in a row could
    not be played.
    """

    __slots__ = ("attempts", "cut", "first", "games", "halted", "number", "out", "replays", "round", "second")

    def __init__(self, number: int, round_: int, first: str, second: str, twins: bool, replays: bool) -> None:
        self.number = number
        self.round = round_
        self.first = first
        self.second = second
        self.games = (1, 2) if twins else (1,)
        self.replays = replays
        self.attempts = [Attempt(1)]
        self.out: set[int] = set()
        self.cut: str | None = None
        self.halted = False

    @property
    def names(self) -> frozenset[str]:
        """Who plays, whatever the seats."""
        return frozenset((self.first, self.second))

    @property
    def current(self) -> Attempt:
        """The attempt that is being played, or the last one."""
        return self.attempts[-1]

    @property
    def complete(self) -> bool:
        """Whether all games have a result that stands."""
        return self.current.ending == "complete"

    @property
    def missing(self) -> tuple[int, ...]:
        """The games that can be handed out now."""
        if self.current.ending is not None:
            return ()
        return tuple(game for game in self.games if game not in self.current.games and game not in self.out)

    def results(self) -> list[Played]:
        """The games that stand, in their order; none before the pair is complete."""
        return [self.current.games[game] for game in self.games] if self.complete else []

    def score(self, name: str) -> float:
        """What the games that stand gave one of the two."""
        return sum(played.score(name) for played in self.results())

    def has(self, place: Place) -> bool:
        """Whether the game of this place is known to have ended."""
        return any(a.number == place.attempt and place.game in a.games for a in self.attempts)

    def take(self, played: Played) -> Ending | None:
        """Take a result; how it ended the attempt, if it did. ValueError for one that cannot be."""
        attempt = self._attempt_of(played)
        game = played.place.game
        known = attempt.games.get(game)
        if known is not None:
            if known != played:
                raise ValueError(f"game {played.place.game_id} has two different results; keep the first")
            return None
        attempt.games[game] = played
        if attempt is self.current:
            self.out.discard(game)
        if attempt.ending is not None:
            return None  # a twin that was still running when the attempt became void
        if not played.counts:
            return self._end("void")
        if len(attempt.games) < len(self.games):
            return None
        drawn = any(result.winner is None for result in attempt.games.values())
        return self._end("drawn" if drawn and self.replays and attempt.number < REPLAYS else "complete")

    def unready(self, number: int, bot: str, why: str) -> Ending | None:
        """Learn that an attempt cannot be played; only the first word on it counts. ValueError as take."""
        if bot not in (self.first, self.second) or not 0 < number <= len(self.attempts):
            raise ValueError(
                f"pair {self.number} has no attempt {number} with {bot}: this is of another plan"
            )
        if self.attempts[number - 1].ending is not None:
            return None
        self.current.unready = (bot, why)
        return self._end("unready")

    def _end(self, ending: Ending) -> Ending:
        self.current.ending = ending
        self.out.clear()
        before = self.attempts[-2].ending if len(self.attempts) > 1 else None
        if ending in WITHOUT_COUNTING and before in WITHOUT_COUNTING:
            self.halted = True
        elif ending != "complete":
            self.attempts.append(Attempt(self.current.number + 1))
        return ending

    def _attempt_of(self, played: Played) -> Attempt:
        place = played.place
        seats = (self.first, self.second) if place.game == 1 else (self.second, self.first)
        fits = (
            place.round == self.round and place.game in self.games and seats == (played.ivory, played.brown)
        )
        if not fits or not 0 < place.attempt <= len(self.attempts):
            raise ValueError(
                f"game {place.game_id} of round {place.round}, {played.ivory} against {played.brown}, is not "
                f"one of this plan: pair {self.number} is {self.first} against {self.second} in round "
                f"{self.round}, dealt {len(self.attempts)} times; use the plan that the games were played by"
            )
        return self.attempts[place.attempt - 1]
