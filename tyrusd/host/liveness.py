"""What every connected socket is set to: its lines leave at once, and a machine that vanished is noticed."""

from __future__ import annotations

import contextlib
import socket
from typing import Final, Protocol

IDLE: Final = 60  # seconds without a byte until the system asks the other system for a sign of life
_BETWEEN: Final = 15  # seconds between two such questions
_QUESTIONS: Final = 4
GONE: Final = IDLE + _QUESTIONS * _BETWEEN  # seconds after which the connection is broken
_OPTIONS: Final = (
    ("TCP_NODELAY", 1),
    ("TCP_KEEPIDLE", IDLE),
    ("TCP_KEEPALIVE", IDLE),  # its name on macOS
    ("TCP_KEEPINTVL", _BETWEEN),
    ("TCP_KEEPCNT", _QUESTIONS),
    ("TCP_USER_TIMEOUT", GONE * 1000),  # the same for what was sent and is never acknowledged
)


class _Settable(Protocol):
    def setsockopt(self, level: int, name: int, value: int, /) -> None: ...


def attend(connected: _Settable) -> None:
    """Set the options that this system has.

    People are never asked for a sign of life, nor is who owes a decision without a clock: without this, one
    whose machine lost its power would be here for ever.
    """
    with contextlib.suppress(OSError):  # it may be gone already, which its first read will tell
        connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in _OPTIONS:
            option = getattr(socket, name, None)
            if option is not None:
                connected.setsockopt(socket.IPPROTO_TCP, option, value)
