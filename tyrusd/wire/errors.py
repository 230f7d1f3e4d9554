"""Every code that an `error` line can carry: what it costs the sender and what it means."""

from typing import Final, NamedTuple

FATAL: Final = "fatal"
RETRY: Final = "retry"
IGNORED: Final = "ignored"
COSTS: Final = (FATAL, RETRY, IGNORED)


class ErrorRow(NamedTuple):
    """One row of the error table (protocol.md#errors).

    `cost` is fatal (the connection closes after it, or for `illegal` the game is lost), retry
    (nothing happened, send something better) or ignored (nothing happened and nothing is due).
    `budget` tells whether one such error is charged to the sender's error budget.
    """

    cost: str
    budget: bool
    meaning: str


ERRORS: Final[dict[str, ErrorRow]] = {
    "syntax": ErrorRow(
        RETRY, True, "the line does not follow the grammar; the sentence tells what was expected"
    ),
    "bad-byte": ErrorRow(RETRY, True, "the line holds a control byte, a stray CR or a telnet option byte"),
    "bad-encoding": ErrorRow(RETRY, True, "the line is not valid UTF-8"),
    "line-too-long": ErrorRow(
        FATAL, False, "the line or frame is longer than the limit; nothing after it is read"
    ),
    "slow-down": ErrorRow(FATAL, False, "more lines than the rate allows"),
    "version": ErrorRow(FATAL, False, "the client speaks another major version of the protocol"),
    "state": ErrorRow(RETRY, True, "this verb is not allowed now (phase table)"),
    "name": ErrorRow(RETRY, True, "the name is not of the form that names have, or is reserved"),
    "taken": ErrorRow(RETRY, True, "somebody else uses this name now"),
    "auth": ErrorRow(RETRY, True, "a key is wanted, or the key or secret is not valid here"),
    "busy": ErrorRow(FATAL, False, "the server or this host's share of it is full; try again later"),
    "no-game": ErrorRow(RETRY, True, "there is no such game, or you have no part in it"),
    "no-player": ErrorRow(RETRY, False, "nobody of that name is here"),
    "unavailable": ErrorRow(
        RETRY, False, "that player cannot start a game now, or does not want these terms"
    ),
    "not-your-turn": ErrorRow(IGNORED, False, "the game runs, but no request is open for you"),
    "stale": ErrorRow(
        IGNORED,
        False,
        "a late, repeated or foreign answer: that request is not open; "
        "or `watch`, `look`, `resign` of an ended game",
    ),
    "illegal": ErrorRow(RETRY, False, "a well-formed placement that the rules forbid; `why=` tells the rule"),
    "too-many-games": ErrorRow(
        RETRY, False, "you or the other player would exceed the declared number of games"
    ),
    "expired": ErrorRow(IGNORED, False, "your seek waited too long and was taken back"),
    "config": ErrorRow(RETRY, True, "a variant, clock or cap that this server does not offer"),
    "storage": ErrorRow(RETRY, False, "the server cannot store results now and starts no game"),
    "shutdown": ErrorRow(RETRY, False, "the server is closing: it starts no game and lets nobody new in"),
    "timeout": ErrorRow(FATAL, False, "no hello, or a begun line was not completed, in time"),
    "internal": ErrorRow(RETRY, False, "the server failed at this line; the line had no effect"),
}
