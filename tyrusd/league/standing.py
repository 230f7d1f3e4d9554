"""Who plays whom next on a standing ladder: pairs among those who wait, at once (docs/standing.md)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Final, NamedTuple

from tyrusd.rules.pieces import Side

ANCHOR_EVERY: Final = 10
"""At least one of so many games of a version in a row is against an anchor, where there is one."""

EVEN: Final = 1
WIDEST: Final = 2
"""How far sides, or openers, may be out of balance: where somebody fits, and where nobody does."""

_DUE: Final = ANCHOR_EVERY - 1
_UNKNOWN: Final = float("inf")


class Entry(NamedTuple):
    """Somebody who waits.

    key: the name in lower case; since: when it began to wait, in seconds; room: how many more games it may
    begin. backers: who stands behind it, itself included, in lower case. sides and openers: how many
    more games it had as Ivory than as Brown, and opened than answered, running ones counted. last: its newest
    opponent, and `ended`, when that game was over. met: how often it met whom; playing: whom it plays now.
    rating: its Elo, None before anybody knows. anchor: its rating is given; it waits for nobody, and its
    sides need not be even. unanchored: how many games it has begun since its last one against an anchor.
    """

    key: str
    since: float
    room: int = 1
    backers: frozenset[str] = frozenset()
    sides: int = 0
    openers: int = 0
    last: str | None = None
    ended: float = 0.0
    met: Mapping[str, int] = {}
    playing: frozenset[str] = frozenset()
    rating: float | None = None
    anchor: bool = False
    unanchored: int = 0


class Meeting(NamedTuple):
    """Two who are to play now, by their keys; opener: who opens the odd elections."""

    ivory: str
    brown: str
    opener: Side


def choose(waiting: Sequence[Entry], now: float, rematch: float, chance: bytes) -> list[Meeting]:
    """Pair those who wait; equal arguments give equal pairs (docs/standing.md#pairs).

    now: in seconds; rematch: for how many seconds two who have just met wait for somebody else; chance:
    settles what nothing else does. Takes time with the square of those who wait: 300 of them are paired in
    less than a tenth of a second. Raises ValueError when somebody is there twice.
    """
    if len({entry.key for entry in waiting}) < len(waiting):
        raise ValueError("somebody waits twice; give each its own key")
    return _Round(waiting, now, rematch, chance).meetings()


class _Seat:
    """One who waits, with what this round has given it already."""

    __slots__ = (
        "anchor", "backers", "ended", "entry", "fresh", "key", "last", "met", "openers", "playing", "rank",
        "rating", "room", "sides", "total", "unanchored",
    )  # fmt: skip

    def __init__(self, entry: Entry, rank: bytes) -> None:
        self.entry = entry
        self.key, self.backers, self.anchor = entry.key, entry.backers, entry.anchor
        self.room, self.sides, self.openers = entry.room, entry.sides, entry.openers
        self.last, self.ended = entry.last, entry.ended
        self.met, self.total = entry.met, sum(entry.met.values())
        self.playing = set(entry.playing)
        self.rating = entry.rating
        self.unanchored = entry.unanchored
        self.rank = rank  # the toss among equals
        self.fresh = True  # nothing was found for it in this round

    def may_meet(self, other: _Seat) -> bool:
        """Whether the two may ever sit at one table, and do not now."""
        if other.key in self.playing or self.key in other.playing or other.key == self.key:
            return False
        return self.backers.isdisjoint(other.backers)

    def has_just_met(self, other: _Seat) -> bool:
        """Whether their game would be a rematch for one of them."""
        return self.last == other.key or other.last == self.key

    def parted(self, other: _Seat) -> float:
        """When those who have just met were done with each other."""
        return max(
            self.ended if self.last == other.key else 0.0, other.ended if other.last == self.key else 0.0
        )


class _Round:
    """One round of pairing."""

    def __init__(self, waiting: Iterable[Entry], now: float, rematch: float, chance: bytes) -> None:
        self._now, self._rematch, self._chance = now, rematch, chance
        seats = [_Seat(entry, self._toss(entry.key)) for entry in waiting if entry.room > 0]
        seats.sort(key=lambda seat: (seat.entry.since, seat.rank))
        self._bots = [seat for seat in seats if not seat.anchor]
        self._anchors = [seat for seat in seats if seat.anchor]
        self._found: list[Meeting] = []

    def _toss(self, *words: str) -> bytes:
        return sha256(b"\0".join([self._chance, *(word.encode() for word in words)])).digest()

    def meetings(self) -> list[Meeting]:
        """Find all meetings; who waits longest is served first."""
        for one in self._bots:
            if one.unanchored >= _DUE:
                self._seek(one, self._anchors, EVEN, WIDEST)
        # Who may leave the balance comes after everybody has had the chance to keep it.
        for own, others, only_fresh in ((EVEN, EVEN, False), (WIDEST, EVEN, False), (WIDEST, WIDEST, True)):
            for one in self._bots:
                if own == EVEN or one.fresh:
                    self._seek(one, self._bots, own, others, only_fresh)
        for limit in (EVEN, WIDEST):
            for one in self._bots:
                if one.fresh:
                    self._seek(one, self._bots, limit, limit, True, again=True)
        for one in self._bots:
            if one.fresh and self._now - one.entry.since >= self._rematch:
                self._seek(one, self._anchors, EVEN, WIDEST)
        return self._found

    def _seek(
        self,
        one: _Seat,
        others: Iterable[_Seat],
        own_limit: int,
        limit: int,
        only_fresh: bool = False,
        again: bool = False,
    ) -> None:
        """Find the best opponent among some, if there is one; again: one whom it has just met."""
        if one.room <= 0 or (others is self._bots and self._is_kept(one)):
            return
        best: _Seat | None = None
        key: tuple[float, float, float, bytes] | None = None
        for other in others:
            if other.room <= 0 or (only_fresh and not other.fresh) or not one.may_meet(other):
                continue
            often = _often(one, other)
            if key is not None and often > key[0]:
                continue  # whatever else holds, somebody is better; most are passed over here
            if not other.anchor and one.has_just_met(other) is not again:
                continue
            if other.unanchored >= _DUE and self._is_kept(other):
                continue
            if again and self._now - one.parted(other) < self._rematch:
                continue
            if not (_ways(one.sides, other.sides, own_limit, limit, other.anchor)
                    and _ways(one.openers, other.openers, own_limit, limit, other.anchor)):  # fmt: skip
                continue
            wish = (often, _apart(one, other), other.entry.since, other.rank)
            if key is None or wish < key:
                best, key = other, wish
        if best is not None:
            self._meet(one, best, own_limit, limit)

    def _meet(self, one: _Seat, other: _Seat, own_limit: int, limit: int) -> None:
        toss = self._toss(*sorted((one.key, other.key)))
        swap = 1 if one.key < other.key else -1
        side = _given(_ways(one.sides, other.sides, own_limit, limit, other.anchor), toss[0], swap)
        opens = _given(_ways(one.openers, other.openers, own_limit, limit, other.anchor), toss[1], swap)
        ivory, brown = (one, other) if side > 0 else (other, one)
        self._found.append(Meeting(ivory.key, brown.key, Side.IVORY if side == opens else Side.BROWN))
        for seat, enemy, sign in ((one, other, 1), (other, one, -1)):
            seat.room -= 1
            seat.sides += sign * side
            seat.openers += sign * opens
            seat.playing.add(enemy.key)
            seat.last, seat.ended = enemy.key, self._now
            seat.unanchored = 0 if enemy.anchor else seat.unanchored + 1
            seat.fresh = False

    def _is_kept(self, seat: _Seat) -> bool:
        """Whether a bot is to meet an anchor next, and can: then nobody else comes first."""
        if seat.unanchored < _DUE or seat.anchor:
            return False
        return any(anchor.room > 0 and seat.may_meet(anchor) for anchor in self._anchors)


def _ways(one: int, other: int, own_limit: int, limit: int, free: bool) -> tuple[int, ...]:
    """What the first of two may be given, 1 or -1, the best first, both where they are as good.

    one, other: their balances; free: that of the second need not be even.
    """
    ways = [
        step
        for step in (1, -1)
        if _fits(one, step, own_limit) and (free or _fits(other, -step, limit))
    ]  # fmt: skip
    if len(ways) < 2:
        return tuple(ways)
    up, down = [
        (abs(one + step), abs(other - step)) if free else
        (max(abs(one + step), abs(other - step)), abs(one + step) + abs(other - step))
        for step in (1, -1)
    ]  # fmt: skip
    return (1, -1) if up == down else (1,) if up < down else (-1,)


def _fits(balance: int, step: int, limit: int) -> bool:
    # A game without a result is taken out again, so that a balance may be beyond: then only back.
    return abs(balance + step) <= limit or abs(balance + step) < abs(balance)


def _given(ways: tuple[int, ...], toss: int, swap: int) -> int:
    return ways[0] if len(ways) == 1 else (swap if toss & 1 else -swap)


def _often(one: _Seat, other: _Seat) -> float:
    """How often two have met, as a part of what each of them has played."""
    times, back = one.met.get(other.key, 0), other.met.get(one.key, 0)
    return (times / one.total if times else 0.0) + (back / other.total if back else 0.0)


def _apart(one: _Seat, other: _Seat) -> float:
    if one.rating is None:
        return 0.0
    return _UNKNOWN if other.rating is None else abs(one.rating - other.rating)
