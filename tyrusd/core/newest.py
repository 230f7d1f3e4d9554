"""Which finished games are remembered for their players: the last of each name, in bounded memory."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterable
from typing import Generic, NamedTuple, TypeVar

Item = TypeVar("Item")


class _Held(NamedTuple, Generic[Item]):
    item: Item
    size: int
    names: set[str]


class Newest(Generic[Item]):
    """Games in the order of their ends, each for some names, of which it forgets the oldest.

    own: how many games of one name are held; most: bytes of all together; names: how many names, of which the
    one that has not played for longest goes first.
    """

    def __init__(self, own: int, most: int, names: int) -> None:
        self._own = own
        self._most = most
        self._most_names = names
        self._games: OrderedDict[str, _Held[Item]] = OrderedDict()
        self._by_name: OrderedDict[str, deque[str]] = OrderedDict()
        self._size = 0

    def add(self, game: str, names: Iterable[str], size: int, item: Item) -> None:
        """Hold a game that has ended after all others."""
        mine = dict.fromkeys(name.lower() for name in names)
        self._games[game] = _Held(item, size, set(mine))
        self._size += size
        for name in mine:
            games = self._by_name.setdefault(name, deque())
            self._by_name.move_to_end(name)
            games.append(game)
            if len(games) > self._own:
                self._leave(games.popleft(), name)
        while len(self._by_name) > self._most_names:
            name, games = self._by_name.popitem(last=False)
            for other in games:
                self._leave(other, name)
        while self._size > self._most and len(self._games) > 1:
            self._forget(next(iter(self._games)))

    def items(self) -> list[Item]:
        """What is held, the oldest first."""
        return [held.item for held in self._games.values()]

    def _leave(self, game: str, name: str) -> None:
        held = self._games.get(game)
        if held is not None:
            held.names.discard(name)
            if not held.names:
                self._forget(game)

    def _forget(self, game: str) -> None:
        self._size -= self._games.pop(game).size
