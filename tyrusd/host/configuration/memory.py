"""The worst-case memory of a server: what all its limits come to together (docs/configuration.md#memory)."""

from __future__ import annotations

from typing import Final, NamedTuple

from tyrusd.core.settings import Settings
from tyrusd.wire.limits import FRAME

PROGRAM: Final = 96 * 1024 * 1024  # Python, its modules, the journal's buffers
SESSION: Final = 16 * 1024  # a connection with its player, without what waits in its buffers
GAME: Final = 32 * 1024  # a game of 54 placements with its table, without its logs
STEP: Final = 160  # a step of a log beside its bytes
LOGS: Final = 2  # of a game: one of each seat


class Memory(NamedTuple):
    """Bytes by what they are for. The bots' processes are apart from the server's."""

    program: int
    connections: int
    games: int
    finished: int
    bots: int

    @property
    def server(self) -> int:
        """All of the server's own process."""
        return self.program + self.connections + self.games + self.finished


def worst_case(settings: Settings, houses: int, bot_memory: int) -> Memory:
    """Add the limits up; houses: how many bots the lobby has, bot_memory: MiB for each."""
    room = settings.output_base + settings.games_per_connection * settings.output_per_game
    connection = SESSION + FRAME + 2 * room  # what waits to be sent, and what waits to be read
    game = GAME + LOGS * (settings.log_bytes + settings.log_steps * STEP)
    return Memory(
        PROGRAM,
        settings.connections_total * connection,
        settings.games_total * game,
        settings.kept_bytes,
        houses * bot_memory * 1024 * 1024,
    )


def in_units(size: int) -> str:
    """A number of bytes as people read it."""
    for unit, power in (("GiB", 30), ("MiB", 20)):
        if size >= 1 << power:
            return f"{size / (1 << power):.1f} {unit}"
    return f"{size / 1024:.0f} KiB"


def told(memory: Memory, settings: Settings) -> str:
    """The worst case as one sentence."""
    return (
        f"worst-case memory: {in_units(memory.server)} for the server "
        f"({settings.connections_total} connections {in_units(memory.connections)}, "
        f"{settings.games_total} games {in_units(memory.games)}, finished games "
        f"{in_units(memory.finished)}, the program {in_units(memory.program)}), "
        f"and {in_units(memory.bots)} for its bots"
    )
