"""The closed lists of words in messages: ends of games, goodbyes, notices, player states and capabilities.

A client must accept words that are not listed here (a later minor version may add some);
the encoder refuses to send them.
"""

from typing import Final

REASONS: Final[dict[str, str]] = {
    "three-in-a-row": "the winner won three consecutive elections",
    "majority": "the winner had more representatives after nine elections",
    "remaining-tiles": "representatives were level; the sums of the last three tiles decided",
    "drawn": "those sums were level too (in variant `replay-ties`: representatives were level)",
    "resigned": "the loser resigned",
    "timeout": "the loser's time was up",
    "illegal": "the loser placed against the rules once more than the seat's leniency allows",
    "disconnected": "the loser was away longer than the resume window; detail `abandoned`",
    "crashed": "the loser's program ended; detail as `exit-status-1`, or the limit it met, as `limit-memory`",
    "protocol": "the loser's program used up its error budget",
    "adjudicated": "the operator decided the game",
    "walkover": "the loser never took the seat",
    "aborted": "no result: the server closed or the operator stopped the game",
    "void": "no result: the game never became playable, or both players left",
}

GOODBYES: Final[dict[str, str]] = {
    "bye": "you said `quit`, or your part is over (all games of a match are played)",
    "slow-down": "too many lines",
    "too-slow": "you did not read what was sent to you",
    "line-too-long": "a line or frame over the limit",
    "replaced": "a newer connection took over (resume, or a second login of the account)",
    "kicked": "the operator has ended the connection, or does not let your host in",
    "revoked": "the operator has taken back the key you came with, or disabled your account",
    "shutdown": "the server closes, or cannot keep what is played any more",
    "busy": "no room for this connection",
    "timeout": "no hello, no end of a line, or no answer to a ping in time",
    "protocol": "the error budget is used up, or a frame was broken",
    "version": "another major version of the protocol",
}

NOTICES: Final[dict[str, str]] = {
    "shutdown": "the server closes in `in=` milliseconds and starts no more games",
    "storage": "results cannot be stored now; running games go on, no new ones start",
    "announce": "the operator tells everybody something: it is the sentence",
    "called": "you have a game of an event to play: be here within `in=` milliseconds, with room for it",
    "event": "something has happened to an event: it is the sentence",
    "ladder": "you are off the ladder: the sentence says why",
    "end-lines-with-lf": "ten seconds without a complete line: end the line with LF and flush",
}

STATES: Final[dict[str, str]] = {
    "free": "is here and in no game",
    "playing": "is in a game and can take more",
    "full": "is in as many games as it declared",
    "seeking": "has an open seek, which `play` can accept",
    "checking": "is being checked and can play when that is done",
    "away": "has lost the connection; its seats and its place are kept for a while",
    "house": "a bot of this server, which `play` can ask for a game",
}

DECLINED: Final[dict[str, str]] = {
    "no": "the other player does not want to",
    "busy": "it has no room for another game now",
    "terms": "it would play on other terms",
    "later": "it would play later",
    "withdrawn": "who offered it has taken it back",
    "expired": "nobody answered in time",
    "gone": "the other player has left",
    "played": "all its games are played, or one of them had no result",
    "shutdown": "the server is closing",
}

EVENT_STATES: Final[dict[str, str]] = {
    "open": "players may `join`",
    "closed": "nobody enters any more; it has not started",
    "running": "its games are called and played",
    "paused": "no game of it begins; those that run go on",
    "over": "all is played; `champion=` has won it, and without it nobody has",
    "cancelled": "the operator has ended it",
}

ENTRANT_STATES: Final[dict[str, str]] = {
    "playing": "is in the event",
    "out": "has lost a tie of a knock-out",
    "dropped": "has left the event, or was taken out by the operator",
}

ENCOUNTER_STATES: Final[dict[str, str]] = {
    "called": "the two are waited for",
    "playing": "they play `game=`",
    "over": "`winner=` has won, or without it nobody has",
    "unplayed": "there is no result, and there will be none; in a knock-out `winner=` goes on all the same",
}

FINDINGS: Final[dict[str, str]] = {
    "passed": "the bot did what the step expects",
    "failed": "it did not; the text says what was sent, what came and what was expected",
    "skipped": "the step could not be judged; the text says why",
}

OUTCOMES: Final[dict[str, str]] = {
    "won": "you won",
    "lost": "you lost",
    "drawn": "nobody won, and the game counts",
    "none": "nobody won, and the game does not count",
}

DIRECTIONS: Final[dict[str, str]] = {
    "S": "the server sent this line",
    "C": "the client sent this line",
    "+": "goes on with the line before, which is longer than a text may be",
    "-": "no line, but something that happened to the connection",
}

PARTS: Final[dict[str, str]] = {
    "deal": "`variant=`, `cards=` in the order of the elections, `opener=`",
    "seat": "of `side=`: `name=`, `seed=`, `clock=`, `cap=`, `lenient=` (none: any number), and `tiles=`, "
    "the nine of the first hand, then in the order of drawing",
    "placed": "placement `number=`: `tile=` of `side=` into `building=`, for which `spent=` ms were charged",
    "tallied": "election `number=` of `kind=`: who `won=`, and of `ivory=` and `brown=` votes, blocks, "
    "counters and score",
    "over": "the end: `winner=`, `reason=`, `detail=`, and `spent=`, the ms that the game took",
}

CAPABILITIES: Final[dict[str, str]] = {
    "events": "send each event of own games once, and short `turn` requests",
    "full": "beside the events send the complete `choose` request instead of `turn`",
}

WHY_ILLEGAL: Final[dict[str, str]] = {
    "not-in-hand": "the tile is not in your hand",
    "over": "the game is over",
    "not-your-turn": "the other side is to move",
}
