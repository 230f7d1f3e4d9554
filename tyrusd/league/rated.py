"""What makes a game count on a standing ladder: which versions met, how, and who stands behind them."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

from tyrusd.league.schema import Payload
from tyrusd.rules.pieces import SIDE_WORDS

Arranged: TypeAlias = Literal["ladder", "lobby"]
"""How two came to meet: the ladder has paired them, or they have agreed on it in the lobby."""

OWNER: Final = "owner"
HOST: Final = "host"


class Version(NamedTuple):
    """What has one rating: an account and, of a bot, the agent word of its hello; None without one."""

    name: str
    agent: str | None = None

    @property
    def key(self) -> tuple[str, str | None]:
        """What equal versions have in common: names are the same whatever their case, agents are not."""
        return self.name.lower(), self.agent

    def __str__(self) -> str:
        return self.name if self.agent is None else f"{self.name}/{self.agent}"

    @classmethod
    def parse(cls, text: str) -> Version:
        """Read what `str` writes; the agent may hold further strokes."""
        name, stroke, agent = text.partition("/")
        return cls(name, agent if stroke and agent else None)


class Rated(NamedTuple):
    """What the record of a rated game says beside the game (docs/records.md#rated).

    ivory, brown: the agent words of the versions when it began; flags: OWNER where one person stands behind
    both seats (such a game is never counted), HOST where both came from one host; sorted.
    """

    ivory: str | None
    brown: str | None
    by: Arranged
    flags: tuple[str, ...] = ()

    def agents(self) -> tuple[str | None, str | None]:
        """The agent words by side."""
        return self.ivory, self.brown

    def payload(self) -> Payload:
        """How it is written in a record."""
        return {"ivory": self.ivory, "brown": self.brown, "by": self.by, "flags": list(self.flags)}

    @classmethod
    def of(cls, part: Payload | None) -> Rated | None:
        """Read the part of a checked record; None where there is none."""
        return None if part is None else cls(**{**part, "flags": tuple(part["flags"])})


def rated_word(rated: Rated | None) -> Literal["no", "yes", "flagged"]:
    """Return how players are told whether a game counts: one of two with the same owner does not."""
    if rated is None:
        return "no"
    return "flagged" if OWNER in rated.flags else "yes"


class RatedGame(NamedTuple):
    """A finished rated game as ratings see it; winner None for a draw, opener of the odd elections.

    started: in ISO 8601, so that the later of two is the greater one.
    """

    id: str
    ivory: Version
    brown: Version
    winner: Literal["ivory", "brown"] | None
    reason: str
    opener: Literal["ivory", "brown"]
    by: Arranged
    flags: tuple[str, ...] = ()
    started: str = ""

    def versions(self) -> tuple[Version, Version]:
        """The versions by side."""
        return self.ivory, self.brown

    @property
    def result(self) -> int | None:
        """Which side has won, 0 for Ivory and 1 for Brown; None for a draw."""
        return None if self.winner is None else SIDE_WORDS.index(self.winner)
