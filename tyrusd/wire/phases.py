"""Which verb a client may send when, and how a line that is allowed is answered: one table.

A pair that is not in the table is refused with `state` (protocol.md#phases).
"""

from enum import Enum
from typing import Final

from tyrusd.wire.base import ClientMessage


class Phase(Enum):
    """Where a client is: before hello, in the lobby, in the seat of a match, or on its way out."""

    NEW = "new"
    LOBBY = "lobby"
    SEAT = "seat"
    LEAVING = "leaving"


class Answer(Enum):
    """How an accepted line is answered.

    OK: by exactly one `ok re=VERB`, tagged or not, after the lines it asked for. TAGGED: by `ok` only if it
    has a tag. OWN: by a message of its own, and by `ok` after it if it has a tag.
    """

    OK = "ok"
    TAGGED = "tagged"
    OWN = "own"


_NEW: Final = {"hello": Answer.OWN, "resume": Answer.OWN}
_ALWAYS: Final = {
    "ping": Answer.OWN,
    "pong": Answer.TAGGED,
    "help": Answer.OK,
    "quit": Answer.OWN,
}
_PLAYING: Final = {
    "place": Answer.TAGGED,
    "resign": Answer.TAGGED,
    "look": Answer.OK,
    "results": Answer.OK,
    "record": Answer.OK,
    "log": Answer.OK,
    "why": Answer.OK,
}
_LOBBY: Final = {
    "who": Answer.OK,
    "games": Answer.OK,
    "play": Answer.OK,
    "seek": Answer.OK,
    "cancel": Answer.OK,
    "challenge": Answer.OK,
    "accept": Answer.OK,
    "decline": Answer.OK,
    "rematch": Answer.OK,
    "watch": Answer.OK,
    "unwatch": Answer.OK,
    "check": Answer.OK,
    "events": Answer.OK,
    "join": Answer.OK,
    "withdraw": Answer.OK,
    "bracket": Answer.OK,
    "ladder": Answer.OK,
    "ratings": Answer.OK,
    "merge": Answer.OK,
}

ALLOWED: Final[dict[tuple[Phase, str], Answer]] = {
    (phase, verb): answer
    for phase, verbs in {
        Phase.NEW: _NEW | _ALWAYS,
        Phase.LOBBY: _ALWAYS | _PLAYING | _LOBBY,
        Phase.SEAT: _ALWAYS | _PLAYING,
        Phase.LEAVING: {},
    }.items()
    for verb, answer in verbs.items()
}


def answer_to(phase: Phase, message: ClientMessage) -> Answer | None:
    """Return how `message` is answered in `phase`, None if it is not allowed there (error `state`)."""
    return ALLOWED.get((phase, message.verb))
