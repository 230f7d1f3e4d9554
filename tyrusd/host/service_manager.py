"""Tells the service manager how the server is, as systemd wants it (sd_notify): ready, reloading, ending."""

from __future__ import annotations

import contextlib
import os
import socket
import time
from collections.abc import MutableMapping
from typing import Final

import trio

from tyrusd.host.engine import Engine

SLACK: Final = 15.0  # seconds beyond the time that an end should take
_USEC: Final = 1_000_000


class ServiceManager:
    """Works beside a server (see `Assembly`); without a manager it does nothing.

    The variables that name the manager are taken out of the environment, so that no child speaks for us.
    """

    def __init__(self, environment: MutableMapping[str, str] = os.environ) -> None:
        self._address = environment.pop("NOTIFY_SOCKET", "")
        watchdog = environment.pop("WATCHDOG_USEC", "")
        owner = environment.pop("WATCHDOG_PID", str(os.getpid()))
        ours = watchdog.isascii() and watchdog.isdigit() and owner == str(os.getpid())
        self._interval = int(watchdog) / _USEC / 2 if ours else 0.0

    def attach(self, engine: Engine) -> None:
        """Nothing is wanted of the engine."""

    async def run(self) -> None:
        """Say that everything listens, then that the server lives, as often as the manager wants to know."""
        self.ready()
        while self._interval > 0:
            self._tell("WATCHDOG=1")
            await trio.sleep(self._interval)

    def ready(self) -> None:
        """The server serves."""
        self._tell("READY=1", "STATUS=serving")

    def reloading(self) -> None:
        """The configuration is being read; `ready` follows."""
        self._tell("RELOADING=1", f"MONOTONIC_USEC={time.monotonic_ns() // 1000}", "STATUS=reloading")

    def stopping(self, seconds: float) -> None:
        """The server ends, and should have done so in so many seconds: more patience than that is wanted."""
        usec = int((seconds + SLACK) * _USEC)
        self._tell("STOPPING=1", f"EXTEND_TIMEOUT_USEC={usec}", "STATUS=waiting for running games")

    def _tell(self, *lines: str) -> None:
        """Send a datagram; a manager that does not take it stops nobody."""
        if not self._address or not hasattr(socket, "AF_UNIX"):
            return
        address = f"\0{self._address[1:]}" if self._address.startswith("@") else self._address
        with (
            contextlib.suppress(OSError, ValueError),
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as messenger,
        ):
            messenger.setblocking(False)
            messenger.sendto("\n".join(lines).encode(), address)
