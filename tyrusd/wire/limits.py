"""The limits of the protocol and the defaults of those an operator can set (protocol.md#limits)."""

from typing import Final, NamedTuple

PROTOCOL_VERSION: Final = "0.1"
CLIENT_LINE: Final = 512
SERVER_LINE: Final = 4096
FRAME: Final = 65536
GAMES: Final = 256
TEXT: Final = 1024


class Limit(NamedTuple):
    """One row of the limits table: a number, its unit, and what happens beyond it."""

    value: int
    unit: str
    meaning: str


LIMITS: Final[dict[str, Limit]] = {
    "client-line": Limit(CLIENT_LINE, "bytes", "content of a client's line; longer is `line-too-long`"),
    "server-line": Limit(SERVER_LINE, "bytes", "content of a server's line; the server never sends more"),
    "frame": Limit(FRAME, "bytes", "content of a msgpack frame, either direction; longer is `line-too-long`"),
    "text": Limit(TEXT, "bytes", "the free text at the end of a line"),
    "games": Limit(GAMES, "games", "at once on one connection, and never more than it declared"),
    "rate": Limit(20, "lines/s", "sustained; answers to open requests are free; beyond it reading pauses"),
    "burst": Limit(60, "lines", "above the sustained rate, and one more for each declared game"),
    "pauses": Limit(3, "pauses", "within ten seconds of each other; the next one is `slow-down`"),
    "error-budget": Limit(20, "errors", "of those that the error table charges; one more is `bye protocol`"),
    "error-refill": Limit(60, "s", "until one error of the budget is forgiven"),
    "early-errors": Limit(3, "errors", "the budget before hello; nothing is forgiven there"),
    "hello": Limit(120, "s", "from the greeting to an accepted hello or resume, on sockets"),
    "hello-pipe": Limit(10, "s", "the same for programs on stdin/stdout, from their start"),
    "first-line": Limit(10, "s", "without a complete line on a new socket: `notice end-lines-with-lf`, once"),
    "line-bot": Limit(10, "s", "from the first byte of a line to its LF, for bots"),
    "line-human": Limit(120, "s", "the same for people"),
    "ping": Limit(30, "s", "silence of a bot that owes no decision until it is sent `ping`"),
    "pong": Limit(15, "s", "then until it is taken for gone"),
    "window": Limit(60, "s", "the seats of a lost connection are kept; their clocks run"),
    "restart-window": Limit(
        300, "s", "the same after a restart of the server; the clock of who is asked runs from its return"
    ),
    "resume-guesses": Limit(30, "a minute", "wrong secrets and keys from one host (loopback is exempt)"),
    "account-guesses": Limit(
        30, "a minute", "wrong keys of one account; then no right one counts from hosts that guessed"
    ),
    "logins": Limit(30, "a minute", "of an account by key, and returns of a player; more is `unavailable`"),
    "margin": Limit(50, "ms", "an answer that long after the time is up still counts"),
    "lenient-bot": Limit(2, "placements", "illegal ones that a bot in the lobby is forgiven in one game"),
    "unread": Limit(65536, "bytes", "waiting output of a connection; more is `too-slow`"),
    "unread-game": Limit(4096, "bytes", "added to that for each declared game"),
    "no-progress": Limit(10, "s", "without a byte taken while output waits: `too-slow`"),
    "host-connections": Limit(32, "connections", "from one host (loopback is exempt); more is `busy`"),
    "connections": Limit(5000, "connections", "in total; more is `busy`"),
    "games-total": Limit(5000, "games", "at once on the whole server; one more is `unavailable`"),
    "spectators": Limit(50, "watchers", "of one game; more is `unavailable`"),
    "watching": Limit(64, "games", "watched at once on one connection; more is `unavailable`"),
    "seek": Limit(600, "s", "an open seek; then `error expired`"),
    "offers": Limit(8, "offers", "open challenges made by one player; one more is `unavailable`"),
    "offers-received": Limit(32, "offers", "open challenges to one player; one more is `unavailable`"),
    "challenge": Limit(120, "s", "an open challenge; then `declined CHALLENGE expired`"),
    "house-games": Limit(
        8, "games", "at once with one bot of the server, of one player; one more is `unavailable`"
    ),
    "events": Limit(8, "events", "open or running at once; and so many ended ones are still told of"),
    "entrants": Limit(64, "players", "in one event; one more is `unavailable`"),
    "walkover": Limit(300, "s", "from the first call to a game of an event until who is absent loses it"),
    "call": Limit(60, "s", "between two calls"),
    "event-window": Limit(900, "s", "without a game, somebody in an event who lost the connection is kept"),
    "event-steps": Limit(
        40, "a minute", "`join` and `withdraw` of one name, and of one host (loopback is exempt)"
    ),
    "gather": Limit(1, "s", "between two rounds of pairing on the ladder"),
    "rematch": Limit(5, "s", "two on the ladder who have just met wait for somebody else"),
    "forfeits": Limit(3, "games", "lost by forfeit in a row; then a bot is taken off the ladder"),
    "provisional": Limit(20, "games", "of a version; below, its rating is provisional"),
    "versions": Limit(
        10,
        "versions",
        "of one account that begin to play rated games within 24 h; the next one is `unavailable`",
    ),
    "versions-rated": Limit(
        1000, "versions", "that are rated beside the anchors; older ones are told without a rating"
    ),
    "refit": Limit(60, "s", "after a rated game, until all ratings are worked out again"),
    "listed": Limit(200, "lines", "of one answer to `who`, `games` or `ratings`"),
    "own-results": Limit(100, "games", "of one name whose results, records and logs are kept for it"),
    "log": Limit(65536, "bytes", "of one seat's log of one game; what is beyond is left out of its middle"),
    "log-steps": Limit(500, "steps", "in such a log; what is sent at once is one step"),
    "page": Limit(32768, "bytes", "of one answer to `log`; ask on with `from=`"),
    "drain": Limit(30, "s", "from `notice shutdown` until running games are aborted"),
}
