"""Perfect matchings: whether everybody can be paired at all, and the pairing that is liked best."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias

Couples: TypeAlias = list[tuple[int, int]]

_PATIENCE: Final = 20_000  # choices tried for the best liked pairing before any other is taken


def couple(neighbours: Sequence[Sequence[int]], liked: Callable[[list[int]], list[int]]) -> Couples | None:
    """Pair the numbers 0, 1, 2 … so that nobody is left; None where that cannot be.

    neighbours: whom each number may be paired with. liked: given the numbers that are still free, in order,
    it lists the others in the order in which the first of them is to be paired with one. The first number
    gets whom it likes best of those that leave a pairing for all others, and so on. Where finding that out
    takes too long, some pairing is returned all the same.
    """
    mates = maximum_matching(neighbours)
    if -1 in mates:
        return None
    return _choose(neighbours, liked) or [(one, other) for one, other in enumerate(mates) if one < other]


def _choose(neighbours: Sequence[Sequence[int]], liked: Callable[[list[int]], list[int]]) -> Couples | None:
    allowed = [frozenset(those) for those in neighbours]
    free = list(range(len(neighbours)))
    couples: Couples = []
    tries: list[tuple[list[int], Iterator[int]]] = []
    dead: set[tuple[int, ...]] = set()  # sets of free numbers that no pairing is possible of
    for _ in range(_PATIENCE):
        if not free:
            return couples
        if not tries or tries[-1][0] is not free:
            tries.append((free, iter([] if tuple(free) in dead else liked(free))))
        other = next((number for number in tries[-1][1] if number in allowed[free[0]]), None)
        if other is not None:
            couples.append((free[0], other))
            free = [number for number in free[1:] if number != other]
            continue
        dead.add(tuple(free))
        tries.pop()  # never the last one: there is a pairing of all
        couples.pop()
        free = tries[-1][0]
    return None


def maximum_matching(neighbours: Sequence[Sequence[int]]) -> list[int]:
    """Return for each number the one that it is paired with, -1 for none, with as many paired as can be.

    J. Edmonds, "Paths, Trees, and Flowers", Canadian Journal of Mathematics 17 (1965): augmenting paths, with
    circles of odd length shrunk to one point.
    """
    mates = [-1] * len(neighbours)
    for one, those in enumerate(neighbours):
        if mates[one] == -1:
            other = next((number for number in those if mates[number] == -1), -1)
            if other != -1:
                mates[one], mates[other] = other, one
    for root in range(len(neighbours)):
        if mates[root] == -1:
            end, before = _Search(neighbours, mates).path_from(root)
            while end != -1:
                previous = before[end]
                following = mates[previous]
                mates[end], mates[previous] = previous, end
                end = following
    return mates


class _Search:
    """One search for an augmenting path: a tree of alternating steps from its root."""

    def __init__(self, neighbours: Sequence[Sequence[int]], mates: list[int]) -> None:
        self._neighbours = neighbours
        self._mates = mates
        self._before = [-1] * len(mates)
        self._base = list(range(len(mates)))  # of the shrunk circle that each number is in
        self._even = [False] * len(mates)

    def path_from(self, root: int) -> tuple[int, list[int]]:
        """Return the unpaired end of a path, -1 if there is none, and the step before each number."""
        self._even[root] = True
        queue = deque([root])
        while queue:
            here = queue.popleft()
            for there in self._neighbours[here]:
                if self._base[here] == self._base[there] or self._mates[here] == there:
                    continue
                mate = self._mates[there]
                if there == root or (mate != -1 and self._before[mate] != -1):
                    queue.extend(self._shrink(here, there))
                elif self._before[there] == -1:
                    self._before[there] = here
                    if mate == -1:
                        return there, self._before
                    self._even[mate] = True
                    queue.append(mate)
        return -1, self._before

    def _shrink(self, one: int, other: int) -> list[int]:
        """Make one point of a circle of odd length; the numbers that are even steps away only now."""
        base = self._meeting_point(one, other)
        inside: set[int] = set()
        self._mark(one, base, other, inside)
        self._mark(other, base, one, inside)
        fresh = []
        for number in range(len(self._mates)):
            if self._base[number] in inside:
                self._base[number] = base
                if not self._even[number]:
                    self._even[number] = True
                    fresh.append(number)
        return fresh

    def _meeting_point(self, one: int, other: int) -> int:
        passed = set()
        while True:
            one = self._base[one]
            passed.add(one)
            if self._mates[one] == -1:
                break
            one = self._before[self._mates[one]]
        while self._base[other] not in passed:
            other = self._before[self._mates[self._base[other]]]
        return self._base[other]

    def _mark(self, number: int, base: int, child: int, inside: set[int]) -> None:
        while self._base[number] != base:
            mate = self._mates[number]
            inside.update((self._base[number], self._base[mate]))
            self._before[number] = child
            child = mate
            number = self._before[mate]
