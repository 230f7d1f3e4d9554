"""Finds the way back to a server: after a break while the seat is kept, and to one that is started anew."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from tyrusd.sdk.talk import Talk

if TYPE_CHECKING:
    from tyrusd.sdk.tcp import Address, Link

CONNECT_SECONDS: Final = 10.0
RESUME_SECONDS: Final = 60.0  # as long as a server keeps a seat (protocol.md#resume)
RESTART_SECONDS: Final = 300.0  # the same after a restart of the server
PAUSE_SECONDS: Final = 1.0
_CLOSES: Final = "shutdown"
_TURNS_AWAY: Final = "busy"  # also what a server that closes says to whoever comes


class Returning:
    """Connects to one server again and again; say: tells whoever watches what happens, in sentences.

    stays: the server is one that stays, as that of a ladder: whoever does not listen now is being started
    anew.
    """

    def __init__(self, address: Address, stays: bool, say: Callable[[str], None]) -> None:
        self._address = address
        self._stays = stays
        self._say = say
        self._until: float | None = None  # when a server that has closed is given up
        self._welcomes = 0  # before it closed

    def closes(self, talk: Talk) -> bool:
        """Whether a talk has ended because its server closes, and will be opened again."""
        if talk.welcomes != self._welcomes:
            self._until, self._welcomes = None, talk.welcomes
        waits = self._until is not None
        return self._stays and (talk.goodbye == _CLOSES or (waits and talk.goodbye == _TURNS_AWAY))

    def reopened(self, talk: Talk) -> Link | None:
        """Wait until somebody listens there again; None when that takes longer than a seat is kept."""
        if self._until is None:
            self._until = time.monotonic() + RESTART_SECONDS
            self._say(f"the server closes; waiting up to {RESTART_SECONDS:g} s for it to be started again")
        talk.anew()
        time.sleep(PAUSE_SECONDS)  # it may listen until it has said goodbye to everybody
        return self._connected(self._until)

    def resumed(self, talk: Talk) -> Link | None:
        """Connect again after a break; None when the seat is lost, or nobody listens there any more."""
        if not talk.lost():
            return None
        wait = RESTART_SECONDS if self._stays else RESUME_SECONDS
        link = self._connected(time.monotonic() + wait if self._until is None else self._until)
        if link is not None:
            self._say("the connection was lost and is made again")
        return link

    def _connected(self, until: float) -> Link | None:
        from tyrusd.sdk.tcp import connect

        while time.monotonic() < until:
            try:
                return connect(self._address, CONNECT_SECONDS)
            except ConnectionRefusedError:
                if not self._stays:
                    return None  # whoever kept the seat has ended
            except OSError:
                pass
            time.sleep(PAUSE_SECONDS)
        return None
