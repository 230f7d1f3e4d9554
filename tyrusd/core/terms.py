"""On what terms somebody wants to play: colour, variant and time, and whether two can agree."""

from __future__ import annotations

from typing import NamedTuple

from tyrusd.core.failures import Refused
from tyrusd.league.clock import BOTS, PEOPLE, TimeControl
from tyrusd.league.rated import Arranged
from tyrusd.rules.deal import Deal
from tyrusd.rules.pieces import SIDE_OF_LETTER, Side
from tyrusd.rules.variants import STANDARD, VARIANTS
from tyrusd.wire import messages as wire

_DEFAULTS = {"human": PEOPLE, "bot": BOTS}


class Repeat(NamedTuple):
    """A deal that is to be played again: the first game that was played on it, and both seats' seeds."""

    first: str
    deal: Deal
    seeds: tuple[str, str]


class Terms(NamedTuple):
    """One player's terms; side None: a toss decides; time None: each kind of player has its default.

    rated: whether the game counts on the ladder, and who has arranged it; opener: whether this player opens
    the odd elections, None for what the deal says.
    """

    side: Side | None
    variant: str
    time: TimeControl | None
    repeat: Repeat | None = None
    rated: Arranged | None = None
    opener: bool | None = None

    @classmethod
    def of(cls, message: wire.Play | wire.Seek | wire.Challenge) -> Terms:
        """Read the terms of a verb; raises Refused for what this server does not offer."""
        variant = message.variant or STANDARD.name
        if variant not in VARIANTS:
            raise Refused("config", f"There is no variant {variant}; there are {', '.join(VARIANTS)}.")
        time = None
        if message.clock is not None or message.cap is not None:
            try:
                time = TimeControl.parse(message.clock or "none", message.cap or "none")
            except ValueError as why:
                raise Refused("config", str(why)) from None
        side = None if message.side is None else SIDE_OF_LETTER[message.side]
        return cls(side, variant, time, rated="lobby" if message.rated == "yes" else None)

    def mirrored(self) -> Terms:
        """The terms of an opponent who accepts these."""
        side = None if self.side is None else self.side.other
        return self._replace(side=side, opener=None if self.opener is None else not self.opener)

    def offer(self, name: str) -> str:
        """How to say `play` to whoever seeks on these terms; nothing if that is no matter of words."""
        if self.repeat is not None:
            return ""
        words = ["play", name]
        if self.side is not None:
            words.append(f"side={self.side.other.letter}")
        if self.variant != STANDARD.name:
            words.append(f"variant={self.variant}")
        if self.time is not None and self.rated is None:  # all rated games have one clock
            words += [f"clock={self.time.clock_text}", f"cap={self.time.cap_text}"]
        if self.rated is not None:
            words.append("rated=yes")
        return f"; `{' '.join(words)}` agrees"

    def shown(self) -> dict[str, str]:
        """What `who` tells of an open seek: the variant, and of the rest what was stated."""
        told = {"variant": self.variant}
        if self.side is not None:
            told["side"] = self.side.letter
        if self.time is not None:
            told |= {"clock": self.time.clock_text, "cap": self.time.cap_text}
        if self.repeat is not None:
            told["deal"] = self.repeat.first
        if self.rated is not None:
            told["rated"] = "yes"
        return told

    def control(self, kind: str) -> TimeControl:
        """The time control that a player of this kind gets."""
        return self.time if self.time is not None else _DEFAULTS[kind]


def agree(one: Terms, other: Terms) -> bool:
    """Tell whether two players' terms fit: same variant, time, deal and rating, not one colour for both."""
    return (
        one.variant == other.variant
        and one.time == other.time
        and one.repeat == other.repeat
        and (one.rated is None) == (other.rated is None)
        and (one.side is None or one.side is not other.side)
    )
