"""What a standing ladder remembers of who plays on it, so that pairs are fair: balances, and who met whom."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final, NamedTuple

from tyrusd.league.rated import Version
from tyrusd.league.standing import ANCHOR_EVERY, Entry
from tyrusd.rules.pieces import Side

_EVEN: Final = (0, 0)


class Running(NamedTuple):
    """A game of the ladder that is not over: its accounts in lower case, and who opens the odd elections."""

    ivory: str
    brown: str
    opener: Side

    def seats(self) -> tuple[tuple[str, str, int, int], ...]:
        """For both: who, against whom, and what the game is worth in its balances."""
        opens = 1 if self.opener is Side.IVORY else -1
        return (self.ivory, self.brown, 1, opens), (self.brown, self.ivory, -1, -opens)


class _Page:
    """One account; what is told of a version is of the one that it came with last."""

    __slots__ = ("agent", "ended", "last", "met", "openers", "playing", "sides", "since", "unanchored")

    def __init__(self, agent: str | None, now: float) -> None:
        self.agent = agent
        self.sides = self.openers = 0
        self.last: str | None = None
        self.ended = 0.0
        self.met: dict[str, int] = {}
        self.playing: set[str] = set()
        self.since = now
        self.unanchored = ANCHOR_EVERY - 1


class Book:
    """The running games of a ladder, and a page for each account that has played in this server's life.

    anchors: the accounts whose rating is given. Games count when they begin, and are taken out again when
    they end without a result. A version that nobody remembers begins with a game against an anchor.
    """

    def __init__(self, anchors: Collection[str] = ()) -> None:
        self._anchors = frozenset(name.lower() for name in anchors)
        self._pages: dict[str, _Page] = {}
        self._before: Mapping[str, tuple[int, int]] = {}
        self.running: dict[str, Running] = {}
        self.ended = 0  # games that are over

    def recall(self, sides: Mapping[str, tuple[int, int]]) -> None:
        """Take the balances that the games before this server's life have left, by lower-case name."""
        self._before = sides

    def balances(self, name: str) -> tuple[int, int]:
        """Return how many more games somebody had as Ivory than as Brown, and opened than answered."""
        key = name.lower()
        page, (sides, openers) = self._pages.get(key), self._before.get(key, _EVEN)
        return (sides, openers) if page is None else (sides + page.sides, openers + page.openers)

    def games_of(self, name: str) -> int:
        """Return how many games of the ladder somebody plays now."""
        page = self._pages.get(name.lower())
        return 0 if page is None else len(page.playing)

    def came(self, version: Version, now: float, met: Mapping[str, int]) -> None:
        """Somebody waits from now on; met: how often this version met whom, by lower-case name."""
        page = self._pages.setdefault(version.name.lower(), _Page(version.agent, now))
        page.since = now
        self._turn(page, version.agent, met)

    def _turn(self, page: _Page, agent: str | None, met: Mapping[str, int]) -> None:
        """Begin anew for another version; of the same one, whoever has counted more is right."""
        if page.agent != agent:
            page.agent, page.met, page.unanchored = agent, {}, ANCHOR_EVERY - 1
        for enemy, times in met.items():
            page.met[enemy] = max(times, page.met.get(enemy, 0))

    def begun(self, game: str, ivory: Version, brown: Version, opener: Side, now: float) -> None:
        """A game of the ladder has begun, or goes on after a restart."""
        running = self.running[game] = Running(ivory.name.lower(), brown.name.lower(), opener)
        for version in (ivory, brown):
            page = self._pages.setdefault(version.name.lower(), _Page(version.agent, now))
            self._turn(page, version.agent, {})
        for name, enemy, side, opens in running.seats():
            page = self._pages[name]
            page.sides += side
            page.openers += opens
            page.met[enemy] = page.met.get(enemy, 0) + 1
            page.playing.add(enemy)
            page.last, page.ended, page.since = enemy, now, now
            page.unanchored = 0 if enemy in self._anchors else page.unanchored + 1

    def over(self, game: str, now: float, counts: bool) -> Running | None:
        """A game is over; without a result it does not count. Return it, None if it is none of the ladder."""
        running = self.running.pop(game, None)
        if running is None:
            return None
        self.ended += 1
        for name, enemy, side, opens in running.seats():
            page = self._pages[name]
            page.playing.discard(enemy)
            page.since = now
            if page.last == enemy:
                page.ended = now
            if not counts:
                page.sides -= side
                page.openers -= opens
                page.met[enemy] = max(0, page.met.get(enemy, 0) - 1)
        return running

    def entry(
        self, name: str, room: int, backers: frozenset[str] = frozenset(), rating: float | None = None
    ) -> Entry:
        """Return somebody who waits; room: how many more games it may begin; the rest as in Entry."""
        key = name.lower()
        page = self._pages.setdefault(key, _Page(None, 0.0))
        sides, openers = self.balances(key)
        return Entry(
            key,
            page.since,
            room,
            backers,
            sides,
            openers,
            page.last,
            page.ended,
            page.met,
            frozenset(page.playing),
            rating,
            key in self._anchors,
            page.unanchored,
        )
