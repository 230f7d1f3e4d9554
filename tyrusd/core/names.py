"""Which names nobody may have: all words of the protocol, so that no name is mistaken for one of them."""

from __future__ import annotations

from typing import Final

from tyrusd.core.seatspec import is_name
from tyrusd.rules.game import REASONS as ENDS
from tyrusd.rules.pieces import ALL_TILES, Building, Kind, Profession, Side
from tyrusd.rules.variants import VARIANTS
from tyrusd.wire import ALLOWED, CAPABILITIES, ERRORS, messages, words

_ROLES: Final = (
    "server", "tyrusd", "tyrus", "operator", "admin", "administrator", "root", "system", "host", "console",
    "referee",
    "examiner", "spectator", "player", "bot", "human", "house", "lobby", "ladder", "event",
)  # fmt: skip
_NOBODY: Final = ("-", "_", "n", "none", "null", "any", "anyone", "nobody", "everyone", "all", "me", "you")

_LISTS: Final = (
    words.REASONS, words.GOODBYES, words.NOTICES, words.STATES, words.DECLINED, words.FINDINGS,
    words.EVENT_STATES, words.ENTRANT_STATES, words.ENCOUNTER_STATES,
    words.OUTCOMES, words.DIRECTIONS, words.PARTS, words.WHY_ILLEGAL, CAPABILITIES, ERRORS,
)  # fmt: skip


def _types() -> frozenset[str]:
    """The first words of all messages of either direction."""
    kinds = [kind for kind in vars(messages).values() if isinstance(kind, type)]
    return frozenset(
        kind.verb for kind in kinds if issubclass(kind, messages.Message) and "verb" in vars(kind)
    )


def _pieces() -> frozenset[str]:
    """Sides, buildings, professions and tiles, as letters and as words."""
    members = [member.name for row in (Side, Building, Kind, Profession) for member in row]
    return frozenset([*members, *(side.letter for side in Side), *map(str, ALL_TILES), *VARIANTS])


RESERVED: Final = frozenset(
    word.lower()
    for group in (_types(), _pieces(), ENDS, _ROLES, _NOBODY, *_LISTS, [verb for _, verb in ALLOWED])
    for word in group
)
"""In lower case; a name is compared ignoring case."""


def name_fault(text: str) -> str | None:
    """Return a sentence that says why a text is no name for a player, or None (protocol.md#names)."""
    if not is_name(text):
        return "A name is 1 to 32 letters, digits, _ or -."
    if text.lower() in RESERVED:
        return f"{text} is a word of the protocol; choose another name."
    return None
