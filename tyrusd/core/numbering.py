"""Numbers that are given out once: of peers, requests to the world, and games with their ids."""

from __future__ import annotations

from typing import Final

_KINDS: Final = {"g": "game", "c": "check", "p": "pair"}  # what the first letter of a game's id tells


class Numbering:
    """Counts from 1 for each kind; `games` is the highest number of a game that was given out before."""

    __slots__ = ("_last",)

    def __init__(self, games: int = 0) -> None:
        self._last = {"peer": 0, "request": 0, "game": games, "check": 0, "pair": 0}

    def next(self, kind: str) -> int:
        """Return the next number of a kind."""
        self._last[kind] += 1
        return self._last[kind]

    def has_begun(self, pair: int) -> None:
        """A game of this pair of a ladder, whose numbers come from elsewhere, has begun."""
        self._last["pair"] = max(self._last["pair"], pair)

    def has_opened(self, game: str) -> bool:
        """Tell whether a game of this id has begun here at some time."""
        kind = _KINDS.get(game[:1])
        number = game[1:] if kind == "game" else game[1:].partition("-")[0]
        spelled = number.isascii() and number.isdigit() and number[0] != "0"
        return kind is not None and spelled and int(number) <= self._last[kind]
