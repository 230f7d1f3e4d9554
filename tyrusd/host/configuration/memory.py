"""The worst-case memory of a server: what all its limits come to together (docs/configuration.md#memory)."""

from __future__ import annotations

from typing import Final, NamedTuple

from tyrusd.core.archive import NAMES
from tyrusd.core.settings import Settings
from tyrusd.host.console import BEHIND, WATCHES
from tyrusd.host.game_index import WAITING as ROWS
from tyrusd.host.local_socket import CALLERS
from tyrusd.host.shelf import WAITING
from tyrusd.wire.limits import FRAME, SERVER_LINE

KIB: Final = 1024
PROGRAM: Final = 96 * KIB * KIB  # Python, its modules, the journal's buffers, metrics, the log's backlog
SESSION: Final = 16 * KIB  # a connection with its player, without what waits in its buffers
ENCRYPTION: Final = 192 * KIB  # of a connection: the state of TLS, and its buffers in both directions
GAME: Final = 32 * KIB  # a game of 54 placements with its table, without its logs
STEP: Final = 160  # a step of a log beside its bytes
PACKED: Final = 24  # the same once the game is over
LOGS: Final = 2  # of a game: one of each seat
WATCH: Final = 512  # a game that is watched on a connection
OFFER: Final = 2 * KIB  # an open challenge with its time
PAIRING: Final = KIB  # of an event: for each two that may meet, all that is known of their games
REMEMBERED: Final = 160  # a game in the list of a name
ROW: Final = 2 * KIB  # a finished game that waits for the index
ASKED: Final = KIB  # a player or a game in an answer of the console
# What has no limit: it is the operator's, who is told what each takes.
ACCOUNT: Final = KIB
VERSION: Final = 4 * KIB  # of a bot on the ladder
MEETING: Final = 128  # of two versions


class Memory(NamedTuple):
    """Bytes by what they are for. The bots' processes are apart from the server's."""

    program: int
    connections: int
    encryption: int
    games: int
    finished: int
    lobby: int
    console: int
    bots: int

    @property
    def server(self) -> int:
        """All of the server's own process."""
        return sum(self) - self.bots


def worst_case(settings: Settings, houses: int, bot_memory: int, encrypted: bool = False) -> Memory:
    """Add the limits up; houses: how many bots the lobby has, bot_memory: MiB for each.

    encrypted: whether there is a port with TLS; then every connection may have come by that.
    """
    connections, games = settings.connections_total, settings.games_total
    room = settings.output_base + settings.games_per_connection * settings.output_per_game
    logs = LOGS * (settings.log_bytes + settings.log_steps * STEP)
    packed = LOGS * (settings.log_bytes + settings.log_steps * PACKED)
    watched = min(connections * settings.watching_per_connection, games * settings.spectators_per_game)
    return Memory(
        PROGRAM,
        # What waits to be sent, and what waits to be read; a buffer that grows takes an eighth in advance.
        connections * (SESSION + FRAME + 9 * room // 4),
        connections * ENCRYPTION * encrypted,
        games * (GAME + logs),
        settings.kept_bytes
        + NAMES * settings.own_results * REMEMBERED
        + 2 * WAITING * (GAME + packed)
        + ROWS * ROW,
        watched * WATCH
        + connections * settings.challenges_made * OFFER
        + 2 * settings.events_open * settings.event_entrants**2 * PAIRING,
        WATCHES * BEHIND * SERVER_LINE + CALLERS * (connections + games) * ASKED,
        houses * bot_memory * KIB * KIB,
    )


def in_units(size: int) -> str:
    """A number of bytes as people read it."""
    for unit, power in (("GiB", 30), ("MiB", 20)):
        if size >= 1 << power:
            return f"{size / (1 << power):.1f} {unit}"
    return f"{size / 1024:.0f} KiB"


def told(memory: Memory, settings: Settings) -> str:
    """The worst case as one sentence."""
    encryption = f" and {in_units(memory.encryption)} for their encryption" if memory.encryption else ""
    return (
        f"worst-case memory: {in_units(memory.server)} for the server "
        f"({settings.connections_total} connections {in_units(memory.connections)}{encryption}, "
        f"{settings.games_total} games {in_units(memory.games)}, finished games "
        f"{in_units(memory.finished)}, the lobby {in_units(memory.lobby)}, the console "
        f"{in_units(memory.console)}, the program {in_units(memory.program)}), "
        f"and {in_units(memory.bots)} for its bots; besides {in_units(ACCOUNT)} for each account, "
        f"{in_units(VERSION)} for each version on the ladder, and {MEETING} bytes for each two that have met"
    )
