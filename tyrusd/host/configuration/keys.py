"""Every key of the configuration of `tyrusd serve`: its default, what is allowed, and when a change works."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from tyrusd.core.settings import DEFAULTS
from tyrusd.host.addresses import DEFAULT_PORT
from tyrusd.host.configuration.kinds import (
    Choice,
    Directory,
    File,
    Flag,
    Houses,
    Kind,
    Listen,
    Number,
    Whole,
    Words,
)
from tyrusd.host.configuration.ladder_kinds import Anchors, LadderClock
from tyrusd.host.limits import DEFAULT as BOT_LIMITS
from tyrusd.wire.limits import GAMES

PREFIX: Final = "TYRUSD_"
LOG_LEVELS: Final = ("debug", "info", "warning", "error")
LOG_FORMATS: Final = ("text", "json")


class Key(NamedTuple):
    """One key.

    unit: of its number; live: whether SIGHUP applies a change (to new connections, games or lines); option:
    the option of the command that wins over it; settings: the fields of the core's Settings that it sets.
    """

    table: str
    name: str
    kind: Kind
    default: Any
    unit: str
    meaning: str
    live: bool = False
    option: str | None = None
    settings: tuple[str, ...] = ()

    @property
    def path(self) -> str:
        """How the key is written in sentences: `limits.listed`."""
        return f"{self.table}.{self.name}"

    @property
    def variable(self) -> str:
        """The variable of the environment that sets it."""
        return f"{PREFIX}{self.table}_{self.name}".upper().replace("-", "_")


def _limit(
    field: str,
    low: float,
    high: float,
    unit: str,
    meaning: str,
) -> Key:
    """A key that is a field of the core's Settings; whole numbers stay whole."""
    default = getattr(DEFAULTS, field)
    kind: Kind = Whole(int(low), int(high)) if isinstance(default, int) else Number(low, high)
    return Key("limits", field.replace("_", "-"), kind, default, unit, meaning, True, settings=(field,))


_KIB: Final = 1024
_DAY: Final = 86_400
_BYTES: Final = "bytes"
_SECONDS: Final = "s"

KEYS: Final[tuple[Key, ...]] = (
    Key("server", "hosts", Words("addresses"), (), "", "addresses to listen on; none: 127.0.0.1 and ::1",
        option="--host"),
    Key("server", "port", Whole(0, 65535), DEFAULT_PORT, "", "port; 0 picks a free one", option="--port"),
    Key("server", "data", Directory(), None, "", "directory of the journal; none: the user's data directory",
        option="--data"),
    Key("server", "allow-plaintext", Flag(), False, "",
        "accept unencrypted traffic on addresses other than loopback", option="--allow-plaintext"),
    Key("server", "drain", Number(0, 3600), 30.0, _SECONDS,
        "that running games get after the first SIGTERM or SIGINT"),
    Key("log", "format", Choice(LOG_FORMATS), "text", "", "lines for people, or one JSON object a line",
        live=True, option="--log-format"),
    Key("log", "level", Choice(LOG_LEVELS), "info", "", "the least important lines that are written",
        live=True, option="--log-level"),
    Key("bots", "house", Houses(), {}, "", "bots of the lobby beside the bundled ones, or instead of them",
        option="--bot"),
    Key("bots", "memory", Whole(16, 1_048_576), BOT_LIMITS.memory, "MiB", "for each bot's process",
        option="--bot-memory"),
    Key("bots", "cpu", Whole(1, 1_000_000), None, _SECONDS,
        "of processor time for each bot's process; none: no limit", option="--bot-cpu"),
    Key("bots", "sandbox", Choice(("none", "bwrap")), "none", "", "what bots run in", option="--sandbox"),
    Key("bots", "start", Number(0.1, 600), DEFAULTS.bot_start, _SECONDS,
        "that a bot may take until its hello", live=True, option="--bot-start",
        settings=("bot_start", "hello_pipe")),
    Key("lobby", "guests", Flag(), True, "", "let in people and bots without an account",
        option="--no-guests"),
    Key("ladder", "on", Flag(), False, "", "rate games, and pair bots with accounts that want it",
        option="--ladder"),
    Key("ladder", "clock", LadderClock(), None, "",
        "of all rated games; none: no bank, a minute for each answer", option="--ladder-clock"),
    Key("ladder", "anchors", Anchors(), {}, "", "house bots with given ratings, in Elo", option="--anchor"),
    Key("metrics", "listen", Listen(), None, "", "where metrics and health are told; none: nowhere",
        option="--metrics"),
    Key("tls", "listen", Listen(), None, "", "where connections are encrypted; none: nowhere",
        option="--tls"),
    Key("tls", "certificate", File(), None, "", "certificate and those above it, in PEM; read again at HUP",
        option="--tls-cert"),
    Key("tls", "key", File(), None, "", "its key in PEM, without a password; read again at HUP",
        option="--tls-key"),
    _limit("connections_total", 1, 1_000_000, "connections", "in total"),
    _limit("connections_per_host", 1, 1_000_000, "connections", "from one host"),
    Key("limits", "open-hosts", Words("addresses"), tuple(sorted(DEFAULTS.open_hosts)), "",
        "hosts without limits of their own; `pipe` is the programs of this server", True, None,
        ("open_hosts",)),
    _limit("hello_socket", 1, _DAY, _SECONDS, "from the greeting to an accepted hello or resume"),
    _limit("advisory", 1, _DAY, _SECONDS, "without a complete line until the advice to end lines with LF"),
    _limit("early_errors", 1, 1000, "errors", "before hello"),
    _limit("line_bot", 1, _DAY, _SECONDS, "from the first byte of a bot's line to its end"),
    _limit("line_person", 1, _DAY, _SECONDS, "the same for people"),
    _limit("lines_per_second", 1, 100_000, "lines/s", "sustained"),
    _limit("lines_burst", 10, 1_000_000, "lines", "above the sustained rate"),
    _limit("flood_strikes", 1, 1000, "pauses", "in a row, before `slow-down`"),
    _limit("error_budget", 1, 100_000, "errors", "that a connection is forgiven"),
    _limit("error_refill", 1, _DAY, _SECONDS, "until one error is forgiven"),
    _limit("ping_after", 5, _DAY, _SECONDS, "silence of a bot until it is sent `ping`"),
    _limit("ping_grace", 1, _DAY, _SECONDS, "until it is then taken for gone"),
    _limit("output_base", 64 * _KIB, 64 * _KIB * _KIB, _BYTES, "of output that may wait for a connection"),
    _limit("output_per_game", 4 * _KIB, 1024 * _KIB, _BYTES, "added to that for each declared game"),
    _limit("output_stall", 1, 3600, _SECONDS, "without a byte taken while output waits"),
    _limit("games_per_connection", 1, GAMES, "games", "at once on one connection"),
    _limit("games_total", 1, 1_000_000, "games", "at once on the whole server"),
    _limit("spectators_per_game", 0, 100_000, "watchers", "of one game"),
    _limit("watching_per_connection", 0, 100_000, "games", "watched at once on one connection"),
    _limit("listed", 1, 100_000, "lines", "of one answer to `who` or `games`"),
    _limit("own_results", 1, 100_000, "games", "of one name that are kept for it"),
    _limit("log_bytes", 4 * _KIB, 64 * _KIB * _KIB, _BYTES, "of one seat's log of one game"),
    _limit("log_steps", 10, 1_000_000, "steps", "in such a log"),
    _limit("log_page", 4 * _KIB, 32 * _KIB * _KIB, _BYTES, "of one answer to `log`"),
    _limit("kept_bytes", _KIB * _KIB, 64 * _KIB * _KIB * _KIB, _BYTES, "of finished games in memory"),
    _limit("reconnect_window", 1, _DAY, _SECONDS, "the seats of a lost connection are kept"),
    _limit("restart_window", 1, _DAY, _SECONDS, "the same after a restart of the server"),
    _limit("seek_expires", 1, _DAY, _SECONDS, "that an open seek lasts"),
    _limit("challenges_made", 1, 10_000, "offers", "open at once of one player"),
    _limit("challenges_received", 1, 10_000, "offers", "open at once to one player"),
    _limit("challenge_expires", 1, _DAY, _SECONDS, "that an open offer lasts"),
    _limit("house_games_per_player", 1, GAMES, "games", "at once of one player with one house bot"),
    _limit("events_open", 1, 100, "events", "that are not over; so many ended ones are kept besides"),
    _limit("event_entrants", 2, 1000, "players", "in one event"),
    _limit("walkover_after", 1, _DAY, _SECONDS, "from the first call to a game until who is absent loses it"),
    _limit("event_call", 1, _DAY, _SECONDS, "between two calls to a game of an event"),
    _limit("event_hold", 1, _DAY, _SECONDS, "that the place in an event is kept without a connection"),
    _limit("event_steps_per_minute", 2, 100_000, "a minute",
           "that one name, and one host, may join events and withdraw"),
    _limit("ladder_gather", 0.1, 60, _SECONDS, "between two rounds of pairing on the ladder"),
    _limit("ladder_rematch", 0, 3600, _SECONDS, "that two who have just met wait for somebody else"),
    _limit("ladder_forfeits", 1, 1000, "games", "lost by forfeit in a row; then a bot is off the ladder"),
    _limit("ladder_provisional", 0, 10_000, "games", "below which the rating of a version is provisional"),
    _limit("ladder_versions_per_day", 1, 100_000, "versions", "of one account that may begin rated games"),
    _limit("ladder_versions", 2, 2000, "versions", "that are rated, beside the anchors"),
    _limit("ladder_refit", 1, _DAY, _SECONDS, "from a rated game until all ratings are worked out again"),
    _limit("lenient_bot", 0, 1000, "placements", "illegal ones that a bot of the lobby may make in a game"),
    _limit("resume_delay", 0, 60, _SECONDS, "before a wrong secret or key is answered"),
    _limit("resume_failures_per_minute", 1, 100_000, "a minute", "wrong secrets and keys from one host"),
    _limit("account_failures_per_minute", 1, 100_000, "a minute", "wrong keys of one account"),
    _limit("logins_per_minute", 1, 100_000, "a minute",
           "of one account by keys, and returns of one player by secrets"),
    _limit("store_deadline", 1, 3600, _SECONDS, "that storing a result may take before it is tried again"),
    _limit("store_retry", 0.1, 60, _SECONDS, "between two such attempts"),
    _limit("stall", 2, 3600, _SECONDS, "of standing still that are the server's own: clocks get them back"),
    _limit("heartbeat", 0.1, 60, _SECONDS, "between two steps while anybody is here, at most"),
)  # fmt: skip
"""The keys in the order of docs/configuration.md."""

BY_PATH: Final = {key.path: key for key in KEYS}
TABLES: Final = tuple(dict.fromkeys(key.table for key in KEYS))
NO_KEYS: Final = frozenset({"server", "linger", "store_attempts"})
"""Fields of Settings that nobody may set: the version that the greeting tells, and what hosts decide."""
