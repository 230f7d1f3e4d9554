"""How a checked bot is reached, and with which limits: what the steps may take for granted."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Final, NamedTuple

ANSWER: Final = 10.0  # seconds for an answer to a request, told to the bot as its cap
EXAMINER: Final = "examiner"  # the name of the other player in the games of a check


class Where(Enum):
    """Over what a bot is checked."""

    PROGRAM = "program"  # a child on two pipes, which can be started again
    SOCKET = "socket"  # a connection to a port of ours; the bot may connect again
    LOBBY = "lobby"  # the open connection of a bot in the lobby: hello has been said


class Setting(NamedTuple):
    """One check: where, under which name, with which patience.

    new_game: gives ids for the games, never used before. secret: gives unguessable text for resuming. key:
    what the hello of a bot on a socket must bring, None for none. wait: seconds for its first connection.
    """

    where: Where
    name: str
    new_game: Callable[[], str]
    secret: Callable[[], str]
    server: str
    key: str | None = None
    wait: float = 60.0
    again: float = 5.0  # seconds in which a bot on a socket comes again, if it does
    hello: float = 10.0  # seconds from the greeting to hello
    leave: float = 5.0  # seconds to end after a goodbye or the end of the input
    settle: float = 0.05  # seconds after each step in which a surplus answer still belongs to it
    quiet: float = 0.3  # seconds in which nothing may come where nothing was asked
