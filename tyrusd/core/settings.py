"""Every limit of the server, with its default and its reason; times are seconds, sizes are bytes."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Settings:
    """The limits of one server (protocol.md#limits).

    Each field is a number a peer may meet. The defaults never evict an honest user: an answer to an open
    request costs no rate, and people are never pinged.
    """

    server: str = "tyrusd/0.1.0"
    # Reaching the server.
    connections_total: int = 5000
    connections_per_host: int = 32
    open_hosts: frozenset[str] = field(default=frozenset({"127.0.0.1", "::1", "pipe"}))  # no cap per host
    hello_socket: float = 120.0  # a person may type it
    hello_pipe: float = 10.0  # a program's start allowance
    advisory: float = 10.0  # "end the line with LF" is said once after this long without a line
    early_errors: int = 3  # before hello; what a scanner of other protocols gets
    # Lines.
    line_bot: float = 10.0  # to complete a line once it has begun
    line_person: float = 120.0
    lines_per_second: float = 20.0
    lines_burst: float = 60.0
    flood_strikes: int = 3  # empty buckets in a row before the goodbye
    error_budget: float = 20.0
    error_refill: float = 60.0  # seconds for one error to be forgiven
    # Liveness, of bots only.
    ping_after: float = 30.0
    ping_grace: float = 15.0
    # Output.
    output_base: int = 64 * 1024
    output_per_game: int = 4 * 1024
    output_stall: float = 10.0  # without any progress
    linger: float = 2.0  # for the last bytes of a closing connection
    # Games.
    games_per_connection: int = 256
    games_total: int = 5000  # at once, so that their memory is bounded
    spectators_per_game: int = 50
    watching_per_connection: int = 64
    listed: int = 200  # lines of one answer to who or games: all of them must fit into an empty queue
    # One's own games, told to their players.
    own_results: int = 100  # of one name
    log_bytes: int = 64 * 1024  # of one seat and game
    log_steps: int = 500  # what is sent at once is one step
    log_page: int = 32 * 1024  # of one answer: half of the queue of a connection that plays one game
    kept_bytes: int = 32 * 1024 * 1024  # of finished games in memory, all names together
    reconnect_window: float = 60.0
    restart_window: float = 300.0  # after a restart of the server, whose downtime is nobody's fault
    seek_expires: float = 600.0
    challenges_made: int = 8  # open offers of one player
    challenges_received: int = 32  # open offers to one player
    challenge_expires: float = 120.0
    house_games_per_player: int = 8  # with one bot of the server at once, so that nobody takes all its places
    events_open: int = 8  # club events that are not over; so many ended ones are kept besides
    event_entrants: int = 64  # of one event: with its encounters they must fit into one answer
    walkover_after: float = 300.0  # from the first call to a game of an event
    event_call: float = 60.0  # between two calls
    event_hold: float = 900.0  # somebody in an event, without a connection and without a game
    event_steps_per_minute: float = 40.0  # of one name and of one host, of whose 32 players each may enter
    # The standing ladder.
    ladder_gather: float = 1.0  # those who become free meanwhile are paired together
    ladder_rematch: float = 5.0  # two who have just met wait so long for somebody else
    ladder_forfeits: int = 3  # lost by forfeit in a row; then a bot is taken off
    ladder_provisional: int = 20  # games of a version, below which its rating is provisional
    ladder_versions_per_day: int = 10  # of one account, that begin to play rated games
    ladder_versions: int = 1000  # that are rated: what that takes grows with the cube of how many
    ladder_refit: float = 60.0  # after a rated game, until all ratings are worked out again
    lenient_bot: int = 2  # illegal placements a bot may make at a table of the lobby; the next one loses
    # Resuming.
    resume_delay: float = 1.0  # before a wrong secret is answered
    resume_failures_per_minute: float = 30.0  # wrong secrets and wrong keys, per host
    account_failures_per_minute: float = 30.0  # wrong keys per account, from all hosts together
    logins_per_minute: float = 30.0  # per account
    # The world.
    bot_start: float = 10.0
    store_deadline: float = 30.0
    store_attempts: int | None = None  # of a worker of a ladder only; a server gives no result up, ever
    store_retry: float = 1.0
    stall: float = 5.0  # a longer gap between two steps is the server's own: clocks are credited
    heartbeat: float = 1.0  # while anybody is here, a step at least this often


DEFAULTS = Settings()
