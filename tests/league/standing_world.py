"""Seasons of a standing ladder without a server: bots that take their time, and a clock that is a number."""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from typing import NamedTuple

from tyrusd.league.rated import Version
from tyrusd.league.standing import Meeting, choose
from tyrusd.league.standing_book import Book

GATHER = 1.0
REMATCH = 5.0


class Bot(NamedTuple):
    """How long it thinks in one game, in seconds, and how many games it plays at once."""

    thinks: float
    games: int = 1


class Played(NamedTuple):
    """A game: when it began and ended, who played it, and who else could have been met then."""

    began: float
    ended: float
    meeting: Meeting
    free: tuple[str, ...]


Wait = Callable[["Season"], bool]


class Season:
    """Who plays whom for some time; hold_back: a policy that lets nobody play for now."""

    def __init__(
        self,
        bots: Mapping[str, Bot],
        anchors: Mapping[str, float] | None = None,
        hold_back: Wait = lambda season: False,
        fails: Callable[[int], bool] = lambda number: False,
    ) -> None:
        self.bots = dict(bots)
        self.anchors = dict(anchors or {})
        self.now = 0.0
        self.book = Book(self.anchors)
        self.games: list[Played] = []
        self.widest: Counter[str] = Counter()
        self.rounds = 0
        self._hold_back, self._fails = hold_back, fails
        self._ends: list[tuple[float, int, str, Meeting, tuple[str, ...], float]] = []
        self._number = 0
        for name in bots:
            self.book.came(Version(name), 0.0, {})

    def room(self, name: str) -> int:
        return self.bots[name].games - self.book.games_of(name)

    def play(self, seconds: float) -> Season:
        """Let time pass; rounds come once a second."""
        end = self.now + seconds
        while self.now < end:
            while self._ends and self._ends[0][0] <= self.now:
                ended, number, game, meeting, free, began = heapq.heappop(self._ends)
                counts = not self._fails(number)
                self.book.over(game, ended, counts)
                if counts:
                    self.games.append(Played(began, ended, meeting, free))
            self._round()
            self.now += GATHER
        return self

    def _round(self) -> None:
        free = [name for name in self.bots if self.room(name) > 0]
        if self._hold_back(self) or not free:
            return
        self.rounds += 1
        entries = [self.book.entry(name, self.room(name)) for name in free]
        entries += [self.book.entry(name, 256) for name in self.anchors]
        for meeting in choose(entries, self.now, REMATCH, self.rounds.to_bytes(4, "big")):
            self._begin(meeting, tuple(free))

    def _begin(self, meeting: Meeting, free: tuple[str, ...]) -> None:
        self._number += 1
        game = f"g{self._number}"
        self.book.begun(game, Version(meeting.ivory), Version(meeting.brown), meeting.opener, self.now)
        for name in meeting[:2]:
            if name in self.bots:
                assert self.room(name) >= 0, f"{name} got more games than it declared"
                widest = max(map(abs, self.book.balances(name)))
                self.widest[name] = max(self.widest[name], widest)
        spent = sum(self.bots[name].thinks if name in self.bots else 1.0 for name in meeting[:2])
        entry = (self.now + spent, self._number, game, meeting, free, self.now)
        heapq.heappush(self._ends, entry)

    def of(self, name: str) -> list[Played]:
        """The games of somebody in the order in which they began."""
        return sorted(
            (game for game in self.games if name in game.meeting[:2]),
            key=lambda game: (game.began, game.meeting),
        )

    def enemies(self, name: str) -> list[str]:
        """Whom somebody met, in that order."""
        return [enemy_of(game, name) for game in self.of(name)]

    def met(self) -> dict[str, Counter[str]]:
        """How often who met whom."""
        found: dict[str, Counter[str]] = defaultdict(Counter)
        for game in self.games:
            ivory, brown, _ = game.meeting
            found[ivory][brown] += 1
            found[brown][ivory] += 1
        return found


def enemy_of(game: Played, name: str) -> str:
    ivory, brown, _ = game.meeting
    return brown if name == ivory else ivory


def field_of(count: int, slowest: float = 60.0) -> dict[str, Bot]:
    """So many bots, from one that thinks a second a game to one that thinks for as long as is said."""
    step = slowest ** (1 / max(1, count - 1))
    return {f"bot{number:02}": Bot(step**number) for number in range(count)}
