"""Seats that peers take by themselves, each with a key; and names for several programs."""

from __future__ import annotations

import hmac
from collections.abc import Container, Iterable, Mapping
from itertools import count
from typing import TYPE_CHECKING, Final

from tyrusd.core.failures import Refused
from tyrusd.core.requests import Knocked
from tyrusd.core.session import Session
from tyrusd.core.verbs import Answered, take_over
from tyrusd.wire import messages as wire

if TYPE_CHECKING:
    from tyrusd.core.server import Server

_KNOCKS: Final = 60.0  # seconds between two remarks on wrong keys


class SeatKeys:
    """The keys of all seats of one event, such as a match; keys: by the name of the seat."""

    def __init__(self, event: str, keys: Mapping[str, str | None]) -> None:
        self._event = event
        self._keys = {name: key for name, key in keys.items() if key is not None}
        self._knocked: float | None = None  # when the operator was last told of a wrong key

    def __repr__(self) -> str:
        return f"<SeatKeys of {', '.join(self._keys) or 'nobody'}>"

    def admit(self, server: Server, session: Session, hello: wire.Hello) -> str:
        """Return the name of the seat that a peer's key opens; raises Refused.

        A bot that was started anew has nothing but its key: with that it takes its seat back at once, also
        from a connection that seems to stand still.
        """
        for name, key in self._keys.items():
            if hmac.compare_digest(key, hello.key or ""):
                holder = server.players.get(name.lower())
                if holder is None:
                    return name
                take_over(server, session, hello, holder, server.now)
                raise Answered
        how = "without a key" if hello.key is None else "with a wrong key"
        self._tell_operator(server, session.transport.host, how)
        if hello.key is None:
            sentence = f"A seat of this {self._event} wants key=, as in: hello 0.1 NAME bot key=KEY"
            raise Refused("auth", sentence)
        raise Refused("auth", "This key opens no seat: copy it from what the operator was told.")

    def _tell_operator(self, server: Server, host: str, how: str) -> None:
        """Say that a seat's bot may have been started with the wrong key; not more often than is useful."""
        if self._knocked is None or server.now - self._knocked >= _KNOCKS:
            self._knocked = server.now
            server.news(Knocked(f"somebody came from {host} {how} for a seat"))


def free_name(name: str, here: Container[str], seats: Iterable[str]) -> str:
    """Return a name for one more program of a seat: the seat's own, or with a number if that is taken.

    here: the names of all players, seats: of all seats, both in lower case.
    """
    if name.lower() not in here:
        return name
    taken = frozenset(seats)
    numbered = (f"{name[:26]}_{number}" for number in count(2))
    return next(other for other in numbered if other.lower() not in here and other.lower() not in taken)
